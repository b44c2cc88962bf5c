// The outside commands rocvet may run: only for what no file tells, by name, never through a shell.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace rocvet {

struct Command {
  std::string_view name;          ///< as in a snapshot's cmd/ folder
  std::vector<const char*> argv;  ///< argv[0] is looked up in `kCommandPath` only
  std::chrono::milliseconds limit;
};

/// Every command there is, in alphabetical order.
std::span<const Command> all_commands();
/// nullptr when the name is not in the table.
const Command* find_command(std::string_view name);

/// A program by its absolute path, or by a name that is looked up in the system's folders and
/// /opt/rocm/bin (the caller's PATH is not trusted for what root may run): the first that `runs`,
/// or "".
std::string find_program(std::string_view program,
                         const std::function<bool(const std::string& path)>& runs);

/// Runs `program` (a path; "" is Error::missing) with stdin and stderr on /dev/null and LC_ALL=C.
/// It ends with this process, however that ends. At the deadline the whole process group is killed:
/// Error::timed_out. Output beyond 64 MiB is Error::failed.
Result<CommandOutput> run_command(std::string_view name, const std::string& program,
                                  std::span<const char* const> argv,
                                  std::chrono::milliseconds limit);

}  // namespace rocvet

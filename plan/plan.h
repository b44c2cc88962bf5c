// What an upgrade would break on a machine, what has to move with it, in which order, and the way
// back. Judged by what was published of the parts before and after; nothing is tried.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/advise.h"
#include "db/database.h"
#include "machine/machine.h"

namespace rocvet {

/// What is to be of another version; "" stays as it is.
struct Upgrade {
  std::string rocm, kernel, os, driver, python;
  struct Wheel {
    std::string framework;  ///< as the database names it: "pytorch"
    std::string version;    ///< "2.9"
    std::string rocm;       ///< of "2.9.1+rocm6.4"; "" where any will do
  };
  std::vector<Wheel> frameworks;
};
/// "rocm=10.1,kernel=6.14,torch=2.9". Errors: a name that nothing is known of ("did you mean"), a
/// name given twice, no version, a version that is none.
Result<Upgrade> parse_upgrade(const Database& database, std::string_view text);

/// One thing that would not work any more.
struct Break {
  bool certain = true;  ///< false: it may break
  std::string subject;  ///< "gpu × rocm", "kernel", "wheel × python" …
  std::string because, source;
};

struct Plan {
  std::string from, to;            ///< the parts that move: "ROCm 6.4.1, Linux 6.8.0-45"
  std::vector<Break> breaks;       ///< certain ones first
  std::vector<std::string> moves;  ///< what must move with it, and why
  std::vector<std::string> notes;  ///< what stays, and what nothing is known of
  std::vector<AdviceStep> steps, back;
  bool judged = true;  ///< false: something that was asked for is unknown to the database
};

/// Errors: an upgrade that names nothing, a database without installation commands.
Result<Plan> plan_upgrade(const Machine& machine, const Database& database, const Upgrade& upgrade);

}  // namespace rocvet

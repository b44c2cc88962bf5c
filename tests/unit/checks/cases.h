// The cases of tests/cases, and what a database makes of them.
#pragma once

#include <string>
#include <vector>

#include "base/toml.h"
#include "db/database.h"
#include "machine/machine.h"

namespace rocvet {

struct Case {
  std::string path;      ///< "kfd-not-accessible/group.toml"
  std::string check_id;  ///< its folder
  TomlNode tables;
  Machine machine;
};

/// All of them; an error names the file that is none.
Result<std::vector<Case>> read_cases();

/// "path: expected fail, got pass" of each case whose check does not give the verdict that it
/// expects, or whose cause has no sign that is seen.
std::vector<std::string> wrong_verdicts(const std::vector<Case>& cases, const Database& db);
/// "path: first CAUSE", "path: not CAUSE" of each expectation that the diagnosis does not meet;
/// sorted.
std::vector<std::string> wrong_diagnoses(const std::vector<Case>& cases, const Database& db);

/// The messages of tests/kernel_messages.txt, made from the driver's format strings, that no
/// template fits.
std::vector<std::string> unknown_kernel_messages(const Knowledge& knowledge);

/// The lines of a list of what is known to be wrong, sorted; "#" begins a comment.
std::vector<std::string> known_list(const std::string& path);
std::string read_test_file(const std::string& path);

}  // namespace rocvet

// Machines for cases of checks: a plain healthy one, changed by what a case file says.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/toml.h"
#include "machine/machine.h"

namespace rocvet {

/// The machine of a case: `base` ("desktop", "pair", "hive", "apu", "docker", "wsl", "none") with
/// the tables of the case laid over it (tests/cases/README.md).
Result<Machine> case_machine(const TomlNode& tables);

/// What is said against a machine: "id: fail: summary" of each finding that fails or warns, "cause:
/// id" of each root cause. A healthy one has none.
std::vector<std::string> complaints_of(const Machine& machine);

}  // namespace rocvet

// The machines that are given faults.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "source/source.h"

namespace rocvet {

struct FaultyMachine {
  std::unique_ptr<Source> source;
  Result<std::string> app_log;     ///< what the application said, where the source does not tell
  std::vector<std::string> about;  ///< paths that it is about; empty: all that are asked
};

/// Those of which all that is asked is given each fault: snapshots of tests/machines, a capture
/// where there is one, and several on which as many cases of tests/cases as fit are laid over one
/// another, since only a sick machine can get better.
std::vector<std::string> whole_machines();
/// "case:kfd-not-accessible/group": the cases that complain, of which only what the case itself
/// changes is given faults.
std::vector<std::string> case_machines();

Result<FaultyMachine> faulty_machine(const std::string& name);

}  // namespace rocvet

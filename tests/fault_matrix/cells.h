// One machine with all its cells: a target and a fault each.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/fault_matrix/fault_source.h"
#include "tests/fault_matrix/judgement.h"
#include "tests/fault_matrix/machines.h"

namespace rocvet {

/// A machine as it is without a fault.
struct Prepared {
  FaultyMachine machine;
  std::unique_ptr<CanonicalPaths> paths;
  std::vector<Target> targets;
  Judgement sound;
};
Result<Prepared> prepare(const std::string& name);

/// Which cells to run; "" is all.
struct CellFilter {
  std::string path, fault;
};

/// What is told while cells run.
struct CellEvents {
  std::function<void(const Target&, Fault)> begins;
  std::function<void(Fault, const Change&)> changed;
  std::function<void(double cpu_ms)> ended;
};

Judgement judge_cell(const Prepared& prepared, const Target& target, Fault fault);

/// Every fault of one target, those before `skip` excepted; `skip` is counted down. A check that
/// some fault moves needs the target: where it passes though the target could not be read, it
/// passes blindly.
void run_target(const Prepared& prepared, const Target& target, const CellFilter& filter,
                std::size_t& skip, const CellEvents& events);

}  // namespace rocvet

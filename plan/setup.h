// The parts of a machine that versions are published of, and the same after an upgrade.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/database.h"
#include "machine/machine.h"
#include "plan/plan.h"

namespace rocvet::plan {

struct SetupGpu {
  std::string name;  ///< as a question to the database has it
  Situation here;    ///< what published defects are looked up by
};

struct Setup {
  std::string os, kernel, rocm;  ///< "" is not known, or not there
  bool dkms = false;             ///< AMD's driver runs, not the kernel's own
  std::string driver;            ///< its release ("30.10"); "" is not known
  std::vector<SetupGpu> gpus;
};

/// Of the machine as it is.
Setup setup_of(const Machine& machine, const Database& database);
/// With the parts that the upgrade names; AMD's driver stays of its release unless it is named.
Setup after(const Setup& now, const Upgrade& upgrade, const Database& database);
/// Gives it AMD's driver of a release.
void set_driver(Setup& setup, const std::string& release, const Database& database);

/// A part of the machine that moves: "ROCm", before, after.
struct Part {
  std::string name, before, after;
};
std::vector<Part> moving_parts(const Setup& before, const Setup& then);

}  // namespace rocvet::plan

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

/// Whose driver runs: the kernel's own or AMD's.
enum class DriverKind { unknown, in_tree, dkms };

struct Setup {
  std::string os, kernel, rocm;  ///< "" is not known, or not there
  bool rocm_installed = false;   ///< not only inside of a framework
  bool wsl = false;              ///< Windows has the driver and the kernel
  DriverKind driver_kind = DriverKind::unknown;
  std::string driver;  ///< the release of AMD's ("30.10"); "" is not known
  std::vector<SetupGpu> gpus;
  std::size_t nameless_gpus = 0;  ///< whose target is not known
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
bool moves(const std::vector<Part>& parts, std::string_view name);

}  // namespace rocvet::plan

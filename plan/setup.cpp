#include "plan/setup.h"

#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/facts/situation.h"
#include "db/driver_releases.h"
#include "db/names.h"
#include "db/question_of.h"

namespace rocvet::plan {

Setup setup_of(const Machine& machine, const Database& database) {
  const Context context{machine, database};
  const Question question = question_of(machine);
  const Situation driver = situation_of_loaded_driver(context);
  Setup setup;
  setup.os = question.os;
  setup.kernel = question.kernel;
  setup.rocm = rocm_version(machine);
  setup.rocm_installed = !machine.software.rocm.empty();
  setup.wsl = machine.surroundings.wsl;
  if (!driver.dkms_driver.empty() || !driver.dkms_package.empty())
    setup.driver_kind = DriverKind::dkms;
  else if (machine.driver.origin == DriverOrigin::in_tree)
    setup.driver_kind = DriverKind::in_tree;
  if (setup.driver_kind == DriverKind::dkms) setup.driver = driver_release_of(database, driver);
  for (const Gpu& gpu : machine.gpus) {
    SetupGpu each{asked_name(gpu, database), situation_of(context, gpu)};
    if (each.name.empty()) {
      ++setup.nameless_gpus;
      continue;
    }
    each.here.dkms_driver = driver.dkms_driver;
    each.here.dkms_package = driver.dkms_package;
    bool known = false;
    for (const SetupGpu& other : setup.gpus) known |= other.name == each.name;
    if (!known) setup.gpus.push_back(std::move(each));
  }
  return setup;
}

void set_driver(Setup& setup, const std::string& release, const Database& database) {
  setup.driver = release;
  setup.driver_kind = DriverKind::dkms;
  for (SetupGpu& gpu : setup.gpus) {
    gpu.here.dkms_package = package_of_driver(database, release);
    gpu.here.dkms_driver = module_of_driver(database, release);
  }
}

Setup after(const Setup& now, const Upgrade& upgrade, const Database& database) {
  Setup then = now;
  if (!upgrade.rocm.empty()) then.rocm = upgrade.rocm;
  if (!upgrade.os.empty()) then.os = upgrade.os;
  // A new system brings a kernel of its own, and nobody said which.
  if (!upgrade.os.empty() && upgrade.os != now.os) then.kernel.clear();
  if (!upgrade.kernel.empty()) then.kernel = upgrade.kernel;
  for (SetupGpu& gpu : then.gpus) {
    gpu.here.rocm = then.rocm;
    gpu.here.os = then.os;
    gpu.here.kernel = then.kernel;
    // The firmware package comes with the system or a later update: what is loaded then is not
    // known.
    if (then.os != now.os) {
      gpu.here.firmware.clear();
      gpu.here.linux_firmware.clear();
    }
    for (const Upgrade::Wheel& wheel : upgrade.frameworks) {
      const std::string pip = wheel.framework == "pytorch" ? "torch" : wheel.framework;
      gpu.here.frameworks[pip] = wheel.version;
      for (auto& [name, version] : gpu.here.frameworks) {
        const bool moves_along = name == "jaxlib" && wheel.framework == "jax";
        if (db::framework_name(name) == wheel.framework || moves_along) version = wheel.version;
      }
    }
  }
  if (!upgrade.driver.empty() && !now.wsl) set_driver(then, upgrade.driver, database);
  return then;
}

std::vector<Part> moving_parts(const Setup& before, const Setup& then) {
  std::vector<Part> parts;
  const auto add = [&](const char* name, const std::string& from, const std::string& to) {
    if (from != to) parts.push_back({name, from, to});
  };
  add("system", before.os, then.os);
  add("Linux", before.kernel, then.kernel);
  add("driver", before.driver, then.driver);
  const auto from = Version::parse(before.rocm), to = Version::parse(then.rocm);
  if (!from || !to || *from != *to) add("ROCm", before.rocm, then.rocm);
  return parts;
}

bool moves(const std::vector<Part>& parts, std::string_view name) {
  return std::ranges::any_of(parts, [&](const Part& part) { return part.name == name; });
}

}  // namespace rocvet::plan

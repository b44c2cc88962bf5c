#include "checks/driver/driver_packages.h"

#include <set>

#include "base/text.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

/// The build number in "1:6.8.5.60200-2009582.24.04": 2009582; "" when there is none.
std::string build_number(std::string_view version) {
  const std::size_t dash = version.rfind('-');
  if (dash == version.npos) return "";
  const std::string_view tail = version.substr(dash + 1);
  return std::string(tail.substr(0, tail.find_first_not_of("0123456789")));
}

}  // namespace

bool is_gpu_module(std::string_view dkms_module) {
  return dkms_module == "amdgpu" || dkms_module == "rock" || dkms_module == "amdgpu-pro";
}

bool is_dkms_package(std::string_view name) {
  return name == "amdgpu-dkms" || name == "rock-dkms" || name == "amdgpu-pro-dkms";
}

std::vector<const Package*> dkms_packages(const Machine& machine) {
  std::vector<const Package*> found;
  for (const char* name : {"amdgpu-dkms", "rock-dkms", "amdgpu-pro-dkms"}) {
    if (const Package* package = find_package(machine, name)) found.push_back(package);
  }
  return found;
}

std::vector<std::string> dkms_only_added(const Machine& machine) {
  std::vector<std::string> found;
  if (!machine.driver.dkms) return found;
  std::set<std::string> built;
  for (const DkmsState& state : *machine.driver.dkms) {
    if (state.state == "built" || state.state == "installed") built.insert(state.version);
  }
  for (const DkmsState& state : *machine.driver.dkms) {
    if (is_gpu_module(state.module) && (state.state == "added" || state.state == "broken") &&
        built.count(state.version) == 0)
      found.push_back(state.module + "/" + state.version + " is only " + state.state);
  }
  return found;
}

bool same_driver_release(const Package& module, const Package& firmware) {
  const std::string a = build_number(module.version), b = build_number(firmware.version);
  // Versions without a build number (rock-dkms 4.0-23) are compared as a whole.
  if (a.size() < 5 || b.size() < 5) return module.version == firmware.version;
  return a == b;
}

std::string dkms_driver_version(const Machine& machine) {
  if (machine.driver.origin == DriverOrigin::dkms && machine.driver.version)
    return *machine.driver.version;
  if (machine.driver.dkms) {
    for (const DkmsState& state : *machine.driver.dkms) {
      if (is_gpu_module(state.module)) return state.version.substr(0, state.version.find('-'));
    }
  }
  if (const Package* package = find_package(machine, "amdgpu-dkms")) {
    std::string_view version = package->version;
    if (const std::size_t colon = version.find(':'); colon != version.npos)
      version.remove_prefix(colon + 1);
    version = version.substr(0, version.find('-'));
    // "6.8.5.60200": the last part is the ROCm release.
    const auto parts = split(version, '.');
    std::string text;
    for (std::size_t i = 0; i < parts.size() && i < 3; ++i)
      text += (i == 0 ? "" : ".") + std::string(parts[i]);
    return text;
  }
  return "";
}

}  // namespace rocvet

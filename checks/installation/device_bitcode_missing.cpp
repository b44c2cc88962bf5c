#include <algorithm>
#include <array>
#include <optional>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDeviceBitcodeMissingDoc = R"(
## What it looks for
amdgcn/bitcode/ocml.bc in the ROCm trees that have a compiler or whose user builds something; where
a compiler misses it, whether it lies in another place (NixOS's store, the folder of another clang).

## Why it matters
hipcc and hipRTC link every kernel with it: "cannot find ROCm device library".

## How to mend it
`sudo apt install rocm-device-libs` (or the distribution's name for it).

## Not this
Bitcode that is there while a variable leads elsewhere: RV403.

## References
- https://clang.llvm.org/docs/HIPSupport.html
- https://github.com/ROCm/llvm-project/tree/amd-staging/amd/device-libs
)";

/// "17" of "/usr/lib/clang/17/amdgcn/bitcode": clang looks in its own folder alone.
std::string clang_of(std::string_view folder) {
  constexpr std::string_view kParent = "/clang/";
  const std::size_t at = folder.find(kParent);
  if (at == folder.npos) return "";
  const std::string_view rest = folder.substr(at + kParent.size());
  return std::string(rest.substr(0, rest.find_first_of("./")));
}

/// The distribution's bitcode lies with one clang, and another is the one that runs.
std::optional<Finding> of_another_clang(const Machine& machine) {
  const Package* clang = find_package(machine, "clang");
  if (clang == nullptr) return std::nullopt;
  // "18" of "18.1.1-1.fc40", "1:18.0-59"
  const std::string version = without_epoch(clang->version);
  const std::string runs = version.substr(0, version.find('.'));
  if (runs.empty()) return std::nullopt;
  for (const std::string& folder : machine.software.bitcode) {
    const std::string owner = clang_of(folder);
    if (owner.empty() || owner == runs) return std::nullopt;
  }
  const std::string& folder = machine.software.bitcode.front();
  const std::string owner = clang_of(folder);
  return passing("the device bitcode is for clang " + owner + ", and clang is " + runs)
      .saw("bitcode is in " + folder)
      .saw(describe(*clang) + " is installed")
      .sees("device-bitcode-of-another-clang")
      .fix({Step("export CC=clang-{} CXX=clang++-{}   # and build anew", owner, owner),
            Step("or: export HIP_DEVICE_LIB_PATH={}", folder)});
}

/// Debian's comgr has the bitcode within: there clang alone, which hipcc and the development
/// packages bring, looks for files of it.
bool nothing_looks_for_it(const Machine& machine) {
  if (family(machine) != Family::apt || machine.software.rocm.empty()) return false;
  const bool distro = std::ranges::all_of(machine.software.rocm, [](const RocmInstall& install) {
    return install.owner == RocmOwner::distro_packages;
  });
  return distro && std::ranges::none_of(
                       std::array{"hipcc*", "libamdhip64-dev", "rocm-hip-*"},
                       [&](const char* name) { return !find_packages(machine, name).empty(); });
}

std::vector<Finding> run_device_bitcode_missing(const Context& context) {
  const Machine& machine = context.machine;
  bool any = !machine.software.bitcode.empty(), some_rocm = false;
  for (const RocmInstall& install : machine.software.rocm) {
    any |= install.has_device_libs;
    some_rocm |= install.owner == RocmOwner::amd_packages ||
                 install.owner == RocmOwner::distro_packages || install.owner == RocmOwner::tarball;
  }
  const bool complaint = app_log_has(context, "ROCm device library");
  // clang looks for ocml.bc first, and for the file of the target in the folder that has it.
  if (any && app_log_has(context, "cannot find ROCm device library for gfx"))
    return warning("the device bitcode of one target is missing beside the rest")
        .saw(machine.software.bitcode.empty() ? "" : machine.software.bitcode.front())
        .sees("device-bitcode-lacks-a-target")
        .fix({"reinstall the package that has the device bitcode (rocm-device-libs)"});
  // Where clang looks unasked, it looks for more than ocml.bc: then a file of it is missing.
  const auto is_looked_at = [](const std::string& folder) {
    return folder.starts_with("/opt/rocm") || folder.starts_with("/usr/");
  };
  const std::vector<std::string>& folders = machine.software.bitcode;
  if (complaint && !folders.empty() && std::ranges::none_of(folders, is_looked_at))
    return passing("device bitcode is here, and a compiler does not find it")
        .saw("bitcode is in " + folders.front())
        .sees("bitcode-here-and-not-found")
        .fix({Step("export HIP_DEVICE_LIB_PATH={}", folders.front())});
  if (complaint && !folders.empty()) {
    if (auto other = of_another_clang(machine)) return {*other};
  }
  if (any) return {pass("device bitcode is here")};
  if (!some_rocm && !complaint) return {none_here("there is no ROCm with a compiler here")};
  if (!complaint && nothing_looks_for_it(machine))
    return {none_here("there is no compiler here that looks for device bitcode")};
  if (const auto& closed = machine.software.closed_bitcode; !closed.empty())
    return (complaint ? failing("this user may not read the device bitcode")
                      : passing("this user may not read the device bitcode; building needs it"))
        .saw(closed.front() + " is closed")
        .sees("device-bitcode-unreadable")
        .fix({Step("sudo chmod -R a+rX {}", closed.front())})
        .root();
  if (!software_was_read(machine))
    return {{Verdict::unknown, "not known: what device bitcode is on this machine"}};
  const bool package_gone = package_absent(machine, "rocm-device-libs");
  return (complaint ? failing("the device bitcode is not installed")
                    : passing("the device bitcode is not installed; building needs it"))
      .saw("no amdgcn/bitcode/ocml.bc in any ROCm tree")
      .saw(package_gone ? "rocm-device-libs is not installed" : "")
      .sees("device-bitcode-absent")
      .fix({install_command(machine, "rocm-device-libs", "rocm-device-libs", "rocm-device-libs",
                            "rocm-device-libs")})
      .root();
}

}  // namespace

extern const Check kDeviceBitcodeMissing;
constinit const Check kDeviceBitcodeMissing{.code = "RV408",
                                            .id = "device-bitcode-missing",
                                            .topic = "installation",
                                            .title = "The device bitcode is not installed",
                                            .doc = kDeviceBitcodeMissingDoc,
                                            .run = run_device_bitcode_missing};

}  // namespace rocvet

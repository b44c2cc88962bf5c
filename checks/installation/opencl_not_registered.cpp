#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/sonames.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/tool_output.h"

namespace rocvet {
namespace {

constexpr std::string_view kOpenclNotRegisteredDoc = R"(
## What it looks for
.icd files of AMD in /etc/OpenCL/vendors, whether what they name exists, ROCm's OpenCL library, and
the ICD loader that programs open (libOpenCL.so.1).

## Why it matters
The ICD loader asks this folder alone. Without a valid entry clinfo shows no platform though
rocminfo sees the GPU.

## How to mend it
Write the absolute path of libamdocl64.so into /etc/OpenCL/vendors/amdocl64.icd.

## Not this
A platform without devices: that is access or the driver.

## References
- https://github.com/KhronosGroup/OpenCL-ICD-Loader
- https://github.com/ROCm/clr
)";

/// libOpenCL.so.1, which hands each call to the driver that is registered, is nowhere.
bool lacks_loader(const Machine& machine) {
  const auto& cache = machine.software.loader_cache;
  if (!cache || cache->empty()) return false;
  const Whereabouts where = whereabouts(machine, "libOpenCL.so.1", "");
  return where.found.empty() && where.exact.empty();
}

std::vector<Finding> run_opencl_not_registered(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const Software& software = machine.software;
  if (software.opencl_libraries.empty()) return {none_here("ROCm's OpenCL is not installed")};
  if (!software.opencl_icds) return {unknown(software.opencl_icds.error())};
  std::vector<std::string> evidence;
  bool valid = false;
  for (const OpenClIcd& icd : *software.opencl_icds) {
    if (icd.file.find("amdocl") == std::string::npos &&
        icd.library.find("amdocl") == std::string::npos)
      continue;
    valid |= icd.resolved.has_value() || icd.resolved.is(Error::Kind::not_captured);
    if (icd.resolved.is_missing())
      evidence.push_back(icd.file + " names " + icd.library + ", which is not found");
  }
  constexpr std::string_view kOpenCl[] = {"opencl", "pyopencl", "clinfo"};
  if (valid && !software.conda_opencl_without_amd.empty() &&
      someone_complains_of(context, kOpenCl)) {
    const std::string& root = software.conda_opencl_without_amd.front();
    return warning("the OpenCL loader of a conda environment is told of no driver of AMD's")
        .about(root)
        .saw(root + "/lib/libOpenCL.so.1 is the environment's own")
        .saw(root + "/etc/OpenCL/vendors names no driver of AMD's")
        .sees("conda-opencl-without-amd")
        .fix({"conda install -c conda-forge ocl-icd-system"})
        .verify("clinfo -l");
  }
  if (valid && lacks_loader(machine))
    return passing("AMD's OpenCL is registered, and the library that programs open is not here")
        .saw("no libOpenCL.so.1 in the loader's cache nor in ROCm's folders")
        .sees("opencl-loader-absent");
  if (valid) return {pass("AMD's OpenCL is registered")};
  const std::string_view clinfo = tool_output(machine, "clinfo");
  const bool zero =
      fits("Number of platforms*0\n", clinfo) && clinfo.find("Platform Name") == clinfo.npos;
  const bool stated = zero || said(context, "opencl-icd-broken") >= 0.5;
  const bool complaint = stated || people_say(context, {"clinfo", "platform", "opencl"});
  if (evidence.empty()) evidence.push_back("no .icd of AMD in /etc/OpenCL/vendors");
  for (const std::string& icd : software.opencl_icds_in_rocm) evidence.push_back(icd + " exists");
  return Say(verdict_of(stated, complaint), complaint
                                                ? "AMD's OpenCL is not registered"
                                                : "AMD's OpenCL is installed and not registered")
      .saw(evidence)
      .sees("amd-opencl-not-registered")
      .fix({Step("echo {} | sudo tee /etc/OpenCL/vendors/amdocl64.icd",
                 software.opencl_libraries.front())})
      .verify("clinfo -l")
      .undo("sudo rm /etc/OpenCL/vendors/amdocl64.icd")
      .root();
}

}  // namespace

extern const Check kOpenclNotRegistered;
constinit const Check kOpenclNotRegistered{.code = "RV406",
                                           .id = "opencl-not-registered",
                                           .topic = "installation",
                                           .title = "OpenCL does not find AMD's platform",
                                           .doc = kOpenclNotRegisteredDoc,
                                           .run = run_opencl_not_registered};

}  // namespace rocvet

#include <algorithm>

#include "base/path_walk.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/conditions.h"
#include "checks/facts/gpus.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kNoComputeRuntimeDoc = R"(
## What it looks for
Anything through which a program computes on the GPU: ROCm's HIP or OpenCL, a Python framework or an
application that brings its own ROCm, another OpenCL driver for AMD's GPUs (Mesa's rusticl).

## Why it matters
The kernel's driver alone draws pictures. A program that wants OpenCL, HIP or ROCm's monitoring
library finds no GPU where none of them is installed, and often says no more than that.

## How to mend it
Install what the program asks for: ROCm's OpenCL, its HIP runtime, or rocm-smi's library.

## Not this
A machine that is there to draw pictures. A runtime that is there and is not found: RV406, RV503.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/
)";

bool computes(const RocmInstall& rocm) {
  return !rocm.leftover && !rocm.libraries.empty();
}

/// What it can compute with, in a word; "" when there is nothing.
std::string runtime_of(const Software& software) {
  const auto rocm = std::ranges::find_if(software.rocm, computes);
  if (rocm != software.rocm.end()) return "ROCm in " + rocm->root;
  for (const PythonEnvironment& python : software.python) {
    for (const Framework& framework : python.frameworks) {
      if (framework.hip_version) return framework.name + " with its own ROCm";
    }
  }
  for (const Application& application : software.applications) {
    if (!application.bundle.empty()) return application.name + " with its own ROCm";
  }
  if (!software.opencl_libraries.empty()) return software.opencl_libraries.front();
  if (software.opencl_icds) {
    for (const OpenClIcd& icd : *software.opencl_icds) {
      const std::string_view name = base_name(icd.file);
      const bool of_mesa = name.find("mesa") != name.npos || name.find("rusticl") != name.npos;
      const bool of_amd = name.find("amd") != name.npos;
      if ((of_mesa || of_amd) && icd.resolved) return icd.file;
    }
  }
  return "";
}

std::vector<Finding> run_no_compute_runtime(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!software_was_read(machine)) return {unknown(not_captured("the machine's software"))};
  if (const std::string here = runtime_of(machine.software); !here.empty())
    return {pass("programs can compute with " + here)};
  // What runs in a container brings its own, and its host needs none.
  if (condition(context, "container-in-play") == Truth::yes)
    return {pass("nothing is installed that computes on the GPU: a container brings its own")};
  return passing("nothing is installed that computes on the GPU: neither ROCm nor OpenCL")
      .saw("no ROCm, no OpenCL driver of AMD's or Mesa's, no application that brings ROCm along")
      .sees("no-compute-runtime");
}

}  // namespace

extern const Check kNoComputeRuntime;
constinit const Check kNoComputeRuntime{.code = "RV427",
                                        .id = "no-compute-runtime",
                                        .topic = "installation",
                                        .title = "Nothing is installed that computes on the GPU",
                                        .doc = kNoComputeRuntimeDoc,
                                        .run = run_no_compute_runtime};

}  // namespace rocvet

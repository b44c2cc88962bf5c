#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kPackagesShareAModuleDoc = R"(
## What it looks for
triton and pytorch-triton-rocm, onnxruntime and its variants, tensorflow and tensorflow-rocm, cupy
and its variants, in one environment.

## Why it matters
Both write into one folder; the files of the one that came last win, the metadata of both stay.
Uninstalling either breaks the other.

## How to mend it
Uninstall both, then install the one for ROCm.

## Not this
The same packages in different environments.

## References
- https://pip.pypa.io/en/stable/topics/dependency-resolution/
- https://onnxruntime.ai/docs/install/
)";

struct Group {
  std::string_view module;
  std::vector<std::string_view> packages;
};

std::vector<Finding> run_packages_share_a_module(const Context& context) {
  const Group groups[] = {
      {"triton", {"triton", "pytorch-triton-rocm", "pytorch-triton", "triton-rocm"}},
      {"onnxruntime",
       {"onnxruntime", "onnxruntime-gpu", "onnxruntime-rocm", "onnxruntime-migraphx"}},
      {"tensorflow", {"tensorflow", "tensorflow-rocm", "tensorflow-cpu"}},
      {"cupy", {"cupy", "cupy-cuda11x", "cupy-cuda12x", "cupy-rocm-5-0", "cupy-rocm-6-0"}},
  };
  const Machine& machine = context.machine;
  if (machine.software.python.empty()) return {none_here("no Python environment was found")};
  std::vector<Finding> findings;
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Group& group : groups) {
      std::vector<std::string> here, names;
      for (const PythonPackage& package : python.packages) {
        if (std::count(group.packages.begin(), group.packages.end(), package.name) == 0) continue;
        if (std::count(names.begin(), names.end(), package.name) > 0) continue;
        names.push_back(package.name);
        here.push_back(package.name + " " + package.version);
      }
      if (names.size() < 2) continue;
      findings.push_back(
          warning(join(names, " and ") + " install the same module")
              .about(python.root)
              .saw(here)
              .fix({Step("{}/bin/pip uninstall -y {}", python.root, Word::list(names)),
                    "install the one for ROCm again"}));
    }
  }
  return or_pass(std::move(findings), "no two packages install the same module");
}

}  // namespace

extern const Check kPackagesShareAModule;
constinit const Check kPackagesShareAModule{
    .code = "RV808",
    .id = "packages-share-a-module",
    .topic = "framework",
    .title = "Two packages of an environment install the same module",
    .doc = kPackagesShareAModuleDoc,
    .run = run_packages_share_a_module};

}  // namespace rocvet

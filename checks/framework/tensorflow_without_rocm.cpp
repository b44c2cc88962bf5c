#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kTensorflowWithoutRocmDoc = R"(
## What it looks for
Python environments with PyPI's tensorflow and without tensorflow-rocm.

## Why it matters
PyPI's TensorFlow is for the processor and for NVIDIA's GPUs: on this machine it computes on the
processor, without an error.

## How to mend it
Remove it and install tensorflow-rocm from AMD's index; PyPI has it for ROCm before 6.1 alone.

## Not this
A build that says itself that it is for CUDA: RV802. A machine that computes on its GPU with another
framework: many use TensorFlow on the processor on purpose.

## References
- https://www.tensorflow.org/install/pip
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/3rd-party/tensorflow-install.html
)";

const PythonPackage* package_in(const PythonEnvironment& python, std::string_view name) {
  const auto found = std::ranges::find(python.packages, name, &PythonPackage::name);
  return found == python.packages.end() ? nullptr : &*found;
}

std::vector<Finding> run_tensorflow_without_rocm(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.software.python.empty()) return {none_here("no Python environment was found")};
  const bool stated = said(context, "cuda-wheel-instead-of-rocm") >= 0.5;
  std::vector<Finding> findings;
  bool any = false;
  for (const PythonEnvironment& python : machine.software.python) {
    const PythonPackage* tensorflow = package_in(python, "tensorflow");
    if (tensorflow == nullptr) tensorflow = package_in(python, "tensorflow-cpu");
    any |= tensorflow != nullptr || package_in(python, "tensorflow-rocm") != nullptr;
    if (tensorflow == nullptr || package_in(python, "tensorflow-rocm") != nullptr) continue;
    if (tensorflow->version.find("rocm") != std::string::npos) continue;
    findings.push_back(
        Say(lacks_gpu_framework(machine) || stated ? Verdict::warn : Verdict::pass,
            tensorflow->name + " " + tensorflow->version + " is not built for ROCm")
            .about(python.root)
            .saw(tensorflow->name + " is there and tensorflow-rocm is not")
            .sees("tensorflow-is-not-for-rocm")
            .fix({"pip uninstall -y tensorflow tensorflow-cpu",
                  "pip install tensorflow-rocm -f "
                  "https://repo.radeon.com/rocm/manylinux/rocm-rel-X.Y/   # before ROCm 7.14"})
            .verify("python3 -c 'import tensorflow as tf; "
                    "print(tf.config.list_physical_devices(\"GPU\"))'"));
  }
  if (!any) return {none_here("TensorFlow is not installed")};
  return or_pass(std::move(findings), "TensorFlow is built for ROCm");
}

}  // namespace

extern const Check kTensorflowWithoutRocm;
constinit const Check kTensorflowWithoutRocm{.code = "RV820",
                                             .id = "tensorflow-without-rocm",
                                             .topic = "framework",
                                             .title = "TensorFlow is not built for ROCm",
                                             .doc = kTensorflowWithoutRocmDoc,
                                             .run = run_tensorflow_without_rocm};

}  // namespace rocvet

#include "checks/check.h"
#include "checks/common/say.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kNumpyOfAnotherGenerationDoc = R"(
## What it looks for
NumPy 2 or newer with torch before 2.3 or TensorFlow before 2.18.

## Why it matters
"A module that was compiled using NumPy 1.x cannot be run in NumPy 2": tensors do not become arrays,
imports fail. It looks like a broken installation of ROCm.

## How to mend it
`pip install 'numpy<2'`, or a newer framework.

## Not this
NumPy 1 with any of them.

## References
- https://numpy.org/doc/stable/numpy_2_0_migration_guide.html
)";

std::vector<Finding> run_numpy_of_another_generation(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.software.python.empty()) return {none_here("no Python environment was found")};
  std::vector<Finding> findings;
  for (const PythonEnvironment& python : machine.software.python) {
    const PythonPackage *numpy = nullptr, *old = nullptr;
    for (const PythonPackage& package : python.packages) {
      const auto version = Version::parse(package.version);
      if (!version || version->parts.empty()) continue;
      if (package.name == "numpy" && version->parts[0] >= 2) numpy = &package;
      const bool torch = package.name == "torch" && *version < Version{{2, 3}};
      const bool tensorflow = (package.name == "tensorflow" || package.name == "tensorflow-rocm") &&
                              *version < Version{{2, 18}};
      if (torch || tensorflow) old = &package;
    }
    if (numpy == nullptr || old == nullptr) continue;
    findings.push_back(warning(old->name + " " + old->version + " was built for NumPy 1")
                           .about(python.root)
                           .saw("numpy " + numpy->version + ", " + old->name + " " + old->version)
                           .fix({Step("{}/bin/pip install 'numpy<2'", python.root)}));
  }
  return or_pass(std::move(findings), "NumPy fits the frameworks");
}

}  // namespace

extern const Check kNumpyOfAnotherGeneration;
constinit const Check kNumpyOfAnotherGeneration{
    .code = "RV810",
    .id = "numpy-of-another-generation",
    .topic = "framework",
    .title = "NumPy 2 lies beside a framework built for NumPy 1",
    .doc = kNumpyOfAnotherGenerationDoc,
    .run = run_numpy_of_another_generation};

}  // namespace rocvet

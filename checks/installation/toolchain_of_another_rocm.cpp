#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kToolchainOfAnotherRocmDoc = R"(
## What it looks for
Somebody complains of a build, the framework that it is for (PyTorch) was made with one major release
of ROCm, and the compiler that is installed is of another.

## Why it matters
An extension is compiled by the ROCm that is installed, against headers and options of the one that
the framework was made with: options that an older compiler does not know, names that a newer HIP
took away.

## How to mend it
Install the ROCm that the framework names (its version ends in +rocm6.2), or the framework for the
ROCm that is here.

## Not this
Running a framework: its wheel brings the libraries that it needs.

## References
- https://pytorch.org/get-started/locally/
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/3rd-party/pytorch-install.html
)";

bool complains_of_a_build(const Context& context) {
  constexpr std::string_view kWords[] = {"hipcc",    "clang",         "ninja", "setup.py",
                                         "compilat", "build_ext",     "cmake", "hipify",
                                         "compiler", "building wheel"};
  return someone_complains_of(context, kWords);
}

std::vector<Finding> run_toolchain_of_another_rocm(const Context& context) {
  const Machine& machine = context.machine;
  if (!complains_of_a_build(context)) return {skip("nobody complains of a build")};
  const RocmInstall* toolchain = nullptr;
  for (const RocmInstall& install : machine.software.rocm) {
    const bool system =
        install.owner == RocmOwner::amd_packages || install.owner == RocmOwner::distro_packages;
    if (system && install.version && (toolchain == nullptr || install.is_default))
      toolchain = &install;
  }
  if (toolchain == nullptr) return {none_here("no ROCm of packages is here to build with")};
  const auto built_by = Version::parse(*toolchain->version);
  std::vector<Finding> findings;
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (framework.name != "torch" || !framework.hip_version) continue;
      const auto made_with = Version::parse(*framework.hip_version);
      if (!built_by || !made_with || built_by->parts[0] == made_with->parts[0]) continue;
      findings.push_back(
          warning("extensions are built by another ROCm than the framework was made with")
              .about(python.root)
              .saw(framework.name + " " + framework.version + " is of ROCm " +
                   series_of(*framework.hip_version))
              .saw("the compiler here is of ROCm " + *toolchain->version + " in " + toolchain->root)
              .sees("toolchain-of-another-rocm-than-torch")
              .fix({Step("install ROCm {}, or the torch for ROCm {}",
                         series_of(*framework.hip_version), series_of(*toolchain->version))}));
    }
  }
  return or_pass(std::move(findings), "the compiler is of the framework's ROCm");
}

}  // namespace

extern const Check kToolchainOfAnotherRocm;
constinit const Check kToolchainOfAnotherRocm{
    .code = "RV429",
    .id = "toolchain-of-another-rocm",
    .topic = "installation",
    .title = "The compiler is of another ROCm than the framework",
    .doc = kToolchainOfAnotherRocmDoc,
    .run = run_toolchain_of_another_rocm};

}  // namespace rocvet

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kPathWithBlankDoc = R"(
## What it looks for
Blanks in the virtual environment's path, ROCM_PATH, and the folders of applications and
frameworks that bring their own ROCm.

## Why it matters
ROCm's libraries build file names and options from that path; with a blank they do not find their
kernel files: "no kernel image is available" although the target is there.

## How to mend it
Move it to a path without blanks.

## Not this
A GPU for which the build has no code: RV801.

## References
- https://github.com/ROCm/legacy-rocm-build/issues/4329
)";

std::vector<Finding> run_path_with_blank(const Context& context) {
  const Machine& machine = context.machine;
  std::vector<std::string> evidence;
  bool has_code = false;
  const auto fits_here = [&](const std::vector<std::string>& targets) {
    for (const std::string& gfx : gfx_present(machine)) has_code |= any_target_fits(targets, gfx);
  };
  for (const char* name : {"VIRTUAL_ENV", "ROCM_PATH", "HIP_PATH", "CONDA_PREFIX"}) {
    const std::string value = variable_or_empty(machine, name);
    if (value.find(' ') != std::string::npos) evidence.push_back(std::string(name) + "=" + value);
  }
  for (const Application& application : machine.software.applications) {
    if (application.path.find(' ') == std::string::npos) continue;
    evidence.push_back(application.name + " lies in " + application.path);
    fits_here(application.gfx);
  }
  for (const PythonEnvironment& python : machine.software.python) {
    if (python.root.find(' ') == std::string::npos) continue;
    evidence.push_back("Python environment " + python.root);
    for (const Framework& framework : python.frameworks) fits_here(framework.gfx);
  }
  for (const RocmInstall& install : machine.software.rocm) {
    if (install.root.find(' ') != std::string::npos) evidence.push_back("ROCm in " + install.root);
  }
  if (evidence.empty()) return {pass("no path has a blank")};
  const bool complaint =
      app_log_has(context, "no kernel image") || app_log_has(context, "hipErrorNoBinaryForGpu") ||
      app_log_has(context, "TensileLibrary") || app_log_has(context, "invalid device function");
  return (complaint && has_code ? failing("a blank in the path hides the kernel files")
                                : passing("there is a blank in a path"))
      .saw(evidence)
      .saw(complaint && has_code
               ? "the GPU's target is in the files, and the application does not find it"
               : "")
      .sees("blank-in-path")
      .fix({"move it to a path without blanks"});
}

}  // namespace

extern const Check kPathWithBlank;
constinit const Check kPathWithBlank{
    .code = "RV606",
    .id = "path-with-blank",
    .topic = "environment",
    .title = "ROCm or the application lies in a folder with a blank",
    .doc = kPathWithBlankDoc,
    .run = run_path_with_blank};

}  // namespace rocvet

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"
#include "checks/facts/wsl.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/spoken_gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kWslRocmUnsupportedDoc = R"(
## What it looks for
The ROCm release under WSL against its two ways to the GPU: the package
hsa-runtime-rocr4wsl-amdgpu (to 7.1), librocdxg (from 7.2). A GPU that the log names, against what the release lists.

## Why it matters
The ordinary HSA runtime wants /dev/kfd, which WSL has not: no tool sees the GPU.

## How to mend it
Install a release of the WSL matrix: `amdgpu-install --usecase=wsl,rocm --no-dkms`, and the
matching Windows driver.

## Not this
A wheel that brings the ordinary runtime along: RV813.

## References
- https://rocm.docs.amd.com/projects/radeon/en/latest/docs/install/wsl/install-radeon.html
- https://rocm.docs.amd.com/projects/radeon/en/latest/docs/compatibility/wsl/wsl_compatibility.html
)";

std::vector<Finding> run_wsl_rocm_unsupported(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.surroundings.wsl) return {none_here("this is not WSL", Absence::surroundings)};
  if (app_log_has(context, "No WDDM adapters found"))
    return failing("the Windows driver offers no adapter to this ROCm")
        .sees("no-wddm-adapter")
        .fix({"install the Adrenalin driver that the WSL matrix lists for this ROCm release"});
  const WslRocm wsl = wsl_rocm(machine);
  if (wsl.version.empty()) return {none_here("there is no ROCm here")};
  if (wsl.rocminfo_lists_gpu.value_or(false)) return {pass("rocminfo lists the GPU under WSL")};
  std::vector<std::string> evidence = {"ROCm " + wsl.version + " under WSL"};
  for (const KnownIssue& issue : issues_about(context, "wsl-unsupported"))
    evidence.push_back(issue.because + " (" + issue.source + ")");
  // No file under WSL tells which GPU it is; somebody may have said so. Its matrix is a part of
  // the general one: what merely has code in a library is not in it.
  const bool lists_none = wsl.rocminfo_lists_gpu.has_value();
  bool gpu_unlisted = false, never_listed = false;
  for (const std::string& gfx : targets_spoken_of(context)) {
    // What no release lists in WSL, this one does not either.
    const auto in_wsl = context.db.ask({.gpu = gfx, .platform = "wsl"});
    if (in_wsl && in_wsl->verdict == Support::unlisted && (lists_none || person_speaks(context))) {
      evidence.push_back(gfx + " is named in the log: no ROCm release lists it in WSL");
      gpu_unlisted = true;
      // What is newer than the matrix may be in the next one.
      never_listed |= !gfx.starts_with("gfx115") && !gfx.starts_with("gfx12");
      continue;
    }
    const auto answer = context.db.ask({.gpu = gfx, .rocm = wsl.version});
    if (!answer) continue;
    const bool unlisted =
        answer->verdict == Support::unlisted || answer->verdict == Support::unsupported;
    const bool merely_built = answer->verdict == Support::enabled;
    if (!unlisted && !(merely_built && (lists_none || person_speaks(context)))) continue;
    evidence.push_back(gfx + " is named in the log: " + answer->because);
    gpu_unlisted = true;
  }
  const bool listed_bad = evidence.size() > 1;
  const bool no_runtime = !wsl.uses_librocdxg && wsl.wsl_runtime_package.empty() &&
                          machine.software.packages.has_value();
  if (!listed_bad && !no_runtime && lists_none)
    return passing("rocminfo lists no GPU, though ROCm " + wsl.version + " has a runtime for WSL")
        .sees("wsl-lists-no-gpu");
  if (!listed_bad && !no_runtime) return {pass("ROCm " + wsl.version + " has a runtime for WSL")};
  if (no_runtime) evidence.push_back("hsa-runtime-rocr4wsl-amdgpu is not installed");
  const char* what = never_listed   ? "no ROCm lists the GPU that is named for WSL"
                     : gpu_unlisted ? "this ROCm does not list the GPU that is named"
                                    : "this ROCm has no runtime for WSL";
  const ObservationName seen = never_listed   ? ObservationName("gpu-in-no-wsl-matrix")
                               : no_runtime   ? ObservationName("rocm-without-wsl-runtime")
                               : gpu_unlisted ? ObservationName("gpu-outside-wsl-matrix")
                                              : ObservationName("rocm-outside-wsl-matrix");
  const Step mend =
      never_listed
          ? Step("Linux on the machine itself, or a GPU of AMD's WSL matrix")
          : Step("amdgpu-install --usecase=wsl,rocm --no-dkms   # of a release in the WSL matrix");
  Finding found =
      (no_runtime || lists_none ? failing(what) : passing("this ROCm is outside the WSL matrix"))
          .saw(evidence)
          .sees(seen)
          .fix({mend})
          .root();
  if (never_listed && lists_none) found.seen.push_back("wsl-lists-no-gpu");
  return {found};
}

}  // namespace

extern const Check kWslRocmUnsupported;
constinit const Check kWslRocmUnsupported{.code = "RV712",
                                          .id = "wsl-rocm-unsupported",
                                          .topic = "container",
                                          .title = "WSL: this ROCm has no runtime for WSL",
                                          .doc = kWslRocmUnsupportedDoc,
                                          .run = run_wsl_rocm_unsupported};

}  // namespace rocvet

#include <algorithm>

#include "checks/check.h"
#include "checks/common/app_errors.h"
#include "checks/common/complaint.h"
#include "checks/common/gpus.h"
#include "checks/common/say.h"
#include "checks/common/situation.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Each GPU's target against each installed ROCm release, in the compatibility database.

## Why it matters
Libraries of the release may have no code for the GPU, and nobody tests it. Older releases may
have supported it, newer ones may.

## How to mend it
`rocvet advise` says which release supports the GPU. Many unlisted consumer GPUs work with a
compatible override all the same.

## Not this
A framework build without the GPU's code: RV801.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
- https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const std::string version = rocm_version(machine);
  if (version.empty()) return {skip("there is no ROCm here")};
  const auto here = Version::parse(version);
  if (!here) return {skip("ROCm's version is not known")};
  std::vector<Finding> findings;
  for (const std::string& gfx : gfx_present(machine)) {
    const std::string last = context.db.last_rocm_for(gfx);
    const auto until = Version::parse(last);
    if (last.empty() || !until || !(*until < *here)) continue;
    const bool complaint = lacks_code(context);
    findings.push_back((complaint ? failing("ROCm " + version + " no longer supports " + gfx)
                                  : passing("ROCm " + version + " no longer lists " + gfx))
                           .about(gfx)
                           .saw("the last release that did is " + last)
                           .vote("gfx-dropped-by-rocm", complaint ? 0.82 : 0.23)
                           .fix({Step("install ROCm {} and frameworks built for it", last)}));
  }
  return or_pass(std::move(findings), "no GPU here was dropped by ROCm " + version);
}

}  // namespace

extern const Check kGpuUnsupportedByRocm;
constinit const Check kGpuUnsupportedByRocm{.code = "RV401",
                                            .id = "gpu-unsupported-by-rocm",
                                            .topic = "installation",
                                            .title = "The installed ROCm does not support this GPU",
                                            .doc = kDoc,
                                            .run = run};

}  // namespace rocvet

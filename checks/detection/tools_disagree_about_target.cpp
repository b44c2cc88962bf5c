#include <algorithm>

#include "checks/check.h"
#include "checks/common/environment.h"
#include "checks/common/gpus.h"
#include "checks/common/say.h"
#include "checks/common/tool_output.h"
#include "machine/text.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The gfx names in rocminfo's output against those of KFD's topology, where no override is set.

## Why it matters
The runtime then compiles and picks code for a part that is not there; kernels fault. KFD is right:
it read the GPU.

## How to mend it
Update ROCm; set HIP_VISIBLE_DEVICES so that only the GPU meant is used.

## Not this
HSA_OVERRIDE_GFX_VERSION: it makes rocminfo say so on purpose (RV601).

## References
- https://github.com/ROCm/rocm-systems/issues/11549
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const std::string_view text = tool_output(machine, "rocminfo");
  if (text.empty()) return {skip("rocminfo's output is not at hand")};
  if (!variable_or_empty(machine, "HSA_OVERRIDE_GFX_VERSION").empty())
    return {skip("HSA_OVERRIDE_GFX_VERSION is set")};
  std::vector<std::string> present, odd;
  for (const Gpu* gpu : kfd_gpus(machine)) {
    if (gpu->gfx && gpu->gfx_source == "kfd") present.push_back(*gpu->gfx);
  }
  if (present.empty()) return {skip("KFD does not tell the targets")};
  for (const std::string_view line : split(text, '\n')) {
    const auto parts = words(line);
    if (parts.size() != 2 || parts[0] != "Name:" || !parts[1].starts_with("gfx")) continue;
    const std::string name(parts[1]);
    if (std::count(present.begin(), present.end(), name) == 0 &&
        std::count(odd.begin(), odd.end(), name) == 0)
      odd.push_back(name);
  }
  if (odd.empty()) return {pass("rocminfo names the targets that the kernel names")};
  return warning("rocminfo names another target than the kernel")
      .saw("rocminfo: " + join(odd, ", ") + "; KFD: " + join(present, ", "))
      .vote("known-rocm-release-bug", 0.2)
      .vote("igpu-enumerated-with-dgpu", present.size() > 1 ? 0.25 : 0.05);
}

}  // namespace

extern const Check kToolsDisagreeAboutTarget;
constinit const Check kToolsDisagreeAboutTarget{
    .code = "RV310",
    .id = "tools-disagree-about-target",
    .topic = "detection",
    .title = "rocminfo names another target than the kernel",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet

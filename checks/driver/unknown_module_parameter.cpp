#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
"amdgpu: unknown parameter … ignored" in the kernel log.

## Why it matters
The option does nothing: a misspelt name, one of another driver release, or one that was removed.
What it was to mend is not mended.

## How to mend it
Compare with `modinfo -p amdgpu`.

## Not this
An option that is known and not in force: RV228.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.kernel_log) return {skip("the kernel log is not known")};
  std::vector<std::string> seen;
  for (const KernelLine& line : machine.kernel_log->lines) {
    if (line.text.starts_with("amdgpu: unknown parameter ")) seen.push_back(line.text);
  }
  if (seen.empty()) return {pass("amdgpu knew its options")};
  return warning("amdgpu was given an option that it does not know")
      .saw(seen)
      .fix({"modinfo -p amdgpu"});
}

}  // namespace

extern const Check kUnknownModuleParameter;
constinit const Check kUnknownModuleParameter{
    .code = "RV229",
    .id = "unknown-module-parameter",
    .topic = "driver",
    .title = "amdgpu was given an option that it does not know",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kUnknownModuleParameterDoc = R"(
## What it looks for
"amdgpu: unknown parameter … ignored" in the kernel log, and the same of ttm and amdttm.

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

std::vector<Finding> run_unknown_module_parameter(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.kernel_log) return {unknown(machine.kernel_log.error())};
  std::vector<std::string> seen;
  bool about_memory = false;
  for (const KernelLine& line : machine.kernel_log->lines) {
    for (const std::string_view module : {"amdgpu", "ttm", "amdttm"}) {
      if (!line.text.starts_with(std::string(module) + ": unknown parameter ")) continue;
      seen.push_back(line.text);
      about_memory |= module != "amdgpu" || line.text.find("gtt") != line.text.npos ||
                      line.text.find("pages_limit") != line.text.npos;
    }
  }
  if (seen.empty()) return {pass("amdgpu knew its options")};
  Finding said = warning("amdgpu was given an option that it does not know")
                     .saw(seen)
                     .fix({"modinfo -p amdgpu"});
  if (about_memory) said.seen.push_back("memory-option-unknown-to-the-driver");
  return {said};
}

}  // namespace

extern const Check kUnknownModuleParameter;
constinit const Check kUnknownModuleParameter{
    .code = "RV229",
    .id = "unknown-module-parameter",
    .topic = "driver",
    .title = "amdgpu was given an option that it does not know",
    .doc = kUnknownModuleParameterDoc,
    .run = run_unknown_module_parameter};

}  // namespace rocvet

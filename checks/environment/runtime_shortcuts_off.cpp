#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
HSA_ENABLE_INTERRUPT=0, HSA_DISABLE_CACHE=1, HSA_DISABLE_FRAGMENT_ALLOCATOR=1,
AMD_DIRECT_DISPATCH=0.

## Why it matters
They are for finding faults: without interrupts each wait burns a core, without caches every access
goes to memory, without the fragment allocator each buffer takes 2 MiB or a call to the kernel.

## How to mend it
Unset them.

## Not this
Variables that write logs or wait after each launch: RV607.

## References
- https://rocm.docs.amd.com/projects/ROCR-Runtime/en/latest/api-reference/environment_variables.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<std::string> seen;
  const auto look = [&](const char* name, const char* value) {
    if (variable_or_empty(machine, name) == value) seen.push_back(std::string(name) + "=" + value);
  };
  look("HSA_ENABLE_INTERRUPT", "0");
  look("HSA_DISABLE_CACHE", "1");
  look("HSA_DISABLE_FRAGMENT_ALLOCATOR", "1");
  look("AMD_DIRECT_DISPATCH", "0");
  if (seen.empty()) return {pass("no variable switches a part of the runtime off")};
  return warning("variables switch parts of the runtime off")
      .saw(seen)
      .fix({"unset the variables above"});
}

}  // namespace

extern const Check kRuntimeShortcutsOff;
constinit const Check kRuntimeShortcutsOff{.code = "RV617",
                                           .id = "runtime-shortcuts-off",
                                           .topic = "environment",
                                           .title = "Variables switch parts of the runtime off",
                                           .doc = kDoc,
                                           .run = run};

}  // namespace rocvet

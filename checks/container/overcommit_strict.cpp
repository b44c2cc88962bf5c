#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
vm.overcommit_memory=2.

## Why it matters
ROCm reserves address ranges as large as all memory of machine and GPUs. In this mode the kernel
charges them as if they were used, and refuses: out of memory with almost nothing in use.

## How to mend it
`sudo sysctl vm.overcommit_memory=0`.

## Not this
The modes 0 and 1.

## References
- https://docs.kernel.org/mm/overcommit-accounting.html
)";

std::vector<Finding> run(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const std::string mode = sysctl(context.machine, "vm.overcommit_memory");
  if (mode.empty()) return {skip("vm.overcommit_memory is not known")};
  if (mode != "2") return {pass("vm.overcommit_memory is " + mode)};
  return warning("the kernel counts every reserved address as memory")
      .saw("vm.overcommit_memory = 2, overcommit_ratio = " +
           sysctl(context.machine, "vm.overcommit_ratio"))
      .fix({"sudo sysctl vm.overcommit_memory=0"})
      .undo("sudo sysctl vm.overcommit_memory=2")
      .root();
}

}  // namespace

extern const Check kOvercommitStrict;
constinit const Check kOvercommitStrict{
    .code = "RV709",
    .id = "overcommit-strict",
    .topic = "container",
    .title = "The kernel counts every reserved address as memory",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet

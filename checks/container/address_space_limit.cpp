#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/limits.h"

namespace rocvet {
namespace {

constexpr std::string_view kAddressSpaceLimitDoc = R"(
## What it looks for
The limit of the address space (ulimit -v) against the memory of machine and GPUs.

## Why it matters
ROCm reserves addresses for all memory that the GPUs could ever map, before it uses any. Under a
limit hsa_init fails with "out of resources" on a machine with plenty of memory.

## How to mend it
`ulimit -v unlimited`; in Slurm, VSizeFactor=0.

## Not this
A limit on memory that is used (a cgroup): RV708.

## References
- https://man7.org/linux/man-pages/man2/getrlimit.2.html
- https://slurm.schedmd.com/slurm.conf.html
)";

std::vector<Finding> run_address_space_limit(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto soft = soft_limit(machine, "as", "limit of the address space");
  if (!soft) return {unknown(soft.error())};
  const std::uint64_t limit = *soft;
  if (limit == UINT64_MAX) return {pass("the address space is not limited")};
  std::uint64_t needed = machine.memory.total_bytes.value_or(0u);
  for (const Gpu& gpu : machine.gpus) needed += gpu.vram_bytes.value_or(0u);
  if (limit > needed * 4) return {pass("the limit of the address space is far above the memory")};
  return warning("the process may not reserve the addresses that ROCm wants")
      .saw("ulimit -v: " + std::to_string(limit >> 20) +
           " MiB; memory of machine and GPUs: " + std::to_string(needed >> 20) + " MiB")
      .fix({"ulimit -v unlimited"})
      .verify("ulimit -v");
}

}  // namespace

extern const Check kAddressSpaceLimit;
constinit const Check kAddressSpaceLimit{.code = "RV707",
                                         .id = "address-space-limit",
                                         .topic = "container",
                                         .title = "The process may not reserve enough addresses",
                                         .doc = kAddressSpaceLimitDoc,
                                         .run = run_address_space_limit};

}  // namespace rocvet

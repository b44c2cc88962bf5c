#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kMemoryCutByCommandLineDoc = R"(
## What it looks for
mem= on the kernel command line, with as little memory in use as it says.

## Why it matters
A leftover of a test takes memory from everything: models do not load, the GTT of an APU (half of
what the kernel sees) shrinks with it.

## How to mend it
Take mem= off the command line.

## Not this
A mem= above what is installed: it does nothing.

## References
- https://docs.kernel.org/admin-guide/kernel-parameters.html
)";

std::vector<Finding> run_memory_cut_by_command_line(const Context& context) {
  const Machine& machine = context.machine;
  const Result<std::string> mem = kernel_argument(machine, "mem");
  if (mem.is_missing()) return {pass("the command line cuts no memory")};
  if (!mem) return {unknown(mem.error())};
  const auto limit = size_of(*mem);
  if (!limit) return {skip("mem= is no size: the kernel passes over it")};
  if (!machine.memory.total_bytes) return {unknown(machine.memory.total_bytes.error())};
  if (*machine.memory.total_bytes > *limit || *machine.memory.total_bytes * 10 < *limit * 8)
    return {pass("mem= is not what limits the memory")};
  return warning("the kernel command line cuts the machine's memory")
      .saw("mem=" + *mem)
      .fix(remove_kernel_parameter(machine, "mem=" + *mem))
      .root()
      .reboot();
}

}  // namespace

extern const Check kMemoryCutByCommandLine;
constinit const Check kMemoryCutByCommandLine{
    .code = "RV1311",
    .id = "memory-cut-by-command-line",
    .topic = "platform",
    .title = "The kernel command line cuts the machine's memory",
    .doc = kMemoryCutByCommandLineDoc,
    .run = run_memory_cut_by_command_line};

}  // namespace rocvet

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "base/printable.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kVramInUseWithoutProcessDoc = R"(
## What it looks for
Used VRAM of GPUs, and which processes hold it: KFD lists those that compute. It matters where
somebody runs out of memory.

## Why it matters
A server that still runs, or another user's job, leaves no room for the next one. A program that
died may have left its memory behind: then no process holds it.

## How to mend it
End the process that is named, or take another GPU. Memory that nobody holds comes back with a
reset or a restart; a driver that keeps it has a fault.

## Not this
A desktop, which uses some hundred MiB. Games and other programs that draw: KFD does not know them.

## References
- https://docs.kernel.org/gpu/amdgpu/driver-misc.html
)";

constexpr std::uint64_t kGiB = 1ULL << 30;

/// The memory of one GPU.
struct Held {
  std::uint64_t by_all = 0;
  const KfdProcess* most = nullptr;  ///< who holds most of it
  std::uint64_t by_most = 0;
};

Held held_on(const Machine& machine, const Gpu& gpu) {
  Held held;
  for (const KfdProcess& process : *machine.kfd_processes) {
    std::uint64_t bytes = 0;
    for (const auto& [id, amount] : process.vram) {
      if (machine.gpus.size() == 1 || id == gpu.kfd_gpu_id.value_or(-1)) bytes += amount;
    }
    held.by_all += bytes;
    if (bytes > held.by_most) {
      held.by_most = bytes;
      held.most = &process;
    }
  }
  return held;
}

std::string mib(std::uint64_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

std::string name_of_process(const KfdProcess& process) {
  const std::string pid = std::to_string(process.pid);
  return process.name.empty() ? "process " + pid : printable(process.name) + " (" + pid + ")";
}

std::vector<Finding> run_vram_in_use_without_process(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const Machine& machine = context.machine;
  const bool short_of_it = app_log_has_one(context, "short-of-memory");
  std::vector<std::string> full, held, left;
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.vram_bytes || !gpu.vram_used_bytes || gpu.kind == GpuKind::apu) continue;
    const std::uint64_t used = *gpu.vram_used_bytes, all = *gpu.vram_bytes;
    const std::string line = gpu_label(gpu) + ": " + mib(used) + " of " + mib(all);
    if (used > all / 10 * 9) full.push_back(line + " are used");
    if (!machine.kfd_processes) continue;
    const Held here = held_on(machine, gpu);
    if (used > all / 2 && here.by_most > used / 2)
      held.push_back(line + " are used, " + mib(here.by_most) + " by " +
                     name_of_process(*here.most));
    // What draws is not among KFD's processes: only of a GPU without a display that says anything.
    const bool draws = !is_instinct(context, gpu);
    if (!draws && used > 4 * kGiB && used > all / 10 && here.by_all < used / 10)
      left.push_back(line + " are used, and no process of KFD's holds them");
  }
  if (!left.empty() && short_of_it)
    return warning("memory of a GPU is in use, and no process holds it")
        .saw(left)
        .sees("vram-held-by-none")
        .fix(
            {"when no job runs: reset that GPU (amd-smi reset --gpureset), or restart the machine"})
        .root();
  if (!held.empty() && short_of_it)
    return warning("most of a GPU's memory is held by another process")
        .saw(held)
        .sees("vram-held-by-process")
        .fix({"amd-smi process", "end that process, or wait for it"});
  held.insert(held.end(), std::make_move_iterator(left.begin()),
              std::make_move_iterator(left.end()));
  if (!held.empty()) return passing("memory of a GPU is in use").saw(held);
  if (full.empty()) return {pass("no GPU's memory is used up")};
  return passing("a GPU's memory is used up by something").saw(full);
}

}  // namespace

extern const Check kVramInUseWithoutProcess;
constinit const Check kVramInUseWithoutProcess{.code = "RV1007",
                                               .id = "vram-in-use-without-process",
                                               .topic = "memory",
                                               .title = "The GPU's memory is in use",
                                               .doc = kVramInUseWithoutProcessDoc,
                                               .run = run_vram_in_use_without_process};

}  // namespace rocvet

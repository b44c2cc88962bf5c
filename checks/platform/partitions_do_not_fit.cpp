#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kPartitionsDoNotFitDoc = R"(
## What it looks for
More memory domains (NPS) than compute partitions on one card.

## Why it matters
Each compute partition owns one or more memory domains; with fewer partitions than domains the
driver falls back or refuses to make devices.

## How to mend it
Choose a compute mode with at least as many partitions: NPS2 goes with DPX and up, NPS4 with QPX and
CPX.

## Not this
NPS1 with any compute mode.

## References
- https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/gpu-partitioning/index.html
)";

std::size_t partitions_of(std::string_view mode) {
  if (mode == "SPX") return 1;
  if (mode == "DPX") return 2;
  if (mode == "TPX") return 3;
  if (mode == "QPX") return 4;
  return 0;  // CPX: one for each compute die, always enough
}

std::vector<Finding> run_partitions_do_not_fit(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  std::vector<Finding> findings;
  bool known = false;
  for (const Gpu* gpu : cards(context.machine)) {
    if (!gpu->partition.compute || !gpu->partition.memory) continue;
    known = true;
    const std::string &compute = *gpu->partition.compute, &memory = *gpu->partition.memory;
    const std::size_t partitions = partitions_of(compute);
    const auto domains =
        memory.starts_with("NPS") ? parse_number(std::string_view(memory).substr(3)) : std::nullopt;
    if (partitions == 0 || !domains || *domains <= partitions) continue;
    findings.push_back(warning(memory + " does not fit " + compute)
                           .about(gpu_label(*gpu))
                           .saw("compute " + compute + ", memory " + memory)
                           .fix({"sudo amd-smi set --gpu all --memory-partition NPS1"})
                           .root());
  }
  if (!known) return {none_here("no GPU here can be partitioned", Absence::gpu)};
  return or_pass(std::move(findings), "the partition modes fit each other");
}

}  // namespace

extern const Check kPartitionsDoNotFit;
constinit const Check kPartitionsDoNotFit{
    .code = "RV1305",
    .id = "partitions-do-not-fit",
    .topic = "platform",
    .title = "Compute and memory partition modes do not fit each other",
    .doc = kPartitionsDoNotFitDoc,
    .run = run_partitions_do_not_fit};

}  // namespace rocvet

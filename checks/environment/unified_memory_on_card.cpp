#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
GGML_CUDA_ENABLE_UNIFIED_MEMORY set, to whatever value, on a machine whose GPU has memory of its
own.

## Why it matters
llama.cpp only asks whether it is set, so 0 switches it on too. Weights then lie in host memory and
come over PCIe for each token.

## How to mend it
`unset GGML_CUDA_ENABLE_UNIFIED_MEMORY`

## Not this
An APU, for which it is meant.

## References
- https://github.com/ggml-org/llama.cpp/blob/master/docs/build.md
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const auto set = effective_variable(machine, "GGML_CUDA_ENABLE_UNIFIED_MEMORY");
  if (!set) return {pass("unified memory is not asked for")};
  bool card = false;
  for (const Gpu& gpu : machine.gpus) card |= gpu.kind == GpuKind::dgpu;
  if (!card) return {pass("unified memory is asked for on an APU")};
  return warning("llama.cpp was told to use unified memory on a card")
      .saw("GGML_CUDA_ENABLE_UNIFIED_MEMORY=" + set->value + ", set by " + set->where)
      .fix({"unset GGML_CUDA_ENABLE_UNIFIED_MEMORY"});
}

}  // namespace

extern const Check kUnifiedMemoryOnCard;
constinit const Check kUnifiedMemoryOnCard{
    .code = "RV621",
    .id = "unified-memory-on-card",
    .topic = "environment",
    .title = "llama.cpp was told to use unified memory on a card",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
JAX_PLATFORMS=cpu, OMP_TARGET_OFFLOAD=DISABLED, OLLAMA_LLM_LIBRARY=cpu…, VLLM_TARGET_DEVICE=cpu, in
the environment or in a service.

## Why it matters
The framework does as it was told and uses no GPU; nothing is broken.

## How to mend it
Unset it where the GPU is wanted.

## Not this
A build without ROCm: RV803.

## References
- https://docs.jax.dev/en/latest/config_options.html
- https://www.openmp.org/spec-html/5.2/openmpse74.html
- https://github.com/ollama/ollama/blob/main/docs/troubleshooting.md
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<Finding> findings;
  for (const char* name :
       {"JAX_PLATFORMS", "OMP_TARGET_OFFLOAD", "OLLAMA_LLM_LIBRARY", "VLLM_TARGET_DEVICE"}) {
    const auto set = effective_variable(machine, name);
    if (!set) continue;
    const std::string value = lower(set->value);
    if (value != "cpu" && value != "disabled" && !value.starts_with("cpu_")) continue;
    findings.push_back(
        warning(std::string(name) + "=" + set->value + ": the GPU is not used on purpose")
            .saw(std::string(name) + "=" + set->value + ", set by " + set->where)
            .fix({Step("unset {}", name)}));
  }
  return or_pass(std::move(findings), "no framework was told to use the processor");
}

}  // namespace

extern const Check kToldToUseCpu;
constinit const Check kToldToUseCpu{.code = "RV616",
                                    .id = "told-to-use-cpu",
                                    .topic = "environment",
                                    .title = "A framework was told to use the processor",
                                    .doc = kDoc,
                                    .run = run};

}  // namespace rocvet

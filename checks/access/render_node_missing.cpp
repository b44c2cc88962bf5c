#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kRenderNodeMissingDoc = R"(
## What it looks for
/dev/dri/renderD*, on a machine whose amdgpu drives a GPU.

## Why it matters
A process needs the GPU's render node beside /dev/kfd.

## How to mend it
In a container pass `--device=/dev/dri`. On the host amdgpu did not initialise the GPU: see the
kernel log.

## Not this
A render node that exists and may not be opened: RV103.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
- https://docs.kernel.org/gpu/drm-uapi.html#render-nodes
)";

std::vector<Finding> run_render_node_missing(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const Surroundings& around = machine.surroundings;
  if (around.wsl) return {skip("WSL has no render nodes")};
  if (!machine.render_nodes.empty()) return {pass("there is a render node")};
  if (!machine.access.dri_readable && !machine.access.dri_readable.is_missing())
    return {unknown(machine.access.dri_readable.error())};
  if (is_sandbox(around.environment))
    return failing("there is no render node in the sandbox").sees("render-node-absent-in-sandbox");
  if (around.container)
    return failing("there is no render node in the container")
        .saw(around.evidence + ": a container; no /dev/dri/renderD*")
        .sees("render-node-absent-in-container")
        .fix(pass_devices(machine));
  return failing("there is no render node")
      .saw("no /dev/dri/renderD*: amdgpu has not initialised a GPU")
      .sees("render-node-absent");
}

}  // namespace

extern const Check kRenderNodeMissing;
constinit const Check kRenderNodeMissing{.code = "RV104",
                                         .id = "render-node-missing",
                                         .topic = "access",
                                         .title = "There is no render node",
                                         .doc = kRenderNodeMissingDoc,
                                         .run = run_render_node_missing};

}  // namespace rocvet

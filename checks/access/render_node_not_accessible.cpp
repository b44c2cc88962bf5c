#include "checks/access/closed_node.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"

namespace rocvet {
namespace {

constexpr std::string_view kRenderNodeNotAccessibleDoc = R"(
## What it looks for
The same as RV102 for each /dev/dri/renderD*.

## Why it matters
ROCr maps the GPU's memory through its render node. Without it hsa_init fails or lists no GPU.

## How to mend it
As for RV102; containers need `--device=/dev/dri` and the node's group number.

## Not this
No render node at all: RV104. A machine on which nothing computes and nobody speaks of it: the
closed node is told, and is no fault.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/prerequisites.html
- https://docs.kernel.org/gpu/drm-uapi.html#render-nodes
)";

std::vector<Finding> run_render_node_not_accessible(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.wsl) return {skip("WSL has no render nodes")};
  if (machine.render_nodes.empty()) return {none_here("there are no render nodes")};
  std::vector<Finding> findings;
  bool any_open = false;
  for (const DeviceNode& node : machine.render_nodes)
    any_open |= node_access(machine, node).answer == NodeAccess::Answer::open;
  for (const DeviceNode& node : machine.render_nodes) {
    for (Finding& finding : judge_node(context, node)) {
      // A scheduler gives a job some of the nodes: those it was given are enough.
      if (finding.verdict == Verdict::pass || (any_open && finding.verdict == Verdict::fail))
        continue;
      finding.subject = node.path;
      findings.push_back(std::move(finding));
    }
  }
  return or_pass(std::move(findings),
                 any_open ? "a render node can be opened" : "the render nodes are in order");
}

}  // namespace

extern const Check kRenderNodeNotAccessible;
constinit const Check kRenderNodeNotAccessible{
    .code = "RV103",
    .id = "render-node-not-accessible",
    .topic = "access",
    .title = "A render node may not be opened by this process",
    .doc = kRenderNodeNotAccessibleDoc,
    .run = run_render_node_not_accessible};

}  // namespace rocvet

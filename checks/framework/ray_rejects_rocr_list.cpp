#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kRayRejectsRocrListDoc = R"(
## What it looks for
ROCR_VISIBLE_DEVICES set without HIP_VISIBLE_DEVICES, and Ray 2.45 or newer in an environment.
2.45 to 2.47 refuse it beside HIP_VISIBLE_DEVICES too.

## Why it matters
`import ray` ends with "Please use HIP_VISIBLE_DEVICES instead of ROCR_VISIBLE_DEVICES".

## How to mend it
`export HIP_VISIBLE_DEVICES=$ROCR_VISIBLE_DEVICES; unset ROCR_VISIBLE_DEVICES`

## Not this
Ray before 2.45, which wants ROCR_VISIBLE_DEVICES.

## References
- https://github.com/ray-project/ray/pull/51104
- https://github.com/ray-project/ray/issues/53737
)";

std::vector<Finding> run_ray_rejects_rocr_list(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.software.python.empty()) return {none_here("no Python environment was found")};
  const Version refuses{{2, 45}}, refuses_alone{{2, 48}};
  const auto rocr = effective_variable(machine, "ROCR_VISIBLE_DEVICES");
  const bool hip = effective_variable(machine, "HIP_VISIBLE_DEVICES").has_value();
  bool any = false;
  std::vector<Finding> findings;
  for (const PythonEnvironment& python : machine.software.python) {
    for (const PythonPackage& package : python.packages) {
      if (package.name != "ray") continue;
      any = true;
      const auto version = Version::parse(package.version);
      if (!rocr || !version || *version < refuses || (hip && !(*version < refuses_alone))) continue;
      findings.push_back(warning("Ray " + package.version + " refuses ROCR_VISIBLE_DEVICES")
                             .about(python.root)
                             .saw("ROCR_VISIBLE_DEVICES=" + rocr->value +
                                  (rocr->where.empty() ? "" : " in " + rocr->where))
                             .fix({Step("export HIP_VISIBLE_DEVICES={}", rocr->value),
                                   "unset ROCR_VISIBLE_DEVICES"})
                             .verify("python3 -c 'import ray'"));
    }
  }
  if (!any) return {none_here("Ray is not installed")};
  if (!machine.process.environment && !rocr) return {unknown(machine.process.environment.error())};
  return or_pass(std::move(findings), "Ray takes the visibility lists that are set");
}

}  // namespace

extern const Check kRayRejectsRocrList;
constinit const Check kRayRejectsRocrList{.code = "RV815",
                                          .id = "ray-rejects-rocr-list",
                                          .topic = "framework",
                                          .title = "Ray refuses ROCR_VISIBLE_DEVICES",
                                          .doc = kRayRejectsRocrListDoc,
                                          .run = run_ray_rejects_rocr_list};

}  // namespace rocvet

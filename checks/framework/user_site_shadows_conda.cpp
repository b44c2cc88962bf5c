#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kUserSiteShadowsCondaDoc = R"(
## What it looks for
The same framework in the active conda environment and in ~/.local for the same Python, with
PYTHONNOUSERSITE not set.

## Why it matters
Python puts ~/.local first, in conda environments too: the torch that is imported is the one of `pip
install --user` years ago, often for CUDA.

## How to mend it
`export PYTHONNOUSERSITE=1`, or uninstall the one in ~/.local.

## Not this
A venv, which leaves ~/.local out.

## References
- https://docs.python.org/3/library/site.html
)";

std::vector<Finding> run_user_site_shadows_conda(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.software.python.empty()) return {none_here("no Python environment was found")};
  if (!variable_or_empty(machine, "PYTHONNOUSERSITE").empty())
    return {pass("PYTHONNOUSERSITE is set")};
  // "3.12" of "3.12.3".
  const auto series = [](const std::string& version) {
    return version.substr(0, version.find('.', version.find('.') + 1));
  };
  std::vector<Finding> findings;
  for (const PythonEnvironment& conda : machine.software.python) {
    if (conda.kind != "conda" || !conda.active) continue;
    for (const PythonEnvironment& user : machine.software.python) {
      if (user.kind != "user" || series(user.python_version) != series(conda.python_version))
        continue;
      for (const Framework& wanted : conda.frameworks) {
        for (const Framework& first : user.frameworks) {
          if (first.name != wanted.name || first.version == wanted.version) continue;
          findings.push_back(
              warning(first.name + " of ~/.local hides that of the conda environment")
                  .about(conda.root)
                  .saw("imported: " + first.name + " " + first.version + " (" + first.build + ")")
                  .saw("hidden: " + wanted.name + " " + wanted.version + " (" + wanted.build + ")")
                  .sees(first.build == "cuda"  ? ObservationName("user-site-brings-cuda-build")
                        : first.build == "cpu" ? ObservationName("user-site-brings-cpu-build")
                                               : ObservationName("user-site-brings-another-build"))
                  .fix({"export PYTHONNOUSERSITE=1"}));
        }
      }
    }
  }
  return or_pass(std::move(findings), "~/.local hides no framework of a conda environment");
}

}  // namespace

extern const Check kUserSiteShadowsConda;
constinit const Check kUserSiteShadowsConda{
    .code = "RV812",
    .id = "user-site-shadows-conda",
    .topic = "framework",
    .title = "~/.local hides the frameworks of a conda environment",
    .doc = kUserSiteShadowsCondaDoc,
    .run = run_user_site_shadows_conda};

}  // namespace rocvet

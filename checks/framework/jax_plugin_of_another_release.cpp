#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kJaxPluginOfAnotherReleaseDoc = R"(
## What it looks for
The versions of jaxlib and of jax-rocm*-plugin and -pjrt in one environment.

## Why it matters
JAX refuses a plugin of another release with a line on stderr and computes on the processor.

## How to mend it
Install jax, jaxlib, the plugin and pjrt of one version.

## Not this
The plugin that is not installed at all.

## References
- https://docs.jax.dev/en/latest/installation.html
- https://github.com/ROCm/rocm-jax
)";

std::vector<Finding> run_jax_plugin_of_another_release(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.software.python.empty()) return {none_here("no Python environment was found")};
  std::vector<Finding> findings;
  bool any = false;
  for (const PythonEnvironment& python : machine.software.python) {
    const PythonPackage* jaxlib = nullptr;
    std::vector<const PythonPackage*> plugins;
    for (const PythonPackage& package : python.packages) {
      if (package.name == "jaxlib") jaxlib = &package;
      if (glob_match("jax-rocm*-plugin", package.name) ||
          glob_match("jax-rocm*-pjrt", package.name))
        plugins.push_back(&package);
    }
    if (jaxlib == nullptr || plugins.empty()) continue;
    any = true;
    const auto wanted = Version::parse(jaxlib->version);
    std::vector<std::string> evidence;
    for (const PythonPackage* plugin : plugins) {
      const auto has = Version::parse(plugin->version);
      if (!wanted || !has || wanted->parts.size() < 3 || has->parts.size() < 3) continue;
      // A fourth number is the plugin's own patch.
      const auto first = [](const Version& version) {
        return std::vector<int>(version.parts.begin(), version.parts.begin() + 3);
      };
      if (first(*has) != first(*wanted)) evidence.push_back(plugin->name + " " + plugin->version);
    }
    if (evidence.empty()) continue;
    std::vector<std::string> together = {"jax==" + jaxlib->version, "jaxlib==" + jaxlib->version};
    for (const PythonPackage* plugin : plugins)
      together.push_back(plugin->name + "==" + jaxlib->version);
    findings.push_back(
        warning("JAX's ROCm plugin is of another release than jaxlib")
            .about(python.root)
            .saw("jaxlib " + jaxlib->version)
            .saw(evidence)
            .fix({Step("{}/bin/pip install {}", python.root, Word::list(together))}));
  }
  if (!any) return {none_here("JAX's ROCm plugin is not installed")};
  return or_pass(std::move(findings), "JAX's ROCm plugin fits jaxlib");
}

}  // namespace

extern const Check kJaxPluginOfAnotherRelease;
constinit const Check kJaxPluginOfAnotherRelease{
    .code = "RV811",
    .id = "jax-plugin-of-another-release",
    .topic = "framework",
    .title = "JAX's ROCm plugin is of another release than jaxlib",
    .doc = kJaxPluginOfAnotherReleaseDoc,
    .run = run_jax_plugin_of_another_release};

}  // namespace rocvet

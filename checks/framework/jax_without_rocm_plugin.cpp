#include <algorithm>
#include <optional>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/logs/complaint.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kJaxWithoutRocmPluginDoc = R"(
## What it looks for
Python environments with jaxlib and without jax-rocm*-plugin or jax-rocm*-pjrt; before 0.4.31, where
the GPU's code was in jaxlib itself, a jaxlib that was not built for ROCm.

## Why it matters
JAX computes on the processor then, without an error.

## How to mend it
Install the plugin and pjrt wheels of jax's own version.

## Not this
A plugin of another release than jaxlib: RV811. An environment with CUDA's plugin. A machine that
computes on its GPU with another framework: many use JAX on the processor on purpose.

## References
- https://docs.jax.dev/en/latest/installation.html
- https://github.com/ROCm/rocm-jax
)";

struct Lack {
  std::string what;
  bool half = false;  ///< one of the two wheels is there
};

/// What the environment lacks; nullopt when nothing, or when it has no JAX.
std::optional<Lack> what_lacks(const PythonEnvironment& python) {
  const PythonPackage* jaxlib = nullptr;
  bool plugin = false, pjrt = false;
  for (const PythonPackage& package : python.packages) {
    if (package.name == "jaxlib") jaxlib = &package;
    if (package.name.starts_with("jax-cuda")) return std::nullopt;
    plugin |= glob_match("jax-rocm*-plugin", package.name);
    pjrt |= glob_match("jax-rocm*-pjrt", package.name);
  }
  if (jaxlib == nullptr || (plugin && pjrt)) return std::nullopt;
  if (jaxlib->version.find("+cuda") != std::string::npos) return std::nullopt;
  if (jaxlib->version.find("rocm") != std::string::npos) return std::nullopt;
  const auto version = Version::parse(jaxlib->version);
  if (!version) return std::nullopt;
  const std::string here = "jaxlib " + jaxlib->version;
  if (plugin || pjrt)
    return Lack{here + " has jax-rocm*-" + (plugin ? "plugin" : "pjrt") + " and no jax-rocm*-" +
                    (plugin ? "pjrt" : "plugin"),
                true};
  const Version plugins{{0, 4, 31}};  // since it they bring the GPU's code
  if (*version < plugins) return Lack{here + " was not built for ROCm"};
  return Lack{here + " has neither jax-rocm*-plugin nor jax-rocm*-pjrt"};
}

std::vector<Finding> run_jax_without_rocm_plugin(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.software.python.empty()) return {none_here("no Python environment was found")};
  const bool any = std::ranges::any_of(machine.software.python, [](const PythonEnvironment& one) {
    return std::ranges::any_of(
        one.packages, [](const PythonPackage& package) { return package.name == "jaxlib"; });
  });
  if (!any) return {none_here("JAX is not installed")};
  const bool stated = said(context, "jax-rocm-plugin-missing") >= 0.5;
  std::vector<Finding> findings;
  for (const PythonEnvironment& python : machine.software.python) {
    const std::optional<Lack> lacks = what_lacks(python);
    if (!lacks) continue;
    findings.push_back(Say(stated                                        ? Verdict::fail
                           : lacks->half || lacks_gpu_framework(machine) ? Verdict::warn
                                                                         : Verdict::pass,
                           "JAX has no ROCm plugin and computes on the processor")
                           .about(python.root)
                           .saw(lacks->what)
                           .sees("jax-without-rocm-plugin")
                           .fix({"install the jax-rocm*-plugin and jax-rocm*-pjrt wheels of jax's "
                                 "own version"})
                           .verify("python3 -c 'import jax; print(jax.devices())'"));
  }
  return or_pass(std::move(findings), "JAX has its ROCm plugin");
}

}  // namespace

extern const Check kJaxWithoutRocmPlugin;
constinit const Check kJaxWithoutRocmPlugin{.code = "RV814",
                                            .id = "jax-without-rocm-plugin",
                                            .topic = "framework",
                                            .title = "JAX has no ROCm plugin",
                                            .doc = kJaxWithoutRocmPluginDoc,
                                            .run = run_jax_without_rocm_plugin};

}  // namespace rocvet

#include <algorithm>
#include <utility>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kModuleWithoutTargetDoc = R"(
## What it looks for
The code objects in compiled modules of Python other than the framework's own (llama_cpp,
flash_attn, vLLM, transformer_engine …), all files of a package together, against the GPUs' targets
or the one that the override names. Where a program misses code for its GPU, also each file that is
not made for a target by its name.

## Why it matters
The framework runs, and the first kernel of the module fails: "invalid device function", "no kernel
image is available". Such modules are mostly built where they run, or come from an index with fewer
targets than the framework.

## How to mend it
Build the module again with the GPU's target (PYTORCH_ROCM_ARCH=gfxN for PyTorch's extensions,
CMAKE_ARGS=-DGPU_TARGETS=gfxN for llama-cpp-python), or leave it out where the program can do
without.

## Not this
The framework itself has no code for the GPU: RV801. A program outside Python: RV805. Modules
without device code (Triton's kernels are compiled when they are used).

## References
- https://pytorch.org/docs/stable/cpp_extension.html
- https://github.com/abetlen/llama-cpp-python
)";

constexpr std::size_t kShortestName = 5;  // of a file that a log can be said to name: not "_C"

/// Some framework of Python lacks code for every GPU here: it is what fails first.
bool framework_lacks_it(const Machine& machine, const std::vector<std::string>& wanted) {
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (is_base_framework(framework.name) && !framework.gfx.empty() &&
          std::none_of(wanted.begin(), wanted.end(),
                       [&](const std::string& gfx) { return any_target_fits(framework.gfx, gfx); }))
        return true;
    }
  }
  return false;
}

/// What code objects must name: the targets of the GPUs, or the one that the override makes of
/// them.
std::vector<std::string> wanted_targets(const Machine& machine) {
  const auto set = effective_variable(machine, "HSA_OVERRIDE_GFX_VERSION");
  if (set && !gfx_of_override(set->value).empty()) return {gfx_of_override(set->value)};
  return gfx_present(machine);
}

/// Beside a framework nobody may use the module, as programs choose among several: without a
/// complaint of it that it lacks code is said and no more.
Verdict verdict_on(const DeviceModule& module, bool complaint) {
  if (complaint) return Verdict::fail;
  return module.beside_framework ? Verdict::pass : Verdict::warn;
}

Finding judge(const DeviceModule& module, const std::vector<std::string>& wanted, bool complaint) {
  const std::string gpus = join(wanted, ", ");
  return Say(verdict_on(module, complaint), module.name + " has no code for " + gpus)
      .about(module.environment)
      .saw(module.files.front().path + " has code for " + join(module.targets, ", "))
      .saw(module.files.size() > 1
               ? "so have " + counted(module.files.size() - 1, "more file", "more files") + " of it"
               : "")
      .saw("the GPU is " + gpus)
      .sees("module-lacks-the-target")
      .fix({Step("build {} again: PYTORCH_ROCM_ARCH={} (llama-cpp-python: "
                 "CMAKE_ARGS=-DGPU_TARGETS={}) pip install --force-reinstall --no-deps "
                 "--no-cache-dir --no-binary=:all: PACKAGE",
                 module.name, wanted.front(), wanted.front())});
}

/// One library of a package has code for other GPUs alone, the rest has the GPU's.
Finding judge_file(const DeviceModule& module, const DeviceFile& file,
                   const std::vector<std::string>& wanted, bool complaint) {
  return Say(complaint ? Verdict::fail : Verdict::pass, std::string(base_name(file.path)) + " of " +
                                                            module.name + " has no code for " +
                                                            join(wanted, ", "))
      .about(module.environment)
      .saw(file.path + " has code for " + join(file.targets, ", "))
      .saw("the rest of " + module.name + " has code for " + join(module.targets, ", "))
      .sees("module-lacks-the-target")
      .fix({Step("build {} again with the target of this GPU for all its parts: "
                 "PYTORCH_ROCM_ARCH={} pip install --force-reinstall --no-deps --no-cache-dir "
                 "--no-binary=:all: PACKAGE",
                 module.name, wanted.front())});
}

std::vector<Finding> run_module_without_target(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const std::vector<std::string> wanted = wanted_targets(machine);
  if (wanted.empty()) return {unknown(not_captured("targets of the GPUs"))};
  const bool complaint = complains_of_missing_code(context) && !framework_lacks_it(machine, wanted);
  std::vector<DeviceModule> lacking;
  std::vector<std::pair<DeviceModule, DeviceFile>> lacking_files;
  Judged judged;
  for (DeviceModule& module : device_modules(machine)) {
    judged.count();
    if (std::any_of(wanted.begin(), wanted.end(),
                    [&](const std::string& gfx) { return any_target_fits(module.targets, gfx); })) {
      // Whether anybody loads that one file only a program can say.
      if (!complaint) continue;
      for (const DeviceFile* file : files_that_lack(module, wanted))
        lacking_files.emplace_back(module, *file);
      continue;
    }
    lacking.push_back(std::move(module));
  }
  const auto is_named = [&](const DeviceModule& one) { return app_log_has(context, one.name); };
  const auto file_is_named = [&](const auto& one) {
    const std::string_view stem = stem_of_file(one.second.path);
    return stem.size() >= kShortestName && app_log_has(context, stem);
  };
  const bool some_named = std::any_of(lacking.begin(), lacking.end(), is_named) ||
                          std::any_of(lacking_files.begin(), lacking_files.end(), file_is_named);
  std::vector<Finding> findings;
  for (const DeviceModule& module : lacking)
    findings.push_back(judge(module, wanted, complaint && (!some_named || is_named(module))));
  for (const auto& one : lacking_files)
    findings.push_back(
        judge_file(one.first, one.second, wanted, !some_named || file_is_named(one)));
  return judged.rest(
      std::move(findings),
      "of " + counted(judged.number(), "module", "modules") + " none lacks code for the GPU",
      "no module of Python with code for AMD GPUs is here");
}

}  // namespace

extern const Check kModuleWithoutTarget;
constinit const Check kModuleWithoutTarget{.code = "RV818",
                                           .id = "module-without-target",
                                           .topic = "framework",
                                           .title = "A module of Python has no code for this GPU",
                                           .doc = kModuleWithoutTargetDoc,
                                           .run = run_module_without_target};

}  // namespace rocvet

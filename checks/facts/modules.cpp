#include "checks/facts/modules.h"

#include <algorithm>

#include "base/add_once.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "checks/facts/gpus.h"
#include "checks/facts/sonames.h"
#include "checks/logs/app_errors.h"
#include "formats/library_names.h"

namespace rocvet {
namespace {

/// "flash_attn_2_cuda" of ".../site-packages/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so".
std::string module_of(std::string_view path) {
  const std::string_view package = package_of(path);
  return std::string(package.substr(0, package.find('.')));
}

void add(std::vector<DeviceModule>& modules, const PythonEnvironment& python, bool beside,
         const Library& library) {
  // A bundled rocBLAS has its own targets.
  if (library.elf.gfx.empty() ||
      is_rocm_library(parse_library_name(base_name(library.path)).family))
    return;
  const std::string name = module_of(library.path);
  auto found = std::find_if(modules.begin(), modules.end(), [&](const DeviceModule& one) {
    return one.name == name && one.environment == python.root;
  });
  if (found == modules.end()) {
    modules.push_back({name, python.root, beside, {}, {}});
    found = modules.end() - 1;
  }
  found->files.push_back({library.path, library.elf.gfx});
  for (const std::string& target : library.elf.gfx) add_once(found->targets, target);
}

}  // namespace

bool is_base_framework(std::string_view package) {
  constexpr std::string_view kBase[] = {
      "torch",           "torchvision",    "torchaudio",    "torchtext", "tensorflow",
      "tensorflow-rocm", "tensorflow-cpu", "tf-nightly*",   "jax",       "jaxlib",
      "jax-*",           "onnxruntime",    "onnxruntime-*", "triton",    "triton-rocm",
      "pytorch-triton*", "migraphx"};
  return std::any_of(std::begin(kBase), std::end(kBase),
                     [&](std::string_view one) { return glob_match(one, package); });
}

std::vector<DeviceModule> device_modules(const Machine& machine) {
  std::vector<DeviceModule> modules;
  for (const PythonEnvironment& python : machine.software.python) {
    const bool beside =
        std::any_of(python.frameworks.begin(), python.frameworks.end(),
                    [](const Framework& one) { return is_base_framework(one.name); });
    for (const Framework& framework : python.frameworks) {
      if (is_base_framework(framework.name)) continue;
      for (const Library& library : framework.libraries) add(modules, python, beside, library);
    }
    for (const Library& library : python.extensions) add(modules, python, beside, library);
  }
  return modules;
}

std::string_view stem_of_file(std::string_view path) {
  std::string_view name = base_name(path);
  if (name.starts_with("lib")) name.remove_prefix(3);
  return name.substr(0, name.find('.'));
}

std::vector<const DeviceFile*> files_that_lack(const DeviceModule& module,
                                               const std::vector<std::string>& wanted) {
  const auto fits = [&](const DeviceFile& file) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const std::string& gfx) { return any_target_fits(file.targets, gfx); });
  };
  std::vector<const DeviceFile*> lacking;
  for (const DeviceFile& file : module.files) {
    const std::string_view stem = stem_of_file(file.path);
    if (fits(file) || stem.find("gfx") != stem.npos) continue;
    const bool sibling =
        std::any_of(module.files.begin(), module.files.end(), [&](const DeviceFile& other) {
          return fits(other) && stem_of_file(other.path).starts_with(stem);
        });
    if (!sibling) lacking.push_back(&file);
  }
  return lacking;
}

bool lacks_gpu_framework(const Machine& machine) {
  const Software& software = machine.software;
  const bool rocm =
      std::ranges::any_of(software.rocm, [](const RocmInstall& one) { return !one.leftover; });
  const bool application = std::ranges::any_of(
      software.applications, [](const Application& one) { return !one.gfx.empty(); });
  const bool framework = std::ranges::any_of(software.python, [](const PythonEnvironment& python) {
    return std::ranges::any_of(python.frameworks,
                               [](const Framework& one) { return one.build == "rocm"; });
  });
  return rocm && !application && !framework;
}

bool complains_of_missing_code(const Context& context) {
  constexpr std::string_view kTexts[] = {
      "hipErrorNoBinaryForGpu",        "no kernel image",
      "invalid device function",       "hipErrorInvalidDeviceFunction",
      "Unable to find code object",    "Cannot find CO in the bundle",
      "No compatible code objects",    "device kernel image is invalid",
      "hipErrorInvalidKernelFile",     "shared object initialization failed",
      "hipErrorSharedObjectInitFailed"};
  return std::any_of(std::begin(kTexts), std::end(kTexts),
                     [&](std::string_view text) { return app_log_has(context, text); });
}

}  // namespace rocvet

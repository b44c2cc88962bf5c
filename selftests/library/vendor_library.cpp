#include "selftests/library/vendor_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>

#include "base/text.h"
#include "machine/read_rocm.h"
#include "source/source.h"

namespace rocvet::library {
namespace {

/// Files of HIP runtimes in this process. Two cannot share a device pointer.
std::set<std::string> hip_runtimes() {
  std::set<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        const std::string path = info->dlpi_name;
        if (path.find("libamdhip64.so") == std::string::npos) return 0;
        char* real = realpath(path.c_str(), nullptr);
        static_cast<std::set<std::string>*>(to)->insert(real != nullptr ? real : path);
        std::free(real);
        return 0;
      },
      &files);
  return files;
}

/// Whether the loaded runtime has the call itself.
bool hip_has(const std::string& runtime, const char* call) {
  if (call == nullptr) return false;
  void* handle = dlopen(runtime.c_str(), RTLD_NOW | RTLD_NOLOAD);
  return handle != nullptr && dlsym(handle, call) != nullptr;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

VendorLibrary::VendorLibrary(Device& device, const Name& name) : title_(name.title) {
  const std::string runtime = device.runtime().library();
  const auto hip = static_cast<int>(leading_number(device.runtime().version()).value_or(0));
  const auto start = std::chrono::steady_clock::now();
  auto library =
      gpu::open_rocm_library(name.stem, name.majors(hip), runtime.substr(0, runtime.rfind('/')));
  if (!library && library.is_missing() && hip_has(runtime, name.within_hip)) {
    library = gpu::Library{dlopen(runtime.c_str(), RTLD_NOW | RTLD_NOLOAD), runtime};
  }
  if (!library) {
    Error error = library.error();
    if (error.kind == Error::Kind::missing || error.kind == Error::Kind::denied)
      error.kind = Error::Kind::unsupported;
    throw TestFailure{std::move(error)};
  }
  library_ = *library;
  device.note("loaded " + library_.path + " in " + fixed(seconds_since(start), 1) + " s");
  for (const std::string& other : hip_runtimes()) {
    if (other == runtime) continue;
    throw TestFailure{
        {Error::Kind::unsupported, library_.path,
         "belongs to another HIP (" + other + ") than the one in use (" + runtime + ")"}};
  }
}

void* VendorLibrary::address(const char* symbol) const {
  void* found = library_.symbol(symbol);
  if (found == nullptr) {
    fail(library_.path, std::string("has no ") + symbol + ": not a " + title_ +
                            " that this test knows, or a damaged one");
  }
  return found;
}

void VendorLibrary::introduce(Device& device, std::string version) const {
  while (version.ends_with('.')) version.pop_back();
  device.note("it says that it is " + title_ + " " + version);
}

void VendorLibrary::introduce(Device& device, int version) const {
  introduce(device, std::to_string(version / 100000) + "." + std::to_string(version / 100 % 1000) +
                        "." + std::to_string(version % 100));
}

std::optional<std::string> why_skip(const DeviceRun& run, const Name& name) {
  if (run.runtime.name() == "hsa" || run.runtime.name() == "kfd")
    return std::string(name.title) + " is reached through HIP";
  if (run.runtime.name() != "hip") return std::string(name.title) + " is for AMD GPUs";
  if (gpu::rocm_library_is_installed(name.stem) || hip_has(run.runtime.library(), name.within_hip))
    return std::nullopt;
  return std::string(name.title) + " is not installed";
}

std::string target_of(std::string_view arch) {
  return std::string(arch.substr(0, arch.find(':')));
}

bool note_kernel_files(Device& device, const VendorLibrary& library, const std::string& family) {
  const auto source = live_source();
  RocmInstall install;
  std::map<std::string, std::vector<std::string>> files;
  read_kernel_targets(*source, library.folder(), library.folder() + "/../share", install, files);
  const std::vector<std::string>& targets = install.kernel_targets[family];
  if (targets.empty()) {
    device.note("no files of kernels were found beside it");
    return true;
  }
  device.note("its kernel files are for " + join(targets, " "));
  const std::string target = target_of(device.info().arch);
  return std::ranges::any_of(targets,
                             [&](const std::string& one) { return target_of(one) == target; });
}

}  // namespace rocvet::library

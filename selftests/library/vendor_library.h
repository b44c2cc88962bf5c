// A library of ROCm as a self-test uses it: found, loaded beside the HIP runtime, its calls by
// name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "selftests/device.h"
#include "selftests/gpu/rocm_library.h"
#include "selftests/library/explain.h"

namespace rocvet::library {

struct Name {
  const char* title;  ///< "rocBLAS"
  const char* stem;   ///< "librocblas"
  /// Numbers of its soname in the order to try, by the major of the HIP runtime.
  std::vector<int> (*majors)(int hip_major);
  /// A call of it that some HIP runtimes have themselves (hipRTC until ROCm 5); nullptr: none.
  const char* within_hip = nullptr;
};

class VendorLibrary {
 public:
  /// Loads it. Throws TestFailure: `unsupported` when it is not installed or belongs to another HIP
  /// than the runtime in use, `failed` when it is there and does not load.
  VendorLibrary(Device& device, const Name& name);

  /// Throws TestFailure when the library has no such call.
  template <typename Signature>
  Signature* call(const char* symbol) const {
    return reinterpret_cast<Signature*>(address(symbol));
  }
  /// nullptr when the library has none.
  template <typename Signature>
  Signature* optional_call(const char* symbol) const {
    return reinterpret_cast<Signature*>(library_.symbol(symbol));
  }
  const std::string& title() const { return title_; }
  std::string folder() const { return library_.folder(); }
  /// "it says that it is rocBLAS 5.2.0", as evidence.
  void introduce(Device& device, std::string version) const;
  /// `version`: major * 100000 + minor * 100 + patch, as most of ROCm's libraries count.
  void introduce(Device& device, int version) const;

 private:
  void* address(const char* symbol) const;
  std::string title_;
  gpu::Library library_;
};

/// nullopt when the device runs HIP and a file of that name is somewhere.
std::optional<std::string> why_skip(const DeviceRun& run, const Name& name);

// As a self-test of one library has them.
template <const Name& name>
std::optional<std::string> why_skip_of(const DeviceRun& run) {
  return why_skip(run, name);
}
template <const Name& name>
void explain_of(TestResult& result, const std::string& said) {
  explain(result, name.title, said);
}

/// The target alone: "gfx942" of "gfx942:sramecc+:xnack-".
std::string target_of(std::string_view arch);
/// Tells for which GPUs the files beside `library` hold kernels ("rocblas", "hipblaslt", "miopen").
/// False: there are such files, and none is for this device.
bool note_kernel_files(Device& device, const VendorLibrary& library, const std::string& family);

}  // namespace rocvet::library

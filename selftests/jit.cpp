// The machine's own hipRTC compiles rocvet's kernels for the GPU that is present, and they run.
#include <array>
#include <chrono>
#include <cstdlib>

#include "base/text.h"
#include "selftests/gemm.h"
#include "selftests/gpu/kernel_sources.h"
#include "selftests/library/calls.h"
#include "selftests/library/explain.h"
#include "selftests/library/vendor_library.h"

namespace rocvet {
namespace {

// Another number than that of the HIP runtime would be another ROCm.
std::vector<int> majors(int hip) {
  return {hip};
}
constexpr library::Name kName{"hipRTC", "libhiprtc", majors, "hiprtcCreateProgram"};

/// The lines of a compiler's log that say what is wrong, the first few.
std::string errors_of(const std::string& log) {
  std::string found;
  int count = 0;
  for (const std::string_view line : split(log, '\n')) {
    if (line.find("error") == line.npos && line.find("Error") == line.npos) continue;
    if (++count > 5) break;
    found += (found.empty() ? "" : " | ") + std::string(trim(line));
  }
  if (found.empty()) found = std::string(trim(log));
  return found.substr(0, 800);
}

/// Whether the compiler itself lacks a part: its device library, or the headers it brings along.
bool lacks_device_library(const std::string& log) {
  return log.find("cannot find ROCm device library") != log.npos ||
         log.find("hiprtc-builtins") != log.npos || log.find("ocml") != log.npos ||
         log.find("oclc_") != log.npos;
}

class Compiler {
 public:
  explicit Compiler(Device& device) : device_(device), library_(device, kName) {
    words_ = library_.optional_call<library::hiprtc::ErrorText>("hiprtcGetErrorString");
  }

  std::vector<std::byte> compile(const std::string& target) {
    namespace rtc = library::hiprtc;
    const auto sources = gpu::kernel_sources();
    std::vector<const char*> names, texts;
    for (const gpu::KernelSource& header : sources.subspan(1)) {
      names.push_back(header.name);
      texts.push_back(header.text);
    }
    void* program = nullptr;
    check("hiprtcCreateProgram", call<rtc::CreateProgram>("hiprtcCreateProgram")(
                                     &program, sources[0].text, sources[0].name,
                                     static_cast<int>(names.size()), texts.data(), names.data()));
    const std::string architecture = "--offload-arch=" + target;
    std::array<const char*, 3> options = {architecture.c_str(), "-std=c++20", "-O3"};
    const auto start = std::chrono::steady_clock::now();
    const int status = call<rtc::Compile>("hiprtcCompileProgram")(
        program, static_cast<int>(options.size()), options.data());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (status != 0)
      refuse(status, bytes_of(program, "hiprtcGetProgramLogSize", "hiprtcGetProgramLog"), target);
    const std::string code = bytes_of(program, "hiprtcGetCodeSize", "hiprtcGetCode");
    if (code.empty()) fail("", "hipRTC compiled without an error, but gave no code");
    device_.note("compiled " + std::string(sources[0].name) + " for " + target + " in " +
                 fixed(seconds, 1) + " s");
    (void)call<rtc::DestroyProgram>("hiprtcDestroyProgram")(&program);
    const auto* first = reinterpret_cast<const std::byte*>(code.data());
    return {first, first + code.size()};
  }

 private:
  template <typename Signature>
  Signature* call(const char* symbol) const {
    return library_.call<Signature>(symbol);
  }
  std::string bytes_of(void* program, const char* size_call, const char* call_name) {
    std::size_t bytes = 0;
    check(size_call, call<library::hiprtc::GetSize>(size_call)(program, &bytes));
    std::string text(bytes, '\0');
    if (bytes > 0)
      check(call_name, call<library::hiprtc::GetBytes>(call_name)(program, text.data()));
    return text;
  }
  [[noreturn]] void refuse(int status, const std::string& log, const std::string& target) {
    if (lacks_device_library(log))
      fail("", "hipRTC lacks its device library or built-in headers: " + errors_of(log));
    fail("", "hipRTC does not compile for " + target + ": " + words_for(status) +
                 (log.empty() ? "" : ": " + errors_of(log)));
  }
  std::string words_for(int status) const {
    return (words_ != nullptr ? words_(status) : std::string("status")) + " (" +
           std::to_string(status) + ")";
  }
  void check(const char* name, int status) const {
    if (status != 0) fail("", std::string(name) + " failed: " + words_for(status));
  }

  Device& device_;
  library::VendorLibrary library_;
  library::hiprtc::ErrorText* words_ = nullptr;
};

Measurement run(Device& device, const Params& params) {
  const auto code = Compiler(device).compile(device.info().arch);
  try {
    device.use_module("gemm", code);
  } catch (const TestFailure& failure) {
    fail("", "what hipRTC compiled does not load: " + failure.error.text());
  }
  const SmallProducts products = small_products(device, params.seed);
  Measurement result;
  result.verification = products.verification;
  result.metric = "hipRTC compiles for this GPU, and its code multiplies right: " + products.types;
  return result;
}

std::optional<std::string> why_skip(const DeviceRun& run) {
  if (run.runtime.name() == "hip") {
    const std::string version = run.runtime.version();
    const auto parts = split(version, '.');
    const auto major = leading_number(version).value_or(0);
    const auto minor = parts.size() > 1 ? leading_number(parts[1]).value_or(0) : 0;
    if (major == 5 && minor < 7)
      return "the compiler of ROCm before 5.7 does not know the C++ of these kernels";
  }
  return library::why_skip(run, kName);
}

void explain(TestResult& result, const std::string& said) {
  // Code that was just made for this GPU and does not load is no matter of missing kernels.
  if (!result.summary.starts_with("what hipRTC compiled"))
    library::explain(result, kName.title, said);
  if (result.summary.find("lacks its device library") != std::string::npos)
    result.seen.push_back("selftest-jit-without-bitcode");
}

constexpr std::string_view kDoc = R"(
## What it does
Hands the source of rocvet's own matrix kernels to the machine's hipRTC, in a process of its own, has
it compiled for the GPU that is present, loads the code and multiplies small matrices of whole numbers
with it: every element must be exact. MIOpen, rocFFT, Triton's and PyTorch's fused kernels and every
program that compiles at run time need this to work. Not installed: the test does not apply.

## What a failure means
- does not compile: this ROCm does not know the GPU's target, or parts of it are of another release
  (the log's first errors are in the message).
- lacks its device library or built-in headers: the package of rocm-device-libs or hiprtc-builtins is
  missing or of another release.
- what it compiled does not load: compiler and HIP runtime do not fit together.
- wrong result: compare with gemm.fp32. If that passes, the machine's compiler makes wrong code for
  this GPU.
)";

}  // namespace

extern const SelfTest kJit;
constinit const SelfTest kJit{.id = "jit",
                              .title = "the installed hipRTC compiles code that computes right",
                              .doc = kDoc,
                              .why_skip = why_skip,
                              .run = guarded<run>,
                              .own_process = true,
                              .deadline_s = 45,
                              .explain = explain};

}  // namespace rocvet

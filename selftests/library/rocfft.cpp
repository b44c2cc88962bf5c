// rocFFT: Fourier transforms of random numbers against sums in double precision.
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "selftests/library/calls.h"
#include "selftests/library/vendor_library.h"
#include "selftests/random.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

std::vector<int> majors(int) {
  return {0};
}
constexpr library::Name kName{"rocFFT", "librocfft", majors};

constexpr const char* kStatus[] = {"success",
                                   "failure",
                                   "invalid argument",
                                   "invalid dimensions",
                                   "invalid array type",
                                   "invalid strides",
                                   "invalid distance",
                                   "invalid offset",
                                   "invalid work buffer"};

class RocFft {
 public:
  explicit RocFft(Device& device) : device_(device), library_(device, kName) {
    if (auto* version =
            library_.optional_call<library::rocfft::GetVersion>("rocfft_get_version_string")) {
      std::array<char, 200> text{};
      if (version(text.data(), text.size()) == 0) library_.introduce(device, text.data());
    }
    check("rocfft_setup", call<library::rocfft::Setup>("rocfft_setup")());
  }
  RocFft(const RocFft&) = delete;
  ~RocFft() {
    if (auto* cleanup = library_.optional_call<library::rocfft::Setup>("rocfft_cleanup")) cleanup();
  }

  /// `batch` transforms of `length` complex numbers each, forward, not in place.
  std::vector<float> forward(const std::vector<float>& numbers, std::size_t length,
                             std::size_t batch) {
    namespace fft = library::rocfft;
    void *plan = nullptr, *info = nullptr;
    check("rocfft_plan_create",
          call<fft::PlanCreate>("rocfft_plan_create")(&plan, fft::kNotInPlace, fft::kComplexForward,
                                                      fft::kSingle, 1, &length, batch, nullptr));
    std::size_t work_bytes = 0;
    check("rocfft_plan_get_work_buffer_size",
          call<fft::WorkBytes>("rocfft_plan_get_work_buffer_size")(plan, &work_bytes));
    check("rocfft_execution_info_create",
          call<fft::InfoCreate>("rocfft_execution_info_create")(&info));
    check("rocfft_execution_info_set_stream",
          call<fft::SetStream>("rocfft_execution_info_set_stream")(
              info, reinterpret_cast<void*>(device_.stream())));
    const Buffer work = device_.buffer(work_bytes);
    if (work_bytes > 0) {
      check("rocfft_execution_info_set_work_buffer",
            call<fft::SetWork>("rocfft_execution_info_set_work_buffer")(
                info, reinterpret_cast<void*>(work.pointer()), work_bytes));
    }
    const Buffer in = device_.upload(numbers), out = device_.buffer(in.bytes());
    device_.fill(out, 0xff);
    void* from = reinterpret_cast<void*>(in.pointer());
    void* to = reinterpret_cast<void*>(out.pointer());
    check("rocfft_execute", call<fft::Execute>("rocfft_execute")(plan, &from, &to, info));
    std::vector<float> result = device_.download<float>(out, numbers.size());
    check("rocfft_plan_destroy", call<fft::PlanDestroy>("rocfft_plan_destroy")(plan));
    return result;
  }

 private:
  template <typename Signature>
  Signature* call(const char* symbol) const {
    return library_.call<Signature>(symbol);
  }
  void check(const char* name, int status) const {
    if (status == 0) return;
    const char* words = status > 0 && status < 9 ? kStatus[status] : "unknown";
    fail("", std::string(name) + " failed: " + words + " (" + std::to_string(status) + ")");
  }

  Device& device_;
  library::VendorLibrary library_;
};

/// Every output of a few frequencies, summed up in double precision.
Verification check_transform(const std::vector<float>& in, const std::vector<float>& out,
                             std::size_t length, std::size_t batch, std::uint64_t seed) {
  const Random random(seed, 99);
  Worst worst;
  for (std::size_t one = 0; one < batch; ++one) {
    const float* x = &in[one * length * 2];
    const float* y = &out[one * length * 2];
    double energy_in = 0, energy_out = 0;
    for (std::size_t i = 0; i < 2 * length; ++i) {
      energy_in += static_cast<double>(x[i]) * x[i];
      energy_out += static_cast<double>(y[i]) * y[i];
    }
    const double size = std::sqrt(energy_in);
    worst.see(std::sqrt(energy_out / static_cast<double>(length)), size, size,
              "energy of transform " + std::to_string(one) + " (Parseval)");
    for (std::uint64_t sample = 0; sample < 16; ++sample) {
      const std::size_t k =
          sample == 0 ? 0 : random.below(static_cast<std::uint32_t>(length), one * 16 + sample);
      double real = 0, imaginary = 0;
      for (std::size_t i = 0; i < length; ++i) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(i * k % length) /
                             static_cast<double>(length);
        const double c = std::cos(angle), s = std::sin(angle);
        real += x[2 * i] * c - x[2 * i + 1] * s;
        imaginary += x[2 * i] * s + x[2 * i + 1] * c;
      }
      const std::string where = "length " + std::to_string(length) + ", transform " +
                                std::to_string(one) + ", frequency " + std::to_string(k);
      worst.see(y[2 * k], real, size, where + " (real)");
      worst.see(y[2 * k + 1], imaginary, size, where + " (imaginary)");
    }
  }
  // The error of an FFT grows with the logarithm of its length.
  return worst.verification(0x1p-24 * 8 * std::log2(static_cast<double>(length)));
}

Measurement run(Device& device, const Params& params) {
  // It would keep the kernels that it compiles in the user's home folder.
  ::setenv("ROCFFT_RTC_CACHE_PATH", ":memory:", 1);
  RocFft fft(device);
  const bool tiny = params.size == Size::tiny;
  Measurement result;
  std::string lengths;
  // A power of two, and one whose factors are 2, 3, 5 and 7.
  for (const std::size_t length :
       tiny ? std::vector<std::size_t>{64} : std::vector<std::size_t>{4096, 1260}) {
    const std::size_t batch = tiny ? 2 : 8;
    const Random random(params.seed, length);
    std::vector<float> numbers(2 * length * batch);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<float>(random.uniform(i));
    const std::vector<float> transformed = fft.forward(numbers, length, batch);
    result.verification = worse_of(
        result.verification, check_transform(numbers, transformed, length, batch, params.seed));
    lengths += (lengths.empty() ? "" : " and ") + std::to_string(length);
  }
  result.metric = "rocFFT transforms right: complex fp32, length " + lengths;
  return result;
}

constexpr std::string_view kDoc = R"(
## What it does
Loads the machine's own rocFFT into a process of its own and transforms random complex numbers in
single precision; some frequencies are compared with sums in double precision, and the energy of all
with that of the input. Not installed: the test does not apply.

## What a failure means
rocFFT compiles its kernels when they are first needed (through hipRTC). A failure of
rocfft_plan_create most often means that the compiler part of ROCm is missing or does not know this
GPU: see the self-test jit. Crashed, hangs or a wrong result: if this program's own tests (gemm.fp32,
memory.pattern) pass, it is the library.
)";

}  // namespace

extern const SelfTest kLibraryRocfft;
constinit const SelfTest kLibraryRocfft{.id = "library.rocfft",
                                        .title = "the installed rocFFT transforms right",
                                        .doc = kDoc,
                                        .why_skip = library::why_skip_of<kName>,
                                        .run = guarded<run>,
                                        .own_process = true,
                                        .deadline_s = 45,
                                        .explain = library::explain_of<kName>};

}  // namespace rocvet

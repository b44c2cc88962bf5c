// rocBLAS: a product of small matrices in single precision, exact for whole numbers.
#include <array>

#include "selftests/library/calls.h"
#include "selftests/library/explain.h"
#include "selftests/library/vendor_library.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

// ROCm 5 has librocblas.so.0 from AMD and from Debian, ROCm 6 has .so.4, ROCm 7 .so.5.
std::vector<int> majors(int hip) {
  if (hip >= 7) return {5, 4};
  if (hip == 6) return {4, 5};
  return {0, 3, 4};
}
constexpr library::Name kName{"rocBLAS", "librocblas", majors};

class RocBlas {
 public:
  explicit RocBlas(Device& device) : device_(device), library_(device, kName) {
    if (auto* version =
            library_.optional_call<library::rocblas::GetVersion>("rocblas_get_version_string")) {
      std::array<char, 200> text{};
      if (version(text.data(), text.size()) == 0) library_.introduce(device, text.data());
    }
    has_kernels_ = library::note_kernel_files(device, library_, "rocblas");
    words_ = library_.optional_call<library::rocblas::StatusText>("rocblas_status_to_string");
    sgemm_ = library_.call<library::rocblas::Sgemm>("rocblas_sgemm");
    check("rocblas_create_handle",
          library_.call<library::rocblas::Create>("rocblas_create_handle")(&handle_));
    check("rocblas_set_stream", library_.call<library::rocblas::SetStream>("rocblas_set_stream")(
                                    handle_, reinterpret_cast<void*>(device.stream())));
  }
  RocBlas(const RocBlas&) = delete;
  ~RocBlas() {
    if (auto* destroy = library_.optional_call<library::rocblas::Destroy>("rocblas_destroy_handle"))
      destroy(handle_);
  }

  /// A * B^T. The library's matrices go column by column: to it ours are transposed.
  Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c{Format::fp32, a.rows, b.rows, b.rows, {}};
    const Buffer device_a = device_.upload(a.data), device_b = device_.upload(b.data);
    const Buffer device_c = device_.buffer(std::size_t{a.rows} * b.rows * 4);
    device_.fill(device_c, 0xff);
    const float one = 1, zero = 0;
    check("rocblas_sgemm",
          sgemm_(handle_, library::rocblas::kTranspose, library::rocblas::kNone,
                 static_cast<int>(b.rows), static_cast<int>(a.rows), static_cast<int>(a.columns),
                 &one, at(device_b), static_cast<int>(b.stride), at(device_a),
                 static_cast<int>(a.stride), &zero, at(device_c), static_cast<int>(c.stride)));
    c.data = device_.download<std::byte>(device_c, device_c.bytes());
    return c;
  }

 private:
  static float* at(const Buffer& buffer) { return reinterpret_cast<float*>(buffer.pointer()); }
  void check(const char* call, int status) const {
    if (status == 0) return;
    const std::string words = words_ != nullptr ? words_(status) : "status";
    const std::string failed =
        std::string(call) + " failed: " + words + " (" + std::to_string(status) + ")";
    if (!has_kernels_) {
      fail("", "rocBLAS " + std::string(library::kNoKernels) +
                   library::target_of(device_.info().arch) + "; " + failed);
    }
    fail("", failed);
  }

  Device& device_;
  library::VendorLibrary library_;
  library::rocblas::StatusText* words_ = nullptr;
  library::rocblas::Sgemm* sgemm_ = nullptr;
  void* handle_ = nullptr;
  bool has_kernels_ = true;
};

Measurement run(Device& device, const Params& params) {
  RocBlas blas(device);
  const bool tiny = params.size == Size::tiny;
  const std::uint32_t m = tiny ? 65 : 515, n = tiny ? 48 : 389, k = tiny ? 70 : 1027;
  const Matrix whole_a = random_matrix(Format::fp32, m, k, params.seed, 1, true);
  const Matrix whole_b = random_matrix(Format::fp32, n, k, params.seed, 2, true);
  Measurement result;
  result.verification = check_exact_product(whole_a, whole_b, blas.product(whole_a, whole_b));
  const Matrix a = random_matrix(Format::fp32, m, k, params.seed, 1, false);
  const Matrix b = random_matrix(Format::fp32, n, k, params.seed, 2, false);
  result.verification =
      worse_of(result.verification, check_product(a, b, blas.product(a, b), 0x1p-24, params.seed));
  result.metric = "rocBLAS multiplies right: fp32 " + std::to_string(m) + "x" + std::to_string(n) +
                  "x" + std::to_string(k);
  return result;
}

constexpr std::string_view kDoc = R"(
## What it does
Loads the machine's own rocBLAS into a process of its own, has it multiply two small matrices in
single precision and compares every element (whole numbers, exact) and samples (random numbers) with
the product in double precision. Not installed: the test does not apply.

## What a failure means
- has no kernels for this GPU: rocblas/library beside librocblas.so has no files for the target.
  Every framework on top fails with it, or aborts as the library does. Install a rocBLAS that has
  the target, or build one.
- crashed, hangs: nothing that uses rocBLAS works here. Compare with gemm.fp32, which runs on the same
  runtime with this program's own kernels: if that passes, it is the library.
- wrong result: if gemm.fp32 passes, the library's kernels are at fault for this GPU; if not, the GPU.
)";

}  // namespace

extern const SelfTest kLibraryRocblas;
constinit const SelfTest kLibraryRocblas{.id = "library.rocblas",
                                         .title = "the installed rocBLAS multiplies right",
                                         .doc = kDoc,
                                         .why_skip = library::why_skip_of<kName>,
                                         .run = guarded<run>,
                                         .own_process = true,
                                         .deadline_s = 45,
                                         .explain = library::explain_of<kName>};

}  // namespace rocvet

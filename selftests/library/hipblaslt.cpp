// hipBLASLt: asks for a kernel for a product of half-precision matrices, and runs it.
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "selftests/library/calls.h"
#include "selftests/library/explain.h"
#include "selftests/library/vendor_library.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

// libhipblaslt.so.0 until ROCm 6.4, .so.1 since 7.0 (and Debian's 7.1 on HIP 6.4).
std::vector<int> majors(int hip) {
  return hip >= 7 ? std::vector<int>{1, 0} : std::vector<int>{0, 1};
}
constexpr library::Name kName{"hipBLASLt", "libhipblaslt", majors};

/// Targets for which some release of hipBLASLt has kernels. For others no machine can have them,
/// and what uses hipBLASLt falls back to rocBLAS.
bool ever_supported(const std::string& target) {
  for (const char* one :
       {"gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1101", "gfx1102", "gfx1103",
        "gfx1150", "gfx1151", "gfx1152", "gfx1153", "gfx1200", "gfx1201", "gfx1250"}) {
    if (target == one) return true;
  }
  return false;
}

constexpr const char* kStatus[] = {"success",        "not initialized", "allocation failed",
                                   "invalid value",  "mapping error",   "execution failed",
                                   "internal error", "not supported",   "wrong GPU target",
                                   "null handle",    "invalid enum",    "unknown"};

class HipBlasLt {
 public:
  explicit HipBlasLt(Device& device)
      : device_(device), library_(device, kName), target_(library::target_of(device.info().arch)) {
    has_kernels_ = library::note_kernel_files(device, library_, "hipblaslt");
    if (!has_kernels_ && !ever_supported(target_)) {
      throw TestFailure{{Error::Kind::unsupported, "hipBLASLt",
                         "no release of it has kernels for " + target_ +
                             "; what would use it uses rocBLAS there"}};
    }
    check("hipblasLtCreate", call<library::hipblaslt::Create>("hipblasLtCreate")(&handle_));
    int version = 0;
    if (auto* get = library_.optional_call<library::hipblaslt::GetVersion>("hipblasLtGetVersion");
        get != nullptr && get(handle_, &version) == 0) {
      library_.introduce(device, version);
    }
  }
  HipBlasLt(const HipBlasLt&) = delete;
  ~HipBlasLt() {
    if (auto* destroy = library_.optional_call<library::hipblaslt::Destroy>("hipblasLtDestroy");
        destroy != nullptr && handle_ != nullptr)
      destroy(handle_);
  }

  /// A * B^T, the result in half precision too.
  Matrix product(const Matrix& a, const Matrix& b) {
    namespace lt = library::hipblaslt;
    Matrix c{Format::fp16, a.rows, b.rows, (b.rows + 7) / 8 * 8, {}};
    void *descriptor = nullptr, *preference = nullptr;
    check("hipblasLtMatmulDescCreate", call<lt::DescriptorCreate>("hipblasLtMatmulDescCreate")(
                                           &descriptor, lt::kCompute32F, lt::kReal32F));
    // To the library, whose matrices go column by column, ours are transposed.
    set(descriptor, lt::kTransposeA, lt::kTranspose);
    set(descriptor, lt::kTransposeB, lt::kNone);
    void* layout_b = layout(b.columns, b.rows, b.stride);
    void* layout_a = layout(a.columns, a.rows, a.stride);
    void* layout_c = layout(c.columns, c.rows, c.stride);
    check("hipblasLtMatmulPreferenceCreate",
          call<lt::PreferenceCreate>("hipblasLtMatmulPreferenceCreate")(&preference));
    const Buffer workspace = device_.buffer(kWorkspaceBytes);
    const std::uint64_t bytes = kWorkspaceBytes;
    check("hipblasLtMatmulPreferenceSetAttribute",
          call<lt::SetAttribute>("hipblasLtMatmulPreferenceSetAttribute")(
              preference, lt::kMaxWorkspaceBytes, &bytes, sizeof bytes));

    lt::Heuristic found{};
    int count = 0;
    const int status = call<lt::GetHeuristic>("hipblasLtMatmulAlgoGetHeuristic")(
        handle_, descriptor, layout_b, layout_a, layout_c, layout_c, preference, 1, &found, &count);
    if (status != 0 || count < 1) {
      if (!has_kernels_) fail("", no_kernels());
      check("hipblasLtMatmulAlgoGetHeuristic", status);
      fail("", "hipblasLtMatmulAlgoGetHeuristic knows no kernel for a product of fp16 matrices");
    }

    const Buffer device_a = device_.upload(a.data), device_b = device_.upload(b.data);
    const Buffer device_c = device_.buffer(std::size_t{c.rows} * c.stride * 2);
    device_.fill(device_c, 0xff);
    const float one = 1, zero = 0;
    check("hipblasLtMatmul",
          call<lt::Matmul>("hipblasLtMatmul")(
              handle_, descriptor, &one, at(device_b), layout_b, at(device_a), layout_a, &zero,
              at(device_c), layout_c, at(device_c), layout_c, &found.algorithm, at(workspace),
              kWorkspaceBytes, reinterpret_cast<void*>(device_.stream())));
    c.data = device_.download<std::byte>(device_c, device_c.bytes());
    return c;
  }

 private:
  static constexpr std::size_t kWorkspaceBytes = 4 << 20;
  static void* at(const Buffer& buffer) { return reinterpret_cast<void*>(buffer.pointer()); }
  template <typename Signature>
  Signature* call(const char* symbol) const {
    return library_.call<Signature>(symbol);
  }
  void set(void* descriptor, int attribute, std::int32_t value) {
    check("hipblasLtMatmulDescSetAttribute",
          call<library::hipblaslt::SetAttribute>("hipblasLtMatmulDescSetAttribute")(
              descriptor, attribute, &value, sizeof value));
  }
  void* layout(std::uint32_t rows, std::uint32_t columns, std::uint32_t leading) {
    void* made = nullptr;
    check("hipblasLtMatrixLayoutCreate",
          call<library::hipblaslt::LayoutCreate>("hipblasLtMatrixLayoutCreate")(
              &made, library::hipblaslt::kReal16F, rows, columns, leading));
    return made;
  }
  std::string no_kernels() const {
    return "hipBLASLt " + std::string(library::kNoKernels) + target_;
  }
  void check(const char* name, int status) const {
    if (status == 0) return;
    const char* words = status > 0 && status < 12 ? kStatus[status] : "unknown";
    const std::string failed =
        std::string(name) + " failed: " + words + " (" + std::to_string(status) + ")";
    fail("", has_kernels_ ? failed : no_kernels() + "; " + failed);
  }

  Device& device_;
  library::VendorLibrary library_;
  std::string target_;
  void* handle_ = nullptr;
  bool has_kernels_ = true;
};

Measurement run(Device& device, const Params& params) {
  HipBlasLt blas(device);
  const bool tiny = params.size == Size::tiny;
  const std::uint32_t m = tiny ? 64 : 512, n = tiny ? 48 : 384, k = tiny ? 72 : 1024;
  // Sums of whole numbers from -2 to 2 stay within the 2048 that half precision counts to.
  const std::uint32_t whole_k = tiny ? k : 256;
  const Matrix whole_a = random_matrix(Format::fp16, m, whole_k, params.seed, 1, true);
  const Matrix whole_b = random_matrix(Format::fp16, n, whole_k, params.seed, 2, true);
  Measurement result;
  result.verification = check_exact_product(whole_a, whole_b, blas.product(whole_a, whole_b));
  const Matrix a = random_matrix(Format::fp16, m, k, params.seed, 1, false);
  const Matrix b = random_matrix(Format::fp16, n, k, params.seed, 2, false);
  // The result itself is rounded to half precision, which is far worse than how it was summed.
  const double rounding = 0x1p-10 / (8 * std::sqrt(k) + 8);
  result.verification =
      worse_of(result.verification, check_product(a, b, blas.product(a, b), rounding, params.seed));
  result.metric = "hipBLASLt multiplies right: fp16 " + std::to_string(m) + "x" +
                  std::to_string(n) + "x" + std::to_string(k);
  return result;
}

std::optional<std::string> why_skip(const DeviceRun& run) {
  if (run.runtime.name() == "hip" && leading_number(run.runtime.version()).value_or(0) < 6)
    return "the interface of hipBLASLt before ROCm 6 was another one";
  return library::why_skip(run, kName);
}

constexpr std::string_view kDoc = R"(
## What it does
Loads the machine's own hipBLASLt into a process of its own, asks it for a kernel for a product of
half-precision matrices (as PyTorch does for nn.Linear) and runs it. Every element of a product of
whole numbers must be exact; one of random numbers is compared with double precision. Not installed,
or a GPU for which no release of hipBLASLt was made: the test does not apply.

## What a failure means
- has no kernels for this GPU: hipblaslt/library beside the library lacks the target, though others
  have it. PyTorch then falls back (or TORCH_BLAS_PREFER_HIPBLASLT=0 makes it), at a loss of speed.
- crashed, hangs, wrong result: compare with gemm.fp16, which runs on the same runtime with this
  program's own kernels: if that passes, it is the library.
)";

}  // namespace

extern const SelfTest kLibraryHipblaslt;
constinit const SelfTest kLibraryHipblaslt{.id = "library.hipblaslt",
                                           .title = "the installed hipBLASLt multiplies right",
                                           .doc = kDoc,
                                           .why_skip = why_skip,
                                           .run = guarded<run>,
                                           .own_process = true,
                                           .deadline_s = 45,
                                           .explain = library::explain_of<kName>};

}  // namespace rocvet

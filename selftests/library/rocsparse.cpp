// rocSPARSE: a sparse matrix times a vector, against the same in double precision.
#include <cmath>

#include "base/text.h"
#include "selftests/library/calls.h"
#include "selftests/library/vendor_library.h"
#include "selftests/random.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

namespace sparse = library::rocsparse;

std::vector<int> majors(int) {
  return {1, 0};
}
constexpr library::Name kName{"rocSPARSE", "librocsparse", majors};

constexpr const char* kStatus[] = {"success",
                                   "invalid handle",
                                   "not implemented",
                                   "invalid pointer",
                                   "invalid size",
                                   "memory error",
                                   "internal error",
                                   "invalid value",
                                   "architecture mismatch",
                                   "zero pivot",
                                   "not initialized",
                                   "type mismatch",
                                   "requires sorted storage",
                                   "an exception was thrown"};

/// Compressed rows: of row i the values and columns from starts[i] on.
struct SparseMatrix {
  int rows = 0, columns = 0;
  std::vector<float> values;
  std::vector<int> starts, places;
};

/// Rows of every length: some empty, one full, the others with a few values.
SparseMatrix random_sparse(int rows, int columns, std::uint64_t seed) {
  const Random lengths(seed, 1), places(seed, 2), values(seed, 3);
  SparseMatrix matrix{rows, columns, {}, {0}, {}};
  for (int row = 0; row < rows; ++row) {
    const auto at = static_cast<std::uint64_t>(row);
    const std::uint32_t one_in = row == rows / 2 ? 1 : row % 7 == 3 ? 0 : 2 + lengths.below(30, at);
    for (int column = 0; column < columns && one_in != 0; ++column) {
      const std::uint64_t place =
          at * static_cast<std::uint64_t>(columns) + static_cast<std::uint64_t>(column);
      if (places.below(one_in, place) != 0) continue;
      matrix.places.push_back(column);
      matrix.values.push_back(static_cast<float>(values.uniform(place)));
    }
    matrix.starts.push_back(static_cast<int>(matrix.places.size()));
  }
  return matrix;
}

std::vector<float> random_vector(int count, std::uint64_t seed, std::uint64_t stream) {
  const Random random(seed, stream);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(random.uniform(i));
  return numbers;
}

class RocSparse {
 public:
  explicit RocSparse(Device& device) : device_(device), library_(device, kName) {
    check("rocsparse_create_handle",
          library_.call<sparse::Create>("rocsparse_create_handle")(&handle_));
    int version = 0;
    auto* get = library_.optional_call<sparse::GetVersion>("rocsparse_get_version");
    if (get != nullptr && get(handle_, &version) == 0) {
      library_.introduce(device, version);
    }
    check("rocsparse_set_stream", library_.call<sparse::SetStream>("rocsparse_set_stream")(
                                      handle_, reinterpret_cast<void*>(device.stream())));
  }
  RocSparse(const RocSparse&) = delete;
  ~RocSparse() {
    auto* destroy = library_.optional_call<sparse::Destroy>("rocsparse_destroy_handle");
    if (destroy != nullptr && handle_ != nullptr) destroy(handle_);
  }

  /// alpha * matrix * x + beta * y.
  std::vector<float> multiply(const SparseMatrix& matrix, const std::vector<float>& x,
                              const std::vector<float>& y, float alpha, float beta) {
    const Buffer values = device_.upload(matrix.values), starts = device_.upload(matrix.starts),
                 places = device_.upload(matrix.places), device_x = device_.upload(x),
                 device_y = device_.upload(y);
    void* descriptor = nullptr;
    check("rocsparse_create_mat_descr",
          library_.call<sparse::Create>("rocsparse_create_mat_descr")(&descriptor));
    check("rocsparse_scsrmv", library_.call<sparse::Scsrmv>("rocsparse_scsrmv")(
                                  handle_, sparse::kNone, matrix.rows, matrix.columns,
                                  static_cast<int>(matrix.values.size()), &alpha, descriptor,
                                  reinterpret_cast<const float*>(values.pointer()),
                                  reinterpret_cast<const int*>(starts.pointer()),
                                  reinterpret_cast<const int*>(places.pointer()), nullptr,
                                  reinterpret_cast<const float*>(device_x.pointer()), &beta,
                                  reinterpret_cast<float*>(device_y.pointer())));
    std::vector<float> result = device_.download<float>(device_y, y.size());
    check("rocsparse_destroy_mat_descr",
          library_.call<sparse::Destroy>("rocsparse_destroy_mat_descr")(descriptor));
    return result;
  }

 private:
  static void check(const char* name, int status) {
    if (status == 0) return;
    const bool known = status > 0 && static_cast<std::size_t>(status) < std::size(kStatus);
    fail("", std::string(name) + " failed: " + (known ? kStatus[status] : "unknown status") + " (" +
                 std::to_string(status) + ")");
  }

  Device& device_;
  library::VendorLibrary library_;
  void* handle_ = nullptr;
};

Measurement run(Device& device, const Params& params) {
  RocSparse rocsparse(device);
  const bool tiny = params.size == Size::tiny;
  const SparseMatrix matrix = random_sparse(tiny ? 70 : 3001, tiny ? 65 : 2777, params.seed);
  const std::vector<float> x = random_vector(matrix.columns, params.seed, 4),
                           y = random_vector(matrix.rows, params.seed, 5);
  constexpr float kAlpha = 1.5f, kBeta = -0.5f;
  const std::vector<float> got = rocsparse.multiply(matrix, x, y, kAlpha, kBeta);
  Worst worst;
  for (std::size_t row = 0; row < y.size(); ++row) {
    double sum = 0, size = std::fabs(static_cast<double>(y[row]));
    for (int at = matrix.starts[row]; at < matrix.starts[row + 1]; ++at) {
      const auto place = static_cast<std::size_t>(at);
      const double product = static_cast<double>(matrix.values[place]) *
                             static_cast<double>(x[static_cast<std::size_t>(matrix.places[place])]);
      sum += product;
      size += std::fabs(product);
    }
    worst.see_at(got[row], kAlpha * sum + kBeta * static_cast<double>(y[row]), size,
                 [&] { return "row " + std::to_string(row); });
  }
  Measurement result;
  // The sums of a row are taken by parts, each of which rounds.
  result.verification =
      worst.verification(0x1p-24 * 4 * std::sqrt(static_cast<double>(matrix.columns)));
  result.metric = "rocSPARSE multiplies right: fp32 CSR " + std::to_string(matrix.rows) + "x" +
                  std::to_string(matrix.columns) + ", " + std::to_string(matrix.values.size()) +
                  " values";
  return result;
}

constexpr std::string_view kDoc = R"(
## What it does
Loads the machine's own rocSPARSE into a process of its own and has it multiply a sparse matrix (rows
that are empty, short and full) with a vector in single precision; every element is compared with the
same in double precision. Not installed: the test does not apply.

## What a failure means
- has no kernels for this GPU, or architecture mismatch: librocsparse.so was not built for the target.
- wrong result, while gemm.fp32 passes: the library's kernels are at fault for this GPU.
)";

}  // namespace

extern const SelfTest kLibraryRocsparse;
constinit const SelfTest kLibraryRocsparse{.id = "library.rocsparse",
                                           .title = "the installed rocSPARSE multiplies right",
                                           .doc = kDoc,
                                           .why_skip = library::why_skip_of<kName>,
                                           .run = guarded<run>,
                                           .own_process = true,
                                           .deadline_s = 45,
                                           .explain = library::explain_of<kName>};

}  // namespace rocvet

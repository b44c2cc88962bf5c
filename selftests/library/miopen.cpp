// MIOpen: a softmax and a small convolution against sums in double precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "selftests/library/calls.h"
#include "selftests/library/vendor_library.h"
#include "selftests/random.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

std::vector<int> majors(int) {
  return {1};
}
constexpr library::Name kName{"MIOpen", "libMIOpen", majors};

struct Shape {
  int n, c, h, w;
  std::size_t count() const {
    const int all = n * c * h * w;
    return static_cast<std::size_t>(all);
  }
  std::size_t at(int i, int j, int y, int x) const {
    const int place = ((i * c + j) * h + y) * w + x;
    return static_cast<std::size_t>(place);
  }
};

std::vector<float> random_numbers(std::size_t count, std::uint64_t seed, std::uint64_t stream) {
  const Random random(seed, stream);
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(random.uniform(i));
  return numbers;
}

class MiOpen {
 public:
  explicit MiOpen(Device& device) : device_(device), library_(device, kName) {
    std::size_t major = 0, minor = 0, patch = 0;
    if (auto* version = library_.optional_call<library::miopen::GetVersion>("miopenGetVersion");
        version != nullptr && version(&major, &minor, &patch) == 0) {
      library_.introduce(device, std::to_string(major) + "." + std::to_string(minor) + "." +
                                     std::to_string(patch));
    }
    words_ = library_.optional_call<library::miopen::StatusText>("miopenGetErrorString");
    check("miopenCreateWithStream",
          call<library::miopen::CreateWithStream>("miopenCreateWithStream")(
              &handle_, reinterpret_cast<void*>(device.stream())));
  }
  MiOpen(const MiOpen&) = delete;
  ~MiOpen() {
    if (auto* destroy = library_.optional_call<library::miopen::Destroy>("miopenDestroy");
        destroy != nullptr && handle_ != nullptr)
      destroy(handle_);
  }

  /// Over the channels of each image.
  std::vector<float> softmax(const std::vector<float>& x, Shape shape) {
    const Buffer in = device_.upload(x), out = device_.buffer(in.bytes());
    device_.fill(out, 0xff);
    void* descriptor = tensor(shape);
    const float one = 1, zero = 0;
    check("miopenSoftmaxForward",
          call<library::miopen::Softmax>("miopenSoftmaxForward")(handle_, &one, descriptor, at(in),
                                                                 &zero, descriptor, at(out)));
    return device_.download<float>(out, x.size());
  }

  /// With a stride of 1 and `pad` zeros around; the first solution of MIOpen's that compiles.
  std::vector<float> convolution(const std::vector<float>& x, Shape x_shape,
                                 const std::vector<float>& w, Shape w_shape, Shape y_shape,
                                 int pad) {
    namespace mi = library::miopen;
    void* descriptor = nullptr;
    check("miopenCreateConvolutionDescriptor",
          call<mi::CreateDescriptor>("miopenCreateConvolutionDescriptor")(&descriptor));
    check("miopenInitConvolutionDescriptor",
          call<mi::InitConvolution>("miopenInitConvolutionDescriptor")(descriptor, mi::kConvolution,
                                                                       pad, pad, 1, 1, 1, 1));
    void *x_tensor = tensor(x_shape), *w_tensor = tensor(w_shape), *y_tensor = tensor(y_shape);
    std::array<mi::Solution, 16> solutions{};
    std::size_t count = 0;
    check("miopenConvolutionForwardGetSolution",
          call<mi::GetSolution>("miopenConvolutionForwardGetSolution")(
              handle_, w_tensor, x_tensor, descriptor, y_tensor, solutions.size(), &count,
              solutions.data()));
    const Buffer in = device_.upload(x), weights = device_.upload(w);
    const Buffer out = device_.buffer(y_shape.count() * sizeof(float));
    std::string refusals;
    for (std::size_t i = 0; i < std::min(count, solutions.size()); ++i) {
      // One that does not compile is passed over, as MIOpen's own search does.
      const mi::Solution& solution = solutions[i];
      const int status = call<mi::CompileSolution>("miopenConvolutionForwardCompileSolution")(
          handle_, w_tensor, x_tensor, descriptor, y_tensor, solution.id);
      if (status != 0) {
        const std::string refusal =
            "solution " + std::to_string(solution.id) + " does not compile: " + words_for(status);
        device_.note(refusal);
        refusals += "; " + refusal;
        continue;
      }
      const Buffer workspace = device_.buffer(solution.workspace_bytes);
      device_.fill(out, 0xff);
      check("miopenConvolutionForwardImmediate",
            call<mi::Convolve>("miopenConvolutionForwardImmediate")(
                handle_, w_tensor, at(weights), x_tensor, at(in), descriptor, y_tensor, at(out),
                at(workspace), solution.workspace_bytes, solution.id));
      return device_.download<float>(out, y_shape.count());
    }
    return found_convolution(descriptor, x_tensor, in, w_tensor, weights, y_tensor, out, refusals);
  }

 private:
  static void* at(const Buffer& buffer) { return reinterpret_cast<void*>(buffer.pointer()); }
  template <typename Signature>
  Signature* call(const char* symbol) const {
    return library_.call<Signature>(symbol);
  }
  void* tensor(Shape shape) {
    void* made = nullptr;
    check("miopenCreateTensorDescriptor",
          call<library::miopen::CreateDescriptor>("miopenCreateTensorDescriptor")(&made));
    check("miopenSet4dTensorDescriptor",
          call<library::miopen::Set4d>("miopenSet4dTensorDescriptor")(
              made, library::miopen::kFloat, shape.n, shape.c, shape.h, shape.w));
    return made;
  }
  /// Nothing of what MIOpen proposes compiles: it has to search, as programs let it.
  std::vector<float> found_convolution(void* descriptor, void* x_tensor, const Buffer& x,
                                       void* w_tensor, const Buffer& w, void* y_tensor,
                                       const Buffer& y, const std::string& refusals) {
    namespace mi = library::miopen;
    std::size_t bytes = 0;
    check("miopenConvolutionForwardGetWorkSpaceSize",
          call<mi::WorkspaceBytes>("miopenConvolutionForwardGetWorkSpaceSize")(
              handle_, w_tensor, x_tensor, descriptor, y_tensor, &bytes));
    const Buffer workspace = device_.buffer(bytes);
    mi::Found found{};
    int count = 0;
    const int status = call<mi::Find>("miopenFindConvolutionForwardAlgorithm")(
        handle_, x_tensor, at(x), w_tensor, at(w), descriptor, y_tensor, at(y), 1, &count, &found,
        at(workspace), bytes, false);
    if (status != 0 || count < 1) {
      fail("", "MIOpen finds no way to compute a small convolution on this GPU: " +
                   words_for(status) + refusals);
    }
    device_.note("its search found algorithm " + std::to_string(found.algorithm));
    device_.fill(y, 0xff);
    const float one = 1, zero = 0;
    check("miopenConvolutionForward",
          call<mi::Forward>("miopenConvolutionForward")(handle_, &one, x_tensor, at(x), w_tensor,
                                                        at(w), descriptor, found.algorithm, &zero,
                                                        y_tensor, at(y), at(workspace), bytes));
    return device_.download<float>(y, y.bytes() / sizeof(float));
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
  library::miopen::StatusText* words_ = nullptr;
  void* handle_ = nullptr;
};

Verification check_softmax(const std::vector<float>& x, const std::vector<float>& y, Shape shape) {
  const std::size_t channels = x.size() / static_cast<std::size_t>(shape.n);
  Worst worst;
  for (std::size_t first = 0; first < x.size(); first += channels) {
    double sum = 0;
    for (std::size_t i = 0; i < channels; ++i) sum += std::exp(static_cast<double>(x[first + i]));
    for (std::size_t i = 0; i < channels; ++i) {
      const double expected = std::exp(static_cast<double>(x[first + i])) / sum;
      worst.see(y[first + i], expected, expected, "softmax, element " + std::to_string(first + i));
    }
  }
  return worst.verification(1e-5);
}

/// `error`: of one product, relative. Winograd's way and matrix instructions cost some bits.
Verification check_convolution(const std::vector<float>& x, Shape xs, const std::vector<float>& w,
                               Shape ws, const std::vector<float>& y, Shape ys, int pad) {
  Worst worst;
  for (int n = 0; n < ys.n; ++n)
    for (int k = 0; k < ys.c; ++k)
      for (int row = 0; row < ys.h; ++row)
        for (int column = 0; column < ys.w; ++column) {
          double sum = 0, size = 0;
          for (int c = 0; c < xs.c; ++c)
            for (int r = 0; r < ws.h; ++r)
              for (int s = 0; s < ws.w; ++s) {
                const int from_row = row + r - pad, from_column = column + s - pad;
                if (from_row < 0 || from_row >= xs.h || from_column < 0 || from_column >= xs.w)
                  continue;
                const double part = static_cast<double>(x[xs.at(n, c, from_row, from_column)]) *
                                    w[ws.at(k, c, r, s)];
                sum += part;
                size += std::fabs(part);
              }
          worst.see_at(y[ys.at(n, k, row, column)], sum, size, [&] {
            return "convolution, filter " + std::to_string(k) + ", row " + std::to_string(row) +
                   ", column " + std::to_string(column);
          });
        }
  return worst.verification(1e-4);
}

Measurement run(Device& device, const Params& params) {
  // It would keep what it compiles and finds out in the user's home folder.
  ::setenv("MIOPEN_DISABLE_CACHE", "1", 1);
  MiOpen miopen(device);
  const Shape rows{8, 40, 1, 1};
  const std::vector<float> values = random_numbers(rows.count(), params.seed, 1);
  Measurement result;
  result.verification = check_softmax(values, miopen.softmax(values, rows), rows);
  device.note("softmax done");

  const int edge = params.size == Size::tiny ? 8 : 28;
  const Shape x_shape{1, 16, edge, edge}, w_shape{16, 16, 3, 3}, y_shape{1, 16, edge, edge};
  const std::vector<float> x = random_numbers(x_shape.count(), params.seed, 2);
  const std::vector<float> w = random_numbers(w_shape.count(), params.seed, 3);
  const std::vector<float> y = miopen.convolution(x, x_shape, w, w_shape, y_shape, 1);
  result.verification =
      worse_of(result.verification, check_convolution(x, x_shape, w, w_shape, y, y_shape, 1));
  result.metric = "MIOpen computes right: softmax, and a 3x3 convolution of " +
                  std::to_string(edge) + "x" + std::to_string(edge) + " with 16 channels, fp32";
  return result;
}

constexpr std::string_view kDoc = R"(
## What it does
Loads the machine's own MIOpen into a process of its own, computes a softmax and a small convolution
in single precision (the first way that MIOpen offers for it and can compile) and compares every element with double
precision. Not installed: the test does not apply.

## What a failure means
MIOpen compiles most of its kernels when they are first needed. A status "internal error" most often
means that this failed: see the words of stderr in the evidence, and the self-test jit. Crashed, hangs
or a wrong result: if this program's own tests (gemm.fp32, memory.pattern) pass, it is the library.
)";

}  // namespace

extern const SelfTest kLibraryMiopen;
constinit const SelfTest kLibraryMiopen{.id = "library.miopen",
                                        .title = "the installed MIOpen computes right",
                                        .doc = kDoc,
                                        .why_skip = library::why_skip_of<kName>,
                                        .run = guarded<run>,
                                        .own_process = true,
                                        .deadline_s = 60,
                                        .explain = library::explain_of<kName>};

}  // namespace rocvet

// Matrix products of block-scaled numbers (OCP Microscaling). As in gemm.cpp whole numbers come
// first, in every element format of the test, whose result must be exact to the last bit; then
// random ones of the format's whole range, small and ragged, each row of which is verified; then
// larger ones, verified as a whole and timed.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "selftests/device.h"
#include "selftests/kernels/geometry.h"
#include "selftests/scaled_matrix.h"

namespace rocvet {
namespace {

struct MxType {
  const char* name;         ///< "mxfp8"
  kernel::Mx timed, other;  ///< element formats: that which is timed, and one more; may be the same
};
constexpr MxType kMxFp8{"mxfp8", kernel::Mx::e4m3, kernel::Mx::e5m2};
constexpr MxType kMxFp6{"mxfp6", kernel::Mx::e2m3, kernel::Mx::e3m2};
constexpr MxType kMxFp4{"mxfp4", kernel::Mx::e2m1, kernel::Mx::e2m1};

/// As in the kernels' names.
const char* name_of(kernel::Mx format) {
  constexpr const char* kNames[kernel::kMxFormats] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"};
  return kNames[static_cast<std::size_t>(format)];
}

/// Relative error of one addition of the accumulator. How many bits gfx950 adds with is not
/// published: the same as for fp8. What the tolerance hides the whole numbers show.
constexpr double kAccumulationError = 0x1p-14;

struct Shape {
  std::uint32_t m, n, k;
};

kernel::Geometry geometry_of(Device& device) {
  const Buffer to = device.buffer(sizeof(kernel::Geometry));
  device.launch(device.kernel("gemm_mx", "gemm_mx_geometry"), {1, 64, 0}, to);
  return device.download<kernel::Geometry>(to, 1).front();
}

/// One product on the device, as often as it is asked for.
class Product {
 public:
  Product(Device& device, kernel::Mx format, const kernel::Geometry& geometry, Shape shape,
          const Params& params, bool whole)
      : device_(device),
        geometry_(geometry),
        shape_(shape),
        threads_(params.threads),
        scaled_a_(random_scaled_matrix(format, shape.m, shape.k, params.seed, 1, whole, threads_)),
        scaled_b_(random_scaled_matrix(format, shape.n, shape.k, params.seed, 2, whole, threads_)),
        a(plain_matrix(scaled_a_, threads_)),
        b(plain_matrix(scaled_b_, threads_)),
        c{Format::fp32, shape.m, shape.n, shape.n, {}},
        function_(device.kernel("gemm_mx", std::string("gemm_mx_") + name_of(format))),
        device_c_(device.buffer(static_cast<std::size_t>(shape.m) * shape.n * sizeof(float))) {
    device.fill(device_c_, 0xff);  // what a kernel leaves out is a NaN
    sets_.push_back({device.upload(scaled_a_.elements), device.upload(scaled_b_.elements),
                     device.upload(scaled_a_.scales), device.upload(scaled_b_.scales)});
  }

  /// Copies of the operands, so that no launch finds in the caches what the last one left: launches
  /// use them in turn. Returns how many sets there are.
  std::size_t rotate() {
    std::uint64_t bytes = 0;
    for (const Buffer* buffer : sets_[0].all()) bytes += buffer->bytes();
    const std::size_t sets = device_.sets_beyond_caches(bytes);
    while (sets_.size() < sets) {
      const Operands& first = sets_[0];
      sets_.push_back({device_.duplicate(first.a), device_.duplicate(first.b),
                       device_.duplicate(first.scales_a), device_.duplicate(first.scales_b)});
    }
    return sets_.size();
  }

  /// Tiles of C.
  std::uint32_t tiles() const {
    return ((shape_.m + geometry_.block_m - 1) / geometry_.block_m) *
           ((shape_.n + geometry_.block_n - 1) / geometry_.block_n);
  }
  void launch() {
    const Operands& set = sets_[next_++ % sets_.size()];
    device_.launch(function_, {tiles(), geometry_.threads, geometry_.dynamic_lds}, set.a, set.b,
                   set.scales_a, set.scales_b, device_c_, shape_.m, shape_.n, scaled_a_.padded);
  }
  std::string difference(const std::vector<std::byte>& before) {
    return device_.difference(before, device_c_, bytes_of(c.format));
  }
  const Matrix& fetch() {
    c.data = device_.download<std::byte>(device_c_, device_c_.bytes());
    return c;
  }

 private:
  struct Operands {
    Buffer a, b, scales_a, scales_b;
    std::array<const Buffer*, 4> all() const { return {&a, &b, &scales_a, &scales_b}; }
  };

  Device& device_;
  const kernel::Geometry& geometry_;
  Shape shape_;
  int threads_;
  const ScaledMatrix scaled_a_, scaled_b_;

 public:
  const Matrix a, b;  ///< in single precision, for the reference
  Matrix c;

 private:
  gpu::Handle function_;
  Buffer device_c_;
  std::deque<Operands> sets_;
  std::size_t next_ = 0;
};

/// Ragged products of one format: whole numbers, then the whole range.
Verification check_format(Device& device, kernel::Mx format, const kernel::Geometry& geometry,
                          const Params& params) {
  const Shape exact = pick<Shape>(device, params.size, {262, 52, 205}, {259, 197, 517},
                                  {515, 389, 1027}, {133, 141, 301});
  Product whole(device, format, geometry, exact, params, true);
  whole.launch();
  Verification verification = check_exact_product(whole.a, whole.b, whole.fetch(), params.threads);
  Product random(device, format, geometry, exact, params, false);
  random.launch();
  verification = worse_of(verification, check_every_element(random.a, random.b, random.fetch(),
                                                            kAccumulationError, params.threads));
  if (!verification.ok()) {
    verification.detail = std::string(name_of(format)) + ", " + verification.detail;
  }
  return verification;
}

template <const MxType& type>
Measurement run(Device& device, const Params& params) {
  const kernel::Geometry geometry = geometry_of(device);
  if (geometry.threads == 0) fail("gemm_mx_geometry", "the code object has no such kernels");
  Verification verification = check_format(device, type.timed, geometry, params);
  if (type.other != type.timed) {
    verification = worse_of(verification, check_format(device, type.other, geometry, params));
  }
  device.stage("verify");

  const Shape shape = pick<Shape>(device, params.size, {96, 80, 136}, {8192, 8192, 4096},
                                  {8192, 8192, 8192}, {264, 250, 300});
  Product random(device, type.timed, geometry, shape, params, false);
  random.launch();
  random.fetch();
  device.stage("prepare");
  verification = worse_of(
      verification,
      check_product(random.a, random.b, random.c, kAccumulationError, params.seed, params.threads));
  const std::vector<std::byte> first = std::move(random.c.data);
  device.stage("verify");

  Measurement result;
  result.work = 2.0 * shape.m * shape.n * shape.k;
  result.balance = device.balance(random.tiles());
  result.metric = std::string(type.name) + " gemm " + std::to_string(shape.m) + "x" +
                  std::to_string(shape.n) + "x" + std::to_string(shape.k);
  result.unit = "TFLOP/s";
  if (verification.ok()) {
    const std::size_t sets = params.time_limit_s > 0 && !device.is_host() ? random.rotate() : 1;
    result.data = "all numbers of the format alike, scales from 1/8 to 8, " + std::to_string(sets) +
                  (sets > 1 ? " sets in turn" : " set");
    device.stage("prepare");
    for (const double ms : device.time_ms([&] { random.launch(); }, params)) {
      result.samples.push_back(result.work / ms * 1e-9);
    }
    device.stage("measure");
    const std::string differs = random.difference(first);
    if (!differs.empty()) verification = {INFINITY, verification.tolerance, differs};
  }
  result.verification = verification;
  return result;
}

std::optional<std::string> why_skip(const DeviceRun& run) {
  const std::string target = run.device.arch.substr(0, run.device.arch.find(':'));
  if (target == "host" || target == "gfx950" || target == "gfx1250") return std::nullopt;
  return target + " has no block-scaled matrix instructions that rocvet's kernels use";
}

constexpr std::string_view kDoc = R"(
## What it does
Multiplies matrices of block-scaled numbers (OCP Microscaling: 32 elements of 8, 6 or 4 bits along K
share a scale, a power of two) with rocvet's own kernel, on the instructions that apply the scales
themselves. Ragged matrices of small whole numbers with scales of 1/2, 1 and 2 come first: every
element of their product must be exact. Then ragged ones of every number that the format has, with
scales from 1/8 to 8: every element is compared with a product in double precision. mxfp8 does both
with elements of E4M3 and E5M2, mxfp6 with E2M3 and E3M2, mxfp4 with E2M1. Then larger ones of the
first format: some rows are compared, and the whole with Freivalds' test. Repeated launches must give
the same bits.

## What a failure means
A wrong product is wrong arithmetic, a register or LDS fault, or memory that loses bits. When gemm.fp8
passes, the units decode these formats or apply the scales wrongly: no model with such weights can be
trusted on this GPU. Run memory.pattern, look for ECC events in the kernel log, and swap the card with
another to see whether the fault moves along.

## What the figure means
Two operations for each multiply-add of elements, kernel time only, by the device's own clock; scales
are not counted. It is that of a portable kernel, which is below what a vendor's hand-tuned library
reaches: of fp6 and fp4 the units do twice as many as of fp8, and memory is the limit sooner.
)";

}  // namespace

extern const SelfTest kGemmMxFp8, kGemmMxFp6, kGemmMxFp4;
constinit const SelfTest kGemmMxFp8{"gemm.mxfp8",
                                    "matrix product of block-scaled 8-bit floating-point numbers",
                                    kDoc, why_skip, guarded<run<kMxFp8>>};
constinit const SelfTest kGemmMxFp6{"gemm.mxfp6",
                                    "matrix product of block-scaled 6-bit floating-point numbers",
                                    kDoc, why_skip, guarded<run<kMxFp6>>};
constinit const SelfTest kGemmMxFp4{"gemm.mxfp4",
                                    "matrix product of block-scaled 4-bit floating-point numbers",
                                    kDoc, why_skip, guarded<run<kMxFp4>>};

}  // namespace rocvet

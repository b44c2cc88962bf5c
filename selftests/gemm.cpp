// Matrix products, one self-test per element type. First whole numbers, whose result must be exact
// to the last bit; then random ones, verified as a whole and timed.
#include "selftests/gemm.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>

#include "base/text.h"
#include "selftests/kernels/geometry.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

struct GemmType {
  kernel::Type type;  ///< of the kernels
  const char* name;   ///< "fp32"
  Format in, out;
  /// Relative error of one addition of the accumulator.
  double accumulation_error;
};

constexpr GemmType kFp64{kernel::Type::fp64, "fp64", Format::fp64, Format::fp64, 0x1p-53};
constexpr GemmType kFp32{kernel::Type::fp32, "fp32", Format::fp32, Format::fp32, 0x1p-24};
constexpr GemmType kFp16{kernel::Type::fp16, "fp16", Format::fp16, Format::fp32, 0x1p-23};
constexpr GemmType kBf16{kernel::Type::bf16, "bf16", Format::bf16, Format::fp32, 0x1p-23};
// NVIDIA's fp8 instructions add with fewer bits than single precision has.
constexpr GemmType kFp8{kernel::Type::fp8, "fp8", Format::fp8_ocp, Format::fp32, 0x1p-14};
constexpr GemmType kInt8{kernel::Type::int8, "int8", Format::int8, Format::int32, 0};

struct Shape {
  std::uint32_t m, n, k;
};

kernel::Geometry geometry_of(Device& device, kernel::Type type) {
  std::vector<kernel::Geometry> all(kernel::kTypes);
  const Buffer to = device.upload(all);
  device.launch(device.kernel("gemm", "gemm_geometry"), {1, 64, 0}, to);
  all = device.download<kernel::Geometry>(to, all.size());
  return all[static_cast<std::size_t>(type)];
}

/// One product on the device, as often as it is asked for.
class Product {
 public:
  Product(Device& device, const GemmType& type, const kernel::Geometry& geometry, Format format,
          Shape shape, const Params& params, bool whole)
      : device_(device),
        geometry_(geometry),
        shape_(shape),
        a(random_matrix(format, shape.m, shape.k, params.seed, 1, whole, params.threads)),
        b(random_matrix(format, shape.n, shape.k, params.seed, 2, whole, params.threads)),
        c{type.out, shape.m, shape.n, padded_stride(type.out, shape.n), {}},
        function_(device.kernel(
            "gemm", std::string("gemm_") + type.name + (geometry.cluster != 0 ? "_sm90" : ""))),
        device_c_(device.buffer(static_cast<std::size_t>(shape.m) * c.stride *
                                static_cast<std::size_t>(bytes_of(type.out)))) {
    device.fill(device_c_, 0xff);  // what a kernel leaves out is a NaN
    if (geometry.cluster != 0) map_c_ = tensor_map(c, device_c_, kernel::kSumRows);
    add_operands(device.upload(a.data), device.upload(b.data));
  }

  /// Copies of the operands, so that no launch finds in the caches what the last one left: launches
  /// use them in turn. Returns how many sets there are.
  std::size_t rotate() {
    const std::size_t sets = device_.sets_beyond_caches(sets_[0].a.bytes() + sets_[0].b.bytes());
    while (sets_.size() < sets) {
      add_operands(device_.duplicate(sets_[0].a), device_.duplicate(sets_[0].b));
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
    if (geometry_.cluster != 0) {  // as many blocks as run at once, which take the tiles in turn
      const auto units = static_cast<std::uint32_t>(device_.info().compute_units);
      const std::uint32_t blocks = std::max(units / geometry_.cluster, 1u) * geometry_.cluster;
      device_.launch(function_, {blocks, geometry_.threads, geometry_.dynamic_lds}, set.map_a,
                     set.map_b, map_c_, shape_.m, shape_.n, shape_.k);
      return;
    }
    device_.launch(function_, {tiles(), geometry_.threads, geometry_.dynamic_lds}, set.a, set.b,
                   device_c_, shape_.m, shape_.n, shape_.k, a.stride, b.stride, c.stride);
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
    Buffer a, b;
    gpu::TensorMap map_a = {}, map_b = {};
  };

  void add_operands(Buffer device_a, Buffer device_b) {
    Operands& set = sets_.emplace_back(Operands{std::move(device_a), std::move(device_b)});
    if (geometry_.cluster == 0) return;
    set.map_a = tensor_map(a, set.a, geometry_.block_m);
    set.map_b = tensor_map(b, set.b, geometry_.block_n / geometry_.cluster);
  }
  /// Boxes of `rows` rows, 128 bytes of each.
  gpu::TensorMap tensor_map(const Matrix& matrix, const Buffer& at, std::uint32_t rows) {
    const int bytes = bytes_of(matrix.format);
    gpu::TensorBox box{at.pointer(), bytes, 2, {matrix.columns, matrix.rows}, {}, {}};
    box.stride_bytes[0] = static_cast<std::uint64_t>(matrix.stride) * static_cast<unsigned>(bytes);
    box.box = {128 / static_cast<std::uint32_t>(bytes), rows};
    return must(device_.runtime().tensor_map(box));
  }

  Device& device_;
  const kernel::Geometry& geometry_;
  Shape shape_;

 public:
  const Matrix a, b;
  Matrix c;

 private:
  gpu::Handle function_;
  Buffer device_c_;
  gpu::TensorMap map_c_ = {};
  std::deque<Operands> sets_;
  std::size_t next_ = 0;
};

template <const GemmType& type>
Measurement run(Device& device, const Params& params) {
  const kernel::Geometry geometry = geometry_of(device, type.type);
  if (geometry.threads == 0) fail("gemm_geometry", "the code object has no kernel for this type");
  const Format format = type.type != kernel::Type::fp8 ? type.in
                        : geometry.fp8 == static_cast<kernel::u32>(kernel::Fp8::fnuz)
                            ? Format::fp8_fnuz
                            : Format::fp8_ocp;

  const Shape exact = pick<Shape>(device, params.size, {70, 52, 45}, {515, 389, 1027},
                                  {1029, 771, 2055}, {133, 141, 77});
  Product whole(device, type, geometry, format, exact, params, true);
  whole.launch();
  whole.fetch();
  device.stage("prepare");
  Verification verification = check_exact_product(whole.a, whole.b, whole.c, params.threads);
  device.stage("verify");

  const bool slow = type.type == kernel::Type::fp64;
  const std::uint32_t quick = slow ? 2048 : 4096, full = slow ? 4096 : 8192;
  const Shape shape = pick<Shape>(device, params.size, {96, 80, 136}, {quick, quick, quick},
                                  {full, full, full}, {264, 250, 300});
  Product random(device, type, geometry, format, shape, params, false);
  random.launch();
  random.fetch();
  device.stage("prepare");
  verification =
      worse_of(verification, check_product(random.a, random.b, random.c, type.accumulation_error,
                                           params.seed, params.threads));
  const std::vector<std::byte> first = std::move(random.c.data);
  device.stage("verify");

  Measurement result;
  result.work = 2.0 * shape.m * shape.n * shape.k;
  result.balance = device.balance(random.tiles());
  result.metric = std::string(type.name) + " gemm " + std::to_string(shape.m) + "x" +
                  std::to_string(shape.n) + "x" + std::to_string(shape.k);
  result.unit = type.type == kernel::Type::int8 ? "TOP/s" : "TFLOP/s";
  if (verification.ok()) {
    const std::size_t sets = params.time_limit_s > 0 && !device.is_host() ? random.rotate() : 1;
    result.data = type.type == kernel::Type::int8 ? "uniform whole numbers from -127 to 127"
                                                  : "uniform numbers from -1 to 1";
    result.data += ", " + std::to_string(sets) + (sets > 1 ? " sets in turn" : " set");
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

std::optional<std::string> why_skip_fp8(const DeviceRun& run) {
  const std::string target = run.device.arch.substr(0, run.device.arch.find(':'));
  const bool has =
      target == "host" || target == "gfx942" || target == "gfx950" || target == "gfx1200" ||
      target == "gfx1201" || target == "gfx1250" ||
      (target.starts_with("sm_") && leading_number(target.substr(3)).value_or(0) >= 89);
  if (has) return std::nullopt;
  return target + " has no fp8 matrix instructions that rocvet's kernels use";
}
std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Multiplies matrices with rocvet's own kernel, on the matrix instructions of the target where it has
them. Ragged matrices of small whole numbers come first: every element of their product must be
exact. Then larger ones of random numbers: some rows are compared with a product in double
precision, and the whole with Freivalds' test. Repeated launches must give the same bits.

## What a failure means
A wrong product is wrong arithmetic, a register or LDS fault, or memory that loses bits: no program
on this GPU can be trusted. Run memory.pattern, look for ECC events in the kernel log, and swap the
card with another to see whether the fault moves along.

## What the figure means
Two operations for each multiply-add, kernel time only, by the device's own clock. It is that of a
portable kernel, which is below what a vendor's hand-tuned library reaches.
)";

/// One type of small_products.
void add_small_product(Device& device, const GemmType& type, std::uint64_t seed,
                       SmallProducts& all) {
  const kernel::Geometry geometry = geometry_of(device, type.type);
  if (geometry.threads == 0) return;
  Params params;
  params.seed = seed;
  Product product(device, type, geometry, type.in, {70, 52, 45}, params, true);
  product.launch();
  all.verification =
      worse_of(all.verification, check_exact_product(product.a, product.b, product.fetch()));
  all.types += (all.types.empty() ? "" : " ") + std::string(type.name);
}

}  // namespace

SmallProducts small_products(Device& device, std::uint64_t seed) {
  SmallProducts all;
  for (const GemmType* type : {&kFp32, &kFp16, &kInt8}) {
    add_small_product(device, *type, seed, all);
  }
  return all;
}

extern const SelfTest kGemmFp64, kGemmFp32, kGemmFp16, kGemmBf16, kGemmFp8, kGemmInt8;
constinit const SelfTest kGemmFp64{"gemm.fp64", "matrix product in double precision", kDoc, never,
                                   guarded<run<kFp64>>};
constinit const SelfTest kGemmFp32{"gemm.fp32", "matrix product in single precision", kDoc, never,
                                   guarded<run<kFp32>>};
constinit const SelfTest kGemmFp16{"gemm.fp16", "matrix product of half-precision numbers", kDoc,
                                   never, guarded<run<kFp16>>};
constinit const SelfTest kGemmBf16{"gemm.bf16", "matrix product of bfloat16 numbers", kDoc, never,
                                   guarded<run<kBf16>>};
constinit const SelfTest kGemmFp8{"gemm.fp8", "matrix product of 8-bit floating-point numbers",
                                  kDoc, why_skip_fp8, guarded<run<kFp8>>};
constinit const SelfTest kGemmInt8{"gemm.int8", "matrix product of 8-bit integers", kDoc, never,
                                   guarded<run<kInt8>>};

}  // namespace rocvet

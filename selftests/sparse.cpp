// Products whose first matrix is sparse, two of each four along K, by the instructions that leave
// the zeros out. Every wave of every block computes the same small products: those of the first
// wave are compared with dense products on the host, those of the others with the first.
#include "selftests/kernels/sparse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "selftests/device.h"
#include "selftests/random.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

struct SparseType {
  int place;  ///< of its shape
  kernel::Type type;
  const char* name;  ///< as in the kernels' names
  Format in, out;
  double accumulation_error;  ///< as in gemm.cpp
};
constexpr SparseType kFp16{0, kernel::Type::fp16, "fp16", Format::fp16, Format::fp32, 0x1p-23};
constexpr SparseType kBf16{1, kernel::Type::bf16, "bf16", Format::bf16, Format::fp32, 0x1p-23};
constexpr SparseType kFp8{2, kernel::Type::fp8, "fp8", Format::fp8_ocp, Format::fp32, 0x1p-14};
constexpr SparseType kInt8{3, kernel::Type::int8, "int8", Format::int8, Format::int32, 0};

/// Of whole numbers, whose sums are exact, and as many of the format's numbers in [-1, 1).
constexpr std::uint32_t kWhole = 4, kProducts = 2 * kWhole;
constexpr std::uint32_t kRows = kernel::kSparseRows;

/// The places of two in a group of four, as the index has them.
constexpr std::array<std::uint8_t, 6> kPlaces = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};

/// Operands of all products; their rows follow each other.
struct Operands {
  Matrix a, b;                   ///< of A only what is not left out
  std::vector<std::uint8_t> at;  ///< one of kPlaces for each group of A
};

void append(Matrix& to, const Matrix& more) {
  to.rows += more.rows;
  to.data.insert(to.data.end(), more.data.begin(), more.data.end());
}

Operands operands_of(Format format, std::uint32_t columns, std::uint32_t depth,
                     const Params& params) {
  const auto half = [&](std::uint32_t rows, std::uint32_t k, std::uint64_t stream, bool whole) {
    return random_matrix(format, kWhole * rows, k, params.seed, stream, whole, params.threads);
  };
  Operands operands{half(kRows, depth / 2, 1, true), half(columns, depth, 2, true), {}};
  append(operands.a, half(kRows, depth / 2, 3, false));
  append(operands.b, half(columns, depth, 4, false));
  const Random random(params.seed, 5);
  operands.at.resize(static_cast<std::size_t>(kProducts) * kRows * depth / 4);
  for (std::size_t i = 0; i < operands.at.size(); ++i)
    operands.at[i] = kPlaces[random.below(kPlaces.size(), i)];
  return operands;
}

Matrix rows_of(const Matrix& all, std::uint32_t first, std::uint32_t rows) {
  Matrix part{all.format, rows, all.columns, all.stride, {}};
  part.data.assign(all.at(first, 0), all.at(first, 0) + (all.at(rows, 0) - all.at(0, 0)));
  return part;
}

/// A of one product with its zeros.
Matrix dense_a(const Operands& operands, std::uint32_t product, std::uint32_t depth) {
  const auto size = static_cast<std::size_t>(bytes_of(operands.a.format));
  Matrix dense{operands.a.format, kRows, depth, depth, {}};
  dense.data.resize(static_cast<std::size_t>(kRows) * depth * size);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const std::uint32_t from = product * kRows + row;
    for (std::uint32_t i = 0; i < depth / 2; ++i) {
      const std::uint8_t places = operands.at[from * (depth / 4) + i / 2];
      const std::uint32_t k = i / 2 * 4 + (places >> i % 2 * 2 & 3u);
      std::memcpy(&dense.data[(row * depth + k) * size], operands.a.at(from, i), size);
    }
  }
  return dense;
}

/// One kind of instructions.
class SparseProducts {
 public:
  SparseProducts(Device& device, const SparseType& type, const kernel::SparseShape& shape,
                 const std::string& kernel, std::uint32_t blocks, const Params& params)
      : device_(device),
        type_(type),
        shape_(shape),
        kernel_(kernel),
        depth_(static_cast<std::uint32_t>(kernel::sparse_depth(type.type))),
        waves_(blocks * kernel::kSparseThreads / shape.lanes),
        params_(params) {}

  Verification check(std::uint32_t blocks) {
    const Format format =
        type_.in == Format::fp8_ocp && shape_.fnuz != 0 ? Format::fp8_fnuz : type_.in;
    const Operands operands = operands_of(format, shape_.columns, depth_, params_);
    const Buffer a = device_.upload(operands.a.data), at = device_.upload(operands.at),
                 b = device_.upload(operands.b.data);
    const Buffer d = device_.buffer(waves_ * wave_sums() * 4);
    device_.fill(d, 0xff);  // what a kernel leaves out is a NaN
    const Buffer rows = device_.upload(std::vector<kernel::SparseWave>(waves_));
    device_.stage("prepare");
    device_.launch(device_.kernel("sparse", kernel_), {blocks, kernel::kSparseThreads, 0}, a, at, b,
                   d, rows, kProducts);
    const auto waves = device_.download<kernel::SparseWave>(rows, waves_);
    const auto first = device_.download<std::uint32_t>(d, wave_sums());
    Verification verification;
    for (std::uint32_t product = 0; product < kProducts; ++product) {
      const Matrix c = product_of(first, product);
      const Matrix whole_a = dense_a(operands, product, depth_);
      const Matrix whole_b = rows_of(operands.b, product * shape_.columns, shape_.columns);
      Verification one =
          product < kWhole
              ? check_exact_product(whole_a, whole_b, c, params_.threads)
              : check_every_element(whole_a, whole_b, c, type_.accumulation_error, params_.threads);
      if (!one.ok()) {
        one.detail = kernel_ + ", product " + std::to_string(product) + ", block 0 on unit " +
                     std::to_string(waves[0].unit) + ", " + one.detail;
      }
      verification = worse_of(verification, one);
    }
    const auto other = std::ranges::find_if(
        waves, [&](const auto& wave) { return wave.digest != waves[0].digest; });
    if (verification.ok() && other != waves.end()) {
      const auto wave = static_cast<std::size_t>(other - waves.begin());
      verification = {INFINITY, verification.tolerance,
                      difference(first, d, wave, other->unit) + count_different(waves)};
    }
    device_.stage("verify");
    return verification;
  }
  std::size_t waves() const { return waves_; }

 private:
  std::size_t product_sums() const { return static_cast<std::size_t>(kRows) * shape_.columns; }
  std::size_t wave_sums() const { return kProducts * product_sums(); }

  Matrix product_of(const std::vector<std::uint32_t>& sums, std::uint32_t product) const {
    Matrix c{type_.out, kRows, shape_.columns, shape_.columns, {}};
    c.data.resize(product_sums() * 4);
    std::memcpy(c.data.data(), &sums[product * product_sums()], c.data.size());
    return c;
  }
  /// Where a wave's sums are others than the first's.
  std::string difference(const std::vector<std::uint32_t>& first, const Buffer& d, std::size_t wave,
                         std::uint32_t unit) {
    const auto sums = device_.download<std::uint32_t>(d, wave_sums(), wave * wave_sums());
    const std::size_t at =
        static_cast<std::size_t>(std::ranges::mismatch(sums, first).in1 - sums.begin());
    const std::size_t of_block = kernel::kSparseThreads / shape_.lanes;
    const std::string place = kernel_ + ", block " + std::to_string(wave / of_block) + ", wave " +
                              std::to_string(wave % of_block) + " on unit " + std::to_string(unit);
    if (at == sums.size()) return place + ": other sums than those that it stored";
    const std::size_t product = at / product_sums(), sum = at % product_sums();
    char text[120];
    std::snprintf(text, sizeof text, ", product %zu, row %zu, column %zu: 0x%08x, not 0x%08x",
                  product, sum / shape_.columns, sum % shape_.columns, sums[at], first[at]);
    return place + text;
  }

  static std::string count_different(const std::vector<kernel::SparseWave>& waves) {
    std::set<std::uint32_t> units, bad;
    std::size_t different = 0;
    for (const kernel::SparseWave& wave : waves) {
      units.insert(wave.unit);
      if (wave.digest == waves[0].digest) continue;
      ++different;
      bad.insert(wave.unit);
    }
    return " (" + std::to_string(different) + " of " + std::to_string(waves.size()) +
           " waves got others than the first, on " + std::to_string(bad.size()) + " of " +
           std::to_string(units.size()) + " units)";
  }

  Device& device_;
  const SparseType& type_;
  const kernel::SparseShape& shape_;
  const std::string kernel_;
  std::uint32_t depth_;
  std::size_t waves_;
  const Params& params_;
};

template <const SparseType& type>
Measurement run(Device& device, const Params& params) {
  std::vector<kernel::SparseShape> shapes(kernel::kSparseTypes * kernel::kSparseKinds);
  const Buffer to = device.upload(shapes);
  device.launch(device.kernel("sparse", "sparse_shape"), {1, 64, 0}, to);
  shapes = device.download<kernel::SparseShape>(to, shapes.size());
  const auto units = static_cast<std::uint32_t>(std::max(device.info().compute_units, 1));
  const std::uint32_t blocks = pick<std::uint32_t>(device, params.size, 2, 2 * units, 2 * units, 4);
  Measurement result;
  std::size_t waves = 0;
  for (int kind = 0; kind < kernel::kSparseKinds; ++kind) {
    const auto place = static_cast<std::size_t>(kind * kernel::kSparseTypes + type.place);
    if (shapes[place].lanes == 0) continue;
    const std::string name = std::string("sparse_") + type.name + (kind == 1 ? "_deep" : "");
    SparseProducts products(device, type, shapes[place], name, blocks, params);
    result.verification = worse_of(result.verification, products.check(blocks));
    waves += products.waves();
  }
  if (waves == 0) {
    throw TestFailure{{Error::Kind::unsupported, device.info().arch,
                       std::string("no instructions for sparse products of ") + type.name +
                           " that rocvet's kernels use"}};
  }
  result.metric = std::to_string(kProducts) + " products, the same in each of " +
                  std::to_string(waves) + " waves";
  return result;
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Multiplies small matrices of which the first has two numbers in each four along K, at places drawn
at random, by the instructions that take only those and an index of their places (SMFMAC on gfx942
and gfx950, SWMMAC on gfx12, mma.sp on NVIDIA). Every wave of every block on every compute unit does
all products from its registers. Half of them are of small whole numbers, whose sums must be exact;
the others of numbers from -1 to 1 are compared with dense products in double precision. All waves
must get the same bits.

## What a failure means
When all waves are wrong alike and gemm of the same type passes, the units take the index wrongly,
or rocvet does: please report it. One unit that differs from the others is a faulty one; the
evidence names it by the hardware's own number.
)";

}  // namespace

extern const SelfTest kSparseFp16, kSparseBf16, kSparseFp8, kSparseInt8;
constinit const SelfTest kSparseFp16{"sparse.fp16",
                                     "matrix product with 2:4 sparsity in half precision", kDoc,
                                     never, guarded<run<kFp16>>};
constinit const SelfTest kSparseBf16{"sparse.bf16", "matrix product with 2:4 sparsity in bfloat16",
                                     kDoc, never, guarded<run<kBf16>>};
constinit const SelfTest kSparseFp8{"sparse.fp8",
                                    "matrix product with 2:4 sparsity in 8-bit floating point",
                                    kDoc, never, guarded<run<kFp8>>};
constinit const SelfTest kSparseInt8{"sparse.int8",
                                     "matrix product with 2:4 sparsity in 8-bit integers", kDoc,
                                     never, guarded<run<kInt8>>};

}  // namespace rocvet

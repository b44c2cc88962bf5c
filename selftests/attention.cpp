// Forward attention: small ragged problems of every kind, all of whose rows are verified, then a
// larger one that is timed.
#include <algorithm>
#include <cmath>
#include <deque>

#include "selftests/device.h"
#include "selftests/kernels/geometry.h"
#include "selftests/parallel.h"
#include "selftests/random.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

struct AttentionType {
  const char* name;
  Format format;
};
constexpr AttentionType kFp32{"fp32", Format::fp32}, kFp16{"fp16", Format::fp16},
    kBf16{"bf16", Format::bf16};

struct Shape {
  std::uint32_t heads, group;  ///< query heads (of all batches), query heads per key head
  std::uint32_t q_len, kv_len, dim;
  bool causal;
  float sharpness = 1;  ///< of the softmax: scores are so many times larger
};

std::string describe(const Shape& shape) {
  return "heads " + std::to_string(shape.heads) + "/" + std::to_string(shape.heads / shape.group) +
         ", length " + std::to_string(shape.q_len) + "/" + std::to_string(shape.kv_len) + ", d" +
         std::to_string(shape.dim) + (shape.causal ? ", causal" : ", full");
}

/// Multiply-adds that the mask leaves, twice each, for both products.
double flops(const Shape& shape) {
  double seen = 0;
  for (std::uint32_t query = 0; query < shape.q_len; ++query) {
    seen += shape.causal ? query + 1.0 + shape.kv_len - shape.q_len : shape.kv_len;
  }
  return 4.0 * shape.heads * shape.dim * seen;
}

const char* module_of(const AttentionType& type) {
  return type.format == Format::fp32 ? "attention_fp32" : "attention";
}

/// How to launch the kernels of a type.
kernel::Geometry geometry_of(Device& device, const AttentionType& type, std::uint32_t dim) {
  std::vector<kernel::Geometry> all(4);  // fp16 d64, fp16 d128, bf16 d64, bf16 d128; or fp32's
  const Buffer to = device.upload(all);
  device.launch(device.kernel(module_of(type), std::string(module_of(type)) + "_geometry"),
                {1, 64, 0}, to);
  all = device.download<kernel::Geometry>(to, all.size());
  return all[(type.format == Format::bf16 ? 2u : 0u) + (dim == 128 ? 1u : 0u)];
}

class Attention {
 public:
  Attention(Device& device, const AttentionType& type, Shape shape, const Params& params)
      : device_(device),
        type_(type),
        shape_(shape),
        geometry_(geometry_of(device, type, shape.dim)),
        params_(params),
        q_(random(shape.heads * shape.q_len, 1)),
        k_(random(shape.heads / shape.group * shape.kv_len, 2)),
        v_(random(shape.heads / shape.group * shape.kv_len, 3)),
        function_(device.kernel(module_of(type), std::string("attention_") + type.name + "_d" +
                                                     std::to_string(shape.dim) +
                                                     (geometry_.cluster != 0 ? "_sm90" : ""))),
        device_o_(device.buffer(q_.data.size())) {
    device.fill(device_o_, 0xff);
    add_operands(device.upload(q_.data), device.upload(k_.data), device.upload(v_.data));
  }

  /// Copies of the operands, which launches use in turn: see Product::rotate in gemm.cpp.
  std::size_t rotate() {
    const std::size_t sets =
        device_.sets_beyond_caches(q_.data.size() + k_.data.size() + v_.data.size());
    while (sets_.size() < sets) {
      const Operands& first = sets_[0];
      add_operands(device_.duplicate(first.q), device_.duplicate(first.k),
                   device_.duplicate(first.v));
    }
    return sets_.size();
  }

  std::uint32_t blocks() const {
    return shape_.heads * ((shape_.q_len + geometry_.block_m - 1) / geometry_.block_m);
  }
  void launch() {
    const Operands& set = sets_[next_++ % sets_.size()];
    gpu::Launch grid{blocks(), geometry_.threads, geometry_.dynamic_lds};
    const auto causal = static_cast<std::uint32_t>(shape_.causal);
    const std::uint32_t kv_heads = shape_.heads / shape_.group;
    const float scale_of_exp2 = scale() * 1.44269504088896340736f;  // log2(e)
    if (geometry_.cluster != 0) {
      // As many as run at once take the blocks in turn, unless these differ in length: then the
      // device deals them out.
      const auto units = static_cast<std::uint32_t>(device_.info().compute_units);
      if (!shape_.causal) grid.blocks = std::min(blocks(), units);
      device_.launch(function_, grid, set.map_q, set.map_k, set.map_v, device_o_, shape_.heads,
                     kv_heads, shape_.q_len, shape_.kv_len, causal, scale_of_exp2, blocks());
    } else {
      device_.launch(function_, grid, set.q, set.k, set.v, device_o_, shape_.heads, kv_heads,
                     shape_.q_len, shape_.kv_len, causal, scale_of_exp2);
    }
  }
  std::string difference(const std::vector<std::byte>& before) {
    return device_.difference(before, device_o_, bytes_of(type_.format));
  }
  std::vector<std::byte> fetch() {
    return device_.download<std::byte>(device_o_, device_o_.bytes());
  }

  /// Compares at most `rows` rows of the result, spread over all heads and tiles, with the same in
  /// double precision.
  Verification check(const std::vector<std::byte>& result, std::uint32_t rows) const {
    const Matrix o{type_.format, q_.rows, q_.columns, q_.stride, result};
    const Random random(params_.seed, 5);
    const std::uint32_t step = std::max(1u, q_.rows / rows);
    std::vector<std::uint32_t> sample;
    for (std::uint32_t first = 0; first < q_.rows; first += step) {
      sample.push_back(std::min(first + random.below(step, first), q_.rows - 1));
    }
    sample.push_back(q_.rows - 1);
    const std::vector<double> keys = values_of(k_), values = values_of(v_);
    std::vector<Worst> parts(static_cast<std::size_t>(std::max(params_.threads, 1)));
    in_parallel(params_.threads, sample.size(),
                [&](std::size_t part, std::uint64_t first, std::uint64_t last) {
                  for (std::uint64_t i = first; i < last; ++i) {
                    check_row(sample[i], o, keys, values, parts[part]);
                  }
                });
    Worst worst;
    for (const Worst& part : parts) worst.see(part);
    // A weighted mean of values of size one; the weights come from sums over `dim` products.
    double tolerance = 0x1p-24 * 16 * std::sqrt(shape_.dim + shape_.kv_len);
    // In 16 bits the weights are rounded before they multiply, and the result is.
    if (type_.format != Format::fp32) tolerance += 2.5 * rounding_error(type_.format);
    return worst.verification(tolerance);
  }

 private:
  struct Operands {
    Buffer q, k, v;
    gpu::TensorMap map_q = {}, map_k = {}, map_v = {};
  };

  Matrix random(std::uint32_t rows, std::uint64_t stream) const {
    return random_matrix(type_.format, rows, shape_.dim, params_.seed, stream, false,
                         params_.threads);
  }
  void add_operands(Buffer q, Buffer k, Buffer v) {
    Operands& set = sets_.emplace_back(Operands{std::move(q), std::move(k), std::move(v)});
    if (geometry_.cluster == 0) return;
    const std::uint32_t kv_heads = shape_.heads / shape_.group;
    set.map_q = tensor_map(set.q, shape_.q_len, shape_.heads, geometry_.block_m);
    set.map_k = tensor_map(set.k, shape_.kv_len, kv_heads, geometry_.block_n);
    set.map_v = tensor_map(set.v, shape_.kv_len, kv_heads, geometry_.block_n);
  }
  std::vector<double> values_of(const Matrix& matrix) const {
    std::vector<double> values(static_cast<std::size_t>(matrix.rows) * matrix.columns);
    in_parallel(params_.threads, matrix.rows,
                [&](std::size_t, std::uint64_t first, std::uint64_t last) {
                  for (std::uint64_t row = first; row < last; ++row) {
                    matrix.read_row(row, &values[row * matrix.columns]);
                  }
                });
    return values;
  }
  /// Boxes of 64 columns and `rows` rows of one head.
  gpu::TensorMap tensor_map(const Buffer& at, std::uint32_t length, std::uint32_t heads,
                            std::uint32_t rows) {
    const std::uint64_t row_bytes = shape_.dim * 2;
    return must(device_.runtime().tensor_map({at.pointer(),
                                              2,
                                              3,
                                              {shape_.dim, length, heads},
                                              {row_bytes, row_bytes * length},
                                              {64, rows, 1}}));
  }

  float scale() const {
    return 1.0f / std::sqrt(static_cast<float>(shape_.dim)) * 4 * shape_.sharpness;
  }

  void check_row(std::uint32_t row, const Matrix& o, const std::vector<double>& keys,
                 const std::vector<double>& all_values, Worst& worst) const {
    const std::uint32_t head = row / shape_.q_len, query = row % shape_.q_len;
    const std::uint64_t first_key = static_cast<std::uint64_t>(head / shape_.group) * shape_.kv_len;
    const std::uint32_t seen =
        shape_.causal ? query + 1 + shape_.kv_len - shape_.q_len : shape_.kv_len;
    const std::vector<double> asked = q_.row_values(row);
    std::vector<double> weight(seen), expected(shape_.dim, 0.0);
    double top = -INFINITY, total = 0;
    for (std::uint32_t key = 0; key < seen; ++key) {
      const double* one = &keys[(first_key + key) * shape_.dim];
      double sums[4] = {};  // four that do not wait for each other; dim is a multiple of four
      for (std::uint32_t d = 0; d < shape_.dim; d += 4) {
        for (std::uint32_t at = 0; at < 4; ++at) sums[at] += asked[d + at] * one[d + at];
      }
      weight[key] = (sums[0] + sums[1] + (sums[2] + sums[3])) * static_cast<double>(scale());
      top = std::max(top, weight[key]);
    }
    for (double& one : weight) total += one = std::exp(one - top);
    for (std::uint32_t key = 0; key < seen; ++key) {
      const double* one = &all_values[(first_key + key) * shape_.dim];
      const double share = weight[key] / total;
      for (std::uint32_t d = 0; d < shape_.dim; ++d) expected[d] += share * one[d];
    }
    for (std::uint32_t d = 0; d < shape_.dim; ++d) {
      worst.see_at(o.value(row, d), expected[d], 1.0, [&] {
        return describe(shape_) + ": head " + std::to_string(head) + ", query " +
               std::to_string(query) + ", dimension " + std::to_string(d);
      });
    }
  }

  Device& device_;
  const AttentionType& type_;
  Shape shape_;
  kernel::Geometry geometry_;
  const Params& params_;
  Matrix q_, k_, v_;
  gpu::Handle function_;
  Buffer device_o_;
  std::deque<Operands> sets_;
  std::size_t next_ = 0;
};

template <const AttentionType& type>
Measurement run(Device& device, const Params& params) {
  std::vector<Shape> small = {{2, 1, 45, 45, 64, true}, {2, 2, 33, 70, 128, false}};
  // The maximum of a query grows from tile to tile, so that what was summed is scaled down again.
  // In single precision the error of such scores would be all that is seen.
  if (type.format != Format::fp32) small.push_back({1, 1, 40, 140, 64, false, 16});
  if (params.size != Size::tiny) {
    small.push_back({4, 2, 97, 161, 64, true});
    small.push_back({2, 1, 64, 64, 128, true});
    small.push_back({3, 3, 31, 5, 64, false});
  }
  Verification verification;
  for (const Shape& shape : small) {
    Attention problem(device, type, shape, params);
    problem.launch();
    const std::vector<std::byte> first = problem.fetch();
    verification = worse_of(verification, problem.check(first, ~0u));
    problem.launch();
    const std::string differs = problem.difference(first);
    if (!differs.empty()) {
      verification = {INFINITY, 0, describe(shape) + ": " + differs};
      break;
    }
  }

  const Shape shape =
      pick<Shape>(device, params.size, {1, 1, 64, 64, 64, true},
                  type.format == Format::fp32 ? Shape{16, 1, 4096, 4096, 128, true}
                                              : Shape{32, 4, 4096, 4096, 128, true},
                  type.format == Format::fp32 ? Shape{32, 1, 4096, 4096, 128, true}
                                              : Shape{32, 4, 16384, 16384, 128, true},
                  {2, 1, 128, 128, 128, true});
  device.stage("verify");
  Attention problem(device, type, shape, params);
  problem.launch();
  const std::vector<std::byte> first = problem.fetch();
  device.stage("prepare");
  verification = worse_of(verification, problem.check(first, 512));
  device.stage("verify");

  Measurement result;
  result.work = flops(shape);
  result.balance = device.balance(problem.blocks());
  result.metric = std::string(type.name) + " attention, " + describe(shape);
  result.unit = "TFLOP/s";
  if (verification.ok()) {
    const std::size_t sets = params.time_limit_s > 0 && !device.is_host() ? problem.rotate() : 1;
    result.data = "uniform numbers from -1 to 1, " + std::to_string(sets) +
                  (sets > 1 ? " sets in turn" : " set");
    device.stage("prepare");
    for (const double ms : device.time_ms([&] { problem.launch(); }, params)) {
      result.samples.push_back(result.work / ms * 1e-9);
    }
    device.stage("measure");
    const std::string differs = problem.difference(first);
    if (!differs.empty()) verification = {INFINITY, verification.tolerance, differs};
  }
  result.verification = verification;
  return result;
}

std::optional<std::string> never(const DeviceRun&) {
  return std::nullopt;
}

constexpr std::string_view kDoc = R"(
## What it does
Computes softmax(scale * Q K^T) V with rocvet's own online-softmax kernel: full and causal, with
head dimensions 64 and 128, shared key heads and ragged lengths. Rows are compared with the same in
double precision; repeated launches must give the same bits.

## What a failure means
Products, exponentials, shared memory or the exchange between lanes give wrong results: models will
produce nonsense on this GPU. If gemm of the same type passes, suspect LDS or cross-lane operations.

## What the figure means
4 * heads * queries * keys * dimension operations, only those that the mask leaves, kernel time only.
)";

}  // namespace

extern const SelfTest kAttentionFp32, kAttentionFp16, kAttentionBf16;
constinit const SelfTest kAttentionFp32{"attention.fp32", "attention forward in single precision",
                                        kDoc, never, guarded<run<kFp32>>};
constinit const SelfTest kAttentionFp16{"attention.fp16",
                                        "attention forward of half-precision numbers", kDoc, never,
                                        guarded<run<kFp16>>};
constinit const SelfTest kAttentionBf16{"attention.bf16", "attention forward of bfloat16 numbers",
                                        kDoc, never, guarded<run<kBf16>>};

}  // namespace rocvet

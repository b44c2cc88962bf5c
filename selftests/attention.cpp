// Forward attention: small ragged problems of every kind, all of whose rows are verified, then a
// larger one that is timed.
#include <algorithm>
#include <cmath>

#include "selftests/device.h"
#include "selftests/kernels/geometry.h"
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

/// How to launch the kernels of 16-bit types; fp32 has its own, which is always launched alike.
kernel::Geometry geometry_of(Device& device, const AttentionType& type, std::uint32_t dim) {
  if (type.format == Format::fp32) return {256, 32, 0, 0, 0, 0};
  std::vector<kernel::Geometry> all(4);  // fp16 d64, fp16 d128, bf16 d64, bf16 d128
  const Buffer to = device.upload(all);
  device.launch(device.kernel("attention", "attention_geometry"), {1, 64, 0}, to);
  all = device.download<kernel::Geometry>(to, all.size());
  return all[(type.format == Format::bf16 ? 2u : 0u) + (dim == 128 ? 1u : 0u)];
}

class Attention {
 public:
  Attention(Device& device, const AttentionType& type, Shape shape, std::uint64_t seed)
      : device_(device),
        type_(type),
        shape_(shape),
        geometry_(geometry_of(device, type, shape.dim)),
        q_(random_matrix(type.format, shape.heads * shape.q_len, shape.dim, seed, 1, false)),
        k_(random_matrix(type.format, shape.heads / shape.group * shape.kv_len, shape.dim, seed, 2,
                         false)),
        v_(random_matrix(type.format, shape.heads / shape.group * shape.kv_len, shape.dim, seed, 3,
                         false)),
        function_(device.kernel(type.format == Format::fp32 ? "attention_fp32" : "attention",
                                std::string("attention_") + type.name + "_d" +
                                    std::to_string(shape.dim) +
                                    (geometry_.cluster != 0 ? "_sm90" : ""))),
        device_q_(device.upload(q_.data)),
        device_k_(device.upload(k_.data)),
        device_v_(device.upload(v_.data)),
        device_o_(device.buffer(q_.data.size())) {
    device.fill(device_o_, 0xff);
    if (geometry_.cluster != 0) {
      const std::uint32_t kv_heads = shape.heads / shape.group;
      map_q_ = tensor_map(device_q_, shape.q_len, shape.heads, geometry_.block_m);
      map_k_ = tensor_map(device_k_, shape.kv_len, kv_heads, geometry_.block_n);
      map_v_ = tensor_map(device_v_, shape.kv_len, kv_heads, geometry_.block_n);
    }
  }

  void launch() {
    const std::uint32_t blocks =
        shape_.heads * ((shape_.q_len + geometry_.block_m - 1) / geometry_.block_m);
    const gpu::Launch grid{blocks, geometry_.threads, geometry_.dynamic_lds};
    const auto causal = static_cast<std::uint32_t>(shape_.causal);
    if (type_.format == Format::fp32) {
      device_.launch(function_, grid, device_q_, device_k_, device_v_, device_o_, shape_.heads,
                     shape_.group, shape_.q_len, shape_.kv_len, causal, scale(), blocks);
      return;
    }
    const std::uint32_t kv_heads = shape_.heads / shape_.group;
    const float scale_of_exp2 = scale() * 1.44269504088896340736f;  // log2(e)
    if (geometry_.cluster != 0) {
      device_.launch(function_, grid, map_q_, map_k_, map_v_, device_o_, shape_.heads, kv_heads,
                     shape_.q_len, shape_.kv_len, causal, scale_of_exp2);
    } else {
      device_.launch(function_, grid, device_q_, device_k_, device_v_, device_o_, shape_.heads,
                     kv_heads, shape_.q_len, shape_.kv_len, causal, scale_of_exp2);
    }
  }
  std::vector<std::byte> fetch() {
    return device_.download<std::byte>(device_o_, device_o_.bytes());
  }

  /// Compares at most `rows` rows of the result, spread over all heads and tiles, with the same in
  /// double precision.
  Verification check(const std::vector<std::byte>& result, std::uint32_t rows,
                     std::uint64_t seed) const {
    Matrix o{type_.format, q_.rows, q_.columns, q_.stride, result};
    const Random random(seed, 5);
    const std::uint32_t step = std::max(1u, q_.rows / rows);
    Worst worst;
    for (std::uint32_t first = 0; first < q_.rows; first += step) {
      check_row(std::min(first + random.below(step, first), q_.rows - 1), o, worst);
    }
    check_row(q_.rows - 1, o, worst);
    // A weighted mean of values of size one; the weights come from sums over `dim` products.
    double tolerance = 0x1p-24 * 16 * std::sqrt(shape_.dim + shape_.kv_len);
    // In 16 bits the weights are rounded before they multiply, and the result is.
    if (type_.format != Format::fp32) tolerance += 2.5 * rounding_error(type_.format);
    return worst.verification(tolerance);
  }

 private:
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

  float scale() const { return 1.0f / std::sqrt(static_cast<float>(shape_.dim)) * 4; }

  void check_row(std::uint32_t row, const Matrix& o, Worst& worst) const {
    const std::uint32_t head = row / shape_.q_len, query = row % shape_.q_len;
    const std::uint64_t first_key = static_cast<std::uint64_t>(head / shape_.group) * shape_.kv_len;
    const std::uint32_t seen =
        shape_.causal ? query + 1 + shape_.kv_len - shape_.q_len : shape_.kv_len;
    const std::vector<double> values = q_.row_values(row);
    std::vector<double> weight(seen), expected(shape_.dim, 0.0);
    double top = -INFINITY, total = 0;
    for (std::uint32_t key = 0; key < seen; ++key) {
      double sum = 0;
      for (std::uint32_t d = 0; d < shape_.dim; ++d) {
        sum += values[d] * k_.value(first_key + key, d);
      }
      weight[key] = sum * static_cast<double>(scale());
      top = std::max(top, weight[key]);
    }
    for (double& one : weight) total += one = std::exp(one - top);
    for (std::uint32_t key = 0; key < seen; ++key) {
      for (std::uint32_t d = 0; d < shape_.dim; ++d) {
        expected[d] += weight[key] / total * v_.value(first_key + key, d);
      }
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
  Matrix q_, k_, v_;
  gpu::Handle function_;
  Buffer device_q_, device_k_, device_v_, device_o_;
  gpu::TensorMap map_q_, map_k_, map_v_;
};

template <const AttentionType& type>
Measurement run(Device& device, const Params& params) {
  std::vector<Shape> small = {{2, 1, 45, 45, 64, true}, {2, 2, 33, 70, 128, false}};
  if (params.size != Size::tiny) {
    small.push_back({4, 2, 97, 161, 64, true});
    small.push_back({2, 1, 64, 64, 128, true});
    small.push_back({3, 3, 31, 5, 64, false});
  }
  Verification verification;
  for (const Shape& shape : small) {
    Attention problem(device, type, shape, params.seed);
    problem.launch();
    const std::vector<std::byte> first = problem.fetch();
    verification = worse_of(verification, problem.check(first, ~0u, params.seed));
    problem.launch();
    const std::string differs = difference(first, problem.fetch(), bytes_of(type.format));
    if (!differs.empty()) {
      verification = {INFINITY, 0, describe(shape) + ": " + differs};
      break;
    }
  }

  const Shape shape =
      pick<Shape>(device, params.size, {1, 1, 64, 64, 64, true},
                  type.format == Format::fp32 ? Shape{16, 1, 2048, 2048, 128, true}
                                              : Shape{32, 4, 4096, 4096, 128, true},
                  type.format == Format::fp32 ? Shape{32, 1, 4096, 4096, 128, true}
                                              : Shape{32, 4, 16384, 16384, 128, true},
                  {2, 1, 128, 128, 128, true});
  Attention problem(device, type, shape, params.seed);
  problem.launch();
  const std::vector<std::byte> first = problem.fetch();
  verification = worse_of(verification, problem.check(first, 512, params.seed));

  Measurement result;
  result.work = flops(shape);
  result.metric = std::string(type.name) + " attention, " + describe(shape);
  result.unit = "TFLOP/s";
  if (verification.ok()) {
    for (const double ms : device.time_ms([&] { problem.launch(); }, params.time_limit_s / 4)) {
      result.samples.push_back(result.work / ms * 1e-9);
    }
    const std::string differs = difference(first, problem.fetch(), bytes_of(type.format));
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

// Forward attention: small ragged problems of every kind, all of whose rows are verified, then a
// larger one that is timed.
#include <algorithm>
#include <cmath>

#include "selftests/device.h"
#include "selftests/random.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

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

class Attention {
 public:
  Attention(Device& device, Shape shape, std::uint64_t seed)
      : device_(device),
        shape_(shape),
        q_(random_matrix(Format::fp32, shape.heads * shape.q_len, shape.dim, seed, 1, false)),
        k_(random_matrix(Format::fp32, shape.heads / shape.group * shape.kv_len, shape.dim, seed, 2,
                         false)),
        v_(random_matrix(Format::fp32, shape.heads / shape.group * shape.kv_len, shape.dim, seed, 3,
                         false)),
        function_(device.kernel("attention_fp32", "attention_fp32_d" + std::to_string(shape.dim))),
        device_q_(device.upload(q_.data)),
        device_k_(device.upload(k_.data)),
        device_v_(device.upload(v_.data)),
        device_o_(device.buffer(q_.data.size())) {
    device.fill(device_o_, 0xff);
  }

  void launch() {
    const std::uint32_t blocks = shape_.heads * ((shape_.q_len + 31) / 32);
    device_.launch(function_, {blocks, 256, 0}, device_q_, device_k_, device_v_, device_o_,
                   shape_.heads, shape_.group, shape_.q_len, shape_.kv_len,
                   static_cast<std::uint32_t>(shape_.causal), scale(), blocks);
  }
  std::vector<std::byte> fetch() {
    return device_.download<std::byte>(device_o_, device_o_.bytes());
  }

  /// Compares at most `rows` rows of the result, spread over all heads and tiles, with the same in
  /// double precision.
  Verification check(const std::vector<std::byte>& result, std::uint32_t rows,
                     std::uint64_t seed) const {
    Matrix o{Format::fp32, q_.rows, q_.columns, q_.stride, result};
    const Random random(seed, 5);
    const std::uint32_t step = std::max(1u, q_.rows / rows);
    Worst worst;
    for (std::uint32_t first = 0; first < q_.rows; first += step) {
      check_row(std::min(first + random.below(step, first), q_.rows - 1), o, worst);
    }
    check_row(q_.rows - 1, o, worst);
    // A weighted mean of values of size one; the weights come from sums over `dim` products.
    return worst.verification(0x1p-24 * 16 * std::sqrt(shape_.dim + shape_.kv_len));
  }

 private:
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
  Shape shape_;
  Matrix q_, k_, v_;
  gpu::Handle function_;
  Buffer device_q_, device_k_, device_v_, device_o_;
};

Measurement run(Device& device, const Params& params) {
  std::vector<Shape> small = {{2, 1, 45, 45, 64, true}, {2, 2, 33, 70, 128, false}};
  if (params.size != Size::tiny) {
    small.push_back({4, 2, 97, 161, 64, true});
    small.push_back({2, 1, 64, 64, 128, true});
    small.push_back({3, 3, 31, 5, 64, false});
  }
  Verification verification;
  for (const Shape& shape : small) {
    Attention problem(device, shape, params.seed);
    problem.launch();
    verification = worse_of(verification, problem.check(problem.fetch(), ~0u, params.seed));
  }

  const Shape shape =
      pick<Shape>(device, params.size, {1, 1, 64, 64, 64, true}, {16, 1, 2048, 2048, 128, true},
                  {32, 1, 4096, 4096, 128, true}, {2, 1, 128, 128, 128, true});
  Attention problem(device, shape, params.seed);
  problem.launch();
  const std::vector<std::byte> first = problem.fetch();
  verification = worse_of(verification, problem.check(first, 512, params.seed));

  Measurement result;
  result.work = flops(shape);
  result.metric = "fp32 attention, " + describe(shape);
  result.unit = "TFLOP/s";
  if (verification.ok()) {
    for (const double ms : device.time_ms([&] { problem.launch(); }, params.time_limit_s / 4)) {
      result.samples.push_back(result.work / ms * 1e-9);
    }
    const std::string differs = difference(first, problem.fetch(), 4);
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

extern const SelfTest kAttentionFp32;
constinit const SelfTest kAttentionFp32{"attention.fp32", "attention forward in single precision",
                                        kDoc, never, guarded<run>};

}  // namespace rocvet

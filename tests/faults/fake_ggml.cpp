// libggml-base and libggml-hip in one file, as far as the probe of llama.cpp's back end calls them:
// one GPU that computes on the CPU. HIP_FAKE_GGML (a name that root leaves to a worker):
// "no-device", "wrong" (one sum of 32 columns), "refuse" (the graph), "crash" (in the product of
// one column).
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Tensor {
  int type = 0;
  std::int64_t columns = 0, rows = 0;
  Tensor *a = nullptr, *b = nullptr;
  bool product = false;
  std::vector<float> values;
};
struct Context {
  std::vector<std::unique_ptr<Tensor>> tensors;
  Tensor* graph = nullptr;
};
struct Parameters {
  std::size_t memory_bytes;
  void* memory;
  bool no_data;
};

bool told(const char* how) {
  const char* text = std::getenv("HIP_FAKE_GGML");
  return text != nullptr && std::string(text) == how;
}

Tensor* add(void* context, Tensor tensor) {
  auto& all = static_cast<Context*>(context)->tensors;
  all.push_back(std::make_unique<Tensor>(std::move(tensor)));
  return all.back().get();
}

float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  return exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                       : std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
}

void multiply(Tensor& to) {
  const std::int64_t depth = to.a->columns;
  for (std::int64_t column = 0; column < to.b->rows; ++column) {
    for (std::int64_t row = 0; row < to.a->rows; ++row) {
      float sum = 0;
      for (std::int64_t k = 0; k < depth; ++k) {
        sum += to.a->values[static_cast<std::size_t>(row * depth + k)] *
               to.b->values[static_cast<std::size_t>(column * depth + k)];
      }
      to.values.push_back(sum);
    }
  }
  if (told("wrong") && to.b->rows == 32) to.values[100] += 1;
}

void soften(Tensor& to) {
  for (std::int64_t row = 0; row < to.a->rows; ++row) {
    const float* from = &to.a->values[static_cast<std::size_t>(row * to.a->columns)];
    float sum = 0;
    for (std::int64_t k = 0; k < to.a->columns; ++k) sum += std::exp(from[k] - from[0]);
    for (std::int64_t k = 0; k < to.a->columns; ++k)
      to.values.push_back(std::exp(from[k] - from[0]) / sum);
  }
}

}  // namespace

extern "C" {

const char* ggml_version() {
  return "0.9.9-fake";
}
void* ggml_init(Parameters) {
  return new Context;
}
void ggml_free(void* context) {
  delete static_cast<Context*>(context);
}
void* ggml_new_tensor_2d(void* context, int type, std::int64_t columns, std::int64_t rows) {
  return add(context, {type, columns, rows, nullptr, nullptr, false, {}});
}
void* ggml_mul_mat(void* context, void* a, void* b) {
  return add(context, {0, 0, 0, static_cast<Tensor*>(a), static_cast<Tensor*>(b), true, {}});
}
void* ggml_soft_max(void* context, void* a) {
  return add(context, {0, 0, 0, static_cast<Tensor*>(a), nullptr, false, {}});
}
void* ggml_new_graph(void* context) {
  return context;
}
void ggml_build_forward_expand(void* graph, void* tensor) {
  static_cast<Context*>(graph)->graph = static_cast<Tensor*>(tensor);
}
void* ggml_backend_alloc_ctx_tensors(void* context, void*) {
  return context;
}
void ggml_backend_buffer_free(void*) {}
void ggml_backend_tensor_set(void* tensor, const void* data, std::size_t, std::size_t bytes) {
  auto& to = *static_cast<Tensor*>(tensor);
  const std::size_t each = to.type == 1 ? 2 : 4;
  for (std::size_t at = 0; at < bytes; at += each) {
    std::uint16_t half = 0;
    float value = 0;
    std::memcpy(each == 2 ? static_cast<void*>(&half) : &value, static_cast<const char*>(data) + at,
                each);
    to.values.push_back(each == 2 ? from_half(half) : value);
  }
}
void ggml_backend_tensor_get(const void* tensor, void* data, std::size_t, std::size_t bytes) {
  std::memcpy(data, static_cast<const Tensor*>(tensor)->values.data(), bytes);
}
int ggml_backend_graph_compute(void*, void* graph) {
  Tensor& to = *static_cast<Context*>(graph)->graph;
  if (told("refuse")) return -1;
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it is to crash
  if (told("crash") && to.product && to.b->rows == 1) *static_cast<volatile int*>(nullptr) = 1;
  if (to.product) {
    multiply(to);
  } else {
    soften(to);
  }
  return 0;
}
void ggml_backend_free(void*) {}
std::size_t ggml_backend_reg_dev_count(void*) {
  return told("no-device") ? 0 : 1;
}
void* ggml_backend_reg_dev_get(void* registry, std::size_t) {
  return registry;
}
const char* ggml_backend_dev_name(void*) {
  return "ROCm0";
}
const char* ggml_backend_dev_description(void*) {
  return "Fake GPU";
}
void ggml_backend_dev_memory(void*, std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{1} << 34;
}
void* ggml_backend_dev_init(void* device, const char*) {
  return device;
}
void* ggml_backend_init() {
  static int registry;
  return &registry;
}
}

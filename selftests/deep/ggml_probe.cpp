// The HIP back end of llama.cpp and what is built on it (ollama, whisper.cpp, LM Studio), as its
// own program loads it: a few small graphs on each of its GPUs.
#include <dlfcn.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>

#include "base/path_walk.h"
#include "base/text.h"
#include "selftests/deep/probes.h"
#include "selftests/deep/symbols.h"
#include "selftests/formats.h"

namespace rocvet::deep {
namespace {

// Signatures of ggml.h, ggml-alloc.h and ggml-backend.h of ggml 0.27.0; the same since the back
// ends became libraries of their own (end of 2024). All objects are opaque.
struct Parameters {  // ggml_init_params
  std::size_t memory_bytes;
  void* memory;
  bool no_data;
};
constexpr int kFloat = 0, kHalf = 1;  // ggml_type
constexpr std::size_t kGraphBytes = 1 << 20;

struct Base {
  void* (*init)(Parameters) = nullptr;
  void (*free)(void* context) = nullptr;
  void* (*matrix)(void* context, int type, std::int64_t columns, std::int64_t rows) = nullptr;
  void* (*mul_mat)(void* context, void* a, void* b) = nullptr;
  void* (*soft_max)(void* context, void* a) = nullptr;
  void* (*graph)(void* context) = nullptr;
  void (*expand)(void* graph, void* tensor) = nullptr;
  void* (*allocate)(void* context, void* backend) = nullptr;
  void (*free_buffer)(void* buffer) = nullptr;
  void (*set)(void* tensor, const void* data, std::size_t offset, std::size_t bytes) = nullptr;
  void (*get)(const void* tensor, void* data, std::size_t offset, std::size_t bytes) = nullptr;
  int (*compute)(void* backend, void* graph) = nullptr;
  void (*free_backend)(void* backend) = nullptr;
  const char* (*version)() = nullptr;
  std::size_t (*devices)(void* registry) = nullptr;
  void* (*device)(void* registry, std::size_t index) = nullptr;
  const char* (*name)(void* device) = nullptr;
  const char* (*description)(void* device) = nullptr;
  void (*memory)(void* device, std::size_t* free, std::size_t* total) = nullptr;
  void* (*start)(void* device, const char* parameters) = nullptr;
};

bool find_all(const gpu::Library& library, Base& base) {
  return Symbols(library)
      .need("ggml_init", base.init)
      .need("ggml_free", base.free)
      .need("ggml_new_tensor_2d", base.matrix)
      .need("ggml_mul_mat", base.mul_mat)
      .need("ggml_soft_max", base.soft_max)
      .need("ggml_new_graph", base.graph)
      .need("ggml_build_forward_expand", base.expand)
      .need("ggml_backend_alloc_ctx_tensors", base.allocate)
      .need("ggml_backend_buffer_free", base.free_buffer)
      .need("ggml_backend_tensor_set", base.set)
      .need("ggml_backend_tensor_get", base.get)
      .need("ggml_backend_graph_compute", base.compute)
      .need("ggml_backend_free", base.free_backend)
      .find("ggml_version", base.version)
      .need("ggml_backend_reg_dev_count", base.devices)
      .need("ggml_backend_reg_dev_get", base.device)
      .need("ggml_backend_dev_name", base.name)
      .need("ggml_backend_dev_description", base.description)
      .need("ggml_backend_dev_memory", base.memory)
      .need("ggml_backend_dev_init", base.start)
      .complete();
}

/// Sums of small whole numbers: exact in whatever precision a kernel adds them up.
constexpr int kDepth = 64, kRows = 48;
int left(int row, int k) {
  return (row + 2 * k) % 5;
}
int right(int column, int k) {
  return (3 * k + column) % 4;
}

class OnDevice {
 public:
  OnDevice(const Base& base, void* backend, std::string name)
      : base_(base), backend_(backend), name_(std::move(name)) {}

  /// False, and told, when it fails. One column is the step of a model that writes, many are a
  /// prompt: other kernels.
  bool product(int type, int columns) {
    const char* title = type == kHalf ? "half" : "single";
    call_ = std::string("ggml_mul_mat in ") + title + " precision, " + std::to_string(columns) +
            (columns == 1 ? " column, on " : " columns, on ") + name_;
    std::vector<float> got;
    const bool ran = run(got, columns * kRows, [&](void* context, std::vector<Fill>& fills) {
      void* a = base_.matrix(context, type, kDepth, kRows);
      void* b = base_.matrix(context, kFloat, kDepth, columns);
      fills.push_back({a, operand(type, kRows, left)});
      fills.push_back({b, operand(kFloat, columns, right)});
      return base_.mul_mat(context, a, b);
    });
    if (!ran) return false;
    for (int column = 0; column < columns; ++column) {
      for (int row = 0; row < kRows; ++row) {
        int sum = 0;
        for (int k = 0; k < kDepth; ++k) sum += left(row, k) * right(column, k);
        const float one =
            got[static_cast<std::size_t>(column) * kRows + static_cast<std::size_t>(row)];
        if (one != static_cast<float>(sum)) return wrong();
      }
    }
    return true;
  }
  /// Of equal numbers all weights are equal.
  bool soft_max() {
    call_ = "ggml_soft_max on " + name_;
    std::vector<float> got;
    const bool ran = run(got, kDepth * kRows, [&](void* context, std::vector<Fill>& fills) {
      void* a = base_.matrix(context, kFloat, kDepth, kRows);
      fills.push_back({a, operand(kFloat, kRows, [](int row, int) { return row; })});
      return base_.soft_max(context, a);
    });
    if (!ran) return false;
    for (const float one : got) {
      if (!(std::fabs(one - 1.0f / kDepth) < 1e-6f)) return wrong();
    }
    return true;
  }

 private:
  struct Fill {
    void* tensor;
    std::vector<unsigned char> bytes;
  };

  template <typename Number>
  static std::vector<unsigned char> operand(int type, int rows, Number number) {
    const Format format = type == kHalf ? Format::fp16 : Format::fp32;
    const auto each = static_cast<std::size_t>(bytes_of(format));
    std::vector<unsigned char> bytes(each * kDepth * static_cast<std::size_t>(rows));
    unsigned char* to = bytes.data();
    for (int row = 0; row < rows; ++row) {
      for (int k = 0; k < kDepth; ++k, to += each) encode(format, number(row, k), to);
    }
    return bytes;
  }

  template <typename Build>
  bool run(std::vector<float>& got, int count, const Build& build) {
    tell_calling(call_);
    void* context = base_.init({kGraphBytes, nullptr, true});
    std::vector<Fill> fills;
    void* result = context == nullptr ? nullptr : build(context, fills);
    void* graph = result == nullptr ? nullptr : base_.graph(context);
    if (graph == nullptr) return refused(0, "no graph can be made");
    base_.expand(graph, result);
    void* buffer = base_.allocate(context, backend_);
    if (buffer == nullptr) return refused(0, "no memory of the GPU is given");
    for (const Fill& fill : fills) base_.set(fill.tensor, fill.bytes.data(), 0, fill.bytes.size());
    const int status = base_.compute(backend_, graph);
    got.assign(static_cast<std::size_t>(count), NAN);
    if (status == 0) base_.get(result, got.data(), 0, got.size() * sizeof(float));
    base_.free_buffer(buffer);
    base_.free(context);
    return status == 0 || refused(status, "the back end does not compute it");
  }
  bool refused(int status, const char* why) const {
    tell_refusal(call_, status, "", why);
    return false;
  }
  bool wrong() const {
    tell_refusal(call_, 0, "", call_ + " has wrong numbers", DeepProbe::Outcome::wrong);
    return false;
  }

  const Base& base_;
  void* backend_;
  std::string name_, call_;
};

/// By the names that builds and packages give it, beside the back end and above it first.
void* open_base(const std::string& path, std::string& opened) {
  const std::string folder(parent_path(path));
  for (const std::string& where :
       {folder + "/", std::string(parent_path(folder)) + "/",
        std::string(parent_path(parent_path(folder))) + "/", std::string()}) {
    for (const char* name : {"libggml-base.so", "libggml-base.so.0"}) {
      opened = where + name;
      if (!where.empty() && access(opened.c_str(), F_OK) != 0) continue;
      if (void* handle = dlopen(opened.c_str(), RTLD_NOW | RTLD_GLOBAL)) return handle;
    }
  }
  return nullptr;
}

std::string loader_words() {
  const char* words = dlerror();
  return words != nullptr ? words : "it does not load";
}

bool probe_device(const Base& base, void* registry, std::size_t index) {
  void* device = base.device(registry, index);
  DeepDevice known;
  known.index = static_cast<int>(index);
  known.name = base.description(device);
  std::size_t free_bytes = 0, total_bytes = 0;
  base.memory(device, &free_bytes, &total_bytes);
  if (total_bytes != 0) known.memory_bytes = total_bytes;
  const std::string name = base.name(device);
  tell_calling("ggml_backend_dev_init of " + name);
  void* backend = base.start(device, nullptr);
  if (backend == nullptr) {
    tell_refusal("ggml_backend_dev_init of " + name, 0, "", "the back end does not start");
    return false;
  }
  OnDevice on(base, backend, name);
  for (const int type : {kFloat, kHalf}) {
    for (const int columns : {1, 32}) {
      if (!on.product(type, columns)) return false;
    }
  }
  if (!on.soft_max()) return false;
  base.free_backend(backend);
  known.product_right = true;
  tell_device(known);
  return true;
}

}  // namespace

void probe_ggml(const std::string& path) {
  gpu::Library base_library, back_end;
  tell_calling("libggml-base.so");
  base_library.handle = open_base(path, base_library.path);
  if (base_library.handle == nullptr) {
    tell_failure(DeepProbe::Outcome::unloadable, loader_words());
    return;
  }
  Base base;
  if (!find_all(base_library, base)) return;
  tell_library(path, base.version != nullptr ? base.version() : "");
  tell_calling(path);
  back_end = {dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL), path};
  if (back_end.handle == nullptr) {
    tell_failure(DeepProbe::Outcome::unloadable, loader_words());
    return;
  }
  // The first is there when the back end is a plug-in, the other in every build.
  void* (*registry)() = nullptr;
  Symbols symbols(back_end);
  symbols.find("ggml_backend_init", registry);
  if (registry == nullptr) symbols.need("ggml_backend_cuda_reg", registry);
  if (!symbols.complete()) return;
  tell_calling("ggml_backend_reg_dev_count");
  void* mine = registry();
  const std::size_t count = mine != nullptr ? base.devices(mine) : 0;
  for (std::size_t i = 0; i < count && i < 1024; ++i) {
    if (!probe_device(base, mine, i)) return;
  }
  tell_done();
}

}  // namespace rocvet::deep

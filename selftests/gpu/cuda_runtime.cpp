// CUDA through the driver's libcuda.so.1, loaded when it is needed: HIP's other platform. No CUDA
// toolkit is needed to build this file; the numbers are those of cuda.h, which are fixed.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/absent_names.h"
#include "selftests/gpu/runtime.h"
#include "selftests/gpu/trusted_library.h"

namespace rocvet::gpu {
namespace {

enum Attribute {  // CUdevice_attribute
  kWarpSize = 10,
  kClockRateKhz = 13,
  kMultiprocessors = 16,
  kIntegrated = 18,
  kMemoryClockRateKhz = 36,
  kMemoryBusWidth = 37,
  kL2CacheSize = 38,
  kComputeMajor = 75,
  kComputeMinor = 76,
  kSharedMemoryPerBlockOptin = 97,
};
constexpr int kPeerAccessAlreadyEnabled = 704;
constexpr int kFunctionMaxDynamicShared = 8;  // CUfunction_attribute
constexpr unsigned kHostPortable = 1, kHostMapped = 2, kStreamNonBlocking = 1;
constexpr std::uint32_t kSharedWithoutAsking = 48 << 10;

// Name, symbol and arguments of every call that is used; each returns a CUresult.
#define ROCVET_CUDA_CALLS(CALL)                                                                    \
  CALL(init, "cuInit", (unsigned))                                                                 \
  CALL(version, "cuDriverGetVersion", (int*))                                                      \
  CALL(error_name, "cuGetErrorName", (int, const char**))                                          \
  CALL(error_text, "cuGetErrorString", (int, const char**))                                        \
  CALL(device_count, "cuDeviceGetCount", (int*))                                                   \
  CALL(device_get, "cuDeviceGet", (int*, int))                                                     \
  CALL(device_name, "cuDeviceGetName", (char*, int, int))                                          \
  CALL(device_bus, "cuDeviceGetPCIBusId", (char*, int, int))                                       \
  CALL(device_attribute, "cuDeviceGetAttribute", (int*, int, int))                                 \
  CALL(context_retain, "cuDevicePrimaryCtxRetain", (void**, int))                                  \
  CALL(context_set, "cuCtxSetCurrent", (void*))                                                    \
  CALL(context_synchronize, "cuCtxSynchronize", ())                                                \
  CALL(memory_info, "cuMemGetInfo_v2", (std::size_t*, std::size_t*))                               \
  CALL(allocate, "cuMemAlloc_v2", (std::uintptr_t*, std::size_t))                                  \
  CALL(release, "cuMemFree_v2", (std::uintptr_t))                                                  \
  CALL(host_allocate, "cuMemHostAlloc", (void**, std::size_t, unsigned))                           \
  CALL(host_release, "cuMemFreeHost", (void*))                                                     \
  CALL(copy, "cuMemcpy", (std::uintptr_t, std::uintptr_t, std::size_t))                            \
  CALL(copy_async, "cuMemcpyAsync", (std::uintptr_t, std::uintptr_t, std::size_t, std::uintptr_t)) \
  CALL(copy_peer, "cuMemcpyPeer", (std::uintptr_t, void*, std::uintptr_t, void*, std::size_t))     \
  CALL(fill, "cuMemsetD8_v2", (std::uintptr_t, unsigned char, std::size_t))                        \
  CALL(module_load, "cuModuleLoadData", (std::uintptr_t*, const void*))                            \
  CALL(module_unload, "cuModuleUnload", (std::uintptr_t))                                          \
  CALL(function_get, "cuModuleGetFunction", (std::uintptr_t*, std::uintptr_t, const char*))        \
  CALL(function_attribute, "cuFuncSetAttribute", (std::uintptr_t, int, int))                       \
  CALL(launch, "cuLaunchKernel",                                                                   \
       (std::uintptr_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,      \
        std::uintptr_t, void**, void**))                                                           \
  CALL(stream_create, "cuStreamCreate", (std::uintptr_t*, unsigned))                               \
  CALL(stream_destroy, "cuStreamDestroy_v2", (std::uintptr_t))                                     \
  CALL(stream_synchronize, "cuStreamSynchronize", (std::uintptr_t))                                \
  CALL(stream_wait, "cuStreamWaitEvent", (std::uintptr_t, std::uintptr_t, unsigned))               \
  CALL(event_create, "cuEventCreate", (std::uintptr_t*, unsigned))                                 \
  CALL(event_destroy, "cuEventDestroy_v2", (std::uintptr_t))                                       \
  CALL(event_record, "cuEventRecord", (std::uintptr_t, std::uintptr_t))                            \
  CALL(event_synchronize, "cuEventSynchronize", (std::uintptr_t))                                  \
  CALL(event_elapsed, "cuEventElapsedTime", (float*, std::uintptr_t, std::uintptr_t))              \
  CALL(peer_possible, "cuDeviceCanAccessPeer", (int*, int, int))                                   \
  CALL(peer_enable, "cuCtxEnablePeerAccess", (void*, unsigned))

struct Api {
#define MEMBER(name, symbol, arguments) int(*name) arguments = nullptr;
  ROCVET_CUDA_CALLS(MEMBER)
#undef MEMBER
  /// From CUDA 12 on; null before.
  int (*tensor_map)(void*, int, unsigned, std::uintptr_t, const std::uint64_t*,
                    const std::uint64_t*, const std::uint32_t*, const std::uint32_t*, int, int, int,
                    int) = nullptr;
};

class CudaRuntime final : public Runtime {
 public:
  CudaRuntime(Api api, std::string path) : api_(api), path_(std::move(path)) {}

  Result<Done> init() { return check("cuInit", api_.init(0)); }

  std::string name() const override { return "cuda"; }
  std::string library() const override { return path_; }
  std::string version() const override {
    int number = 0;
    if (api_.version(&number) != 0) return "";
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  }
  Result<int> device_count() override {
    int count = 0;
    if (auto done = check("cuDeviceGetCount", api_.device_count(&count)); !done)
      return done.error();
    return count;
  }
  std::string bus_id(int index) override {
    std::array<char, 256> text{};
    const int most = static_cast<int>(text.size()) - 1;
    return api_.device_bus(text.data(), most, index) == 0 ? text.data() : "";
  }
  Result<DeviceInfo> use_device(int index) override {
    auto context = context_of(index);
    if (!context) return context.error();
    if (auto done = check("cuCtxSetCurrent", api_.context_set(*context)); !done) {
      return done.error();
    }
    DeviceInfo info;
    info.index = index;
    std::array<char, 256> text{};
    if (api_.device_name(text.data(), text.size() - 1, index) == 0) info.name = text.data();
    text = {};
    if (api_.device_bus(text.data(), text.size() - 1, index) == 0) info.bdf = text.data();
    info.arch = "sm_" + std::to_string(attribute(kComputeMajor, index)) +
                std::to_string(attribute(kComputeMinor, index));
    info.compute_units = attribute(kMultiprocessors, index);
    info.wave_size = attribute(kWarpSize, index);
    info.clock_mhz = attribute(kClockRateKhz, index) / 1000;
    info.memory_clock_mhz = attribute(kMemoryClockRateKhz, index) / 1000;
    info.memory_width_bits = attribute(kMemoryBusWidth, index);
    info.l2_bytes = static_cast<std::uint64_t>(attribute(kL2CacheSize, index));
    info.lds_per_block = static_cast<std::uint64_t>(attribute(kSharedMemoryPerBlockOptin, index));
    info.integrated = attribute(kIntegrated, index) != 0;
    std::size_t free = 0, total = 0;
    if (auto done = check("cuMemGetInfo", api_.memory_info(&free, &total)); !done) {
      return done.error();
    }
    info.free_bytes = free;
    info.memory_bytes = total;
    return info;
  }

  Result<Done> switch_to(int index) override {
    auto context = context_of(index);
    if (!context) return context.error();
    return check("cuCtxSetCurrent", api_.context_set(*context));
  }

  Result<Pointer> allocate(std::size_t bytes) override {
    Pointer memory = 0;
    return value("cuMemAlloc", api_.allocate(&memory, bytes), memory);
  }
  Result<Done> free(Pointer pointer) override { return check("cuMemFree", api_.release(pointer)); }
  Result<Pointer> allocate_host(std::size_t bytes) override {
    void* memory = nullptr;
    const int status = api_.host_allocate(&memory, bytes, kHostPortable | kHostMapped);
    if (auto done = check("cuMemHostAlloc", status); !done) return done.error();
    return reinterpret_cast<Pointer>(memory);
  }
  Result<Done> free_host(Pointer pointer) override {
    return check("cuMemFreeHost", api_.host_release(reinterpret_cast<void*>(pointer)));
  }
  // With unified addresses the driver knows which side a pointer is of.
  Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, CopyKind) override {
    return check("cuMemcpy", api_.copy(to, from, bytes));
  }
  Result<Done> copy_async(Pointer to, Pointer from, std::size_t bytes, CopyKind,
                          Handle stream) override {
    return check("cuMemcpyAsync", api_.copy_async(to, from, bytes, stream));
  }
  Result<Done> fill(Pointer to, unsigned char value, std::size_t bytes) override {
    if (auto done = check("cuMemsetD8", api_.fill(to, value, bytes)); !done) return done;
    return synchronize();  // our streams do not wait for the default one
  }

  Result<Handle> load_module(std::span<const std::byte> code) override {
    Handle module = 0;
    return value("cuModuleLoadData", api_.module_load(&module, code.data()), module);
  }
  Result<Done> unload_module(Handle module) override {
    return check("cuModuleUnload", api_.module_unload(module));
  }
  Result<Handle> function(Handle module, const std::string& name) override {
    Handle function = 0;
    return value("cuModuleGetFunction(" + name + ")",
                 api_.function_get(&function, module, name.c_str()), function);
  }
  Result<Done> launch(Handle function, Launch shape, std::span<void*> arguments,
                      Handle stream) override {
    if (shape.dynamic_lds > kSharedWithoutAsking) {
      const int bytes = static_cast<int>(shape.dynamic_lds);
      const int status = api_.function_attribute(function, kFunctionMaxDynamicShared, bytes);
      if (auto done = check("cuFuncSetAttribute", status); !done) return done;
    }
    return check("cuLaunchKernel",
                 api_.launch(function, shape.blocks, 1, 1, shape.threads, 1, 1, shape.dynamic_lds,
                             stream, arguments.data(), nullptr));
  }
  Result<TensorMap> tensor_map(const TensorBox& box) override {
    if (api_.tensor_map == nullptr) return unsupported("cuTensorMapEncodeTiled");
    // CUtensorMapDataType: UINT8, UINT16, UINT32, UINT64
    const int bytes = box.element_bytes, kind = bytes == 8 ? 4 : bytes / 2;
    constexpr int kNoInterleave = 0, kSwizzle128 = 3, kPromote256 = 3, kZeros = 0;
    const std::array<std::uint32_t, 3> every{1, 1, 1};
    alignas(64) TensorMap map;
    const int status =
        api_.tensor_map(&map, kind, static_cast<unsigned>(box.dimensions), box.base,
                        box.size.data(), box.stride_bytes.data(), box.box.data(), every.data(),
                        kNoInterleave, kSwizzle128, kPromote256, kZeros);
    if (auto done = check("cuTensorMapEncodeTiled", status); !done) return done.error();
    return map;
  }

  Result<Handle> create_stream() override {
    Handle stream = 0;
    return value("cuStreamCreate", api_.stream_create(&stream, kStreamNonBlocking), stream);
  }
  Result<Done> destroy_stream(Handle stream) override {
    return check("cuStreamDestroy", api_.stream_destroy(stream));
  }
  Result<Done> synchronize_stream(Handle stream) override {
    return check("cuStreamSynchronize", api_.stream_synchronize(stream));
  }
  Result<Done> wait_event(Handle stream, Handle event) override {
    return check("cuStreamWaitEvent", api_.stream_wait(stream, event, 0));
  }
  Result<Handle> create_event() override {
    Handle event = 0;
    return value("cuEventCreate", api_.event_create(&event, 0), event);
  }
  Result<Done> destroy_event(Handle event) override {
    return check("cuEventDestroy", api_.event_destroy(event));
  }
  Result<Done> record(Handle event, Handle stream) override {
    return check("cuEventRecord", api_.event_record(event, stream));
  }
  Result<double> elapsed_ms(Handle start, Handle stop) override {
    if (auto done = check("cuEventSynchronize", api_.event_synchronize(stop)); !done) {
      return done.error();
    }
    float ms = 0;
    if (auto done = check("cuEventElapsedTime", api_.event_elapsed(&ms, start, stop)); !done) {
      return done.error();
    }
    return static_cast<double>(ms);
  }
  Result<Done> synchronize() override {
    return check("cuCtxSynchronize", api_.context_synchronize());
  }

  Result<bool> can_access_peer(int device, int peer) override {
    int can = 0;
    if (auto done = check("cuDeviceCanAccessPeer", api_.peer_possible(&can, device, peer)); !done) {
      return done.error();
    }
    return can != 0;
  }
  Result<Done> enable_peer(int peer) override {
    auto context = context_of(peer);
    if (!context) return context.error();
    const int status = api_.peer_enable(*context, 0);
    if (status == kPeerAccessAlreadyEnabled) return Done{};
    return check("cuCtxEnablePeerAccess", status);
  }
  Result<Done> copy_peer(Pointer to, int to_device, Pointer from, int from_device,
                         std::size_t bytes) override {
    auto to_context = context_of(to_device), from_context = context_of(from_device);
    if (!to_context) return to_context.error();
    if (!from_context) return from_context.error();
    return check("cuMemcpyPeer", api_.copy_peer(to, *to_context, from, *from_context, bytes));
  }

 private:
  Result<void*> context_of(int index) {
    if (index >= 0 && static_cast<std::size_t>(index) < contexts_.size() &&
        contexts_[static_cast<std::size_t>(index)] != nullptr) {
      return contexts_[static_cast<std::size_t>(index)];
    }
    int device = 0;
    if (auto done = check("cuDeviceGet", api_.device_get(&device, index)); !done) {
      return done.error();
    }
    void* context = nullptr;
    if (auto done = check("cuDevicePrimaryCtxRetain", api_.context_retain(&context, device));
        !done) {
      return done.error();
    }
    contexts_.resize(std::max(contexts_.size(), static_cast<std::size_t>(index) + 1));
    contexts_[static_cast<std::size_t>(index)] = context;
    return context;
  }
  int attribute(int which, int device) const {
    int value = 0;
    return api_.device_attribute(&value, which, device) == 0 ? value : 0;
  }
  Result<Done> check(const std::string& call, int status) const {
    if (status == 0) return Done{};
    const char* name = nullptr;
    const char* words = nullptr;
    api_.error_name(status, &name);
    api_.error_text(status, &words);
    return Error{Error::Kind::failed, call,
                 std::string(name != nullptr ? name : "CUresult") + " (" + std::to_string(status) +
                     ")" + (words != nullptr ? std::string(": ") + words : "")};
  }
  /// By reference: an argument by value may be read before the call that is another argument.
  Result<std::uintptr_t> value(const std::string& call, int status,
                               const std::uintptr_t& made) const {
    if (auto done = check(call, status); !done) return done.error();
    return made;
  }

  Api api_;
  std::string path_;
  std::vector<void*> contexts_;  // by device; kept until the process ends
};

}  // namespace

Result<std::unique_ptr<Runtime>> cuda_runtime() {
  std::string distrusted;
  const std::string file = library_to_open("libcuda.so.1", distrusted);
  if (!distrusted.empty()) return Error{Error::Kind::denied, "libcuda.so.1", std::move(distrusted)};
  void* library = file.empty() ? nullptr : dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* words = dlerror();
    return Error{Error::Kind::missing, "libcuda.so.1",
                 words != nullptr ? words : "cannot be loaded"};
  }
  Api api;
  AbsentNames absent;
#define LOAD(name, symbol, arguments)                                    \
  api.name = reinterpret_cast<int(*) arguments>(dlsym(library, symbol)); \
  if (api.name == nullptr) absent.add(symbol);
  ROCVET_CUDA_CALLS(LOAD)
#undef LOAD
  api.tensor_map =
      reinterpret_cast<decltype(api.tensor_map)>(dlsym(library, "cuTensorMapEncodeTiled"));
  Dl_info where{};
  const bool known = dladdr(reinterpret_cast<void*>(api.init), &where) != 0;
  const std::string path = known && where.dli_fname != nullptr ? where.dli_fname : "libcuda.so.1";
  if (!absent.empty()) return Error{Error::Kind::failed, path, "has no " + absent.text()};
  auto runtime = std::make_unique<CudaRuntime>(api, path);
  if (auto done = runtime->init(); !done) return done.error();
  return std::unique_ptr<Runtime>(std::move(runtime));
}

}  // namespace rocvet::gpu

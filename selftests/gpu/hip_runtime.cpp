// HIP through a libamdhip64 of ROCm 5, 6 or 7 that is loaded when it is needed.
#include <array>
#include <cstring>

#include "base/absent_names.h"
#include "selftests/gpu/hip_api.h"
#include "selftests/gpu/rocm_library.h"
#include "selftests/gpu/runtime.h"

namespace rocvet::gpu {
namespace {

// hipDeviceAttribute_t, the same in HIP 5.2 to 7.2.
enum Attribute {
  kClockRateKhz = 5,
  kIntegrated = 16,
  kL2CacheSize = 19,
  kMemoryBusWidth = 59,
  kMemoryClockRateKhz = 60,
  kComputeUnits = 63,
  kSharedMemoryPerBlock = 74,
  kWarpSize = 87,
};
constexpr int kErrorNoDevice = 100;
constexpr int kErrorPeerAccessAlreadyEnabled = 704;
constexpr unsigned kHostMallocMapped = 2, kHostMallocCoherent = 0x40000000;
constexpr unsigned kStreamNonBlocking = 1;
constexpr std::size_t kPropertiesBytes =
    16384;  // the struct has 792 bytes in HIP 5, 1472 in 6 and 7

struct Meaning {
  int status;
  const char* words;
};
constexpr Meaning kMeanings[] = {
    {kErrorNoDevice, "the runtime finds no AMD GPU that it can use"},
    {101, "there is no such device"},
    {2, "out of device memory"},
    {35, "the driver is older than this runtime needs"},
    {98, "the GPU has no code for this kernel"},
    {209, "the code object is for another GPU"},
    {700, "the kernel accessed memory that it must not"},
    {719, "the kernel faulted; the device needs a new process"},
    {999, "unknown error"},
};

Result<HipApi> load_table(const Library& library) {
  HipApi api;
  AbsentNames absent;
#define CALL(name, signature)                                            \
  api.name = reinterpret_cast<HipApi::name##_t*>(library.symbol(#name)); \
  if (api.name == nullptr) absent.add(#name);
  ROCVET_HIP_CALLS(CALL)
#undef CALL
  using Properties = int(void*, int);
  api.get_device_properties =
      reinterpret_cast<Properties*>(library.symbol("hipGetDevicePropertiesR0600"));
  api.arch_name_offset = 1160;
  if (api.get_device_properties == nullptr) {
    api.get_device_properties =
        reinterpret_cast<Properties*>(library.symbol("hipGetDeviceProperties"));
    api.arch_name_offset = 396;
  }
  if (api.get_device_properties == nullptr) absent.add("hipGetDeviceProperties");
  if (!absent.empty()) {
    return Error{Error::Kind::failed, library.path,
                 "has no " + absent.text() + ": not a HIP 5, 6 or 7"};
  }
  return api;
}

class HipRuntime final : public Runtime {
 public:
  HipRuntime(HipApi api, std::string path) : api_(api), path_(std::move(path)) {}

  Result<Done> init() {
    const int status = api_.hipInit(0);
    if (status == 0) return Done{};
    // HIP 5.2 answers hipErrorInvalidDevice here where it means that there is none.
    int count = 0;
    if (api_.hipGetDeviceCount(&count) == kErrorNoDevice) {
      return check("hipGetDeviceCount", kErrorNoDevice);
    }
    return check("hipInit", status);
  }

  std::string name() const override { return "hip"; }
  std::string library() const override { return path_; }
  std::string version() const override {
    int number = 0;
    if (api_.hipRuntimeGetVersion(&number) != 0) return "";
    // 5.2.21153 is 50221153: major * 10^7 + minor * 10^5 + patch.
    return std::to_string(number / 10000000) + "." + std::to_string(number / 100000 % 100) + "." +
           std::to_string(number % 100000);
  }
  Result<int> device_count() override {
    int count = 0;
    if (auto done = check("hipGetDeviceCount", api_.hipGetDeviceCount(&count)); !done) {
      return done.error();
    }
    return count;
  }
  Result<Done> switch_to(int index) override {
    return check("hipSetDevice", api_.hipSetDevice(index));
  }
  Result<DeviceInfo> use_device(int index) override {
    if (auto done = check("hipSetDevice", api_.hipSetDevice(index)); !done) return done.error();
    DeviceInfo info;
    info.index = index;
    std::array<char, 256> text{};
    if (api_.hipDeviceGetName(text.data(), text.size() - 1, index) == 0) info.name = text.data();
    text = {};
    if (api_.hipDeviceGetPCIBusId(text.data(), text.size() - 1, index) == 0) {
      info.bdf = text.data();
    }
    std::vector<char> properties(kPropertiesBytes);
    if (auto done =
            check("hipGetDeviceProperties", api_.get_device_properties(properties.data(), index));
        !done) {
      return done.error();
    }
    const char* arch = properties.data() + api_.arch_name_offset;
    info.arch.assign(arch, strnlen(arch, 256));
    if (!info.arch.starts_with("gfx")) {
      return malformed("hipGetDeviceProperties", "gives no gfx target");
    }
    info.compute_units = attribute(kComputeUnits, index);
    info.wave_size = attribute(kWarpSize, index);
    info.clock_mhz = attribute(kClockRateKhz, index) / 1000;
    info.memory_clock_mhz = attribute(kMemoryClockRateKhz, index) / 1000;
    info.memory_width_bits = attribute(kMemoryBusWidth, index);
    info.l2_bytes = static_cast<std::uint64_t>(attribute(kL2CacheSize, index));
    info.lds_per_block = static_cast<std::uint64_t>(attribute(kSharedMemoryPerBlock, index));
    info.integrated = attribute(kIntegrated, index) != 0;
    std::size_t free = 0, total = 0;
    if (auto done = check("hipMemGetInfo", api_.hipMemGetInfo(&free, &total)); !done) {
      return done.error();
    }
    info.free_bytes = free;
    info.memory_bytes = total;
    return info;
  }

  Result<Pointer> allocate(std::size_t bytes) override {
    void* memory = nullptr;
    return value("hipMalloc", api_.hipMalloc(&memory, bytes), memory);
  }
  Result<Done> free(Pointer pointer) override {
    return check("hipFree", api_.hipFree(at(pointer)));
  }
  Result<Pointer> allocate_host(std::size_t bytes) override {
    void* memory = nullptr;
    return value("hipHostMalloc",
                 api_.hipHostMalloc(&memory, bytes, kHostMallocMapped | kHostMallocCoherent),
                 memory);
  }
  Result<Done> free_host(Pointer pointer) override {
    return check("hipHostFree", api_.hipHostFree(at(pointer)));
  }
  Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, CopyKind kind) override {
    return check("hipMemcpy", api_.hipMemcpy(at(to), at(from), bytes, number(kind)));
  }
  Result<Done> copy_async(Pointer to, Pointer from, std::size_t bytes, CopyKind kind,
                          Handle stream) override {
    return check("hipMemcpyAsync",
                 api_.hipMemcpyAsync(at(to), at(from), bytes, number(kind), at(stream)));
  }
  Result<Done> fill(Pointer to, unsigned char value, std::size_t bytes) override {
    if (auto done = check("hipMemset", api_.hipMemset(at(to), value, bytes)); !done) return done;
    return synchronize();  // our streams do not wait for the default one
  }

  Result<Handle> load_module(std::span<const std::byte> code) override {
    void* module = nullptr;
    return value("hipModuleLoadData", api_.hipModuleLoadData(&module, code.data()), module);
  }
  Result<Done> unload_module(Handle module) override {
    return check("hipModuleUnload", api_.hipModuleUnload(at(module)));
  }
  Result<Handle> function(Handle module, const std::string& name) override {
    void* function = nullptr;
    return value("hipModuleGetFunction(" + name + ")",
                 api_.hipModuleGetFunction(&function, at(module), name.c_str()), function);
  }
  Result<Done> launch(Handle function, Launch shape, std::span<void*> arguments,
                      Handle stream) override {
    return check(
        "hipModuleLaunchKernel",
        api_.hipModuleLaunchKernel(at(function), shape.blocks, 1, 1, shape.threads, 1, 1,
                                   shape.dynamic_lds, at(stream), arguments.data(), nullptr));
  }

  Result<Handle> create_stream() override {
    void* stream = nullptr;
    return value("hipStreamCreateWithFlags",
                 api_.hipStreamCreateWithFlags(&stream, kStreamNonBlocking), stream);
  }
  Result<Done> destroy_stream(Handle stream) override {
    return check("hipStreamDestroy", api_.hipStreamDestroy(at(stream)));
  }
  Result<Done> synchronize_stream(Handle stream) override {
    return check("hipStreamSynchronize", api_.hipStreamSynchronize(at(stream)));
  }
  Result<Done> wait_event(Handle stream, Handle event) override {
    return check("hipStreamWaitEvent", api_.hipStreamWaitEvent(at(stream), at(event), 0));
  }
  Result<Handle> create_event() override {
    void* event = nullptr;
    return value("hipEventCreateWithFlags", api_.hipEventCreateWithFlags(&event, 0), event);
  }
  Result<Done> destroy_event(Handle event) override {
    return check("hipEventDestroy", api_.hipEventDestroy(at(event)));
  }
  Result<Done> record(Handle event, Handle stream) override {
    return check("hipEventRecord", api_.hipEventRecord(at(event), at(stream)));
  }
  Result<double> elapsed_ms(Handle start, Handle stop) override {
    if (auto done = check("hipEventSynchronize", api_.hipEventSynchronize(at(stop))); !done) {
      return done.error();
    }
    float ms = 0;
    if (auto done =
            check("hipEventElapsedTime", api_.hipEventElapsedTime(&ms, at(start), at(stop)));
        !done) {
      return done.error();
    }
    return static_cast<double>(ms);
  }
  Result<Done> synchronize() override {
    return check("hipDeviceSynchronize", api_.hipDeviceSynchronize());
  }

  Result<bool> can_access_peer(int device, int peer) override {
    int can = 0;
    if (auto done =
            check("hipDeviceCanAccessPeer", api_.hipDeviceCanAccessPeer(&can, device, peer));
        !done) {
      return done.error();
    }
    return can != 0;
  }
  Result<Done> enable_peer(int peer) override {
    const int status = api_.hipDeviceEnablePeerAccess(peer, 0);
    return status == kErrorPeerAccessAlreadyEnabled ? Result<Done>(Done{})
                                                    : check("hipDeviceEnablePeerAccess", status);
  }
  Result<Done> copy_peer(Pointer to, int to_device, Pointer from, int from_device,
                         std::size_t bytes) override {
    return check("hipMemcpyPeer",
                 api_.hipMemcpyPeer(at(to), to_device, at(from), from_device, bytes));
  }

 private:
  static void* at(std::uintptr_t value) { return reinterpret_cast<void*>(value); }
  static int number(CopyKind kind) {  // hipMemcpyKind
    return kind == CopyKind::host_to_device ? 1 : kind == CopyKind::device_to_host ? 2 : 3;
  }
  int attribute(int which, int device) const {
    int value = 0;
    return api_.hipDeviceGetAttribute(&value, which, device) == 0 ? value : 0;
  }
  Result<Done> check(const std::string& call, int status) const {
    if (status == 0) return Done{};
    const char* given = api_.hipGetErrorName(status);
    const std::string name = given != nullptr ? given : "hipError";
    return Error{Error::Kind::failed, call,
                 name + " (" + std::to_string(status) + "): " + words_for(status, name)};
  }
  /// What a status means; HIP 5 has no more to say than its name.
  std::string words_for(int status, const std::string& name) const {
    for (const Meaning& one : kMeanings) {
      if (one.status == status) return one.words;
    }
    const char* words = api_.hipGetErrorString(status);
    return words != nullptr && words != name ? words : "the runtime says no more";
  }
  /// By reference: an argument by value may be read before the call that is another argument.
  Result<std::uintptr_t> value(const std::string& call, int status, void* const& made) const {
    if (auto done = check(call, status); !done) return done.error();
    return reinterpret_cast<std::uintptr_t>(made);
  }

  HipApi api_;
  std::string path_;
};

}  // namespace

Result<std::unique_ptr<Runtime>> hip_runtime() {
  static constexpr int kMajors[] = {7, 6, 5};
  auto library = open_rocm_library("libamdhip64", kMajors);
  if (!library) return library.error();
  auto api = load_table(*library);
  if (!api) return api.error();
  auto runtime = std::make_unique<HipRuntime>(*api, library->path);
  if (auto done = runtime->init(); !done) return done.error();
  return std::unique_ptr<Runtime>(std::move(runtime));
}

}  // namespace rocvet::gpu

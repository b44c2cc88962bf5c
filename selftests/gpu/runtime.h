// One interface over HIP, ROCr, the kernel's driver, CUDA and the CPU: devices, memory, modules,
// launches, events. Used in worker processes only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rocvet::gpu {

struct DeviceInfo {
  int index = 0;
  std::string name;
  std::string arch;  ///< "gfx942:sramecc+:xnack-", "sm_90", "host"
  std::string bdf;   ///< "" for host
  int compute_units = 0, wave_size = 0, clock_mhz = 0, memory_clock_mhz = 0, memory_width_bits = 0;
  std::uint64_t memory_bytes = 0, free_bytes = 0, l2_bytes = 0, lds_per_block = 0;
  bool integrated = false;
};

enum class CopyKind { host_to_device, device_to_host, device_to_device };

/// Opaque handles of the runtime below.
using Pointer = std::uintptr_t;
using Handle = std::uintptr_t;

struct Launch {
  std::uint32_t blocks = 1, threads = 1,
                dynamic_lds = 0;  ///< one-dimensional blocks and grids only
};

/// What NVIDIA's tensor copy engine is told of a matrix, or a stack of them, innermost dimension
/// first. It brings boxes of `box` elements into shared memory in the 128-byte swizzle; zeros
/// outside.
struct TensorBox {
  Pointer base = 0;
  int element_bytes = 2;  ///< 1, 2, 4 or 8
  int dimensions = 2;     ///< 2 or 3
  std::array<std::uint64_t, 3> size{};
  std::array<std::uint64_t, 2> stride_bytes{};  ///< of the second and third dimension
  std::array<std::uint32_t, 3> box{};
};
/// A kernel argument, by value.
struct TensorMap {
  std::array<std::uint64_t, 16> opaque{};
};

/// Every call returns an Error that names the call and the runtime's own words for the status.
class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual std::string name() const = 0;     ///< "hip", "hsa", "kfd", "cuda", "host"
  virtual std::string library() const = 0;  ///< path of the library that was loaded
  virtual std::string version() const = 0;  ///< of the runtime, as it reports it
  virtual Result<int> device_count() = 0;
  virtual Result<DeviceInfo> use_device(int index) = 0;
  /// Back to a device that was in use before, without a question about it.
  virtual Result<Done> switch_to(int index) {
    if (auto device = use_device(index); !device) return device.error();
    return Done{};
  }
  /// Where the device sits, known before it can be used; "" when it is not.
  virtual std::string bus_id(int /*index*/) { return ""; }

  virtual Result<Pointer> allocate(std::size_t bytes) = 0;
  virtual Result<Done> free(Pointer pointer) = 0;
  virtual Result<Pointer> allocate_host(std::size_t bytes) = 0;  ///< pinned, visible to the device
  virtual Result<Done> free_host(Pointer pointer) = 0;
  virtual Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, CopyKind kind) = 0;
  virtual Result<Done> copy_async(Pointer to, Pointer from, std::size_t bytes, CopyKind kind,
                                  Handle stream) = 0;
  virtual Result<Done> fill(Pointer to, unsigned char value, std::size_t bytes) = 0;

  virtual Result<Handle> load_module(std::span<const std::byte> code) = 0;
  virtual Result<Handle> function(Handle module, const std::string& name) = 0;
  /// `arguments`: pointers to each kernel argument, in order.
  virtual Result<Done> launch(Handle function, Launch shape, std::span<void*> arguments,
                              Handle stream) = 0;

  virtual Result<Handle> create_stream() = 0;
  virtual Result<Handle> create_event() = 0;
  virtual Result<Done> record(Handle event, Handle stream) = 0;
  virtual Result<double> elapsed_ms(Handle start, Handle stop) = 0;  ///< waits for `stop`
  virtual Result<Done> synchronize() = 0;

  // What only some tests need; a runtime without it says so.
  virtual Result<TensorMap> tensor_map(const TensorBox&) { return unsupported("tensor_map"); }
  virtual Result<Done> synchronize_stream(Handle) { return unsupported("synchronize_stream"); }
  virtual Result<Done> wait_event(Handle /*stream*/, Handle /*event*/) {
    return unsupported("wait_event");
  }
  virtual Result<bool> can_access_peer(int /*device*/, int /*peer*/) {
    return unsupported("can_access_peer");
  }
  /// From then on the device in use reads and writes the memory of `peer`.
  virtual Result<Done> enable_peer(int /*peer*/) { return unsupported("enable_peer"); }
  /// Between devices, whichever is in use.
  virtual Result<Done> copy_peer(Pointer /*to*/, int /*to_device*/, Pointer /*from*/,
                                 int /*from_device*/, std::size_t) {
    return unsupported("copy_peer");
  }

  /// `say` is told, once in a wait that lasts long, what the device has done of its work.
  virtual void on_long_wait(void (*)(const std::string& state)) {}

  // Owners call these; a runtime that keeps nothing may do nothing.
  virtual Result<Done> destroy_stream(Handle) { return Done{}; }
  virtual Result<Done> destroy_event(Handle) { return Done{}; }
  virtual Result<Done> unload_module(Handle) { return Done{}; }

 protected:
  Error unsupported(const char* call) const {
    return {Error::Kind::unsupported, call, "the " + name() + " runtime has no such call"};
  }
};

/// Each loads its library on the first call; missing libraries are Error::missing.
Result<std::unique_ptr<Runtime>> hip_runtime();
Result<std::unique_ptr<Runtime>> cuda_runtime();
Result<std::unique_ptr<Runtime>> host_runtime();
/// AMD's GPUs through ROCr.
Result<std::unique_ptr<Runtime>> hsa_runtime();
/// AMD's GPUs through /dev/kfd alone. Error::missing: the kernel has no compute driver.
Result<std::unique_ptr<Runtime>> kfd_runtime();

/// How the host device runs kernels; for tests of the tests.
struct HostOptions {
  std::uint64_t seed = 1;    ///< of the order in which threads run
  int removed_barrier = -1;  ///< see HostLaunch
};
Result<std::unique_ptr<Runtime>> host_runtime(HostOptions options);

}  // namespace rocvet::gpu

// The CPU as a device: memory is memory, streams are in order because everything is.
#include <sys/sysinfo.h>

#include <chrono>
#include <cstring>
#include <new>
#include <thread>
#include <unordered_map>

#include "selftests/gpu/host_kernels.h"
#include "selftests/gpu/host_threads.h"
#include "selftests/gpu/runtime.h"

namespace rocvet::gpu {
namespace {

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class HostRuntime final : public Runtime {
 public:
  explicit HostRuntime(HostOptions options) : options_(options) {}

  std::string name() const override { return "host"; }
  std::string library() const override { return ""; }
  std::string version() const override { return ROCVET_VERSION; }
  Result<int> device_count() override { return 1; }
  Result<DeviceInfo> use_device(int index) override {
    if (index != 0) return missing("host:" + std::to_string(index), "there is one host device");
    struct sysinfo memory {};
    sysinfo(&memory);
    DeviceInfo info;
    info.name = "host CPU";
    info.arch = "host";
    info.compute_units = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    info.wave_size = kHostWaveSize;
    info.memory_bytes = static_cast<std::uint64_t>(memory.totalram) * memory.mem_unit;
    info.free_bytes = static_cast<std::uint64_t>(memory.freeram) * memory.mem_unit;
    info.integrated = true;
    return info;
  }

  Result<Pointer> allocate(std::size_t bytes) override {
    void* memory = ::operator new (bytes, std::align_val_t{256}, std::nothrow);
    if (memory == nullptr) {
      return Error{Error::Kind::failed, "allocate",
                   std::to_string(bytes) + " bytes: out of memory"};
    }
    return reinterpret_cast<Pointer>(memory);
  }
  Result<Done> free(Pointer pointer) override {
    ::operator delete (reinterpret_cast<void*>(pointer), std::align_val_t{256});
    return Done{};
  }
  Result<Pointer> allocate_host(std::size_t bytes) override { return allocate(bytes); }
  Result<Done> free_host(Pointer pointer) override { return free(pointer); }
  Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, CopyKind) override {
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return Done{};
  }
  Result<Done> copy_async(Pointer to, Pointer from, std::size_t bytes, CopyKind kind,
                          Handle) override {
    return copy(to, from, bytes, kind);
  }
  Result<Done> fill(Pointer to, unsigned char value, std::size_t bytes) override {
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return Done{};
  }

  Result<Handle> load_module(std::span<const std::byte>) override { return Handle{1}; }
  Result<Handle> function(Handle, const std::string& name) override {
    const HostKernel kernel = find_host_kernel(name);
    if (kernel == nullptr) return missing("kernel " + name);
    return reinterpret_cast<Handle>(kernel);
  }
  Result<Done> launch(Handle function, Launch shape, std::span<void*> arguments, Handle) override {
    const auto kernel = reinterpret_cast<HostKernel>(function);
    return run_on_host({shape.blocks, shape.threads, options_.seed, options_.removed_barrier},
                       [&] { kernel(arguments.data()); });
  }

  Result<Handle> create_stream() override { return ++last_handle_; }
  Result<Handle> create_event() override { return ++last_handle_; }
  Result<Done> destroy_event(Handle event) override {
    events_.erase(event);
    return Done{};
  }
  Result<Done> record(Handle event, Handle) override {
    events_[event] = now_ms();
    return Done{};
  }
  Result<double> elapsed_ms(Handle start, Handle stop) override {
    const auto first = events_.find(start), last = events_.find(stop);
    if (first == events_.end() || last == events_.end()) {
      return Error{Error::Kind::failed, "elapsed_ms", "an event that was not recorded"};
    }
    return last->second - first->second;
  }
  Result<Done> synchronize() override { return Done{}; }
  Result<Done> synchronize_stream(Handle) override { return Done{}; }
  Result<Done> wait_event(Handle, Handle) override { return Done{}; }

 private:
  HostOptions options_;
  Handle last_handle_ = 0;
  std::unordered_map<Handle, double> events_;
};

}  // namespace

Result<std::unique_ptr<Runtime>> host_runtime(HostOptions options) {
  return std::unique_ptr<Runtime>(std::make_unique<HostRuntime>(options));
}
Result<std::unique_ptr<Runtime>> host_runtime() {
  return host_runtime(HostOptions{});
}

}  // namespace rocvet::gpu

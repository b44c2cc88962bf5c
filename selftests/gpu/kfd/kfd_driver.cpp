// A driver of our own over the kernel's interface: nothing of ROCm is opened. It has not been seen
// on silicon yet, so it runs only for a device that is asked for as kfd:N.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "machine/kfd_topology.h"
#include "selftests/gpu/aql_driver.h"
#include "selftests/gpu/kfd/kfd_queue.h"
#include "selftests/gpu/kfd/signal_pool.h"
#include "source/source.h"

namespace rocvet::gpu {
namespace {

using kfd::CopyQueue;
using kfd::KfdDevice;
using kfd::Memory;
using kfd::MemoryKind;

class KfdDriver final : public AqlDriver {
 public:
  explicit KfdDriver(std::vector<KfdNode> nodes) : nodes_(std::move(nodes)) {}

  ~KfdDriver() override {
    // Queues first: the kernel stops one whose memory goes.
    up_.reset();
    down_.reset();
    signals_.reset();
    for (const auto& [address, memory] : memory_) (void)device_->free(memory);
  }

  std::string name() const override { return "kfd"; }
  std::string library() const override { return "/dev/kfd"; }
  std::string version() const override {
    if (!device_) return "";
    const kfd::Version version = device_->version();
    return std::to_string(version.major) + "." + std::to_string(version.minor);
  }
  int device_count() const override { return static_cast<int>(nodes_.size()); }
  std::string bus_id(int index) const override {
    return gpu_from_kfd_node(node(index)).bdf.value_or(std::string());
  }

  Result<DeviceInfo> open(int index) override {
    auto device = KfdDevice::open(node(index));
    if (!device) return device.error();
    device_ = *std::move(device);
    device_->long_wait_s = kLongWait_s;
    device_->on_long_wait = [this] {
      if (on_long_wait) on_long_wait();
    };
    signals_.emplace(*device_);
    return describe(index);
  }

  Result<Pointer> allocate(std::size_t bytes, Where where) override {
    const auto memory = kept(bytes, where == Where::device ? MemoryKind::vram : MemoryKind::host);
    if (!memory) return memory.error();
    return memory->address;
  }
  Result<Done> free(Pointer pointer) override {
    const auto found = memory_.find(pointer);
    if (found == memory_.end()) return missing("free", "there is no memory at this address");
    const Memory memory = found->second;
    memory_.erase(found);
    return device_->free(memory);
  }

  Result<LoadedCode> load(std::span<const std::byte> object) override {
    auto image = read_amdgpu_code(object);
    if (!image) return image.error();
    if (image->target != arch_)
      return Error{Error::Kind::failed, "code object",
                   "it is for " + image->target + ", and the GPU is " + arch_};
    const std::size_t bytes = image->bytes.size();
    const auto code = kept(bytes, MemoryKind::code), staging = kept(bytes, MemoryKind::host);
    if (!code) return code.error();
    if (!staging) return staging.error();
    std::memcpy(staging->as<void>(), image->bytes.data(), bytes);
    for (const CodeRelocation& relocation : image->relocations) {
      const std::uint64_t value = code->address + relocation.addend;
      std::memcpy(staging->as<void>(relocation.offset), &value, sizeof value);
    }
    const auto signal = take_signal(true);
    if (!signal) return signal.error();
    auto copied =
        copy(code->address, staging->address, bytes, CopyKind::host_to_device, nullptr, *signal);
    if (copied) copied = wait(*signal);
    if (!copied) return copied.error();
    give_back(*signal);
    if (auto done = free(staging->address); !done) return done.error();
    LoadedCode loaded{code->address, {}};
    for (auto& [name, kernel] : image->kernels) {
      const std::uint64_t descriptor = code->address + kernel.descriptor;
      loaded.kernels.emplace(name, LoadedKernel{descriptor, std::move(kernel)});
    }
    return loaded;
  }
  Result<Done> unload(std::uint64_t handle) override { return free(handle); }

  Result<std::unique_ptr<AqlQueue>> create_queue() override {
    return kfd::ComputeQueue::create(*device_);
  }
  Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, CopyKind kind, aql::Signal* before,
                    aql::Signal* after) override {
    // Each direction has an engine, so that both can be used at once.
    std::unique_ptr<CopyQueue>& engine = kind == CopyKind::device_to_host ? down_ : up_;
    if (!engine) {
      auto made = CopyQueue::create(*device_);
      if (!made) return made.error();
      engine = *std::move(made);
    }
    return engine->copy(to, from, bytes, before, after);
  }

  std::string copies() const override {
    std::string out;
    if (up_) out = "to the GPU: " + up_->state();
    if (down_) out += (out.empty() ? "" : "; ") + ("from the GPU: " + down_->state());
    return out;
  }

  Result<aql::Signal*> take_signal(bool watched) override {
    auto signal = signals_->take();
    if (signal && watched) reset(*signal);
    return signal;
  }
  void give_back(aql::Signal* signal) override { signals_->give_back(signal); }
  void reset(aql::Signal* signal) {
    signal->mailbox = device_->mailbox();
    signal->event_id = device_->event_id();
    signal->start_ticks = signal->end_ticks = 0;
    signal->value.store(1, std::memory_order_release);
  }
  Result<Done> wait(aql::Signal* signal) override {
    return device_->wait_for([&] { return signal->value.load(std::memory_order_acquire) <= 0; },
                             true);
  }
  Result<double> elapsed_ms(const aql::Signal* start, const aql::Signal* stop) override {
    const auto rate = device_->ticks_per_ns();
    if (!rate) return rate.error();
    if (start->end_ticks == 0 || stop->end_ticks < start->end_ticks)
      return malformed("timestamps", "the GPU wrote none, or such as make no sense");
    return static_cast<double>(stop->end_ticks - start->end_ticks) / *rate * 1e-6;
  }

 private:
  const KfdNode& node(int index) const { return nodes_[static_cast<std::size_t>(index)]; }

  DeviceInfo describe(int index) {
    const Gpu gpu = gpu_from_kfd_node(node(index));
    const auto number = [&](const char* name) {
      return node(index).property(name).value_or(std::uint64_t{0});
    };
    DeviceInfo info;
    info.index = index;
    info.arch = gpu.gfx.value_or(std::string());
    info.name = arch_ = info.arch;
    info.bdf = gpu.bdf.value_or(std::string());
    info.compute_units = gpu.compute_units.value_or(0);
    info.wave_size = gpu.wavefront_size.value_or(0);
    info.clock_mhz = gpu.max_engine_clock_mhz.value_or(0);
    info.memory_clock_mhz = gpu.max_memory_clock_mhz.value_or(0);
    info.memory_width_bits = gpu.memory_width_bits.value_or(0);
    info.memory_bytes = gpu.vram_bytes.value_or(std::uint64_t{0});
    info.free_bytes = device_->available_bytes().value_or(info.memory_bytes);
    info.lds_per_block = number("lds_size_in_kb") * 1024;
    info.integrated = number("cpu_cores_count") > 0;
    return info;
  }

  Result<Memory> kept(std::size_t bytes, MemoryKind kind) {
    auto memory = device_->allocate(bytes, kind);
    if (memory) memory_[memory->address] = *memory;
    return memory;
  }

  std::vector<KfdNode> nodes_;
  std::unique_ptr<KfdDevice> device_;
  std::string arch_;
  std::optional<kfd::SignalPool> signals_;
  std::map<std::uint64_t, Memory> memory_;
  std::unique_ptr<CopyQueue> up_, down_;
};

}  // namespace

Result<std::unique_ptr<AqlDriver>> kfd_driver() {
  const auto source = live_source();
  auto nodes = read_kfd_topology(*source);
  if (!nodes) return nodes.error();
  std::erase_if(*nodes, [](const KfdNode& node) { return !node.is_gpu(); });
  return std::unique_ptr<AqlDriver>(std::make_unique<KfdDriver>(*std::move(nodes)));
}

}  // namespace rocvet::gpu

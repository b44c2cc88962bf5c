// One GPU through the kernel's compute driver alone: /dev/kfd and the GPU's render node. Memory,
// events and clocks; queues are kfd_queue.h's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "machine/kfd_topology.h"
#include "selftests/gpu/aql.h"
#include "selftests/gpu/kfd/kfd_abi.h"

namespace rocvet::gpu::kfd {

/// An open file, or -1.
class File {
 public:
  explicit File(int number = -1) : number_(number) {}
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  int number() const { return number_; }

 private:
  int number_;
};

enum class MemoryKind {
  vram,        ///< of the GPU; the CPU sees it where the whole of it is mapped
  code,        ///< as vram, at an address that no other allocation gets afterwards
  host,        ///< pinned, of the CPU, cached by it
  control,     ///< pinned and not cached by the GPU: rings, signals, kernel arguments
  queue_save,  ///< of the GPU, for the command processor alone
};

/// Mapped on the GPU, and where `on_cpu` on the CPU at the same address.
struct Memory {
  std::uint64_t address = 0, bytes = 0, handle = 0;
  bool on_cpu = false, keep_address = false;
  template <typename T>
  T* as(std::uint64_t offset = 0) const {
    return reinterpret_cast<T*>(address + offset);
  }
};

class KfdDevice {
 public:
  /// Opens both nodes and takes the GPU's address space for this process. Error::denied where the
  /// user may not, Error::missing where there is no node.
  static Result<std::unique_ptr<KfdDevice>> open(const KfdNode& node);
  ~KfdDevice();
  KfdDevice(const KfdDevice&) = delete;

  const KfdNode& node() const { return node_; }
  std::uint32_t gpu_id() const { return gpu_id_; }
  Version version() const { return version_; }
  const Aperture& aperture() const { return aperture_; }

  /// Whole pages; `bytes` is rounded up.
  Result<Memory> allocate(std::uint64_t bytes, MemoryKind kind);
  Result<Done> free(const Memory& memory);
  Result<std::uint64_t> available_bytes();

  /// One request of /dev/kfd; errors name it and say what the kernel means.
  Result<Done> ask(const Request& request, void* argument) const;
  /// Where a doorbell of this GPU lies that the kernel gave at `offset` of /dev/kfd.
  Result<std::uint64_t*> doorbell(std::uint64_t offset);

  /// What a signal holds so that its change wakes wait_for().
  std::uint64_t mailbox() const { return page_.address + std::uint64_t{8} * signal_.slot; }
  std::uint32_t event_id() const { return signal_.event_id; }
  /// Until `done`; an error when the GPU reports a fault, or that it stopped a queue: from then on
  /// that of every wait. `asleep`: what brings `done` about writes the mailbox and interrupts.
  Result<Done> wait_for(const std::function<bool()>& done, bool asleep);
  /// Called once in a wait_for() that lasts for so many seconds; may be empty.
  std::function<void()> on_long_wait;
  int long_wait_s = 0;
  /// What the command processor writes a reason to when it stops a queue.
  void watch(const aql::Signal* stopped) { watched_.push_back(stopped); }
  void unwatch(const aql::Signal* stopped) { std::erase(watched_, stopped); }

  /// The GPU's clock ticks of one nanosecond, since the device was opened.
  Result<double> ticks_per_ns();

 private:
  KfdDevice(const KfdNode& node, File kfd, File render)
      : node_(node), kfd_(std::move(kfd)), render_(std::move(render)) {}
  Result<Done> start();
  Result<Done> create_events();
  Result<ClockCounters> clocks() const;
  Result<Done> faults(std::uint32_t wait_ms);
  Result<Done> look(std::uint32_t wait_ms);

  KfdNode node_;
  File kfd_, render_;
  Version version_;
  Aperture aperture_;
  std::uint32_t gpu_id_ = 0;
  bool all_vram_on_cpu_ = false;
  Memory page_;
  CreateEvent signal_, memory_fault_, reset_;
  std::uint64_t signal_age_ = 1;  ///< how often it has happened, as the driver counts
  std::vector<const aql::Signal*> watched_;
  Result<Done> usable_ = Done{};  ///< an error once the GPU has faulted
  ClockCounters first_clocks_;
  std::uint64_t doorbell_frame_ = 0, doorbell_at_ = 0;
};

}  // namespace rocvet::gpu::kfd

#include "selftests/gpu/host_threads.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "selftests/gpu/fiber.h"
#include "selftests/gpu/race.h"
#include "selftests/kernels/platform.h"

namespace rocvet::gpu {
namespace {

/// Runs blocks, one after the other, on the thread that owns it.
class BlockRunner {
 public:
  BlockRunner(const HostLaunch& launch, const std::function<void()>& kernel)
      : launch_(launch), kernel_(kernel), threads_(launch.threads) {}

  /// False when the threads of the block stand at different places and none can go on.
  bool run(std::uint32_t block);

  std::uint32_t current = 0, block = 0;
  const HostLaunch& launch() const { return launch_; }

  void barrier() {
    Thread& self = threads_[current];
    if (launch_.removed_barrier == self.barriers++) return;
    ++self.intervals;
    ++at_barrier_;
    self.fiber.leave();
  }

  std::uint32_t shuffle(std::uint32_t value, std::uint32_t from) {
    // Two sets of slots in turn: a thread can be one operation ahead of a neighbour, never two.
    Thread& self = threads_[current];
    const std::uint32_t wave = current / kHostWaveSize, first = wave * kHostWaveSize;
    const unsigned turn = self.shuffles++ % 2;
    self.slot[turn] = value;
    Wave& here = waves_[wave];
    if (++here.arrived == here.size) {
      here.arrived = 0;
      for (std::uint32_t lane = 0; lane < here.size; ++lane) {
        if (first + lane != current) ready_.push_back(first + lane);
      }
    } else {
      self.fiber.leave();
    }
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a wave has this thread at least
    return threads_[first + from % here.size].slot[turn];
  }

  void access(const std::byte* at, std::size_t bytes, bool write) {
    if (!race.empty()) return;
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      Shared& array = shared_[i];
      const std::byte* first = array.memory.get();
      if (at < first || at >= first + array.bytes) continue;
      if (!array.log) array.log.emplace(array.bytes);
      const auto found = array.log->add(static_cast<std::size_t>(at - first), bytes, current,
                                        threads_[current].intervals, write);
      if (found) race = describe(*found, i);
      return;
    }
  }
  std::string race;  ///< the first that was found

  void* shared_memory(std::size_t bytes) {
    Thread& self = threads_[current];
    const std::size_t call = self.shared_calls++;
    if (call == shared_.size()) {
      shared_.push_back(Shared{std::unique_ptr<std::byte[], FreeAligned>(static_cast<std::byte*>(
                                   ::operator new[](bytes, std::align_val_t{128}))),
                               bytes,
                               {}});
      poison(shared_.back());
    }
    return shared_[call].memory.get();
  }

 private:
  struct Thread {
    Fiber fiber;
    std::uint32_t slot[2] = {};
    unsigned shuffles = 0;
    int barriers = 0;
    std::uint32_t intervals = 0;  ///< barriers that were not removed
    std::size_t shared_calls = 0;
  };
  struct Wave {
    std::uint32_t arrived = 0, size = 0;
  };
  struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{128}); }
  };
  struct Shared {
    std::unique_ptr<std::byte[], FreeAligned> memory;
    std::size_t bytes;
    std::optional<AccessLog> log;  ///< of kernels that report
  };
  std::string describe(const Race& race, std::size_t array) const {
    const auto act = [](std::uint32_t thread, bool writes) {
      return "thread " + std::to_string(thread) + (writes ? " writes" : " reads");
    };
    return "block " + std::to_string(block) + ": " + act(race.first, race.first_writes) + " and " +
           act(race.second, race.second_writes) + " byte " + std::to_string(race.byte) +
           " of shared array " + std::to_string(array) + " with no barrier in between";
  }

  /// All bits set is a NaN in every floating-point format that kernels use.
  static void poison(Shared& shared) { std::memset(shared.memory.get(), 0xff, shared.bytes); }
  static void entry(void* runner);
  void reset();
  void release_all();
  std::uint64_t random() {
    state_ += 0x9e3779b97f4a7c15u;  // splitmix64
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
  }

  const HostLaunch& launch_;
  const std::function<void()>& kernel_;
  std::vector<Thread> threads_;
  std::vector<Wave> waves_;
  std::vector<Shared> shared_;
  std::vector<std::uint32_t> ready_;
  std::uint32_t at_barrier_ = 0, live_ = 0;
  std::uint64_t state_ = 0;
};

thread_local BlockRunner* runner = nullptr;

void BlockRunner::entry(void* self) {
  auto& here = *static_cast<BlockRunner*>(self);
  here.kernel_();
  --here.live_;
  here.threads_[here.current].fiber.leave(true);
}

void BlockRunner::release_all() {
  ready_.resize(threads_.size());
  for (std::uint32_t i = 0; i < ready_.size(); ++i) ready_[i] = i;
  for (std::size_t i = ready_.size(); i > 1; --i) std::swap(ready_[i - 1], ready_[random() % i]);
}

void BlockRunner::reset() {
  state_ = launch_.seed * 0x2545f4914f6cdd1du + block;
  const auto count = static_cast<std::uint32_t>(threads_.size());
  waves_.assign((count + kHostWaveSize - 1) / kHostWaveSize, {});
  for (std::uint32_t i = 0; i < waves_.size(); ++i) {
    waves_[i].size = std::min(kHostWaveSize, count - i * kHostWaveSize);
  }
  for (Thread& thread : threads_) {
    thread.shuffles = 0;
    thread.barriers = 0;
    thread.intervals = 0;
    thread.shared_calls = 0;
    thread.fiber.start(entry, this);
  }
  for (Shared& shared : shared_) {
    poison(shared);
    if (shared.log) shared.log->clear();
  }
  at_barrier_ = 0;
  live_ = count;
}

bool BlockRunner::run(std::uint32_t number) {
  block = number;
  reset();
  release_all();
  while (live_ > 0) {
    if (ready_.empty()) {
      if (at_barrier_ != threads_.size()) return false;
      at_barrier_ = 0;
      release_all();
    }
    current = ready_.back();
    ready_.pop_back();
    threads_[current].fiber.resume();
  }
  return at_barrier_ == 0;
}

}  // namespace

Result<Done> run_on_host(const HostLaunch& launch, const std::function<void()>& kernel) {
  std::atomic<std::uint32_t> next = 0;
  std::atomic<std::int64_t> stuck = -1;
  std::mutex guard;
  std::string race;
  const auto work = [&] {
    BlockRunner mine(launch, kernel);
    runner = &mine;
    for (std::uint32_t block; stuck < 0 && (block = next++) < launch.blocks;) {
      const bool done = mine.run(block);
      if (!mine.race.empty()) {
        const std::lock_guard lock(guard);
        if (race.empty()) race = mine.race;
        break;
      }
      if (!done) stuck = block;
    }
    runner = nullptr;
  };
  const unsigned cores = std::max(1u, std::min(std::thread::hardware_concurrency(), launch.blocks));
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < cores; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  if (!race.empty()) return Error{Error::Kind::failed, "host launch", race};
  if (stuck >= 0) {
    return Error{Error::Kind::failed, "host launch",
                 "block " + std::to_string(stuck) +
                     ": not every thread reached the same barrier or wave operation"};
  }
  return Done{};
}

void host_access(const void* at, std::size_t bytes, bool write) {
  if (runner != nullptr) runner->access(static_cast<const std::byte*>(at), bytes, write);
}

}  // namespace rocvet::gpu

namespace rocvet::kernel::host {

u32 thread_index() {
  return gpu::runner->current;
}
u32 block_index() {
  return gpu::runner->block;
}
u32 grid_blocks() {
  return gpu::runner->launch().blocks;
}
void barrier() {
  gpu::runner->barrier();
}
void* shared_memory(std::size_t bytes) {
  return gpu::runner->shared_memory(bytes);
}
u32 shuffle(u32 value, u32 from) {
  return gpu::runner->shuffle(value, from);
}

}  // namespace rocvet::kernel::host

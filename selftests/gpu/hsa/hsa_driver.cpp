// ROCr, through a libhsa-runtime64 that is loaded when it is needed: what HIP stands on.
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <vector>

#include "base/absent_names.h"
#include "selftests/deep/symbols.h"
#include "selftests/gpu/aql_driver.h"
#include "selftests/gpu/hsa/hsa_api.h"
#include "selftests/gpu/rocm_library.h"

namespace rocvet::gpu {
namespace {

using hsa::Agent;
using hsa::HsaApi;
using hsa::Pool;
using hsa::SignalHandle;

Result<Done> check(const char* call, int status) {
  if (status == 0) return Done{};
  const std::string_view words = hsa::meaning_of(call, status);
  return Error{Error::Kind::failed, call,
               hsa::status_name(status) + (words.empty() ? "" : ": " + std::string(words))};
}

Result<HsaApi> load_hsa_table(const Library& library) {
  HsaApi api;
  AbsentNames absent;
#define CALL(name, signature)                                            \
  api.name = reinterpret_cast<HsaApi::name##_t*>(library.symbol(#name)); \
  if (api.name == nullptr) absent.add(#name);
  ROCVET_HSA_CALLS(CALL)
#undef CALL
  if (absent.empty()) return api;
  return Error{Error::Kind::failed, library.path,
               "has no " + absent.text() + ": not a ROCr of ROCm 5 to 7"};
}

/// A T that a call fills; `fallback` where it does not.
template <typename T, typename Ask>
T asked(const Ask& ask, T fallback = {}) {
  T value{};
  return ask(&value) == 0 ? value : fallback;
}

SignalHandle handle_of(const aql::Signal* signal) {
  return {reinterpret_cast<std::uint64_t>(signal)};
}

/// What ROCr says of a queue that it stopped.
struct QueueState {
  std::atomic<int> status{0};
};

using QueueStates = std::vector<const QueueState*>;

/// An error when ROCr stopped one of them.
Result<Done> all_run(const QueueStates& queues) {
  for (const QueueState* queue : queues) {
    if (const int status = queue->status.load(); status != 0)
      return check("ROCr stopped a queue", status);
  }
  return Done{};
}

class HsaQueue final : public AqlQueue {
 public:
  HsaQueue(const HsaApi& api, QueueStates& queues) : api_(api), queues_(queues) {
    queues_.push_back(&state_);
  }
  ~HsaQueue() override {
    std::erase(queues_, &state_);
    if (queue_ != nullptr) (void)api_.hsa_queue_destroy(queue_);
    if (arguments_memory_ != nullptr) (void)api_.hsa_amd_memory_pool_free(arguments_memory_);
  }

  Result<Done> start(Agent agent, Pool arguments) {
    constexpr std::uint32_t kAsNeeded = UINT32_MAX;  // of scratch and LDS
    if (auto done = check("hsa_amd_memory_pool_allocate",
                          api_.hsa_amd_memory_pool_allocate(arguments, kPackets * kMostArguments, 0,
                                                            &arguments_memory_));
        !done)
      return done;
    if (auto done = check("hsa_amd_agents_allow_access",
                          api_.hsa_amd_agents_allow_access(1, &agent, nullptr, arguments_memory_));
        !done)
      return done;
    if (auto done = check("hsa_queue_create",
                          api_.hsa_queue_create(agent, kPackets, hsa::kSingleProducer, on_error,
                                                &state_, kAsNeeded, kAsNeeded, &queue_));
        !done)
      return done;
    shared_ = static_cast<aql::QueueMemory*>(queue_);
    if (shared_->packets != kPackets)
      return malformed("hsa_queue_create", "gave a queue of another size");
    use(reinterpret_cast<aql::Packet*>(shared_->ring), static_cast<std::byte*>(arguments_memory_),
        shared_);
    return check("hsa_amd_profiling_set_profiler_enabled",
                 api_.hsa_amd_profiling_set_profiler_enabled(queue_, 1));
  }

 private:
  static void on_error(int status, void* /*queue*/, void* state) {
    static_cast<QueueState*>(state)->status = status;
  }
  void ring_doorbell(std::uint64_t value) override {
    api_.hsa_signal_store_screlease({shared_->doorbell_signal}, static_cast<std::int64_t>(value));
  }
  Result<Done> wait_until(const std::function<bool()>& done) override {
    while (!done()) {
      if (auto good = all_run(queues_); !good) return good;
    }
    return Done{};
  }

  const HsaApi& api_;
  QueueStates& queues_;
  QueueState state_;
  void* queue_ = nullptr;
  void* arguments_memory_ = nullptr;
  aql::QueueMemory* shared_ = nullptr;
};

class HsaDriver final : public AqlDriver {
 public:
  HsaDriver(HsaApi api, std::string path) : api_(api), path_(std::move(path)) {}
  ~HsaDriver() override {
    for (aql::Signal* signal : signals_) (void)api_.hsa_signal_destroy(handle_of(signal));
    if (started_) (void)api_.hsa_shut_down();
  }

  Result<Done> start() {
    if (auto done = check("hsa_init", api_.hsa_init()); !done) return done;
    started_ = true;
    const auto keep = [](Agent agent, void* self) {
      return static_cast<HsaDriver*>(self)->take_agent(agent);
    };
    return check("hsa_iterate_agents", api_.hsa_iterate_agents(keep, this));
  }

  std::string name() const override { return "hsa"; }
  std::string library() const override { return path_; }
  std::string version() const override {
    const char* build = asked<const char*>([&](auto* to) {
      return api_.hsa_system_get_info(hsa::kBuildVersion, static_cast<void*>(to));
    });
    std::string text = build == nullptr ? "" : std::string(build, strnlen(build, 64));
    std::erase(text, '"');
    return text;
  }
  int device_count() const override { return static_cast<int>(gpus_.size()); }
  std::string bus_id(int index) const override {
    const Agent agent = gpus_[static_cast<std::size_t>(index)];
    const std::uint32_t bdf = number(agent, hsa::kBdf);
    return deep::bdf_text(number(agent, hsa::kDomain), bdf >> 8, bdf >> 3, bdf);
  }

  Result<DeviceInfo> open(int index) override {
    gpu_ = gpus_[static_cast<std::size_t>(index)];
    if (auto done = take_pools(gpu_, of_gpu_); !done) return done.error();
    if (auto done = take_pools(cpu_, of_cpu_); !done) return done.error();
    if (!of_gpu_.coarse || !of_cpu_.fine || !of_cpu_.arguments)
      return Error{Error::Kind::failed, "ROCr",
                   "gives this GPU no memory, or the host none for it"};
    const std::uint64_t ticks = asked<std::uint64_t>(
        [&](auto* to) { return api_.hsa_system_get_info(hsa::kTimestampFrequency, to); });
    ticks_per_ms_ = static_cast<double>(ticks) * 1e-3;
    DeviceInfo info;
    info.index = index;
    info.arch = text(gpu_, hsa::kAgentName);
    info.name = text(gpu_, hsa::kProductName);
    if (!info.arch.starts_with("gfx"))
      return malformed("hsa_agent_get_info", "gives no gfx target");
    info.bdf = bus_id(index);
    info.compute_units = static_cast<int>(number(gpu_, hsa::kComputeUnits));
    info.wave_size = static_cast<int>(number(gpu_, hsa::kWavefrontSize));
    info.clock_mhz = static_cast<int>(number(gpu_, hsa::kMaxClock));
    info.memory_clock_mhz = static_cast<int>(number(gpu_, hsa::kMemoryClock));
    info.memory_width_bits = static_cast<int>(number(gpu_, hsa::kMemoryWidth));
    info.memory_bytes = of_gpu_.coarse_bytes;
    info.free_bytes = asked<std::uint64_t>(
        [&](auto* to) { return api_.hsa_agent_get_info(gpu_, hsa::kMemoryAvailable, to); },
        info.memory_bytes);
    info.lds_per_block = of_gpu_.group_bytes;
    return info;
  }

  Result<Pointer> allocate(std::size_t bytes, Where where) override {
    void* memory = nullptr;
    const Pool pool = where == Where::device ? *of_gpu_.coarse : *of_cpu_.fine;
    if (auto done = check("hsa_amd_memory_pool_allocate",
                          api_.hsa_amd_memory_pool_allocate(pool, bytes, 0, &memory));
        !done)
      return done.error();
    if (auto done = check("hsa_amd_agents_allow_access",
                          api_.hsa_amd_agents_allow_access(1, &gpu_, nullptr, memory));
        !done)
      return done.error();
    return reinterpret_cast<Pointer>(memory);
  }
  Result<Done> free(Pointer pointer) override {
    return check("hsa_amd_memory_pool_free",
                 api_.hsa_amd_memory_pool_free(reinterpret_cast<void*>(pointer)));
  }

  Result<LoadedCode> load(std::span<const std::byte> object) override {
    auto image = read_amdgpu_code(object);
    if (!image) return image.error();
    hsa::Reader reader;
    hsa::Executable executable;
    if (auto done = check(
            "hsa_code_object_reader_create_from_memory",
            api_.hsa_code_object_reader_create_from_memory(object.data(), object.size(), &reader));
        !done)
      return done.error();
    auto done = check("hsa_executable_create_alt",
                      api_.hsa_executable_create_alt(hsa::kFullProfile, hsa::kDefaultRounding,
                                                     nullptr, &executable));
    if (done)
      done = check(
          "hsa_executable_load_agent_code_object",
          api_.hsa_executable_load_agent_code_object(executable, gpu_, reader, nullptr, nullptr));
    if (done)
      done = check("hsa_executable_freeze", api_.hsa_executable_freeze(executable, nullptr));
    (void)api_.hsa_code_object_reader_destroy(reader);
    if (!done) return done.error();
    LoadedCode loaded{executable.handle, {}};
    for (auto& [kernel_name, kernel] : image->kernels) {
      hsa::Symbol symbol;
      LoadedKernel one{0, std::move(kernel)};
      const std::string descriptor = kernel_name + ".kd";
      if (auto found = check("hsa_executable_get_symbol_by_name",
                             api_.hsa_executable_get_symbol_by_name(executable, descriptor.c_str(),
                                                                    &gpu_, &symbol));
          !found)
        return found.error();
      if (auto found =
              check("hsa_executable_symbol_get_info",
                    api_.hsa_executable_symbol_get_info(symbol, hsa::kKernelObject, &one.object));
          !found)
        return found.error();
      loaded.kernels.emplace(kernel_name, std::move(one));
    }
    return loaded;
  }
  Result<Done> unload(std::uint64_t handle) override {
    return check("hsa_executable_destroy", api_.hsa_executable_destroy({handle}));
  }

  Result<std::unique_ptr<AqlQueue>> create_queue() override {
    auto queue = std::make_unique<HsaQueue>(api_, queues_);
    if (auto done = queue->start(gpu_, *of_cpu_.arguments); !done) return done.error();
    return std::unique_ptr<AqlQueue>(std::move(queue));
  }
  Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, CopyKind kind, aql::Signal* before,
                    aql::Signal* after) override {
    const SignalHandle first = handle_of(before);
    const bool from_host = kind == CopyKind::host_to_device,
               to_host = kind == CopyKind::device_to_host;
    return check(
        "hsa_amd_memory_async_copy",
        api_.hsa_amd_memory_async_copy(reinterpret_cast<void*>(to), to_host ? cpu_ : gpu_,
                                       reinterpret_cast<const void*>(from), from_host ? cpu_ : gpu_,
                                       bytes, before == nullptr ? 0 : 1,
                                       before == nullptr ? nullptr : &first, handle_of(after)));
  }

  Result<aql::Signal*> take_signal(bool /*watched*/) override {
    if (signals_.empty()) {
      SignalHandle made;
      if (auto done = check("hsa_signal_create", api_.hsa_signal_create(1, 0, nullptr, &made));
          !done)
        return done.error();
      return reinterpret_cast<aql::Signal*>(made.handle);
    }
    aql::Signal* const signal = signals_.back();
    signals_.pop_back();
    reset(signal);
    return signal;
  }
  void give_back(aql::Signal* signal) override { signals_.push_back(signal); }
  void reset(aql::Signal* signal) { api_.hsa_signal_store_screlease(handle_of(signal), 1); }
  Result<Done> wait(aql::Signal* signal) override {
    constexpr std::uint64_t kSliceMs = 200;
    const auto slice = static_cast<std::uint64_t>(ticks_per_ms_ * kSliceMs);
    for (std::uint64_t slices = 1; api_.hsa_signal_wait_scacquire(handle_of(signal), hsa::kLessThan,
                                                                  1, slice, hsa::kBlocked) >= 1;
         ++slices) {
      if (auto good = all_run(queues_); !good) return good;
      if (slices * kSliceMs == std::uint64_t{1000} * kLongWait_s && on_long_wait) on_long_wait();
    }
    return Done{};
  }
  Result<double> elapsed_ms(const aql::Signal* start, const aql::Signal* stop) override {
    hsa::ProfiledTime from, to;
    for (auto [signal, time] : {std::pair{start, &from}, std::pair{stop, &to}}) {
      if (auto done =
              check("hsa_amd_profiling_get_dispatch_time",
                    api_.hsa_amd_profiling_get_dispatch_time(gpu_, handle_of(signal), time));
          !done)
        return done.error();
    }
    if (from.end == 0 || to.end < from.end || ticks_per_ms_ <= 0)
      return malformed("timestamps", "ROCr gives none, or such as make no sense");
    return static_cast<double>(to.end - from.end) / ticks_per_ms_;
  }

 private:
  /// Of one agent.
  struct Pools {
    std::optional<Pool> coarse, fine, arguments;
    std::size_t coarse_bytes = 0, group_bytes = 0;
  };
  struct PoolWalk {
    const HsaApi& api;
    Pools& found;
  };

  int take_agent(Agent agent) {
    if (number(agent, hsa::kDeviceType) == hsa::kGpu) {
      gpus_.push_back(agent);
    } else if (cpu_.handle == 0) {
      cpu_ = agent;
    }
    return 0;
  }
  static int take_pool(Pool pool, void* data) {
    const PoolWalk& walk = *static_cast<PoolWalk*>(data);
    const auto info = [&](int what) {
      return [&walk, pool, what](void* to) {
        return walk.api.hsa_amd_memory_pool_get_info(pool, what, to);
      };
    };
    const auto segment = asked<std::uint32_t>(info(hsa::kSegment)),
               flags = asked<std::uint32_t>(info(hsa::kGlobalFlags));
    const auto bytes = asked<std::size_t>(info(hsa::kPoolBytes));
    if (segment == hsa::kSegmentGroup) walk.found.group_bytes = bytes;
    if (segment != hsa::kSegmentGlobal) return 0;
    if ((flags & hsa::kCoarseGrained) != 0 && bytes > walk.found.coarse_bytes) {
      walk.found.coarse = pool;
      walk.found.coarse_bytes = bytes;
    }
    if ((flags & hsa::kFineGrained) != 0 && !walk.found.fine) walk.found.fine = pool;
    if ((flags & hsa::kKernelArguments) != 0) walk.found.arguments = pool;
    return 0;
  }
  Result<Done> take_pools(Agent agent, Pools& found) const {
    PoolWalk walk{api_, found};
    return check("hsa_amd_agent_iterate_memory_pools",
                 api_.hsa_amd_agent_iterate_memory_pools(agent, take_pool, &walk));
  }

  std::uint32_t number(Agent agent, int what) const {
    return asked<std::uint32_t>([&](auto* to) { return api_.hsa_agent_get_info(agent, what, to); });
  }
  std::string text(Agent agent, int what) const {
    std::array<char, 256> bytes{};
    if (api_.hsa_agent_get_info(agent, what, bytes.data()) != 0) return "";
    return {bytes.data(), strnlen(bytes.data(), bytes.size())};
  }

  HsaApi api_;
  std::string path_;
  bool started_ = false;
  std::vector<Agent> gpus_;
  Agent cpu_, gpu_;
  Pools of_cpu_, of_gpu_;
  double ticks_per_ms_ = 0;
  std::vector<aql::Signal*> signals_;
  QueueStates queues_;
};

}  // namespace

Result<std::unique_ptr<AqlDriver>> hsa_driver() {
  static constexpr int kMajors[] = {1};
  auto library = open_rocm_library("libhsa-runtime64", kMajors);
  if (!library) return library.error();
  auto api = load_hsa_table(*library);
  if (!api) return api.error();
  auto driver = std::make_unique<HsaDriver>(*api, library->path);
  if (auto done = driver->start(); !done) return done.error();
  return std::unique_ptr<AqlDriver>(std::move(driver));
}

}  // namespace rocvet::gpu

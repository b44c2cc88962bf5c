// The runtimes below HIP: what self-tests ask of one, made of an AqlDriver's parts.
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "selftests/gpu/aql_driver.h"
#include "selftests/gpu/code_objects.h"

namespace rocvet::gpu {
namespace {

constexpr std::size_t kStaging = 4 << 20;

struct Stream {
  std::unique_ptr<AqlQueue> queue;
  std::vector<aql::Signal*> used;  ///< by copies; free when the stream has done all
};
struct Event {
  aql::Signal* signal = nullptr;
  bool recorded = false;
};

/// Adds and finds what handles stand for: a handle is the address of one.
template <typename T>
class Owned {
 public:
  Handle add(T value) {
    all_.push_back(std::make_unique<T>(std::move(value)));
    return reinterpret_cast<Handle>(all_.back().get());
  }
  T& at(Handle handle) const { return *reinterpret_cast<T*>(handle); }
  void remove(Handle handle) {
    std::erase_if(all_, [&](const auto& one) { return one.get() == &at(handle); });
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::vector<std::unique_ptr<T>> all_;
};

class AqlRuntime final : public Runtime {
 public:
  explicit AqlRuntime(std::unique_ptr<AqlDriver> driver) : driver_(std::move(driver)) {}

  std::string name() const override { return driver_->name(); }
  std::string library() const override { return driver_->library(); }
  std::string version() const override { return driver_->version(); }
  void on_long_wait(void (*say)(const std::string&)) override {
    driver_->on_long_wait = [this, say] {
      std::string text = "waiting for " + std::to_string(AqlDriver::kLongWait_s) + " s";
      int number = 0;
      for (const auto& stream : streams_)
        text += "; queue " + std::to_string(number++) + ": " + stream->queue->state();
      if (const std::string copies = driver_->copies(); !copies.empty()) text += "; " + copies;
      say(text);
    };
  }
  Result<int> device_count() override { return driver_->device_count(); }
  std::string bus_id(int index) override { return driver_->bus_id(index); }

  Result<DeviceInfo> use_device(int index) override {
    if (staging_ != 0) {
      if (index == device_.index) return device_;
      return Error{Error::Kind::unsupported, "use_device",
                   "a process uses one device of the " + name() + " runtime"};
    }
    const auto device = driver_->open(index);
    if (!device) return device.error();
    device_ = *device;
    const auto staging = allocate_host(kStaging);
    if (!staging) return staging.error();
    staging_ = *staging;
    return device_;
  }

  Result<Pointer> allocate(std::size_t bytes) override {
    return allocated(bytes, AqlDriver::Where::device);
  }
  Result<Pointer> allocate_host(std::size_t bytes) override {
    return allocated(bytes, AqlDriver::Where::host);
  }
  Result<Done> free(Pointer pointer) override {
    if (memory_.erase(pointer) == 0) return missing("free", "there is no memory at this address");
    // What was launched may use it; where that does not end it stays until the process does.
    if (auto done = synchronize(); !done) return done;
    return driver_->free(pointer);
  }
  Result<Done> free_host(Pointer pointer) override { return free(pointer); }

  Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, CopyKind kind) override {
    if (on_gpu(to, bytes) && on_gpu(from, bytes)) return copy_and_wait(to, from, bytes, kind);
    const bool up = kind == CopyKind::host_to_device;
    for (std::size_t done = 0; done < bytes; done += kStaging) {
      const std::size_t part = std::min(bytes - done, kStaging);
      if (up) std::memcpy(at(staging_), at(from + done), part);
      auto copied = up ? copy_and_wait(to + done, staging_, part, kind)
                       : copy_and_wait(staging_, from + done, part, kind);
      if (!copied) return copied;
      if (!up) std::memcpy(at(to + done), at(staging_), part);
    }
    return Done{};
  }

  Result<Done> copy_async(Pointer to, Pointer from, std::size_t bytes, CopyKind kind,
                          Handle stream) override {
    if (bytes == 0) return Done{};
    if (!on_gpu(to, bytes) || !on_gpu(from, bytes)) {
      if (auto done = synchronize_stream(stream); !done) return done;
      return copy(to, from, bytes, kind);
    }
    if (kind == CopyKind::device_to_device) return copy_by_kernel(to, from, bytes, stream);
    // The queue says when the engine may begin, and waits for it.
    Stream& own = streams_.at(stream);
    aql::Signal* signals[2] = {};
    for (aql::Signal*& signal : signals) {
      const auto taken = driver_->take_signal(false);
      if (!taken) return taken.error();
      signal = *taken;
      own.used.push_back(signal);
    }
    if (auto done = own.queue->barrier(nullptr, signals[0]); !done) return done;
    if (auto done = driver_->copy(to, from, bytes, kind, signals[0], signals[1]); !done)
      return done;
    return own.queue->barrier(signals[1], nullptr);
  }

  Result<Done> fill(Pointer to, unsigned char value, std::size_t bytes) override {
    std::size_t done = std::min(bytes, kStaging);
    std::memset(at(staging_), value, done);
    auto copied = copy_and_wait(to, staging_, done, CopyKind::host_to_device);
    // Then what is filled already, as often as it takes.
    for (std::size_t part; copied && done < bytes; done += part) {
      part = std::min(done, bytes - done);
      copied = copy_and_wait(to + done, to, part, CopyKind::device_to_device);
    }
    return copied;
  }

  Result<Handle> load_module(std::span<const std::byte> code) override {
    auto loaded = driver_->load(code);
    if (!loaded) return loaded.error();
    return modules_.add(*std::move(loaded));
  }
  Result<Done> unload_module(Handle module) override {
    const std::uint64_t handle = modules_.at(module).handle;
    modules_.remove(module);
    if (auto done = synchronize(); !done) return done;
    return driver_->unload(handle);
  }
  Result<Handle> function(Handle module, const std::string& name) override {
    const LoadedCode& code = modules_.at(module);
    const auto found = code.kernels.find(name);
    if (found == code.kernels.end()) return missing(name, "the code has no such kernel");
    const KernelCode& kernel = found->second.code;
    if (kernel.preloads)
      return Error{Error::Kind::unsupported, name,
                   "its arguments come in registers, which the " + this->name() +
                       " runtime does not prepare"};
    if (kernel.private_bytes > 0 || kernel.dynamic_stack)
      return Error{Error::Kind::unsupported, name,
                   "it needs scratch memory, which the " + this->name() + " runtime does not give"};
    return functions_.add(found->second);
  }
  Result<Done> launch(Handle function, Launch shape, std::span<void*> arguments,
                      Handle stream) override {
    const LoadedKernel& kernel = functions_.at(function);
    const std::uint64_t group = std::uint64_t{kernel.code.group_bytes} + shape.dynamic_lds;
    if (group > device_.lds_per_block)
      return Error{Error::Kind::unsupported, "launch",
                   "the kernel needs more LDS than a block has"};
    const auto memory =
        kernel_arguments(kernel.code, arguments, shape.blocks, shape.threads, shape.dynamic_lds);
    if (!memory) return memory.error();
    return streams_.at(stream).queue->run(
        {kernel.object, shape.blocks, shape.threads, static_cast<std::uint32_t>(group), *memory});
  }

  Result<Handle> create_stream() override {
    auto queue = driver_->create_queue();
    if (!queue) return queue.error();
    return streams_.add({*std::move(queue), {}});
  }
  Result<Done> destroy_stream(Handle stream) override {
    auto done = synchronize_stream(stream);
    streams_.remove(stream);
    return done;
  }
  Result<Done> synchronize_stream(Handle handle) override { return finish(streams_.at(handle)); }
  Result<Done> synchronize() override {
    for (const auto& stream : streams_) {
      if (auto done = finish(*stream); !done) return done;
    }
    for (aql::Signal* signal : retired_) driver_->give_back(signal);
    retired_.clear();
    return Done{};
  }

  Result<Handle> create_event() override {
    const auto signal = driver_->take_signal(true);
    if (!signal) return signal.error();
    return events_.add({*signal, false});
  }
  Result<Done> destroy_event(Handle event) override {
    retired_.push_back(events_.at(event).signal);
    events_.remove(event);
    return Done{};
  }
  Result<Done> record(Handle handle, Handle stream) override {
    Event& event = events_.at(handle);
    if (event.recorded) {  // packets may still wait for the one before, or write it
      const auto signal = driver_->take_signal(true);
      if (!signal) return signal.error();
      retired_.push_back(event.signal);
      event.signal = *signal;
    }
    event.recorded = true;
    return streams_.at(stream).queue->barrier(nullptr, event.signal);
  }
  Result<Done> wait_event(Handle stream, Handle event) override {
    return streams_.at(stream).queue->barrier(events_.at(event).signal, nullptr);
  }
  Result<double> elapsed_ms(Handle start, Handle stop) override {
    for (const Handle handle : {start, stop}) {
      const Event& event = events_.at(handle);
      if (!event.recorded) return malformed("elapsed_ms", "an event was not recorded");
      if (auto done = driver_->wait(event.signal); !done) return done.error();
    }
    return driver_->elapsed_ms(events_.at(start).signal, events_.at(stop).signal);
  }

 private:
  static void* at(Pointer pointer) { return reinterpret_cast<void*>(pointer); }

  Result<Pointer> allocated(std::size_t bytes, AqlDriver::Where where) {
    auto pointer = driver_->allocate(bytes, where);
    if (pointer) memory_[*pointer] = bytes;
    return pointer;
  }
  bool on_gpu(Pointer pointer, std::size_t bytes) const {
    const auto after = memory_.upper_bound(pointer);
    if (after == memory_.begin()) return false;
    const auto& [begin, size] = *std::prev(after);
    return pointer - begin + bytes <= size;
  }

  Result<Done> copy_and_wait(Pointer to, Pointer from, std::size_t bytes, CopyKind kind) {
    if (bytes == 0) return Done{};
    const auto signal = driver_->take_signal(true);
    if (!signal) return signal.error();
    auto done = driver_->copy(to, from, bytes, kind, nullptr, *signal);
    if (done) done = driver_->wait(*signal);
    if (done) driver_->give_back(*signal);  // else the engine may still write it
    return done;
  }

  Result<Done> copy_by_kernel(Pointer to, Pointer from, std::uint64_t bytes, Handle stream) {
    if (bytes == 0) return Done{};
    if (copy_kernel_ == 0) {
      const auto code = code_object(device_.arch, "units");
      if (!code) return code.error();
      const auto module = load_module(*code);
      if (!module) return module.error();
      const auto found = function(*module, "copy_bytes");
      if (!found) return found.error();
      copy_kernel_ = *found;
    }
    constexpr std::uint32_t kThreads = 256;
    constexpr std::uint64_t kBytesOfBlock = kThreads * 64, kBlocksOfUnit = 8;
    const auto units = static_cast<std::uint64_t>(std::max(device_.compute_units, 1));
    auto blocks = static_cast<std::uint32_t>(
        std::min((bytes + kBytesOfBlock - 1) / kBytesOfBlock, kBlocksOfUnit * units));
    void* arguments[] = {&to, &from, &bytes, &blocks};
    return launch(copy_kernel_, {blocks, kThreads, 0}, arguments, stream);
  }

  Result<Done> finish(Stream& stream) {
    const auto signal = driver_->take_signal(true);
    if (!signal) return signal.error();
    if (auto done = stream.queue->barrier(nullptr, *signal); !done) return done;
    if (auto done = driver_->wait(*signal); !done) return done;
    driver_->give_back(*signal);
    for (aql::Signal* used : stream.used) driver_->give_back(used);
    stream.used.clear();
    return Done{};
  }

  std::unique_ptr<AqlDriver> driver_;  // outlives the queues of the streams
  DeviceInfo device_;
  std::map<Pointer, std::size_t> memory_;
  Pointer staging_ = 0;
  Owned<LoadedCode> modules_;
  Owned<LoadedKernel> functions_;
  Owned<Stream> streams_;
  Owned<Event> events_;
  std::vector<aql::Signal*> retired_;  ///< of events; free when all streams have ended
  Handle copy_kernel_ = 0;
};

Result<std::unique_ptr<Runtime>> over(Result<std::unique_ptr<AqlDriver>> driver) {
  if (!driver) return driver.error();
  return std::unique_ptr<Runtime>(std::make_unique<AqlRuntime>(*std::move(driver)));
}

}  // namespace

Result<std::unique_ptr<Runtime>> kfd_runtime() {
  return over(kfd_driver());
}
Result<std::unique_ptr<Runtime>> hsa_runtime() {
  return over(hsa_driver());
}

}  // namespace rocvet::gpu

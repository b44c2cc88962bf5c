// What a self-test does with its device, without a word about errors: a call that fails throws
// TestFailure, and `guarded` turns that into the Error which the test returns. Nothing of this
// leaves the self-tests.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "selftests/selftest.h"

namespace rocvet {

struct TestFailure {
  Error error;
};

template <typename T>
T must(Result<T> result) {
  if (!result) throw TestFailure{result.error()};
  return *std::move(result);
}
[[noreturn]] inline void fail(std::string where, std::string what) {
  throw TestFailure{{Error::Kind::failed, std::move(where), std::move(what)}};
}

/// Device memory, or pinned host memory, with an owner.
class Buffer {
 public:
  enum class Where { device, host };
  Buffer(gpu::Runtime& runtime, std::size_t bytes, Where where = Where::device);
  ~Buffer();
  Buffer(Buffer&& other) noexcept
      : runtime_(other.runtime_),
        pointer_(std::exchange(other.pointer_, 0)),
        bytes_(other.bytes_),
        where_(other.where_) {}
  Buffer& operator=(Buffer&&) = delete;

  gpu::Pointer pointer() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }
  /// Of host memory only.
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(pointer_);
  }

 private:
  gpu::Runtime* runtime_;
  gpu::Pointer pointer_ = 0;
  std::size_t bytes_;
  Where where_;
};

class Event {
 public:
  explicit Event(gpu::Runtime& runtime)
      : runtime_(runtime), handle_(must(runtime.create_event())) {}
  ~Event() { (void)runtime_.destroy_event(handle_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  gpu::Handle handle() const { return handle_; }

 private:
  gpu::Runtime& runtime_;
  gpu::Handle handle_;
};

/// Times what is put on a stream, by the device's own clock.
class Stopwatch {
 public:
  explicit Stopwatch(const DeviceRun& run) : run_(run), start_(run.runtime), stop_(run.runtime) {}
  /// `after` follows the work at once and is not timed.
  double ms(const std::function<void()>& work, const std::function<void()>& after = {}) const {
    must(run_.runtime.record(start_.handle(), run_.stream));
    work();
    must(run_.runtime.record(stop_.handle(), run_.stream));
    if (after) after();
    return must(run_.runtime.elapsed_ms(start_.handle(), stop_.handle()));
  }

 private:
  const DeviceRun& run_;
  Event start_, stop_;
};

/// Whether a counted engine clock can be one: a counter that is none counts something else.
bool believable_clock(const gpu::DeviceInfo& device, double mhz);

class Device {
 public:
  explicit Device(const DeviceRun& run) : run_(run) {}
  Device(const Device&) = delete;
  ~Device();

  const gpu::DeviceInfo& info() const { return run_.device; }
  gpu::Runtime& runtime() const { return run_.runtime; }
  gpu::Handle stream() const { return run_.stream; }
  bool is_host() const { return run_.runtime.name() == "host"; }

  Buffer buffer(std::size_t bytes) { return Buffer(run_.runtime, bytes); }
  Buffer host_buffer(std::size_t bytes) { return Buffer(run_.runtime, bytes, Buffer::Where::host); }
  template <typename T>
  Buffer upload(const std::vector<T>& data) {
    Buffer to = buffer(data.size() * sizeof(T));
    write(to, data);
    return to;
  }
  template <typename T>
  void write(const Buffer& to, const std::vector<T>& data) {
    synchronize();  // copies do not wait for the stream that kernels run on
    must(runtime().copy(to.pointer(), reinterpret_cast<gpu::Pointer>(data.data()),
                        data.size() * sizeof(T), gpu::CopyKind::host_to_device));
    synchronize();  // the last part of pageable memory may still be on its way; no stream waits for
                    // it
  }
  template <typename T>
  std::vector<T> download(const Buffer& from, std::size_t count, std::size_t first = 0) {
    std::vector<T> data(count);
    synchronize();
    must(runtime().copy(reinterpret_cast<gpu::Pointer>(data.data()),
                        from.pointer() + first * sizeof(T), count * sizeof(T),
                        gpu::CopyKind::device_to_host));
    digest(std::as_bytes(std::span(data)));
    return data;
  }
  /// Where `from` differs from what the same launch gave before; "" when it does not.
  std::string difference(const std::vector<std::byte>& before, const Buffer& from,
                         int element_bytes);
  /// All of a buffer in another of its size.
  void copy(const Buffer& to, const Buffer& from) {
    synchronize();
    must(runtime().copy(to.pointer(), from.pointer(), from.bytes(),
                        gpu::CopyKind::device_to_device));
    synchronize();
  }
  /// A buffer with the same content.
  Buffer duplicate(const Buffer& from) {
    Buffer to = buffer(from.bytes());
    copy(to, from);
    return to;
  }
  void fill(const Buffer& to, unsigned char value) {
    synchronize();
    must(runtime().fill(to.pointer(), value, to.bytes()));
  }

  /// The entry point `name` of the code object `module` that was built for this device.
  gpu::Handle kernel(const std::string& module, const std::string& name);
  /// From now on `module` is this code and not what was built.
  void use_module(const std::string& module, std::span<const std::byte> code) {
    modules_.emplace_back(module, must(runtime().load_module(code)));
  }

  /// Arguments are passed as they are: their types must be those of the kernel. A Buffer is its
  /// address.
  template <typename... Arguments>
  void launch(gpu::Handle function, gpu::Launch shape, const Arguments&... arguments) {
    auto values = std::make_tuple(plain(arguments)...);
    std::apply(
        [&](auto&... value) {
          std::array<void*, sizeof...(Arguments)> pointers = {&value...};
          must(runtime().launch(function, shape, pointers, stream()));
        },
        values);
  }
  void synchronize() { must(runtime().synchronize()); }
  Stopwatch stopwatch() const { return Stopwatch(run_); }
  /// How many sets of operands of `bytes` each a launch must take in turn, to find nothing of them
  /// in any cache; fewer where the memory has no room.
  std::size_t sets_beyond_caches(std::uint64_t bytes) const;
  /// How evenly `blocks` alike fall on the compute units: the share of the time that all of them
  /// work.
  double balance(double blocks) const;
  /// See DeviceRun::note.
  void note(const std::string& text) const {
    if (run_.note != nullptr) run_.note(text);
  }

  /// Milliseconds of `work`, by the device's own clock; at least five samples and, unless the
  /// regime asks for load first, at most a quarter of the time limit. Warms up first. Short work is
  /// repeated within a sample. With no time (limit 0) `work` runs twice all the same: what it
  /// computes is compared with the first run.
  std::vector<double> time_ms(const std::function<void()>& work, const Params& params);

  /// MHz of the engine as it was counted right behind each sample of time_ms: the clock that goes
  /// with their median; nullopt: the device has no such counter, or nothing was timed.
  std::optional<double> clock_mhz() const { return clock_mhz_; }

  /// What was done since the last call, or since the beginning, counts as `name`.
  void stage(const char* name);
  const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }
  /// Of all that was downloaded so far, in its order.
  std::uint64_t digest() const { return digest_; }

 private:
  template <typename T>
  static T plain(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return value;
  }
  static gpu::Pointer plain(const Buffer& buffer) { return buffer.pointer(); }
  void digest(std::span<const std::byte> bytes);
  /// MHz by what count_clock counted, once it is done; nullopt: that can be no clock.
  std::optional<double> counted_mhz(const Buffer& counts);
  /// Cycles of the engine and ticks of the steady clock, by the kernel count_clock.
  struct ClockCount {
    double cycles, ticks;
  };
  ClockCount counted(const Buffer& counts);
  /// Of the steady clock, by events; 0: there is no such clock. Counted once for all tests.
  double ticks_per_ms();

  const DeviceRun& run_;
  std::vector<std::pair<std::string, gpu::Handle>> modules_;
  std::vector<std::pair<std::string, double>> seconds_;
  std::uint64_t digest_ = 0;
  std::optional<double> clock_mhz_;
  std::chrono::steady_clock::time_point stage_began_ = std::chrono::steady_clock::now();
};

/// A self-test's `run`, from a function that throws TestFailure.
template <Measurement (*test)(Device&, const Params&)>
Result<Measurement> guarded(const DeviceRun& run, const Params& params) {
  try {
    Device device(run);
    Measurement measurement = test(device, params);
    device.stage("verify");  // what comes last in every test
    measurement.seconds = device.seconds();
    measurement.digest = device.digest();
    if (!measurement.clock_mhz) measurement.clock_mhz = device.clock_mhz();
    return measurement;
  } catch (const TestFailure& failure) {
    return failure.error;
  } catch (const std::bad_alloc&) {
    return Error{Error::Kind::failed, "host memory", "out of memory"};
  }
}

/// The size of a problem: on the CPU a smaller one does.
template <typename T>
T pick(const Device& device, Size size, T tiny, T quick, T full, T host) {
  if (size == Size::tiny) return tiny;
  if (device.is_host()) return host;
  return size == Size::quick ? quick : full;
}

}  // namespace rocvet

// What an AqlRuntime stands on: one GPU's memory, code, queues and copies, by the kernel's
// interface or by ROCr. One device of it is opened in a process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "selftests/gpu/amdgpu_code.h"
#include "selftests/gpu/aql_queue.h"
#include "selftests/gpu/runtime.h"

namespace rocvet::gpu {

struct LoadedKernel {
  std::uint64_t object = 0;  ///< what a dispatch names
  KernelCode code;
};
struct LoadedCode {
  std::uint64_t handle = 0;
  std::map<std::string, LoadedKernel, std::less<>> kernels;
};

class AqlDriver {
 public:
  virtual ~AqlDriver() = default;
  /// Called once in a wait that lasts for kLongWait_s; may be empty.
  std::function<void()> on_long_wait;
  static constexpr int kLongWait_s = 3;

  virtual std::string name() const = 0;
  virtual std::string library() const = 0;
  virtual std::string version() const = 0;
  /// How far an engine has come that this driver gives copies to; "" where it has none of its own.
  virtual std::string copies() const { return ""; }
  virtual int device_count() const = 0;
  virtual std::string bus_id(int index) const = 0;
  /// Before all that follows, once.
  virtual Result<DeviceInfo> open(int index) = 0;

  enum class Where { device, host };
  virtual Result<Pointer> allocate(std::size_t bytes, Where where) = 0;
  virtual Result<Done> free(Pointer pointer) = 0;
  virtual Result<LoadedCode> load(std::span<const std::byte> object) = 0;
  virtual Result<Done> unload(std::uint64_t handle) = 0;
  virtual Result<std::unique_ptr<AqlQueue>> create_queue() = 0;
  /// By an engine, between what allocate() gave: after `before` (nullptr: at once), then `after`.
  virtual Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, CopyKind kind,
                            aql::Signal* before, aql::Signal* after) = 0;

  /// Not happened yet. `watched`: the CPU will wait for it.
  virtual Result<aql::Signal*> take_signal(bool watched) = 0;
  virtual void give_back(aql::Signal* signal) = 0;
  /// Until it has happened; an error when the GPU says that it will not.
  virtual Result<Done> wait(aql::Signal* signal) = 0;
  /// From the end of what brought one about to the end of what brought the other about.
  virtual Result<double> elapsed_ms(const aql::Signal* start, const aql::Signal* stop) = 0;
};

Result<std::unique_ptr<AqlDriver>> kfd_driver();
Result<std::unique_ptr<AqlDriver>> hsa_driver();

}  // namespace rocvet::gpu

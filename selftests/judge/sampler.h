// Telemetry of one GPU from sysfs while a test runs beside it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "selftests/judge/part.h"

namespace rocvet {

struct SampledDevice {
  std::string folder;  ///< "/sys/bus/pci/devices/0000:03:00.0"
  std::string kfd_processes = "/sys/class/kfd/kfd/proc";
  std::optional<int>
      kfd_gpu_id;  ///< names the vram_N file of a process there; found when not given
  std::string kfd_nodes = "/sys/class/kfd/kfd/topology/nodes";
  std::string processes = "/proc";  ///< whose open files tell what they drew on this GPU
};

/// Samples in a thread of its own every 50 ms. A sleeping GPU is never woken; a read that hangs (a
/// stuck SMU) costs the samples, never the run.
class Sampler {
 public:
  /// Counters, load and other processes are read at once, before the test begins.
  explicit Sampler(SampledDevice device);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// What is timed begins, or has ended: only samples between the two tell of clocks and power,
  /// unless there are none.
  void timing(bool begins);
  /// Ends the sampling; medians and differences. Waits at most half a second for a read that hangs.
  Telemetry finish();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

/// Throttle reasons in a gpu_metrics table: "power", "current", "thermal", "other"; empty for none,
/// for a version that has no such field, or a table that does not hold together. Layouts: the
/// kernel's drivers/gpu/drm/amd/include/kgd_pp_interface.h; bits: pm/swsmu/inc/amdgpu_smu.h.
std::vector<std::string> throttle_reasons(std::string_view gpu_metrics);

/// Variables that slow launches or copies down, as NAME=VALUE, of those that are set.
std::vector<std::string> slowing_variables(const std::map<std::string, std::string>& environment);

}  // namespace rocvet

// No NVIDIA header is needed to build this file; numbers and layouts are those of nvml.h, which are
// fixed by the version that the symbols carry.
#include "selftests/gpu/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>

#include "selftests/gpu/trusted_library.h"

namespace rocvet::gpu {
namespace {

using Device = void*;

struct PciInfo {  // nvmlPciInfo_t of _v3
  char legacy_bus_id[16];
  unsigned domain, bus, device, pci_device_id, pci_subsystem_id;
  char bus_id[32];
};
struct Utilization {
  unsigned gpu, memory;
};
struct NvmlMemory {
  unsigned long long total, free, used;
};
struct ProcessInfo {  // of _v3 (and of _v2 since CUDA 11)
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};
struct ProcessUtilization {
  unsigned pid;
  unsigned long long time_stamp;
  unsigned sm, memory, encoder, decoder;
};

struct FieldValue {
  unsigned field, scope;
  long long time_stamp, latency;
  int type, status;
  union {
    double real;
    unsigned whole;
    unsigned long long large;
  } value;
};

constexpr int kClockSm = 1, kClockMemory = 2, kTemperatureGpu = 0, kThresholdSlowdown = 1;
constexpr int kCorrected = 0, kUncorrected = 1, kVolatile = 0;
constexpr int kExclusiveThread = 1, kProhibited = 2, kExclusiveProcess = 3;  // nvmlComputeMode_t
constexpr unsigned kMostProcesses = 1024;  // a shorter list than the driver keeps is refused
constexpr unsigned kFieldPowerInstant = 186;
constexpr auto kLoadHolds = std::chrono::milliseconds(1500);  ///< samples come about once a second

// Symbol and arguments of every call; each returns an nvmlReturn_t. A missing one is not used.
#define ROCVET_NVML_CALLS(CALL)                                                    \
  CALL(nvmlInit_v2, ())                                                            \
  CALL(nvmlDeviceGetCount_v2, (unsigned*))                                         \
  CALL(nvmlDeviceGetHandleByIndex_v2, (unsigned, Device*))                         \
  CALL(nvmlDeviceGetPciInfo_v3, (Device, PciInfo*))                                \
  CALL(nvmlDeviceGetClockInfo, (Device, int, unsigned*))                           \
  CALL(nvmlDeviceGetMaxClockInfo, (Device, int, unsigned*))                        \
  CALL(nvmlDeviceGetPowerUsage, (Device, unsigned*))                               \
  CALL(nvmlDeviceGetEnforcedPowerLimit, (Device, unsigned*))                       \
  CALL(nvmlDeviceGetPowerManagementDefaultLimit, (Device, unsigned*))              \
  CALL(nvmlDeviceGetTemperature, (Device, int, unsigned*))                         \
  CALL(nvmlDeviceGetTemperatureThreshold, (Device, int, unsigned*))                \
  CALL(nvmlDeviceGetCurrentClocksThrottleReasons, (Device, unsigned long long*))   \
  CALL(nvmlDeviceGetCurrPcieLinkGeneration, (Device, unsigned*))                   \
  CALL(nvmlDeviceGetMaxPcieLinkGeneration, (Device, unsigned*))                    \
  CALL(nvmlDeviceGetCurrPcieLinkWidth, (Device, unsigned*))                        \
  CALL(nvmlDeviceGetMaxPcieLinkWidth, (Device, unsigned*))                         \
  CALL(nvmlDeviceGetPcieReplayCounter, (Device, unsigned*))                        \
  CALL(nvmlDeviceGetTotalEccErrors, (Device, int, int, unsigned long long*))       \
  CALL(nvmlDeviceGetUtilizationRates, (Device, Utilization*))                      \
  CALL(nvmlDeviceGetMemoryInfo, (Device, NvmlMemory*))                             \
  CALL(nvmlDeviceGetComputeMode, (Device, int*))                                   \
  CALL(nvmlDeviceGetComputeRunningProcesses_v3, (Device, unsigned*, ProcessInfo*)) \
  CALL(nvmlDeviceGetFieldValues, (Device, int, FieldValue*))                       \
  CALL(nvmlDeviceGetProcessUtilization,                                            \
       (Device, ProcessUtilization*, unsigned*, unsigned long long))

std::optional<double> transfers_of(const std::optional<double>& generation) {
  constexpr double kRates[] = {2.5, 5, 8, 16, 32, 64};
  if (!generation || *generation < 1 || *generation > 6) return std::nullopt;
  return kRates[static_cast<int>(*generation) - 1];
}

/// Bits of nvmlClocksEventReasons; idle and the application's own clock choice are no reasons.
std::vector<std::string> throttle_of(unsigned long long bits) {
  std::vector<std::string> out;
  if ((bits & (0x4 | 0x80)) != 0) out.emplace_back("power");
  if ((bits & (0x20 | 0x40)) != 0) out.emplace_back("thermal");
  if ((bits & 0x8) != 0 && out.empty()) out.emplace_back("hardware slowdown");
  return out;
}

std::string name_of(int pid) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
  return name;
}

}  // namespace

struct Nvml::State {
#define MEMBER(symbol, arguments) int(*symbol) arguments = nullptr;
  ROCVET_NVML_CALLS(MEMBER)
#undef MEMBER
  struct Gpu {
    Device device = nullptr;
    std::string bdf;
    unsigned long long seen_until = 0;  ///< time stamp of the last utilization sample
    struct Load {
      int percent;
      std::chrono::steady_clock::time_point when;
    };
    std::map<int, Load> loads;  ///< by process: the library tells each sample once
  };
  std::vector<Gpu> gpus;

  template <typename Call, typename... Arguments>
  static std::optional<double> number(Call call, Arguments... arguments) {
    unsigned value = 0;
    if (call == nullptr || call(arguments..., &value) != 0) return std::nullopt;
    return static_cast<double>(value);
  }
  std::uint64_t ecc(Device device, int kind) const {
    unsigned long long count = 0;
    if (nvmlDeviceGetTotalEccErrors == nullptr ||
        nvmlDeviceGetTotalEccErrors(device, kind, kVolatile, &count) != 0)
      return 0;
    return count;
  }
  GpuSample sample(Gpu& gpu) const;
  std::vector<GpuProcess> processes(Gpu& gpu) const;
};

std::vector<GpuProcess> Nvml::State::processes(Gpu& gpu) const {
  std::vector<GpuProcess> out;
  std::vector<ProcessInfo> running(kMostProcesses);
  unsigned count = kMostProcesses;
  if (nvmlDeviceGetComputeRunningProcesses_v3 == nullptr ||
      nvmlDeviceGetComputeRunningProcesses_v3(gpu.device, &count, running.data()) != 0)
    return out;
  for (unsigned i = 0; i < count; ++i) {
    GpuProcess process;
    process.pid = static_cast<int>(running[i].pid);
    process.name = name_of(process.pid);
    if (running[i].used_memory != ~0ull)
      process.memory_bytes = static_cast<double>(running[i].used_memory);
    out.push_back(std::move(process));
  }
  std::vector<ProcessUtilization> loads(kMostProcesses);
  count = kMostProcesses;
  const auto now = std::chrono::steady_clock::now();
  const bool known =
      nvmlDeviceGetProcessUtilization != nullptr &&
      nvmlDeviceGetProcessUtilization(gpu.device, loads.data(), &count, gpu.seen_until) == 0;
  if (known) {
    for (unsigned i = 0; i < count; ++i) {
      gpu.seen_until = std::max(gpu.seen_until, loads[i].time_stamp);
      if (loads[i].sm <= 100)
        gpu.loads[static_cast<int>(loads[i].pid)] = {static_cast<int>(loads[i].sm), now};
    }
  }
  std::erase_if(gpu.loads, [&](const auto& load) { return now - load.second.when > kLoadHolds; });
  for (GpuProcess& process : out) {
    const auto load = gpu.loads.find(process.pid);
    if (load != gpu.loads.end()) process.busy_percent = load->second.percent;
  }
  return out;
}

GpuSample Nvml::State::sample(Gpu& gpu) const {
  const Device device = gpu.device;
  GpuSample out;
  out.bdf = gpu.bdf;
  const auto milli = [](std::optional<double> value) {
    if (value) *value /= 1000;
    return value;
  };
  out.clock_mhz = number(nvmlDeviceGetClockInfo, device, kClockSm);
  out.clock_max_mhz = number(nvmlDeviceGetMaxClockInfo, device, kClockSm);
  out.memory_clock_mhz = number(nvmlDeviceGetClockInfo, device, kClockMemory);
  out.memory_clock_max_mhz = number(nvmlDeviceGetMaxClockInfo, device, kClockMemory);
  out.power_w = milli(number(nvmlDeviceGetPowerUsage, device));
  FieldValue now{};  // where it is known: the other figure is the mean of a second
  now.field = kFieldPowerInstant;
  if (nvmlDeviceGetFieldValues != nullptr && nvmlDeviceGetFieldValues(device, 1, &now) == 0 &&
      now.status == 0 && now.type == 1)
    out.power_w = now.value.whole / 1000.0;
  out.power_cap_w = milli(number(nvmlDeviceGetEnforcedPowerLimit, device));
  out.power_cap_default_w = milli(number(nvmlDeviceGetPowerManagementDefaultLimit, device));
  out.temperature_c = number(nvmlDeviceGetTemperature, device, kTemperatureGpu);
  out.temperature_limit_c = number(nvmlDeviceGetTemperatureThreshold, device, kThresholdSlowdown);
  out.link_gts = transfers_of(number(nvmlDeviceGetCurrPcieLinkGeneration, device));
  out.link_gts_max = transfers_of(number(nvmlDeviceGetMaxPcieLinkGeneration, device));
  out.link_width = number(nvmlDeviceGetCurrPcieLinkWidth, device);
  out.link_width_max = number(nvmlDeviceGetMaxPcieLinkWidth, device);
  out.corrected = ecc(device, kCorrected);
  out.uncorrected = ecc(device, kUncorrected);
  out.replays =
      static_cast<std::uint64_t>(number(nvmlDeviceGetPcieReplayCounter, device).value_or(0));
  unsigned long long reasons = 0;
  if (nvmlDeviceGetCurrentClocksThrottleReasons != nullptr &&
      nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons) == 0)
    out.throttle = throttle_of(reasons);
  Utilization load{};
  if (nvmlDeviceGetUtilizationRates != nullptr && nvmlDeviceGetUtilizationRates(device, &load) == 0)
    out.busy_percent = load.gpu;
  NvmlMemory memory{};
  if (nvmlDeviceGetMemoryInfo != nullptr && nvmlDeviceGetMemoryInfo(device, &memory) == 0) {
    out.memory_used_bytes = static_cast<double>(memory.used);
    out.memory_total_bytes = static_cast<double>(memory.total);
  }
  int mode = 0;
  if (nvmlDeviceGetComputeMode != nullptr && nvmlDeviceGetComputeMode(device, &mode) == 0)
    out.exclusive = mode == kExclusiveThread || mode == kExclusiveProcess || mode == kProhibited;
  out.processes = processes(gpu);
  return out;
}

Nvml::Nvml(std::unique_ptr<State> state) : state_(std::move(state)) {}
Nvml::Nvml(Nvml&&) noexcept = default;
Nvml::~Nvml() = default;

Result<Nvml> Nvml::open() {
  std::string distrusted;
  const std::string file = library_to_open("libnvidia-ml.so.1", distrusted);
  if (!distrusted.empty())
    return Error{Error::Kind::denied, "libnvidia-ml.so.1", std::move(distrusted)};
  void* library = file.empty() ? nullptr : dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return missing("libnvidia-ml.so.1", "cannot be loaded");
  auto state = std::make_unique<State>();
#define LOAD(symbol, arguments) \
  state->symbol = reinterpret_cast<int(*) arguments>(dlsym(library, #symbol));
  ROCVET_NVML_CALLS(LOAD)
#undef LOAD
  if (state->nvmlInit_v2 == nullptr || state->nvmlDeviceGetCount_v2 == nullptr ||
      state->nvmlDeviceGetHandleByIndex_v2 == nullptr || state->nvmlDeviceGetPciInfo_v3 == nullptr)
    return missing("libnvidia-ml.so.1", "has not the calls that are needed");
  unsigned count = 0;
  if (state->nvmlInit_v2() != 0 || state->nvmlDeviceGetCount_v2(&count) != 0)
    return Error{Error::Kind::failed, "libnvidia-ml.so.1", "cannot be initialized"};
  for (unsigned i = 0; i < count; ++i) {
    State::Gpu gpu;
    PciInfo pci{};
    if (state->nvmlDeviceGetHandleByIndex_v2(i, &gpu.device) != 0 ||
        state->nvmlDeviceGetPciInfo_v3(gpu.device, &pci) != 0)
      continue;
    char text[32];  // as CUDA and the kernel write it; the library's own has eight digits of domain
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.0", pci.domain, pci.bus, pci.device);
    gpu.bdf = text;
    state->gpus.push_back(gpu);
  }
  return Nvml(std::move(state));
}

std::vector<GpuSample> Nvml::sample() {
  std::vector<GpuSample> out;
  for (State::Gpu& gpu : state_->gpus) out.push_back(state_->sample(gpu));
  return out;
}

}  // namespace rocvet::gpu

// libamdhip64, libhsa-runtime64, librocm_smi64 and libamd_smi in one file, as far as --deep calls
// them, healthy with two GPUs unless ROCVET_FAKE_LIBRARIES says otherwise: CALL=crash, abort, hang,
// exit, stubborn, pipe (garbage among the events), nested and nested-whole (an event of JSON so
// deep that no stack holds it, cut off and not), or a number that the call answers; "devices=N" for
// another number of GPUs. Several are separated by commas.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string asked(const std::string& name) {
  const char* text = std::getenv("ROCVET_FAKE_LIBRARIES");
  std::string rest = std::string(",") + (text != nullptr ? text : "") + ",";
  const std::size_t at = rest.find("," + name + "=");
  if (at == rest.npos) return "";
  const std::size_t from = at + name.size() + 2;
  return rest.substr(from, rest.find(',', from) - from);
}

int misbehave(const char* call) {
  const std::string how = asked(call);
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it is to crash
  if (how == "crash") *static_cast<volatile int*>(nullptr) = 1;
  if (how == "abort") {
    std::fprintf(stderr, "fake: %s: Assertion `healthy' failed.\n", call);
    std::abort();
  }
  if (how == "exit") std::exit(7);
  if (how == "stubborn") {
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_IGN);
  }
  if (how == "daemon") {
    sleep(1);  // the other workers have ended by then, each of whose ends ends strangers too
    if (fork() == 0) {
      setsid();
      const pid_t daemon = fork();
      if (daemon == 0) {
        for (int fd = 0; fd < 16; ++fd) close(fd);
        sleep(60);
        _exit(0);
      }
      // Who it is is told before it is anybody's stranger.
      const char* mark = std::getenv("ROCVET_FAKE_MARK");
      if (FILE* file = mark != nullptr ? std::fopen(mark, "w") : nullptr) {
        std::fprintf(file, "%d\n", static_cast<int>(daemon));
        std::fclose(file);
      }
      _exit(0);
    }
  }
  while (how == "hang" || how == "stubborn" || how == "daemon") pause();
  if (how == "pipe") {
    const char noise[] = "\x01\xff no event\n{\"half\n";
    (void)!write(3, noise, sizeof noise - 1);
    return 0;
  }
  if (how == "nested" || how == "nested-whole") {
    constexpr int kLevels = 60000;
    std::string noise = "{\"device\":";
    for (int i = 0; i < kLevels; ++i) noise += "{\"a\":[";
    for (int i = 0; i < kLevels && how == "nested-whole"; ++i) noise += "]}";
    noise += how == "nested-whole" ? "}\n" : "\n";
    for (std::size_t at = 0; at < noise.size();) {
      const ssize_t put = write(3, noise.data() + at, noise.size() - at);
      if (put <= 0) break;
      at += static_cast<std::size_t>(put);
    }
    return 0;
  }
  return std::atoi(how.c_str());
}

std::uint32_t devices() {
  const std::string count = asked("devices");
  return count.empty() ? 2 : static_cast<std::uint32_t>(std::atoll(count.c_str()));
}

}  // namespace

#define MISBEHAVE(call) \
  if (const int status = misbehave(#call); status != 0) return status

extern "C" {
// HIP.
int hipInit(unsigned) {
  MISBEHAVE(hipInit);
  return 0;
}
int hipGetDeviceCount(int* count) {
  MISBEHAVE(hipGetDeviceCount);
  *count = static_cast<int>(devices());
  return 0;
}
int hipRuntimeGetVersion(int* version) {
  *version = 70253211;
  return 0;
}
const char* hipGetErrorName(int status) {
  return status == 100 ? "hipErrorNoDevice" : "hipErrorUnknown";
}
const char* hipGetErrorString(int) {
  return "as the fake was told";
}
int hipDeviceGetName(char* to, int size, int) {
  MISBEHAVE(hipDeviceGetName);
  std::snprintf(to, static_cast<std::size_t>(size), "Fake GPU");
  return 0;
}
int hipDeviceGetPCIBusId(char* to, int size, int index) {
  MISBEHAVE(hipDeviceGetPCIBusId);
  std::snprintf(to, static_cast<std::size_t>(size), "0000:C%d:00.0", index + 1);
  return 0;
}
int hipDeviceTotalMem(std::size_t* bytes, int) {
  MISBEHAVE(hipDeviceTotalMem);
  *bytes = std::size_t{24} << 30;
  return 0;
}
int hipDeviceGetUuid(void* to, int) {
  MISBEHAVE(hipDeviceGetUuid);
  std::memcpy(to, "0123456789abcdef", 16);
  return 0;
}
int hipGetDevicePropertiesR0600(void* properties, int) {
  MISBEHAVE(hipGetDevicePropertiesR0600);
  std::memset(properties, 0, 1472);
  if (asked("gfx") != "none")
    std::memcpy(static_cast<char*>(properties) + 1160, "gfx1100", sizeof "gfx1100");
  return 0;
}

// ROCr.
struct FakeAgent {
  std::uint64_t handle;
};
int hsa_init() {
  MISBEHAVE(hsa_init);
  return 0;
}
int hsa_system_get_info(int what, void* to) {
  if (what != 0x200) return 0x1001;
  *static_cast<const char**>(to) = "1.18.0-fake";
  return 0;
}
int hsa_iterate_agents(int (*each)(FakeAgent, void*), void* data) {
  MISBEHAVE(hsa_iterate_agents);
  for (std::uint64_t i = 0; i <= devices(); ++i) {  // the first is a CPU
    if (const int status = each({i}, data); status != 0) return status;
  }
  return 0;
}
int hsa_agent_get_info(FakeAgent agent, int what, void* to) {
  MISBEHAVE(hsa_agent_get_info);
  const auto number = [&](std::uint32_t value) { std::memcpy(to, &value, sizeof value); };
  const auto words = [&](const std::string& text) {
    std::memcpy(to, text.c_str(), text.size() + 1);
  };
  if (what == 0) words("gfx1100");
  if (what == 17) number(agent.handle == 0 ? 0 : 1);
  if (what == 0xA004) number(static_cast<std::uint32_t>(agent.handle));
  if (what == 0xA006) number(static_cast<std::uint32_t>(0xc0 + agent.handle) << 8);
  if (what == 0xA009) words("Fake GPU");
  if (what == 0xA00F) number(0);
  if (what == 0xA011) words("GPU-0123456789abcdef");
  return 0;
}

// ROCm SMI.
int rsmi_init(std::uint64_t) {
  MISBEHAVE(rsmi_init);
  return 0;
}
int rsmi_num_monitor_devices(std::uint32_t* count) {
  MISBEHAVE(rsmi_num_monitor_devices);
  *count = devices();
  return 0;
}
int rsmi_dev_pci_id_get(std::uint32_t index, std::uint64_t* id) {
  MISBEHAVE(rsmi_dev_pci_id_get);
  *id = std::uint64_t{0xc1 + index} << 8;
  return 0;
}
int rsmi_status_string(int status, const char** text) {
  *text = status == 8 ? "RSMI_STATUS_INIT_ERROR: An error occurred during initialization"
                      : "RSMI_STATUS_UNKNOWN_ERROR: An unknown error occurred";
  return 0;
}

// AMD SMI.
int amdsmi_init(std::uint64_t) {
  MISBEHAVE(amdsmi_init);
  return 0;
}
int amdsmi_get_socket_handles(std::uint32_t* count, void** handles) {
  MISBEHAVE(amdsmi_get_socket_handles);
  *count = devices();
  if (handles == nullptr) return 0;
  for (std::uint64_t i = 0; i < devices(); ++i) handles[i] = reinterpret_cast<void*>(i + 1);
  return 0;
}
int amdsmi_get_processor_handles(void* socket, std::uint32_t* count, void** handles) {
  MISBEHAVE(amdsmi_get_processor_handles);
  *count = 1;
  if (handles != nullptr) handles[0] = socket;
  return 0;
}
int amdsmi_get_gpu_device_bdf(void* processor, std::uint64_t* id) {
  MISBEHAVE(amdsmi_get_gpu_device_bdf);
  *id = (0xc0 + reinterpret_cast<std::uint64_t>(processor)) << 8;
  return 0;
}
int amdsmi_status_code_to_string(int, const char** text) {
  *text = "AMDSMI_STATUS_INIT_ERROR: An error occurred when initializing internal data structures";
  return 0;
}
}

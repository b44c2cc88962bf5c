// hsa_init and the agents of ROCr.
#include <array>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "selftests/deep/probes.h"
#include "selftests/deep/symbols.h"

namespace rocvet::deep {
namespace {

constexpr int kMajors[] = {1};

// hsa.h and hsa_ext_amd.h, the same from ROCr 1.5 (ROCm 5.2) to 1.18 (ROCm 7.2).
enum Info : int {
  kBuildVersion = 0x200,  // a pointer to text; the version of the HSA standard says nothing
  kName = 0,
  kDevice = 17,
  kDriverNode = 0xA004,
  kBdfId = 0xA006,
  kProductName = 0xA009,
  kDomain = 0xA00F,
  kUuid = 0xA011,
};
constexpr int kGpu = 1;
struct Agent {
  std::uint64_t handle;
};
struct Status {
  int number;
  const char* name;
};
// hsa_status_string answers only after hsa_init did.
constexpr Status kStatuses[] = {
    {0x1000, "HSA_STATUS_ERROR"},
    {0x1001, "HSA_STATUS_ERROR_INVALID_ARGUMENT"},
    {0x1003, "HSA_STATUS_ERROR_INVALID_ALLOCATION"},
    {0x1004, "HSA_STATUS_ERROR_INVALID_AGENT"},
    {0x1008, "HSA_STATUS_ERROR_OUT_OF_RESOURCES"},
    {0x100a, "HSA_STATUS_ERROR_RESOURCE_FREE"},
    {0x100b, "HSA_STATUS_ERROR_NOT_INITIALIZED"},
    {0x100c, "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW"},
    {0x1010, "HSA_STATUS_ERROR_INVALID_RUNTIME_STATE"},
    {0x1011, "HSA_STATUS_ERROR_FATAL"},
};

struct Hsa {
  int (*init)() = nullptr;
  int (*iterate)(int (*)(Agent, void*), void*) = nullptr;
  int (*agent_info)(Agent, int, void*) = nullptr;
  int (*system_info)(int, void*) = nullptr;

  bool good(const char* call, int status) const {
    if (status == 0) return true;
    std::string name = "HSA status";
    for (const Status& one : kStatuses) {
      if (one.number == status) name = one.name;
    }
    tell_refusal(call, status, name,
                 status == 0x1008 && std::strcmp(call, "hsa_init") == 0
                     ? "ROCr has no way to the kernel driver: /dev/kfd is not there, may not be "
                       "opened, or does not answer"
                     : "");
    return false;
  }
  std::optional<std::string> text(Agent agent, int what) const {
    std::array<char, 256> bytes{};
    if (agent_info(agent, what, bytes.data()) != 0) return std::nullopt;
    const std::string found(bytes.data(), strnlen(bytes.data(), bytes.size()));
    return found.empty() ? std::nullopt : std::optional(found);
  }
  std::optional<std::uint32_t> number(Agent agent, int what) const {
    std::uint64_t room = 0;  // the library writes 32 bits
    if (agent_info(agent, what, &room) != 0) return std::nullopt;
    return static_cast<std::uint32_t>(room);
  }
};

struct Walk {
  const Hsa& hsa;
  int gpus = 0;
};

int each_agent(Agent agent, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  if (walk.hsa.number(agent, kDevice) != std::uint32_t{kGpu}) return 0;
  DeepDevice device;
  device.index = walk.gpus++;
  device.gfx = walk.hsa.text(agent, kName);
  device.name = walk.hsa.text(agent, kProductName);
  device.uuid = walk.hsa.text(agent, kUuid);
  if (const auto node = walk.hsa.number(agent, kDriverNode))
    device.kfd_node = static_cast<int>(*node);
  if (const auto bdf = walk.hsa.number(agent, kBdfId)) {
    device.bdf = bdf_text(walk.hsa.number(agent, kDomain).value_or(0), *bdf >> 8, *bdf >> 3, *bdf);
  }
  tell_device(device);
  return 0;
}

}  // namespace

void probe_hsa() {
  const auto library = load("libhsa-runtime64", kMajors);
  if (!library) return;
  Hsa hsa;
  if (!Symbols(*library)
           .need("hsa_init", hsa.init)
           .need("hsa_iterate_agents", hsa.iterate)
           .need("hsa_agent_get_info", hsa.agent_info)
           .need("hsa_system_get_info", hsa.system_info)
           .complete())
    return;
  tell_calling("hsa_init");
  if (!hsa.good("hsa_init", hsa.init())) return;
  const char* build = nullptr;
  tell_calling("hsa_system_get_info");
  if (hsa.system_info(kBuildVersion, static_cast<void*>(&build)) == 0 && build != nullptr) {
    std::string version(build, strnlen(build, 64));
    std::erase(version, '"');
    tell_library(library->path, version);
  }
  Walk walk{hsa};
  tell_calling("hsa_iterate_agents");
  if (!hsa.good("hsa_iterate_agents", hsa.iterate(each_agent, &walk))) return;
  tell_done();
}

}  // namespace rocvet::deep

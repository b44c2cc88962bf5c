// hsa_init and the agents of ROCr.
#include <array>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "selftests/deep/probes.h"
#include "selftests/deep/symbols.h"
#include "selftests/gpu/hsa/hsa_api.h"

namespace rocvet::deep {
namespace {

constexpr int kHsaMajors[] = {1};

using gpu::hsa::Agent;

struct Hsa {
  int (*init)() = nullptr;
  int (*iterate)(int (*)(Agent, void*), void*) = nullptr;
  int (*agent_info)(Agent, int, void*) = nullptr;
  int (*system_info)(int, void*) = nullptr;

  bool good(const char* call, int status) const {
    if (status == 0) return true;
    tell_refusal(call, status, gpu::hsa::status_name(status),
                 std::string(gpu::hsa::meaning_of(call, status)));
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
  if (walk.hsa.number(agent, gpu::hsa::kDeviceType) != gpu::hsa::kGpu) return 0;
  DeepDevice device;
  device.index = walk.gpus++;
  device.gfx = walk.hsa.text(agent, gpu::hsa::kAgentName);
  device.name = walk.hsa.text(agent, gpu::hsa::kProductName);
  device.uuid = walk.hsa.text(agent, gpu::hsa::kUuid);
  if (const auto node = walk.hsa.number(agent, gpu::hsa::kDriverNode))
    device.kfd_node = static_cast<int>(*node);
  if (const auto bdf = walk.hsa.number(agent, gpu::hsa::kBdf)) {
    device.bdf =
        bdf_text(walk.hsa.number(agent, gpu::hsa::kDomain).value_or(0), *bdf >> 8, *bdf >> 3, *bdf);
  }
  tell_device(device);
  return 0;
}

}  // namespace

void probe_hsa() {
  const auto library = load("libhsa-runtime64", kHsaMajors);
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
  if (hsa.system_info(gpu::hsa::kBuildVersion, static_cast<void*>(&build)) == 0 &&
      build != nullptr) {
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

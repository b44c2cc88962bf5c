// The two management libraries: initialised, the devices counted, their addresses asked for.
#include <vector>

#include "selftests/deep/probes.h"
#include "selftests/deep/symbols.h"

namespace rocvet::deep {
namespace {

constexpr int kRocmSmiMajors[] = {8, 7, 6, 5, 1};  // distributions number it differently
constexpr int kAmdSmiMajors[] = {27, 26, 25, 24, 23};
constexpr std::uint64_t kAmdGpus = 1 << 1;  // AMDSMI_INIT_AMD_GPUS
constexpr std::uint32_t kMostDevices = 1024;

using StatusText = int(int, const char**);

bool good(StatusText* text, const char* call, int status) {
  if (status == 0) return true;
  const char* words = nullptr;
  if (text != nullptr && text(status, &words) != 0) words = nullptr;
  const std::string said = words != nullptr ? words : "";
  // "RSMI_STATUS_INIT_ERROR: An error occurred during initialization …"
  const std::size_t colon = said.find(':');
  std::string name = said.substr(0, colon);
  if (name.find(' ') != name.npos) name.clear();
  std::string why = colon == said.npos || name.empty() ? said : said.substr(colon + 1);
  while (why.starts_with(' ')) why.erase(0, 1);
  tell_refusal(call, status, name, why);
  return false;
}

bool believable(const char* call, std::uint32_t count) {
  if (count <= kMostDevices) return true;
  tell_failure(DeepProbe::Outcome::garbage,
               std::string(call) + " says " + std::to_string(count) + " devices");
  return false;
}

}  // namespace

void probe_rocm_smi() {
  const auto library = load("librocm_smi64", kRocmSmiMajors);
  if (!library) return;
  int (*init)(std::uint64_t) = nullptr;
  int (*count)(std::uint32_t*) = nullptr;
  int (*pci_id)(std::uint32_t, std::uint64_t*) = nullptr;
  int (*name)(std::uint32_t, char*, std::size_t) = nullptr;
  StatusText* text = nullptr;
  struct {
    std::uint32_t major, minor, patch;
    const char* build;
  } number{};
  int (*version)(void*) = nullptr;
  if (!Symbols(*library)
           .need("rsmi_init", init)
           .need("rsmi_num_monitor_devices", count)
           .need("rsmi_dev_pci_id_get", pci_id)
           .find("rsmi_dev_name_get", name)
           .find("rsmi_status_string", text)
           .find("rsmi_version_get", version)
           .complete())
    return;
  tell_calling("rsmi_init");
  if (!good(text, "rsmi_init", init(0))) return;
  tell_calling("rsmi_version_get");
  if (version != nullptr && version(&number) == 0)
    tell_library(library->path, std::to_string(number.major) + "." + std::to_string(number.minor) +
                                    "." + std::to_string(number.patch));
  std::uint32_t devices = 0;
  tell_calling("rsmi_num_monitor_devices");
  if (!good(text, "rsmi_num_monitor_devices", count(&devices))) return;
  if (!believable("rsmi_num_monitor_devices", devices)) return;
  for (std::uint32_t i = 0; i < devices; ++i) {
    DeepDevice device;
    device.index = static_cast<int>(i);
    std::uint64_t id = 0;
    tell_calling("rsmi_dev_pci_id_get");
    if (!good(text, "rsmi_dev_pci_id_get", pci_id(i, &id))) return;
    // 32 bits domain, 4 partition, 12 unused, 8 bus, 5 device, 3 function.
    device.bdf = bdf_text(id >> 32, static_cast<unsigned>(id >> 8), static_cast<unsigned>(id >> 3),
                          static_cast<unsigned>(id));
    char label[256] = {};
    tell_calling("rsmi_dev_name_get");
    if (name != nullptr && name(i, label, sizeof label - 1) == 0) device.name = label;
    tell_device(device);
  }
  tell_done();
}

void probe_amd_smi() {
  const auto library = load("libamd_smi", kAmdSmiMajors);
  if (!library) return;
  int (*init)(std::uint64_t) = nullptr;
  int (*sockets)(std::uint32_t*, void**) = nullptr;
  int (*processors)(void*, std::uint32_t*, void**) = nullptr;
  int (*bdf)(void*, std::uint64_t*) = nullptr;
  int (*uuid)(void*, unsigned*, char*) = nullptr;
  StatusText* text = nullptr;
  if (!Symbols(*library)
           .need("amdsmi_init", init)
           .need("amdsmi_get_socket_handles", sockets)
           .need("amdsmi_get_processor_handles", processors)
           .need("amdsmi_get_gpu_device_bdf", bdf)
           .find("amdsmi_get_gpu_device_uuid", uuid)
           .find("amdsmi_status_code_to_string", text)
           .complete())
    return;
  tell_calling("amdsmi_init");
  if (!good(text, "amdsmi_init", init(kAmdGpus))) return;
  std::uint32_t socket_count = 0;
  tell_calling("amdsmi_get_socket_handles");
  if (!good(text, "amdsmi_get_socket_handles", sockets(&socket_count, nullptr))) return;
  if (!believable("amdsmi_get_socket_handles", socket_count)) return;
  std::vector<void*> handles(socket_count);
  if (socket_count > 0 &&
      !good(text, "amdsmi_get_socket_handles", sockets(&socket_count, handles.data())))
    return;
  int index = 0;
  for (void* socket : handles) {
    std::uint32_t count = 0;
    tell_calling("amdsmi_get_processor_handles");
    if (!good(text, "amdsmi_get_processor_handles", processors(socket, &count, nullptr))) return;
    if (!believable("amdsmi_get_processor_handles", count)) return;
    std::vector<void*> units(count);
    if (count > 0 &&
        !good(text, "amdsmi_get_processor_handles", processors(socket, &count, units.data())))
      return;
    for (void* unit : units) {
      DeepDevice device;
      device.index = index++;
      std::uint64_t id = 0;
      tell_calling("amdsmi_get_gpu_device_bdf");
      if (!good(text, "amdsmi_get_gpu_device_bdf", bdf(unit, &id))) return;
      // 48 bits domain, 8 bus, 5 device, 3 function.
      device.bdf = bdf_text(id >> 16, static_cast<unsigned>(id >> 8),
                            static_cast<unsigned>(id >> 3), static_cast<unsigned>(id));
      char label[64] = {};
      unsigned length = sizeof label - 1;
      tell_calling("amdsmi_get_gpu_device_uuid");
      if (uuid != nullptr && uuid(unit, &length, label) == 0 && label[0] != 0) device.uuid = label;
      tell_device(device);
    }
  }
  tell_done();
}

}  // namespace rocvet::deep

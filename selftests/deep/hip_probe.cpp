// hipInit, hipGetDeviceCount and what HIP knows of each device; nothing is launched.
#include <array>
#include <cstring>

#include "base/text.h"
#include "selftests/deep/probes.h"
#include "selftests/deep/symbols.h"

namespace rocvet::deep {
namespace {

constexpr int kHipMajors[] = {7, 6, 5};
constexpr int kErrorInvalidDevice = 101, kErrorNoDevice = 100;
constexpr std::size_t kPropertiesBytes = 16384;

// The signatures and the offsets of gcnArchName are those of hip_runtime_api.h of HIP 5.2 to 7.2
// (selftests/gpu/hip_api.h).
struct Hip {
  int (*init)(unsigned) = nullptr;
  int (*count)(int*) = nullptr;
  int (*version)(int*) = nullptr;
  const char* (*error_name)(int) = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*name)(char*, int, int) = nullptr;
  int (*bus_id)(char*, int, int) = nullptr;
  int (*uuid)(void*, int) = nullptr;
  int (*memory)(std::size_t*, int) = nullptr;
  int (*properties)(void*, int) = nullptr;
  int (*old_properties)(void*, int) = nullptr;

  /// False, and told, when the status is an error.
  bool good(const char* call, int status) const {
    if (status == 0) return true;
    const char* id = error_name(status);
    const char* words = error_string(status);
    tell_refusal(
        call, status, id != nullptr ? id : "", words != nullptr ? words : "",
        status == kErrorNoDevice ? DeepProbe::Outcome::no_device : DeepProbe::Outcome::refused);
    return false;
  }
};

/// The 16 bytes are text in most releases ("ec7f1a2b3c4d5e6f").
std::string uuid_text(const std::array<unsigned char, 16>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text, hex;
  bool readable = true;
  for (const unsigned char byte : bytes) {
    readable = readable && byte > 0x20 && byte < 0x7f;
    text += static_cast<char>(byte);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return "GPU-" + (readable ? text : hex);
}

bool tell_one(const Hip& hip, int index) {
  DeepDevice device;
  device.index = index;
  std::array<char, 256> text{};
  tell_calling("hipDeviceGetName");
  if (hip.name(text.data(), text.size() - 1, index) == 0) device.name = text.data();
  text = {};
  tell_calling("hipDeviceGetPCIBusId");
  if (hip.bus_id(text.data(), text.size() - 1, index) == 0) device.bdf = lower(text.data());
  std::size_t bytes = 0;
  tell_calling("hipDeviceTotalMem");
  if (hip.memory(&bytes, index) == 0) device.memory_bytes = bytes;
  std::array<unsigned char, 16> uuid{};
  if (hip.uuid != nullptr) {
    tell_calling("hipDeviceGetUuid");
    if (hip.uuid(uuid.data(), index) == 0) device.uuid = uuid_text(uuid);
  }
  std::vector<char> properties(kPropertiesBytes);
  tell_calling("hipGetDeviceProperties");
  const bool modern = hip.properties != nullptr;
  const int status = (modern ? hip.properties : hip.old_properties)(properties.data(), index);
  if (!hip.good("hipGetDeviceProperties", status)) return false;
  const char* arch = properties.data() + (modern ? 1160 : 396);
  device.gfx = std::string(arch, strnlen(arch, 256));
  if (!device.gfx->starts_with("gfx")) {
    tell_failure(DeepProbe::Outcome::garbage, "hipGetDeviceProperties gives no gfx target");
    return false;
  }
  tell_device(device);
  return true;
}

}  // namespace

void probe_hip() {
  const auto library = load("libamdhip64", kHipMajors);
  if (!library) return;
  Hip hip;
  Symbols symbols(*library);
  symbols.need("hipInit", hip.init)
      .need("hipGetDeviceCount", hip.count)
      .need("hipRuntimeGetVersion", hip.version)
      .need("hipGetErrorName", hip.error_name)
      .need("hipGetErrorString", hip.error_string)
      .need("hipDeviceGetName", hip.name)
      .need("hipDeviceGetPCIBusId", hip.bus_id)
      .need("hipDeviceTotalMem", hip.memory)
      .find("hipDeviceGetUuid", hip.uuid)
      .find("hipGetDevicePropertiesR0600", hip.properties);
  if (hip.properties == nullptr) symbols.need("hipGetDeviceProperties", hip.old_properties);
  if (!symbols.complete()) return;

  tell_calling("hipInit");
  const int started = hip.init(0);
  int count = 0;
  tell_calling("hipGetDeviceCount");
  const int counted = hip.count(&count);
  int number = 0;
  tell_calling("hipRuntimeGetVersion");
  if (hip.version(&number) == 0) {
    // 5.2.21153 is 50221153: major * 10^7 + minor * 10^5 + patch.
    tell_library(library->path, std::to_string(number / 10000000) + "." +
                                    std::to_string(number / 100000 % 100) + "." +
                                    std::to_string(number % 100000));
  }
  // HIP 5.2 answers hipErrorInvalidDevice to hipInit where it means that there is none.
  if (started == kErrorInvalidDevice && counted == kErrorNoDevice) {
    hip.good("hipGetDeviceCount", counted);
    return;
  }
  if (!hip.good("hipInit", started) || !hip.good("hipGetDeviceCount", counted)) return;
  if (count < 0 || count > 1024) {
    tell_failure(DeepProbe::Outcome::garbage,
                 "hipGetDeviceCount says " + std::to_string(count) + " devices");
    return;
  }
  for (int i = 0; i < count; ++i) {
    if (!tell_one(hip, i)) return;
  }
  tell_done();
}

}  // namespace rocvet::deep

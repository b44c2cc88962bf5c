#include "formats/kernel_message.h"

#include "base/text.h"

namespace rocvet {
namespace {

/// Of a device's own line: the driver's name and the address, "amdgpu 0000:03:00.0: ".
std::size_t device_header(std::string_view line) {
  const KernelDevice device = device_of(line);
  return device.driver.empty() ? 0 : device.driver.size() + 1 + device.bdf.size() + 1;
}

/// "[drm:amdgpu_init [amdgpu]]": up to the bracket that closes the first one.
std::size_t drm_header(std::string_view line) {
  if (!line.starts_with("[drm")) return 0;
  int depth = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    depth += line[at] == '[' ? 1 : line[at] == ']' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return 0;
}

/// "{12}" before a line of the RAS log.
std::size_t event_number(std::string_view line) {
  if (!line.starts_with('{')) return 0;
  const std::size_t end = line.find_first_not_of("0123456789", 1);
  return end != line.npos && end > 1 && line[end] == '}' ? end + 1 : 0;
}

std::size_t kernel_header(std::string_view line) {
  for (const std::string_view fixed : {"*ERROR*", "amdgpu:", "kfd kfd:"}) {
    if (line.starts_with(fixed)) return fixed.size();
  }
  if (const std::size_t size = device_header(line)) return size;
  if (const std::size_t size = drm_header(line)) return size;
  return event_number(line);
}

}  // namespace

KernelDevice device_of(std::string_view line) {
  constexpr std::size_t kAddress = 12;  // 0000:03:00.0
  const std::size_t space = line.find(' ');
  const bool headed = space != line.npos && line.size() > space + 1 + kAddress &&
                      line[space + 5] == ':' && line[space + 8] == ':' && line[space + 11] == '.' &&
                      line[space + 1 + kAddress] == ':';
  if (!headed) return {};
  return {line.substr(0, space), line.substr(space + 1, kAddress)};
}

std::string_view message_of(std::string_view line) {
  line = trim(line);
  while (const std::size_t size = kernel_header(line)) line = trim(line.substr(size));
  return line;
}

}  // namespace rocvet

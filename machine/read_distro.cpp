#include "machine/read_distro.h"

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {

Distro parse_os_release(std::string_view text) {
  Distro distro;
  for (std::string_view line : lines_of(text)) {
    line = trim(line);
    const std::size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, equals);
    std::string_view value = trim(line.substr(equals + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    }
    if (key == "ID") distro.id = lower(value);
    if (key == "VERSION_ID") distro.version = value;
    if (key == "VERSION_CODENAME") distro.codename = value;
    if (key == "UBUNTU_CODENAME") distro.ubuntu_codename = value;
    if (key == "PRETTY_NAME") distro.pretty = value;
    if (key == "VARIANT_ID") distro.variant = value;
    if (key == "ID_LIKE") {
      for (std::string_view word : words(value)) distro.like.push_back(lower(word));
    }
  }
  if (distro.id.empty()) distro.id = "linux";  // what os-release(5) says of a file without ID
  return distro;
}

Result<Distro> read_distro(Source& source) {
  Result<std::string> text = source.read("/etc/os-release");
  if (!text) {
    Result<std::string> vendor = source.read("/usr/lib/os-release");
    if (!vendor) return text.error();
    text = std::move(vendor);
  }
  return parse_os_release(*text);
}

}  // namespace rocvet

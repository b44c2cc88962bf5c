#include "checks/logs/tool_output.h"

#include "base/text.h"

namespace rocvet {

std::string_view tool_output(const Machine& machine, std::string_view tool) {
  const auto found = machine.tool_outputs.find(std::string(tool));
  return found == machine.tool_outputs.end() ? std::string_view() : found->second;
}

std::optional<bool> rocminfo_lists_gpu(const Machine& machine) {
  const std::string_view text = tool_output(machine, "rocminfo");
  if (text.empty()) return std::nullopt;
  for (const std::string_view line : split(text, '\n')) {
    const auto parts = words(line);
    if (parts.size() >= 3 && parts[0] == "Device" && parts[1] == "Type:" && parts[2] == "GPU")
      return true;
  }
  return false;
}

std::optional<bool> rocminfo_xnack(const Machine& machine, std::string_view gfx) {
  const std::string_view text = tool_output(machine, "rocminfo");
  const std::string name = "amdgcn-amd-amdhsa--" + std::string(gfx) + ":";
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.find("xnack+") != line.npos) return true;
    if (line.find("xnack-") != line.npos) return false;
  }
  return std::nullopt;
}

bool LspciDevice::has(std::string_view text) const {
  return !line_with(text).empty();
}

std::string LspciDevice::line_with(std::string_view text) const {
  for (const std::string& line : lines) {
    if (line.find(text) != line.npos) return std::string(trim(line));
  }
  return "";
}

bool LspciDevice::is_bridge() const {
  return title.find("PCI bridge") != std::string::npos || title.find("[0604]") != std::string::npos;
}

std::vector<LspciDevice> lspci_devices(const Machine& machine) {
  std::vector<LspciDevice> devices;
  for (const std::string_view line : split(tool_output(machine, "lspci-vvnn"), '\n')) {
    if (line.empty()) continue;
    if (line.front() != ' ' && line.front() != '\t') {
      const std::size_t blank = line.find(' ');
      if (blank == line.npos) continue;
      std::string bdf(line.substr(0, blank));
      if (bdf.size() == 7) bdf = "0000:" + bdf;
      devices.push_back({lower(bdf), std::string(line.substr(blank + 1)), {}});
    } else if (!devices.empty()) {
      devices.back().lines.emplace_back(line);
    }
  }
  return devices;
}

}  // namespace rocvet

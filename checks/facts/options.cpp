#include "checks/facts/options.h"

#include "base/text.h"

namespace rocvet {
namespace {

std::optional<long long> number_of(std::string_view text) {
  if (text == "Y" || text == "y") return 1;
  if (text == "N" || text == "n") return 0;
  const bool hex = text.starts_with("0x") || text.starts_with("-0x");
  return parse_signed_number(text, hex ? 16 : 10);
}

}  // namespace

bool has_argument(const Machine& machine, std::string_view key, std::string_view value) {
  for (const auto& [name, text] : machine.kernel.arguments) {
    if (name != key) continue;
    if (value.empty()) return true;
    for (const std::string_view part : split(text, ',')) {
      if (part == value) return true;
    }
  }
  return false;
}

std::optional<std::string> amdgpu_option(const Machine& machine, std::string_view name) {
  if (machine.driver.amdgpu) {
    const auto found = machine.driver.amdgpu->parameters.find(std::string(name));
    if (found != machine.driver.amdgpu->parameters.end()) return found->second;
  }
  const auto found = machine.kernel.parameters.find("amdgpu." + std::string(name));
  if (found != machine.kernel.parameters.end()) return found->second;
  return std::nullopt;
}

std::optional<long long> amdgpu_number(const Machine& machine, std::string_view name) {
  const auto text = amdgpu_option(machine, name);
  return text ? number_of(trim(*text)) : std::nullopt;
}

std::string place_of_option(const Machine& machine, std::string_view name) {
  if (machine.kernel.parameters.count("amdgpu." + std::string(name)) > 0)
    return "the kernel command line";
  for (const ModprobeLine& line : machine.driver.modprobe) {
    if (line.command != "options" || line.module != "amdgpu" || line.shadowed) continue;
    for (const std::string_view word : words(line.argument)) {
      if (word.substr(0, word.find('=')) == name) return line.file;
    }
  }
  return "";
}

Result<std::string> setting(const Machine& machine, std::string_view name) {
  const auto found = machine.kernel.settings.find(std::string(name));
  return found == machine.kernel.settings.end() ? missing(std::string(name)) : found->second;
}

bool range_has(std::string_view ranges, int number) {
  for (const std::string_view part : split(trim(ranges), ',')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_number(part.substr(0, dash));
    const auto last = dash == part.npos ? first : parse_number(part.substr(dash + 1));
    if (first && last && static_cast<unsigned>(number) >= *first &&
        static_cast<unsigned>(number) <= *last)
      return true;
  }
  return false;
}

std::optional<unsigned long long> size_of(std::string_view text) {
  text = trim(text);
  int shift = 0;
  if (!text.empty()) {
    const std::size_t unit = std::string_view("kmgt").find(lower(text.substr(text.size() - 1))[0]);
    if (unit != std::string_view::npos) {
      shift = 10 * static_cast<int>(unit + 1);
      text.remove_suffix(1);
    }
  }
  const auto value = parse_number(text);
  if (!value || *value > (1ull << 40)) return value && shift == 0 ? value : std::nullopt;
  return *value << shift;
}

}  // namespace rocvet

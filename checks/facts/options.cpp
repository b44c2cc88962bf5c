#include "checks/facts/options.h"

#include "base/text.h"

namespace rocvet {
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

Result<std::string> kernel_argument(const Machine& machine, std::string_view key) {
  if (!machine.kernel.command_line) return machine.kernel.command_line.error();
  Result<std::string> last = missing(std::string(key), "is not on the kernel command line");
  for (const auto& [name, value] : machine.kernel.arguments) {
    if (name == key) last = value;
  }
  return last;
}

Result<OptionValue> amdgpu_option(const Machine& machine, const std::string& name) {
  Result<OptionValue> told = missing("amdgpu." + name);
  if (machine.driver.amdgpu) told = option_of(machine.driver.amdgpu->options, name);
  if (told) return told;
  const Result<std::string> asked = kernel_argument(machine, "amdgpu." + name);
  if (asked) return parse_option(*asked);
  return told.is_missing() ? asked.error() : told.error();
}

std::string place_of_option(const Machine& machine, std::string_view name) {
  if (has_argument(machine, "amdgpu." + std::string(name))) return "the kernel command line";
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

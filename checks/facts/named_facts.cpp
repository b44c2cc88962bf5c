#include "checks/facts/named_facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/options.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

using Values = std::vector<FactValue>;

Result<Values> read_variable(const Machine& machine, const FactName& fact) {
  if (!machine.process.environment) return machine.process.environment.error();
  const auto set = effective_variable(machine, fact.name);
  if (!set) return Values{};
  FactValue value;
  value.name = fact.name;
  value.text = set->value;
  if (fact.type == FactType::number) value.number = parse_signed_number(trim(set->value));
  value.evidence = value.name + "=" + set->value;
  if (!set->in_process) value.evidence += ", set by " + set->where;
  return Values{std::move(value)};
}

Result<Values> read_option(const Machine& machine, const FactName& fact) {
  const auto option = amdgpu_option(machine, std::string(fact.name));
  if (option.is_missing()) return Values{};
  if (!option) return option.error();
  FactValue value;
  value.name = "amdgpu." + std::string(fact.name);
  value.text = option->text;
  value.number = option->number;
  value.evidence = value.name + "=" + value.text;
  const std::string place = place_of_option(machine, fact.name);
  if (!place.empty()) value.evidence += ", set by " + place;
  return Values{std::move(value)};
}

Result<Values> read_argument(const Machine& machine, const FactName& fact) {
  if (!machine.kernel.command_line) return machine.kernel.command_line.error();
  Values values;
  for (const auto& [key, text] : machine.kernel.arguments) {
    if (key != fact.name) continue;
    for (const std::string_view part : split(text, ',')) {
      FactValue value;
      value.name = key;
      value.text = part;
      value.evidence = "kernel command line: " + key + (part.empty() ? "" : "=") + value.text;
      values.push_back(std::move(value));
    }
  }
  return values;
}

/// Of the kernel's small files.
Result<Values> one_value(std::string_view name, const Result<std::string>& text,
                         const std::string& between) {
  if (!text) return text.error();
  FactValue value;
  value.name = name;
  value.text = trim(*text);
  value.number = parse_signed_number(trim(*text));
  value.evidence = value.name + between + value.text;
  return Values{std::move(value)};
}

Result<std::string> found_in(const std::map<std::string, Result<std::string>>& all,
                             std::string_view name) {
  const auto found = all.find(std::string(name));
  return found == all.end() ? Result<std::string>(not_captured(std::string(name))) : found->second;
}

Values odd_values(const Machine& machine, const std::string& what,
                  const std::function<std::string(const Gpu&)>& property) {
  Values values;
  for (const OddCard& odd : odd_cards(machine, property)) {
    FactValue value;
    value.name = gpu_label(*odd.gpu);
    value.text = odd.value;
    value.usual = odd.usual;
    value.evidence = odd_line(odd, what);
    values.push_back(std::move(value));
  }
  return values;
}

Result<Values> read_partitions(const Machine& machine, Result<std::string> Partition::*mode) {
  const bool known = std::ranges::any_of(
      machine.gpus, [&](const Gpu& gpu) { return (gpu.partition.*mode).has_value(); });
  if (!known) return missing("", "no GPU here can be partitioned");
  return odd_values(machine, "",
                    [&](const Gpu& gpu) { return (gpu.partition.*mode).value_or(""); });
}

Result<Values> read_firmware(const Machine& machine) {
  std::set<std::string> blocks;
  std::optional<Error> unread;
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.firmware) {
      unread = gpu.firmware.error();
      continue;
    }
    for (const auto& [block, version] : *gpu.firmware) blocks.insert(block);
  }
  if (blocks.empty())
    return unread ? *unread : missing("", "the driver shows no firmware versions");
  Values values;
  for (const std::string& block : blocks) {
    const auto version = [&](const Gpu& gpu) {
      if (!gpu.firmware) return std::string();
      const auto found = gpu.firmware->find(block);
      return found == gpu.firmware->end() ? std::string() : found->second;
    };
    for (FactValue& value : odd_values(machine, "", version)) {
      // A block that a sleeping card does not answer for reads as zero.
      if (value.text.find_first_not_of("0x") == std::string::npos) continue;
      value.evidence = value.name + ": " + block + " " + value.text + ", the others " + value.usual;
      values.push_back(std::move(value));
    }
  }
  return values;
}

Result<Values> read_cards(const Machine& machine, std::string_view name) {
  if (name == "compute-partition") return read_partitions(machine, &Partition::compute);
  if (name == "memory-partition") return read_partitions(machine, &Partition::memory);
  if (name == "firmware") return read_firmware(machine);
  if (name == "compute-units")
    return odd_values(machine, " compute units", [](const Gpu& gpu) {
      // A partition has a part of them.
      return gpu.compute_units && gpu.partition.compute.value_or("SPX") == "SPX"
                 ? std::to_string(*gpu.compute_units)
                 : std::string();
    });
  return odd_values(machine, " GiB of memory", [](const Gpu& gpu) {
    return gpu.vram_bytes && gpu.partition.memory.value_or("NPS1") == "NPS1"
               ? std::to_string((*gpu.vram_bytes + (1u << 29)) >> 30)
               : std::string();
  });
}

}  // namespace

Result<std::vector<FactValue>> read_fact(const Context& context, const FactName& fact) {
  const Machine& machine = context.machine;
  const Kernel& kernel = machine.kernel;
  switch (fact.kind) {
    case FactKind::variable:
    case FactKind::variable_number:
      return read_variable(machine, fact);
    case FactKind::option:
      return read_option(machine, fact);
    case FactKind::argument:
      return read_argument(machine, fact);
    case FactKind::sysctl:
      return one_value(fact.name, found_in(kernel.sysctl, fact.name), " = ");
    case FactKind::setting:
      return one_value(fact.name,
                       fact.name == "transparent hugepages" ? kernel.transparent_hugepages
                                                            : found_in(kernel.settings, fact.name),
                       ": ");
    case FactKind::cards:
      return read_cards(machine, fact.name);
    case FactKind::kernel_log:
      break;
  }
  return Error{Error::Kind::unsupported, std::string(fact.name), "is not a value"};
}

}  // namespace rocvet

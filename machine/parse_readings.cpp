#include "machine/parse_readings.h"

#include "base/text.h"

namespace rocvet {
namespace {

Error no_sense(std::string_view where, std::string_view text, std::string_view expected) {
  return malformed(std::string(where),
                   "'" + std::string(text.substr(0, 40)) + "' is no " + std::string(expected));
}

}  // namespace

Result<std::vector<ClockStep>> parse_clock_steps(std::string_view text, std::string_view where) {
  std::vector<ClockStep> steps;
  for (const std::string_view line : split(trim(text), '\n')) {
    const auto parts = words(trim(line));
    if (parts.empty()) continue;
    if (parts.size() < 2 || !parts[0].ends_with(':') || !lower(parts[1]).ends_with("mhz"))
      return no_sense(where, line, "step of a clock");
    const auto mhz = parse_number(parts[1].substr(0, parts[1].size() - 3));
    if (!mhz) return no_sense(where, line, "step of a clock");
    steps.push_back({std::string(parts[0].substr(0, parts[0].size() - 1)), *mhz,
                     parts.size() > 2 && parts[2] == "*"});
  }
  if (steps.empty()) return missing(std::string(where), "lists no clock");
  return steps;
}

Result<RasErrors> parse_ras_errors(std::string_view text, std::string_view where) {
  RasErrors errors;
  bool counted = false;
  for (const std::string_view line : split(trim(text), '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    const std::string_view kind = trim(line.substr(0, colon));
    if (kind != "ue" && kind != "ce" && kind != "de") continue;
    const auto number = parse_number(trim(line.substr(colon + 1)));
    if (!number) return no_sense(where, line, "count of errors");
    if (kind == "ue") errors.uncorrectable = *number;
    if (kind == "ce") errors.corrected = *number;
    if (kind == "de") errors.deferred = *number;
    counted = true;
  }
  if (!counted) return no_sense(where, trim(text), "count of errors");
  return errors;
}

Result<BadPages> parse_bad_pages(std::string_view text, std::string_view where) {
  BadPages pages;
  for (const std::string_view line : split(trim(text), '\n')) {
    if (trim(line).empty()) continue;
    const auto parts = split(line, ':');
    if (parts.size() != 3 || !trim(parts[0]).starts_with("0x"))
      return no_sense(where, line, "bad page");
    const std::string_view state = trim(parts[2]);
    if (state != "R" && state != "P" && state != "F") return no_sense(where, line, "bad page");
    (state == "P" ? pages.pending : state == "F" ? pages.stuck : pages.retired) += 1;
  }
  return pages;
}

Result<AerCounts> parse_aer_counts(std::string_view text, std::string_view where) {
  AerCounts counts;
  for (const std::string_view line : split(trim(text), '\n')) {
    const auto parts = words(line);
    const auto number = parts.size() == 2 ? parse_number(parts[1]) : std::nullopt;
    if (!number) return no_sense(where, line, "count of PCIe errors");
    if (!parts[0].starts_with("TOTAL")) counts[std::string(parts[0])] = *number;
  }
  return counts;
}

Result<std::vector<PciRegion>> parse_pci_regions(std::string_view text, std::string_view where) {
  std::vector<PciRegion> regions;
  for (const std::string_view line : split(trim(text), '\n')) {
    const auto parts = words(line);
    if (parts.size() != 3) return no_sense(where, line, "region");
    const auto first = parse_number(parts[0], 16), last = parse_number(parts[1], 16),
               flags = parse_number(parts[2], 16);
    if (!first || !last || !flags) return no_sense(where, line, "region");
    regions.push_back({*first, *last, *flags});
  }
  return regions;
}

Result<bool> parse_removable(std::string_view text, std::string_view where) {
  text = trim(text);
  if (text == "removable") return true;
  if (text == "fixed") return false;
  if (text == "unknown") return missing(std::string(where), "the firmware does not tell");
  return no_sense(where, text, "place of a device");
}

Result<std::int64_t> parse_signed(std::string_view text, std::string_view where) {
  text = trim(text);
  const auto number = parse_signed_number(text);
  if (!number) return no_sense(where, text, "whole number");
  return static_cast<std::int64_t>(*number);
}

}  // namespace rocvet

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "selftests/judge/sampler.h"

namespace rocvet {
namespace {

template <typename T>
std::optional<T> field(std::string_view table, std::size_t offset) {
  if (offset + sizeof(T) > table.size()) return std::nullopt;
  T value{};
  std::memcpy(&value, table.data() + offset, sizeof(T));
  return value;
}

/// The status that means the same on every chip: 16 bits a kind.
std::vector<std::string> independent(std::uint64_t status) {
  std::vector<std::string> reasons;
  const char* const kinds[] = {"power", "current", "thermal", "other"};
  for (int i = 0; i < 4; ++i) {
    if ((status >> (16 * i) & 0xffff) != 0) reasons.emplace_back(kinds[i]);
  }
  return reasons;
}

/// MI300's own: bit 0 PROCHOT, 1 package power, 2 socket, 3 regulator, 4 HBM temperature.
std::vector<std::string> mi300(std::uint32_t status) {
  std::vector<std::string> reasons;
  if ((status & 0x2) != 0) reasons.emplace_back("power");
  if ((status & 0x1d) != 0) reasons.emplace_back("thermal");
  return reasons;
}

}  // namespace

std::vector<std::string> throttle_reasons(std::string_view table) {
  const auto size = field<std::uint16_t>(table, 0);
  const auto format = field<std::uint8_t>(table, 2), content = field<std::uint8_t>(table, 3);
  if (!size || !format || !content || *size > table.size() || *size < 8) return {};
  const std::string_view inside = table.substr(0, *size);
  const int version = *format * 10 + *content;
  std::optional<std::uint64_t> wide;
  std::optional<std::uint32_t> narrow;
  if (version == 13) wide = field<std::uint64_t>(inside, 112);
  if (version >= 22 && version <= 24) wide = field<std::uint64_t>(inside, 120);
  if (version == 14) narrow = field<std::uint32_t>(inside, 40);
  if (version == 15) narrow = field<std::uint32_t>(inside, 104);
  // All ones is how the driver fills a field that the firmware does not serve.
  if (wide && *wide != ~std::uint64_t{0}) return independent(*wide);
  if (narrow && *narrow != ~std::uint32_t{0}) return mi300(*narrow);
  return {};
}

std::vector<std::string> slowing_variables(const std::map<std::string, std::string>& environment) {
  const auto is_on = [](const std::string& value) { return !value.empty() && value != "0"; };
  const auto is_zero = [](const std::string& value) { return value == "0"; };
  struct Variable {
    const char* name;
    bool (*slows)(const std::string&);
  };
  static const Variable kVariables[] = {
      {"HIP_LAUNCH_BLOCKING", is_on},   {"AMD_SERIALIZE_KERNEL", is_on},
      {"AMD_SERIALIZE_COPY", is_on},    {"AMD_LOG_LEVEL", is_on},
      {"CUDA_LAUNCH_BLOCKING", is_on},  {"HSA_ENABLE_SDMA", is_zero},
      {"HSAKMT_DEBUG_LEVEL", is_on},    {"HSA_ENABLE_DEBUG", is_on},
      {"HSA_TOOLS_LIB", is_on},         {"ROCP_TOOL_LIBRARIES", is_on},
      {"HSA_ENABLE_INTERRUPT", is_zero}};
  std::vector<std::string> out;
  for (const Variable& variable : kVariables) {
    const auto found = environment.find(variable.name);
    if (found != environment.end() && variable.slows(found->second))
      out.push_back(found->first + "=" + found->second);
  }
  return out;
}

}  // namespace rocvet

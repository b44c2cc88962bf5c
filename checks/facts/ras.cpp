#include "checks/facts/ras.h"

#include "base/text.h"

namespace rocvet {

std::vector<RasCount> ras_counts(const Gpu& gpu) {
  constexpr std::string_view kPrefix = "ras/", kSuffix = "_err_count";
  std::vector<RasCount> counts;
  for (const auto& [name, text] : gpu.attributes) {
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    RasCount count;
    count.block = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
    for (const std::string_view line : split(text, '\n')) {
      const std::size_t colon = line.find(':');
      if (colon == line.npos) continue;
      const auto number = parse_number(trim(line.substr(colon + 1)));
      if (!number) continue;
      if (trim(line.substr(0, colon)) == "ue") count.uncorrectable = *number;
      if (trim(line.substr(0, colon)) == "ce") count.corrected = *number;
    }
    counts.push_back(std::move(count));
  }
  return counts;
}

}  // namespace rocvet

#include "checks/facts/ttm.h"

#include <algorithm>

#include "base/text.h"
#include "checks/facts/options.h"

namespace rocvet {

std::string ttm_in_use(const Machine& machine) {
  const Driver& driver = machine.driver;
  if (driver.is_loaded("amdttm") || driver.other_options.count("amdttm") != 0) return "amdttm";
  if (driver.origin == DriverOrigin::in_tree) return "ttm";
  return "";
}

std::optional<unsigned long long> ttm_pages_limit(const Machine& machine) {
  std::optional<unsigned long long> pages;
  for (const std::string module : {"ttm", "amdttm"}) {
    if (const std::string used = ttm_in_use(machine); !used.empty() && used != module) continue;
    if (const auto asked = kernel_argument(machine, module + ".pages_limit"))
      pages = std::max(pages, parse_number(*asked));
    const auto found = machine.driver.other_options.find(module);
    if (found == machine.driver.other_options.end()) continue;
    if (const auto limit = option_of(found->second, "pages_limit"))
      pages = std::max(pages, parse_number(limit->text));
  }
  return pages;
}

}  // namespace rocvet

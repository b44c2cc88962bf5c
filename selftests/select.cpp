#include "selftests/select.h"

#include <algorithm>

#include "base/text.h"

namespace rocvet {

Result<std::vector<const SelfTest*>> select_tests(const std::vector<std::string>& patterns) {
  std::vector<std::string> names;
  for (const SelfTest* test : all_selftests()) names.emplace_back(test->id);
  std::vector<bool> chosen(names.size(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!glob_match(pattern, names[i])) continue;
      chosen[i] = any = true;
    }
    if (!any) {
      return missing("", "no self-test matches '" + pattern + "'" + did_you_mean(pattern, names) +
                             " (rocvet test --list names them)");
    }
  }
  std::vector<const SelfTest*> tests;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (chosen[i]) tests.push_back(all_selftests()[i]);
  }
  return tests;
}

std::string DeviceName::text() const {
  return runtime == "host" || index < 0 ? runtime : runtime + ":" + std::to_string(index);
}

Result<DeviceName> parse_device(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string runtime = text.substr(0, colon);
  const std::vector<std::string> runtimes = {"hip", "hsa", "kfd", "cuda", "host"};
  const bool has_index = colon != std::string::npos;
  const std::string digits = has_index ? text.substr(colon + 1) : "";
  const bool index_good = !digits.empty() && digits.size() <= 4 &&
                          digits.find_first_not_of("0123456789") == std::string::npos;
  if (runtime == "host" && (!has_index || digits == "0")) return DeviceName{"host", 0};
  const bool known = std::ranges::find(runtimes, runtime) != runtimes.end();
  if (known && runtime != "host" && (!has_index || index_good)) {
    return DeviceName{runtime, has_index ? std::stoi(digits) : -1};
  }
  return malformed("--device", "'" + text + "' is none of hip:N, hsa:N, kfd:N, cuda:N, host" +
                                   did_you_mean(runtime, runtimes));
}

}  // namespace rocvet

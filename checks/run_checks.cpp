#include <exception>

#include "base/text.h"
#include "checks/check.h"
#include "checks/row_check.h"

namespace rocvet {

std::vector<std::string> doc_links(const Check& check) {
  std::vector<std::string> links;
  const std::size_t section = check.doc.find("## References");
  if (section == std::string_view::npos) return links;
  for (const std::string_view word : words(check.doc.substr(section))) {
    for (const std::string_view part : split(word, '\n')) {
      if (part.starts_with("https://")) links.emplace_back(part);
    }
  }
  return links;
}

std::vector<CheckResult> run_checks(const Context& context, std::span<const Check* const> checks) {
  std::vector<CheckResult> results;
  for (const Check* check : checks) {
    std::vector<Finding> findings;
    try {
      findings = findings_of(context, *check);
    } catch (const std::exception& problem) {
      findings = {
          unknown({Error::Kind::failed, std::string(check->code),
                   std::string("this check crashed, please report it: ") + problem.what()})};
    }
    for (Finding& finding : findings) results.push_back({check, std::move(finding)});
  }
  return results;
}

}  // namespace rocvet

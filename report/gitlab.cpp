// GitLab's code quality report: a subset of the Code Climate format, shown in merge requests. A
// file and a line are demanded; a machine has neither, so each complaint stands at its own name.
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "report/complaints.h"

namespace rocvet {
namespace {

std::string_view severity_of(Verdict verdict) {
  if (verdict == Verdict::fail) return "critical";
  return verdict == Verdict::warn ? "minor" : "info";
}

}  // namespace

std::string write_gitlab(const Report& report) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Complaint& one : complaints(report)) {
    std::string text = one.text;
    if (!one.action.empty()) text += " - fix: " + one.action;
    all.push_back({{"description", text},
                   {"check_name", one.code.empty() ? one.id : one.code + " " + one.id},
                   {"fingerprint", "rocvet: " + name_of(one)},  // the same in the next run
                   {"severity", severity_of(one.verdict)},
                   {"location",
                    {{"path", "rocvet/" + (one.subject.empty() ? one.id : one.subject)},
                     {"lines", {{"begin", 1}}}}}});
  }
  return json_text(all);
}

}  // namespace rocvet

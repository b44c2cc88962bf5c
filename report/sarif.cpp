// SARIF 2.1.0 for code-scanning views: a rule for each check that spoke, a result for each failure
// and warning.
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

using Json = nlohmann::ordered_json;

/// "[words](address)" would be shown as a link (SARIF 2.1.0, 3.11.6): what a machine calls itself
/// leads nowhere.
std::string without_links(const std::string& text) {
  if (text.find("](") == text.npos) return text;
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

Json result_json(std::string_view rule, Verdict verdict, const std::string& text,
                 const std::string& subject) {
  return {{"ruleId", rule},
          {"level", verdict == Verdict::fail   ? "error"
                    : verdict == Verdict::warn ? "warning"
                                               : "note"},
          {"message", {{"text", without_links(text)}}},
          {"locations",
           Json::array(
               {{{"logicalLocations", Json::array({{{"name", subject.empty() ? "machine" : subject},
                                                    {"kind", "resource"}}})}}})}};
}

}  // namespace

std::string write_sarif(const Report& report) {
  Json rules = Json::array(), results = Json::array();
  std::set<std::string_view> known;
  std::set<std::string> rules_of_soak;
  for (const CheckResult* result : worst_first(report.checks)) {
    const Check& check = *result->check;
    const Finding& finding = result->finding;
    if (finding.verdict != Verdict::fail && finding.verdict != Verdict::warn) continue;
    if (known.insert(check.code).second) {
      Json rule = {{"id", check.code},
                   {"name", check.id},
                   {"shortDescription", {{"text", check.title}}},
                   {"fullDescription", {{"text", check.doc}}}};
      const std::vector<std::string> links = doc_links(check);
      if (!links.empty()) rule["helpUri"] = links.front();
      rules.push_back(std::move(rule));
    }
    std::string text = finding.summary;
    for (const Step& step : finding.remedy.steps) text += "\nfix: " + step.text();
    results.push_back(result_json(check.code, finding.verdict, text, finding.subject));
  }
  for (const TestResult& test : report.selftests) {
    if (test.verdict != Verdict::fail && test.verdict != Verdict::warn) continue;
    if (known.insert(test.id).second)
      rules.push_back({{"id", test.id}, {"shortDescription", {{"text", "self-test " + test.id}}}});
    results.push_back(result_json(test.id, test.verdict, test.summary, test.device));
  }
  for (const SoakRow& row : report.soak ? soak_rows(*report.soak) : std::vector<SoakRow>{}) {
    if (row.verdict != Verdict::fail && row.verdict != Verdict::warn) continue;
    if (rules_of_soak.insert(row.name).second)
      rules.push_back(
          {{"id", "soak " + row.name}, {"shortDescription", {{"text", "soak: " + row.name}}}});
    results.push_back(result_json("soak " + row.name, row.verdict, row.summary, row.device));
  }
  const auto beyond = beyond_tables(report);
  if (!beyond.empty())
    rules.push_back({{"id", "compatibility"},
                     {"shortDescription", {{"text", "what AMD's tables do not list"}}}});
  for (const CompatibilityRow* row : beyond)
    results.push_back(
        result_json("compatibility", Verdict::pass, compatibility_line(*row), row->subject));
  const Json driver = {
      {"name", "rocvet"}, {"version", ROCVET_VERSION}, {"rules", std::move(rules)}};
  const Json out = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", Json::array({{{"tool", {{"driver", driver}}}, {"results", std::move(results)}}})}};
  return json_text(out);
}

}  // namespace rocvet

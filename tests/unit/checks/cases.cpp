#include "unit/checks/cases.h"

#include <algorithm>
#include <filesystem>

#include "base/read_whole_file.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/row_check.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/observations.h"
#include "formats/kernel_message.h"
#include "unit/checks/case_machine.h"

namespace rocvet {
namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(ROCVET_SOURCE_DIR) / "tests" / "cases";

/// The worst of several findings, as a report shows it.
Verdict worst(const std::vector<Finding>& findings) {
  const auto rank = [](Verdict verdict) {
    return verdict == Verdict::fail      ? 4
           : verdict == Verdict::warn    ? 3
           : verdict == Verdict::unknown ? 2
           : verdict == Verdict::pass    ? 1
                                         : 0;
  };
  Verdict found = Verdict::skip;
  for (const Finding& finding : findings) {
    if (rank(finding.verdict) > rank(found)) found = finding.verdict;
  }
  return found;
}

/// Whether the cause has a sign that is seen on the machine.
bool points_at(const Context& context, const std::string& id) {
  const Cause* cause = context.db.knowledge().cause(id);
  const Observations observations(context, run_checks(context, all_checks(context.db)));
  return cause != nullptr &&
         std::any_of(cause->signs.begin(), cause->signs.end(),
                     [&](const Sign& sign) { return observations.saw(sign.saw) == Truth::yes; });
}

}  // namespace

std::string read_test_file(const std::string& path) {
  return read_whole_file(path, 16u << 20).value_or("");
}

std::vector<std::string> known_list(const std::string& path) {
  std::vector<std::string> known;
  const std::string list = read_test_file(path);
  for (const std::string_view line : split(list, '\n')) {
    if (!line.empty() && !line.starts_with('#')) known.emplace_back(line);
  }
  std::sort(known.begin(), known.end());
  return known;
}

std::vector<std::string> unknown_kernel_messages(const Knowledge& knowledge) {
  std::vector<std::string> unknown;
  for (std::string& line :
       known_list(std::string(ROCVET_SOURCE_DIR) + "/tests/kernel_messages.txt")) {
    std::vector<MessageTemplate::Value> values;
    if (knowledge.message_of(message_of(line), &values) == nullptr)
      unknown.push_back(std::move(line));
  }
  return unknown;
}

Result<std::vector<Case>> read_cases() {
  std::vector<Case> cases;
  for (const auto& entry : fs::recursive_directory_iterator(kCases)) {
    if (entry.path().extension() != ".toml") continue;
    auto tables = parse_toml(read_test_file(entry.path().string()), entry.path().string());
    if (!tables) return tables.error();
    auto machine = case_machine(*tables);
    if (!machine) return machine.error();
    cases.push_back({fs::relative(entry.path(), kCases).string(),
                     entry.path().parent_path().filename().string(), std::move(*tables),
                     std::move(*machine)});
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.path < b.path; });
  return cases;
}

std::vector<std::string> wrong_verdicts(const std::vector<Case>& cases, const Database& db) {
  std::vector<std::string> wrong;
  for (const Case& one : cases) {
    const auto checks = all_checks(db);
    const auto check = std::find_if(checks.begin(), checks.end(),
                                    [&](const Check* c) { return c->id == one.check_id; });
    if (check == checks.end()) {
      wrong.push_back(one.path + ": no such check");
      continue;
    }
    const Context context{one.machine, db};
    const std::string got(to_string(worst(findings_of(context, **check))));
    if (const std::string expected = one.tables.string_or("expect"); got != expected)
      wrong.push_back(one.path + ": expected " + expected + ", got " + got);
    const std::string cause = one.tables.string_or("cause");
    if (!cause.empty() && !points_at(context, cause))
      wrong.push_back(one.path + ": nothing that is seen is a sign of " + cause);
    const std::string sees = one.tables.string_or("sees");
    if (!sees.empty() && Observations(context, run_checks(context, checks)).saw(sees) != Truth::yes)
      wrong.push_back(one.path + ": does not see " + sees);
  }
  return wrong;
}

std::vector<std::string> wrong_diagnoses(const std::vector<Case>& cases, const Database& db) {
  std::vector<std::string> wrong;
  for (const Case& one : cases) {
    const Context context{one.machine, db};
    const Diagnosis diagnosis = diagnose(context, run_checks(context, all_checks(db)));
    std::vector<std::string> named;
    for (const RootCause& cause : diagnosis.root_causes) named.push_back(cause.id);
    const std::string first = named.empty() ? "none" : named.front();
    if (const std::string wanted = one.tables.string_or("first");
        !wanted.empty() && wanted != first)
      wrong.push_back(one.path + ": first " + wanted);
    const TomlNode* excluded = one.tables.find("not");
    if (excluded == nullptr) continue;
    for (const TomlNode& cause : excluded->items) {
      if (std::find(named.begin(), named.end(), cause.text) != named.end())
        wrong.push_back(one.path + ": not " + cause.text);
    }
  }
  std::sort(wrong.begin(), wrong.end());
  return wrong;
}

}  // namespace rocvet

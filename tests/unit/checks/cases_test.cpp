// tests/cases/<check id>/*.toml: a machine, and what the check says of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "case_machine.h"
#include "checks/check.h"
#include "checks/row_check.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/observations.h"

namespace rocvet {
namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(ROCVET_SOURCE_DIR) / "tests" / "cases";

std::string slurp(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const Check* find_check(const std::string& id) {
  for (const Check* check : all_checks(Database::embedded())) {
    if (check->id == id) return check;
  }
  return nullptr;
}

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

const std::vector<std::string> kNone;

/// Whether the cause has a sign that is seen on the machine.
bool points_at(const Context& context, const std::string& id) {
  const Cause* cause = context.db.knowledge().cause(id);
  const Observations observations(context, run_checks(context, all_checks(Database::embedded())));
  return cause != nullptr &&
         std::any_of(cause->signs.begin(), cause->signs.end(),
                     [&](const Sign& sign) { return observations.saw(sign.saw) == Truth::yes; });
}

}  // namespace

TEST_CASE("each case gives the verdict that it expects") {
  int run = 0;
  REQUIRE(fs::exists(kCases));
  for (const auto& folder : fs::directory_iterator(kCases)) {
    if (!folder.is_directory()) continue;
    const Check* check = find_check(folder.path().filename().string());
    CAPTURE(folder.path().string());
    REQUIRE(check != nullptr);
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      const std::string name = entry.path().string();
      CAPTURE(name);
      const auto tables = parse_toml(slurp(entry.path()), name);
      REQUIRE_MESSAGE(tables.has_value(), (tables ? "" : tables.error().text()));
      const auto machine = case_machine(*tables);
      REQUIRE_MESSAGE(machine.has_value(), (machine ? "" : machine.error().text()));
      const Context context{*machine, Database::embedded()};
      const auto findings = findings_of(context, *check);
      REQUIRE(!findings.empty());
      CAPTURE(findings.front().summary);
      CHECK(std::string(to_string(worst(findings))) == tables->string_or("expect"));
      if (const std::string cause = tables->string_or("cause"); !cause.empty()) {
        CHECK(points_at(context, cause));
      }
      ++run;
    }
  }
  CHECK(run > 0);
}

/// "path: wanted …, got …" of each case whose diagnosis is not the one that it expects.
std::vector<std::string> wrong_diagnoses() {
  std::vector<std::string> wrong;
  for (const auto& entry : fs::recursive_directory_iterator(kCases)) {
    if (entry.path().extension() != ".toml") continue;
    const auto tables = parse_toml(slurp(entry.path()), entry.path().string());
    const auto machine = case_machine(*tables);
    if (!machine) continue;  // told by the test of the checks
    const Context context{*machine, Database::embedded()};
    const Diagnosis diagnosis =
        diagnose(context, run_checks(context, all_checks(Database::embedded())));
    std::vector<std::string> named;
    for (const RootCause& cause : diagnosis.root_causes) named.push_back(cause.id);
    const std::string path = fs::relative(entry.path(), kCases).string();
    const std::string first = named.empty() ? "none" : named.front();
    if (const std::string wanted = tables->string_or("first"); !wanted.empty() && wanted != first)
      wrong.push_back(path + ": first " + wanted);
    const TomlNode* excluded = tables->find("not");
    for (const TomlNode& one : excluded != nullptr ? excluded->items : std::vector<TomlNode>{}) {
      if (std::find(named.begin(), named.end(), one.text) != named.end())
        wrong.push_back(path + ": not " + one.text);
    }
  }
  std::sort(wrong.begin(), wrong.end());
  return wrong;
}

// What is expected was written by people who had not read the rules. Misses are listed: a new one
// is a fault, and one that is gone is taken off the list.
TEST_CASE("each case is diagnosed as it expects, but for the misses that are known") {
  const std::string list = slurp(kCases / "known_misses.txt");
  std::vector<std::string> known;
  for (const std::string_view line : split(list, '\n')) {
    if (!line.empty() && !line.starts_with('#')) known.emplace_back(line);
  }
  std::sort(known.begin(), known.end());
  const std::vector<std::string> wrong = wrong_diagnoses();
  for (const std::string& one : wrong) {
    CAPTURE(one);
    CHECK(std::find(known.begin(), known.end(), one) != known.end());
  }
  for (const std::string& one : known) {
    CAPTURE(one);
    CHECK(std::find(wrong.begin(), wrong.end(), one) != wrong.end());
  }
}

TEST_CASE("the healthy base machines raise nothing and have no root cause") {
  for (const char* base : {"desktop", "pair", "igpu", "apu", "docker", "wsl"}) {
    CAPTURE(base);
    const auto tables = parse_toml("base = \"" + std::string(base) + "\"\n", base);
    REQUIRE(tables.has_value());
    const auto machine = case_machine(*tables);
    REQUIRE(machine.has_value());
    CHECK(complaints_of(*machine) == kNone);
  }
}

// Under WSL2 there is no PCI device, no /dev/kfd and no amdgpu; ROCm to 7.1 comes with a runtime of
// its own, from 7.2 on with librocdxg.
TEST_CASE("a healthy machine under WSL2 is not one without a GPU, and nothing else is wrong") {
  const std::string base = "base = \"wsl\"\n[env]\nWSL_DISTRO_NAME = \"Ubuntu\"\n";
  const std::string to_7_1 = base +
                             "[files]\n\"/opt/rocm-6.4.2/.info/version\" = \"6.4.2-120\\n\"\n"
                             "\"/var/lib/dpkg/status\" = \"Package: hsa-runtime-rocr4wsl-amdgpu\\n"
                             "Status: install ok installed\\nVersion: 25.10-2203192.24.04\\n\\n\"\n"
                             "[links]\n\"/opt/rocm\" = \"rocm-6.4.2\"\n"
                             "[elf.\"/opt/rocm-6.4.2/lib/libamdhip64.so.6\"]\nsoname = "
                             "\"libamdhip64.so.6\"\nneeded = []\n";
  const std::string from_7_2 =
      base +
      "HSA_ENABLE_DXG_DETECTION = \"1\"\n"
      "[files]\n\"/opt/rocm-7.2.1/.info/version\" = \"7.2.1-81\\n\"\n"
      "\"/var/lib/dpkg/status\" = \"Package: rocdxg-roct\\n"
      "Status: install ok installed\\nVersion: 1.1.0\\n\\n\"\n"
      "[links]\n\"/opt/rocm\" = \"rocm-7.2.1\"\n"
      "[elf.\"/opt/rocm-7.2.1/lib/libamdhip64.so.7\"]\nsoname = \"libamdhip64.so.7\"\nneeded = []\n"
      "[elf.\"/opt/rocm-7.2.1/lib/librocdxg.so.1\"]\nsoname = \"librocdxg.so.1\"\nneeded = []\n";
  for (const std::string& text : {base, to_7_1, from_7_2}) {
    CAPTURE(text);
    const auto tables = parse_toml(text, "wsl");
    REQUIRE(tables.has_value());
    const auto machine = case_machine(*tables);
    REQUIRE(machine.has_value());
    CHECK(complaints_of(*machine) == kNone);
    for (const CheckResult& result :
         run_checks({*machine, Database::embedded()}, all_checks(Database::embedded()))) {
      CAPTURE(result.check->id);
      CHECK(!(result.check->decisive && result.finding.verdict == Verdict::unknown));
    }
  }
}

TEST_CASE("a machine without an AMD GPU has that one cause and nothing else fails") {
  const auto tables = parse_toml("base = \"none\"\n", "none");
  const auto machine = case_machine(*tables);
  REQUIRE(machine.has_value());
  CHECK(complaints_of(*machine) != kNone);
  const Context context{*machine, Database::embedded()};
  const auto results = run_checks(context, all_checks(Database::embedded()));
  for (const CheckResult& result : results) {
    CAPTURE(result.check->id);
    if (result.check->id != "no-amd-gpu") CHECK(result.finding.verdict != Verdict::fail);
  }
  const Diagnosis diagnosis = diagnose(context, results);
  REQUIRE(diagnosis.root_causes.size() == 1);
  CHECK(diagnosis.root_causes.front().id == "no-amd-gpu");
}

}  // namespace rocvet

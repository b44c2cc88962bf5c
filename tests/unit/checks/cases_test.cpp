// tests/cases/<check id>/*.toml: a machine, and what the check says of it.
#include "unit/checks/cases.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "case_machine.h"
#include "checks/check.h"
#include "diagnosis/diagnosis.h"
#include "unit/checks/second_reading.h"

namespace rocvet {
namespace {

const std::vector<std::string> kNone;

const std::vector<Case>& cases() {
  static const Result<std::vector<Case>> all = read_cases();
  REQUIRE_MESSAGE(all.has_value(), (all ? "" : all.error().text()));
  return *all;
}

/// A list of what is wrong holds just that: a new one is a fault, and one that is gone is taken
/// off.
void check_list(const std::vector<std::string>& wrong, const std::vector<std::string>& known) {
  for (const std::string& one : wrong) {
    CAPTURE(one);
    CHECK(std::find(known.begin(), known.end(), one) != known.end());
  }
  for (const std::string& one : known) {
    CAPTURE(one);
    CHECK(std::find(wrong.begin(), wrong.end(), one) != wrong.end());
  }
}

}  // namespace

TEST_CASE("each case gives the verdict that it expects") {
  CHECK(cases().size() > 400);
  check_list(wrong_verdicts(cases(), Database::embedded()), {});
}

// What is expected was written by people who had not read the rules.
TEST_CASE("each case is diagnosed as it expects, but for the misses that are known") {
  check_list(wrong_diagnoses(cases(), Database::embedded()),
             known_list(std::string(ROCVET_SOURCE_DIR) + "/tests/cases/known_misses.txt"));
}

// Else `rocvet check` and `--why` would tell two stories of one machine.
TEST_CASE("where a likelier cause is passed over, --why says why") {
  const Knowledge& knowledge = Database::embedded().knowledge();
  std::size_t in_its_place = 0;
  for (const Case& one : cases()) {
    CAPTURE(one.path);
    const Context context{one.machine, Database::embedded()};
    const auto results = run_checks(context, all_checks(Database::embedded()));
    const Diagnosis diagnosis = diagnose(context, results);
    if (diagnosis.root_causes.empty() || diagnosis.root_causes.front().confidence <= kNamed)
      continue;
    const std::string named = diagnosis.root_causes.front().id;
    const auto text = why(context, results, named);
    REQUIRE(text.has_value());
    CAPTURE(*text);
    const std::size_t at = text->find("likelier: ");
    if (at == std::string::npos) continue;
    const std::size_t from = at + std::string_view("likelier: ").size();
    const std::string likelier = text->substr(from, text->find(' ', from) - from);
    // What needs no mending is told of by nobody.
    if (knowledge.cause(likelier)->benign()) continue;
    if (text->find(", of which nothing complains") != std::string::npos) continue;
    ++in_its_place;
    CHECK(text->find("named in the place of " + likelier) != std::string::npos);
    const auto other = why(context, results, likelier);
    REQUIRE(other.has_value());
    CHECK(other->find(named + " is named in its place") != std::string::npos);
  }
  CHECK(in_its_place > 0);
}

TEST_CASE("what the driver's error messages look like is known") {
  CHECK(known_list(std::string(ROCVET_SOURCE_DIR) + "/tests/kernel_messages.txt").size() > 1500);
  CHECK(unknown_kernel_messages(Database::embedded().knowledge()) == kNone);
}

TEST_CASE("two readers agree on causes, but for what is known") {
  INFO(
      "a new sign or link of a cause wants a reviewer's line in signs.tsv or links.tsv "
      "(tests/second_reading/README.md); a settled one leaves disagreements.txt");
  check_list(disagreements(Database::embedded().knowledge()), known_disagreements());
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
  const auto tables = parse_toml(
      "base = \"none\"\n[files]\n\"/opt/rocm-6.2.0/.info/version\" = \"6.2.0-66\"\n"
      "[elf.\"/opt/rocm-6.2.0/lib/libamdhip64.so.6\"]\nsoname = \"libamdhip64.so.6\"\n"
      "needed = []\n[links]\n\"/opt/rocm\" = \"rocm-6.2.0\"\n",
      "none");
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

// Walks the registry: what a check must bring along.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "base/toml.h"
#include "checks/check.h"
#include "db/condition_names.h"
#include "unit/checks/cases.h"

namespace rocvet {
namespace {

namespace fs = std::filesystem;

std::string file_name(std::string_view id) {
  std::string name(id);
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name + ".cpp";
}

}  // namespace

TEST_CASE("codes and ids are unique and each check has its manual and its file") {
  std::set<std::string_view> codes, ids;
  for (const Check* check : all_checks(Database::embedded())) {
    CAPTURE(check->id);
    CHECK(codes.insert(check->code).second);
    CHECK(ids.insert(check->id).second);
    CHECK(check->code.starts_with("RV"));
    std::size_t at = 0;
    for (const char* heading : {"## What it looks for", "## Why it matters", "## How to mend it",
                                "## Not this", "## References"}) {
      const std::size_t found = check->doc.find(heading, at);
      CHECK_MESSAGE(found != std::string_view::npos, heading);
      if (found != std::string_view::npos) at = found;
    }
    CHECK(!doc_links(*check).empty());
    if (check->row != nullptr) continue;
    CHECK(fs::exists(fs::path(ROCVET_SOURCE_DIR) / "checks" / std::string(check->topic) /
                     file_name(check->id)));
  }
}

TEST_CASE("each check has a case that fails and one that passes") {
  for (const Check* check : all_checks(Database::embedded())) {
    CAPTURE(check->id);
    const fs::path folder =
        fs::path(ROCVET_SOURCE_DIR) / "tests" / "cases" / std::string(check->id);
    REQUIRE(fs::exists(folder));
    bool raises = false, passes = false;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto tables = parse_toml(read_test_file(entry.path().string()), entry.path().string());
      REQUIRE(tables.has_value());
      const std::string expect = tables->string_or("expect");
      // A check that only weighs (never fails by itself) shows it by what it sees.
      // One that only shows a fact has a case that says so.
      raises |= tables->string_or("why").find("shown only") != std::string::npos;
      raises |= expect == "fail" || expect == "warn" || expect == "unknown" ||
                !tables->string_or("cause").empty();
      passes |= (expect == "pass" || expect == "skip") && tables->string_or("cause").empty();
    }
    CHECK(raises);
    CHECK(passes);
  }
}

TEST_CASE("each file of a topic folder is registered") {
  std::set<std::string> known;
  for (const Check* check : all_checks(Database::embedded()))
    known.insert(std::string(check->topic) + "/" + file_name(check->id));
  for (const auto& topic : fs::directory_iterator(fs::path(ROCVET_SOURCE_DIR) / "checks")) {
    if (!topic.is_directory()) continue;
    const std::string name = topic.path().filename().string();
    if (name == "common" || name == "causes") continue;
    for (const auto& file : fs::directory_iterator(topic.path())) {
      if (file.path().extension() != ".cpp") continue;
      if (read_test_file(file.path().string()).find("constinit const Check ") == std::string::npos)
        continue;
      CAPTURE(file.path().string());
      CHECK(known.count(name + "/" + file.path().filename().string()) == 1);
    }
  }
}

TEST_CASE("causes, observations and checks know one another") {
  const Knowledge& knowledge = Database::embedded().knowledge();
  std::set<std::string> checks, signs;
  for (const Check* check : all_checks(Database::embedded())) checks.insert(std::string(check->id));
  CHECK(knowledge.causes().size() >= 98);
  for (const Cause& cause : knowledge.causes()) {
    CAPTURE(cause.id);
    CHECK(!cause.title.empty());
    CHECK(!cause.definition.empty());
    CHECK(!cause.remedy.empty());
    for (std::string_view need : cause.needs) {
      CAPTURE(need);
      need = need.substr(need.starts_with('!') ? 1 : 0);
      CHECK(std::ranges::find(kConditionNames, need) != std::end(kConditionNames));
    }
    for (const Sign& sign : cause.signs) {
      CAPTURE(sign.saw);
      signs.insert(std::string(sign.saw));
      if (sign.saw.starts_with("check.")) CHECK(checks.count(std::string(sign.saw.substr(6))) == 1);
    }
  }
  for (const ObservationInfo& observation : knowledge.observations()) {
    CAPTURE(observation.id);
    const bool of_selftest =
        observation.id.starts_with("selftest-") || observation.check == "state";
    CHECK((of_selftest || checks.count(std::string(observation.check)) == 1));
    if (observation.id.starts_with("check.")) CHECK(observation.id.substr(6) == observation.check);
  }
}

TEST_CASE("the database has the topics of the checks, in the order of their lists") {
  const auto all = all_checks(Database::embedded());
  std::vector<std::string_view> of_lists, of_all;
  for (const Check* check : checks_in_code()) {
    if (of_lists.empty() || of_lists.back() != check->topic) of_lists.push_back(check->topic);
  }
  for (const Check* check : all) {
    if (of_all.empty() || of_all.back() != check->topic) of_all.push_back(check->topic);
  }
  CHECK(of_all == of_lists);
  CHECK(all.size() == checks_in_code().size() + Database::embedded().check_rows().size());
}

TEST_CASE("a check that is no cause's sign is on the list of those, which only shrinks") {
  const Knowledge& knowledge = Database::embedded().knowledge();
  std::set<std::string_view> of_causes;
  for (const Cause& cause : knowledge.causes()) {
    for (const Sign& sign : cause.signs) of_causes.insert(sign.saw);
    of_causes.insert(cause.refuted_by.begin(), cause.refuted_by.end());
  }
  std::set<std::string> explains;
  for (const ObservationInfo& observation : knowledge.observations()) {
    if (of_causes.contains(observation.id)) explains.insert(std::string(observation.check));
  }
  for (const KernelMessage& message : knowledge.messages()) {
    if (!of_causes.contains("kernel." + std::string(message.id))) continue;
    // The checks of the kernel's log show what its messages are.
    for (const CheckRow& row : Database::embedded().check_rows()) {
      if (row.bad.front().fact.kind == FactKind::kernel_log &&
          row.bad.front().fact.name == message.topic)
        explains.insert(std::string(row.id));
    }
  }
  std::set<std::string> without, listed;
  for (const Check* check : all_checks(Database::embedded())) {
    const std::string id(check->id);
    if (!of_causes.contains("check." + id) && !explains.contains(id)) without.insert(id);
  }
  for (std::string& line :
       known_list(std::string(ROCVET_SOURCE_DIR) + "/tests/cases/without_cause.txt"))
    listed.insert(std::move(line));
  for (const std::string& id : without) {
    CAPTURE(id);
    CHECK_MESSAGE(listed.contains(id),
                  "no cause has it, or what it sees, as a sign: db/causes wants one (tests/cases/"
                  "without_cause.txt only shrinks)");
  }
  for (const std::string& id : listed) {
    CAPTURE(id);
    CHECK_MESSAGE(without.contains(id), "is a cause's sign now: take it off the list");
  }
}

TEST_CASE("every slug of the taxonomy is in the catalogue") {
  const fs::path taxonomy = fs::path(ROCVET_SHARED_DIR) / "diagnosis" / "taxonomy.toml";
  if (!fs::exists(taxonomy)) {
    MESSAGE("skipped: no " << taxonomy.string());
    return;
  }
  const std::string text = read_test_file(taxonomy.string());
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with("slug = \"")) continue;
    const std::string slug(line.substr(8, line.rfind('"') - 8));
    CAPTURE(slug);
    CHECK(Database::embedded().knowledge().cause(slug) != nullptr);
  }
}

TEST_CASE("a pattern of checks that matches nothing is an error with a hint") {
  const auto wrong = select_checks({{"kfd-mising"}, {}}, Database::embedded());
  REQUIRE(!wrong.has_value());
  CHECK(wrong.error().what.find("kfd-missing") != std::string::npos);
  const auto some = select_checks({{"RV10?"}, {"rv102"}}, Database::embedded());
  REQUIRE(some.has_value());
  CHECK(some->size() >= 5);
  for (const Check* check : *some) CHECK(check->code != "RV102");
}

}  // namespace rocvet

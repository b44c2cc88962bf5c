// Walks the registry: what a check must bring along.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "base/toml.h"
#include "checks/check.h"
#include "diagnosis/conditions.h"

namespace rocvet {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string file_name(std::string_view id) {
  std::string name(id);
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name + ".cpp";
}

}  // namespace

TEST_CASE("codes and ids are unique and each check has its manual and its file") {
  std::set<std::string_view> codes, ids;
  for (const Check* check : all_checks()) {
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
    CHECK(fs::exists(fs::path(ROCVET_SOURCE_DIR) / "checks" / std::string(check->topic) /
                     file_name(check->id)));
  }
}

TEST_CASE("each check has a case that fails and one that passes") {
  for (const Check* check : all_checks()) {
    CAPTURE(check->id);
    const fs::path folder =
        fs::path(ROCVET_SOURCE_DIR) / "tests" / "cases" / std::string(check->id);
    REQUIRE(fs::exists(folder));
    bool raises = false, passes = false;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto tables = parse_toml(slurp(entry.path()), entry.path().string());
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
  for (const Check* check : all_checks())
    known.insert(std::string(check->topic) + "/" + file_name(check->id));
  for (const auto& topic : fs::directory_iterator(fs::path(ROCVET_SOURCE_DIR) / "checks")) {
    if (!topic.is_directory()) continue;
    const std::string name = topic.path().filename().string();
    if (name == "common" || name == "causes") continue;
    for (const auto& file : fs::directory_iterator(topic.path())) {
      if (file.path().extension() != ".cpp") continue;
      if (slurp(file.path()).find("constinit const Check ") == std::string::npos) continue;
      CAPTURE(file.path().string());
      CHECK(known.count(name + "/" + file.path().filename().string()) == 1);
    }
  }
}

TEST_CASE("causes, observations and checks know one another") {
  const Knowledge& knowledge = Database::embedded().knowledge();
  std::set<std::string> checks, signs;
  for (const Check* check : all_checks()) checks.insert(std::string(check->id));
  const std::vector<std::string_view> conditions = condition_names();
  CHECK(knowledge.causes().size() >= 98);
  for (const Cause& cause : knowledge.causes()) {
    CAPTURE(cause.id);
    CHECK(!cause.title.empty());
    CHECK(!cause.definition.empty());
    CHECK(!cause.remedy.empty());
    for (std::string_view need : cause.needs) {
      CAPTURE(need);
      need = need.substr(need.starts_with('!') ? 1 : 0);
      CHECK(std::find(conditions.begin(), conditions.end(), need) != conditions.end());
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

TEST_CASE("every slug of the taxonomy is in the catalogue") {
  const fs::path taxonomy = fs::path(ROCVET_SHARED_DIR) / "diagnosis" / "taxonomy.toml";
  if (!fs::exists(taxonomy)) {
    MESSAGE("skipped: no " << taxonomy.string());
    return;
  }
  const std::string text = slurp(taxonomy);
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with("slug = \"")) continue;
    const std::string slug(line.substr(8, line.rfind('"') - 8));
    CAPTURE(slug);
    CHECK(Database::embedded().knowledge().cause(slug) != nullptr);
  }
}

TEST_CASE("a pattern of checks that matches nothing is an error with a hint") {
  const auto wrong = select_checks({{"kfd-mising"}, {}});
  REQUIRE(!wrong.has_value());
  CHECK(wrong.error().what.find("kfd-missing") != std::string::npos);
  const auto some = select_checks({{"RV10?"}, {"rv102"}});
  REQUIRE(some.has_value());
  CHECK(some->size() >= 5);
  for (const Check* check : *some) CHECK(check->code != "RV102");
}

}  // namespace rocvet

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/toml.h"
#include "db/database.h"

using namespace rocvet;

TEST_CASE("questions that users asked in public threads: rocvet agrees, or the file says why not") {
  const std::string path = ROCVET_SOURCE_DIR "/tests/questions.toml";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto document = parse_toml(text.str(), path);
  REQUIRE(document);
  const TomlNode* questions = document->find("question");
  REQUIRE(questions != nullptr);
  CHECK(questions->items.size() >= 20);
  for (const TomlNode& row : questions->items) {
    CAPTURE(row.string_or("thread"));
    const auto answer = Database::embedded().ask(
        {.gpu = row.string_or("gpu"), .rocm = row.string_or("rocm"), .os = row.string_or("os")});
    REQUIRE(answer);
    const TomlNode* verdicts = row.find("verdicts");
    REQUIRE(verdicts != nullptr);
    const bool agrees =
        std::any_of(verdicts->items.begin(), verdicts->items.end(),
                    [&](const TomlNode& each) { return each.text == to_string(answer->verdict); });
    CAPTURE(to_string(answer->verdict));
    const TomlNode* expected = row.find("agrees");
    REQUIRE(expected != nullptr);
    CHECK(agrees == expected->boolean);
    CHECK((agrees || !row.string_or("why").empty()));
  }
}

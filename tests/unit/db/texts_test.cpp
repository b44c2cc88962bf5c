// What is refused of a row about a program's message.
#include <doctest/doctest.h>

#include <string>

#include "db/check_knowledge.h"
#include "db/load.h"

using namespace rocvet;
using namespace rocvet::db;

namespace {

/// A row that is right, with `lines` in place of those that begin with the same word.
std::string row(const std::string& id, const std::string& lines) {
  std::string text = "[[text]]\nid = \"" + id + "\"\nfrom = \"x\"\nmeans = \"m\"\n" + lines;
  if (lines.find("checked = ") == lines.npos) text += "checked = 2026-11-22\n";
  return text;
}

/// The problems of the rows, "where: what" each; the error of the loader when it refuses them.
std::string problems_of(const std::string& rows) {
  Tables tables;
  const auto done = load_text("schema = 1\n" + rows, "x.toml", tables);
  if (!done) return done.error().text();
  std::string all;
  for (const Problem& problem : check_knowledge(tables))
    all += problem.where + ": " + problem.what + "\n";
  return all;
}

constexpr const char* kText = "text = \"cannot open device {name:path}\"\n";
constexpr const char* kHit = "hit = \"prog: cannot open device /dev/kfd\"\n";
constexpr const char* kOrigin = "origin = \"owner/repo@v1.0 src/main.c\"\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("a row of a program's message that is whole") {
  CHECK(problems_of(row("a", std::string(kText) + kHit + kOrigin)) == "");
  CHECK(problems_of(row("a", std::string(kText) + kHit +
                                 "basis = \"threads\"\nsource = \"https://example.com\"\n")) == "");
}

TEST_CASE("a bad row is told with file, line and column") {
  const std::string text = kText, hit = kHit, origin = kOrigin;
  CHECK(has(problems_of(row("a", "text = \"short {n:int}\"\n" + hit + origin)),
            "x.toml:2:1: 'short {n:int}': has no literal of 8 bytes"));
  CHECK(has(problems_of(row("a", "text = \"cannot open {name:pth}\"\n" + hit + origin)),
            "unknown type 'pth'"));
  CHECK(
      has(problems_of(row("a", text + origin)), "x.toml:2:1: [[text]] of a program without 'hit'"));
  CHECK(has(problems_of(row("a", text + hit)), "x.toml:2:1: 'origin' is not"));
  for (const char* wrong : {"main.c", "owner/repo main.c", "owner/repo@ main.c", "owner/repo@v1"}) {
    CAPTURE(wrong);
    CHECK(has(problems_of(row("a", text + hit + "origin = \"" + wrong + "\"\n")),
              "'origin' is not 'owner/repo@version path'"));
  }
  CHECK(has(problems_of(row("a", text + hit + "basis = \"threads\"\n")), "without 'source'"));
  CHECK(has(problems_of(row("a", text + hit + origin + "anywhere = true\n")),
            "'anywhere' without a 'note'"));
  CHECK(has(problems_of(row("a", text + "hit = \"a line of its own\"\n" + origin)),
            "x.toml:2:1: its 'hit' is no text: a line of its own"));
  CHECK(has(problems_of(row("a", text + hit + origin + "near = \"cannot open device x\"\n")),
            "its 'near' fits: cannot open device x"));
}

TEST_CASE("two rows may not take each other's lines") {
  const std::string wide = row("wide", std::string(kText) + kHit + kOrigin);
  const std::string narrow = row(
      "narrow", "text = \"cannot open device /dev/{name:path}\"\n" + std::string(kHit) + kOrigin);
  CHECK(has(problems_of(wide + narrow), "x.toml:2:1: its 'hit' is 'narrow'"));
}

TEST_CASE("people's words have neither origin nor examples") {
  const std::string said = "text = \"it is * gone\"\nprose = true\nsource = \"threads\"\n";
  CHECK(problems_of(row("a", said)) == "");
  CHECK(has(problems_of(row("a", said + kHit)), "are of a program's message"));
  CHECK(has(problems_of(row("a", said + kOrigin)), "are of a program's message"));
  CHECK(has(problems_of(row("a",
                            "text = [\"it is gone\", \"lost\"]\nprose = true\n"
                            "source = \"threads\"\n")),
            "people's words are one text"));
}

TEST_CASE("people's words are an observation of the check that reads them alone") {
  const std::string said = "text = \"it is * gone\"\nprose = true\nsource = \"threads\"\n";
  CHECK(has(problems_of(row("a", said + "sees = \"nonsense\"\n")),
            "'nonsense' is no observation of said-to-fail"));
  const std::string printed = std::string(kText) + kHit + kOrigin;
  CHECK(
      has(problems_of(row("a", printed + "sees = \"nonsense\"\n")), "'sees' is of people's words"));
}

#include "db/load.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "db/blob.h"
#include "db/check.h"
#include "db/database.h"

using namespace rocvet;
using namespace rocvet::db;

namespace {

std::string error_of(const std::string& text) {
  Tables tables;
  const auto done = load_text(text, "x.toml", tables);
  return done ? "" : done.error().text();
}

bool begins(const std::string& text, const std::string& head) {
  return text.rfind(head, 0) == 0;
}

const std::string kTableRow =
    "schema = 1\n"
    "[[support]]\n"
    "gfx = \"gfx942\"\n"
    "rocm = \">=6.0\"\n"
    "verdict = \"supported\"\n"
    "source = \"https://example.com\"\n"
    "checked = 2026-11-21\n";

}  // namespace

TEST_CASE("a row that is whole loads") {
  CHECK(error_of(kTableRow) == "");
}

TEST_CASE("what is wrong is told with file, line and column") {
  CHECK(begins(error_of("schema = 1\n[[support]]\nrcom = \"6.2\"\n"),
               "x.toml:3:8: unknown key 'rcom' in [[support]]; did you mean 'rocm'"));
  CHECK(begins(error_of("schema = 1\n\n[[suport]]\n"), "x.toml:3:"));
  CHECK(error_of("schema = 1\n[[suport]]\n").find("did you mean 'support'") != std::string::npos);
  CHECK(begins(error_of("schema = 2\n"), "x.toml:1:10: 'schema' is not 1"));
  CHECK(begins(error_of("[[support]]\n"), "x.toml:1:1: no 'schema = 1'"));
  CHECK(
      begins(error_of("schema = 1\n[[support]]\ngfx = 942\n"), "x.toml:3:7: 'gfx' takes a string"));
  CHECK(begins(error_of("schema = 1\n[[support]]\ngfx = \"gfx942\n"), "x.toml:3:"));
  CHECK(begins(error_of("schema = 1\nsupport = 3\n"),
               "x.toml:2:11: 'support' takes [[support]] rows"));
  std::string text = kTableRow;
  text.replace(text.find("\"supported\""), 11, "\"suported\"");
  CHECK(begins(error_of(text), "x.toml:5:11: 'verdict' takes one of"));
  text = kTableRow;
  text.replace(text.find(">=6.0"), 5, ">=six");
  CHECK(begins(error_of(text), "x.toml:4:8: '>=six' has no meaning"));
  text = kTableRow;
  text.replace(text.find("2026-11-21"), 10, "\"today\"");
  CHECK(begins(error_of(text), "x.toml:7:11: 'checked' takes a date"));
}

TEST_CASE("a row without a source or a date does not load") {
  for (const char* line : {"source = \"https://example.com\"\n", "checked = 2026-11-21\n"}) {
    std::string text = kTableRow;
    text.erase(text.find(line), std::string(line).size());
    CAPTURE(line);
    CHECK(begins(error_of(text), "x.toml:2:1: [[support]] without '"));
  }
}

TEST_CASE(
    "every file of the repository loads, every row has its source and date, none contradicts "
    "another") {
  const auto tables = load_directory(ROCVET_SOURCE_DIR "/db");
  REQUIRE_MESSAGE(tables.has_value(), (tables ? "" : tables.error().text()));
  std::size_t rows = 0;
  for (std::size_t t = 0; t < db::tables().size(); ++t) {
    const auto& spec = db::tables()[t];
    for (const auto& row : tables->rows[t]) {
      ++rows;
      CAPTURE(row[*spec.column("where")]);
      if (!spec.column("source")) continue;
      const auto origin = spec.column("origin");  // of a program's message, in place of a source
      CHECK((!row[*spec.column("source")].empty() || (origin && !row[*origin].empty())));
      CHECK(row[*spec.column("checked")].size() == 10);
    }
  }
  CHECK(rows > 1500);
  for (const auto& problem : check(*tables)) FAIL_CHECK(problem.where << ": " << problem.what);
}

TEST_CASE("check finds what the loader cannot") {
  Tables tables;
  const std::string head = "schema = 1\n";
  const std::string tail = "source = \"s\"\nchecked = 2026-11-21\n";
  const auto add = [&](const std::string& text) {
    REQUIRE(load_text(head + text, "x.toml", tables));
  };
  add("[[release]]\nrocm = \"6.0.0\"\nkind = \"production\"\n" + tail);
  add("[[target]]\ngfx = \"gfx1\"\nfamily = \"f\"\ndevices = [\"1002:0001\"]\n" + tail);
  add("[[target]]\ngfx = \"gfx2\"\nfamily = \"f\"\ndevices = [\"1002:0001\"]\n" + tail);
  add("[[support]]\ngfx = \"gfx1\"\nrocm = \">=6.0\"\nverdict = \"supported\"\n" + tail);
  CHECK(check(tables).size() == 1);  // the device of two targets
  add("[[support]]\ngfx = \"gfx1\"\nrocm = \"6.0\"\nverdict = \"unsupported\"\n" + tail);
  add("[[support]]\ngfx = \"gfx1\"\nrocm = \"6.0\"\nverdict = \"enabled\"\ndisagrees = true\n" +
      tail);
  add("[[support]]\ngfx = \"gfx1\"\ngpus = [\"Nobody\"]\nrocm = \"6.0\"\nverdict = "
      "\"supported\"\n" +
      tail);
  const auto problems = check(tables);
  REQUIRE(problems.size() == 3);
  CHECK(problems[0].what.find("supported at x.toml:2") != std::string::npos);
  CHECK(problems[2].what == "no [[gpu]] is called 'Nobody'");
}

TEST_CASE("a blob gives back every cell, and is refused when it is not one") {
  Tables tables;
  REQUIRE(load_text(kTableRow, "x.toml", tables));
  const std::string bytes = encode(tables);
  const auto blob = Blob::open(bytes);
  REQUIRE(blob);
  CHECK(blob->decode().rows == tables.rows);
  CHECK(!Blob::open(""));
  CHECK(!Blob::open("not a blob at all, but long enough"));
  CHECK(!Blob::open(std::string_view(bytes).substr(0, 12)));
}

TEST_CASE(
    "an overlay's row takes the place of the one with the same key, and errors have a position") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "rocvet-overlay-test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto write = [&](const std::string& text) { std::ofstream(folder / "site.toml") << text; };
  write(
      "schema = 1\n[[support]]\ngfx = \"gfx1031\"\ngpus = [\"Radeon RX 6700 XT\"]\nrocm = "
      "\"6.4\"\nverdict = \"enabled\"\n"
      "condition = \"tested here\"\nsource = \"our site\"\nchecked = 2026-11-20\n");
  const auto overlay = Database::with_overlay(folder.string());
  REQUIRE(overlay);
  const auto answer = (*overlay)->ask({.gpu = "RX 6700 XT", .rocm = "6.4.1"});
  REQUIRE(answer);
  CHECK(answer->verdict == Support::enabled);
  CHECK(answer->conditions == std::vector<std::string>{"tested here"});
  CHECK(Database::embedded().ask({.gpu = "RX 6700 XT", .rocm = "6.4.1"})->verdict ==
        Support::unlisted);
  write("schema = 1\n[[support]]\n  gpu = \"x\"\n");
  const auto bad = Database::with_overlay(folder.string());
  REQUIRE(!bad);
  CHECK(bad.error().text().find("site.toml:3:") != std::string::npos);
  // What the rows say together is looked at too.
  write(
      "schema = 1\n\n[[cause]]\nid = \"site-x\"\ntitle = \"x\"\ndefinition = \"x\"\naction = "
      "\"configure\"\nsource = \"our site\"\nchecked = 2026-11-20\n"
      "  [[cause.sign]]\n  saw = \"kernel.no-such\"\n  shows = \"always\"\n  group = \"a\"\n");
  const auto loose = Database::with_overlay(folder.string());
  REQUIRE(!loose);
  CHECK(loose.error().text().find("site.toml:10:") != std::string::npos);
  CHECK(loose.error().text().find("no message of the kernel 'no-such'") != std::string::npos);
  CHECK(!Database::with_overlay((folder / "absent").string()));
  fs::remove_all(folder);
  CHECK(!Database::with_overlay(folder.string()));
}

TEST_CASE("all systems of a GPU: what is no system or no GPU, and a GPU that stands twice") {
  const auto problems = [](const std::string& gpus, const std::string& systems) {
    Tables tables;
    const std::string end = "source = \"s\"\nchecked = 2026-11-27\n";
    const std::string text =
        "schema = 1\n[[target]]\ngfx = \"gfx1\"\nfamily = \"F\"\n" + end +
        "[[gpu]]\ngfx = \"gfx1\"\nname = \"Radeon A\"\nkind = \"radeon\"\n" + end +
        "[[release]]\nrocm = \"1.0.0\"\nkind = \"production\"\n" + end +
        "[[gpu_systems]]\ngpus = [\"Radeon A\"]\nrocm = \"1.0\"\nsystems = [\"debian 12\"]\n" +
        end + "[[gpu_systems]]\ngpus = " + gpus + "\nrocm = \">=1.0\"\nsystems = " + systems +
        "\n" + end;
    REQUIRE(load_text(text, "x.toml", tables));
    std::string all;
    for (const Problem& problem : check(tables)) all += problem.what + "\n";
    return all;
  };
  CHECK(problems("[\"Radeon B\"]", "[\"debian 12\"]").find("no [[gpu]] is called 'Radeon B'") !=
        std::string::npos);
  CHECK(problems("[\"Radeon B\"]", "[\"beos 5\"]").find("beos 5") != std::string::npos);
  CHECK(problems("[\"Radeon A\"]", "[\"debian 12\"]").find("ROCm 1.0.0 stand at") !=
        std::string::npos);
}

TEST_CASE("a source is a document that a reader can open") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ROCVET_SOURCE_DIR "/db")) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    CAPTURE(entry.path().string());
    CHECK(text.find("store file id") == std::string::npos);
  }
  CHECK(files > 100);
}

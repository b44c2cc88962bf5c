// Rows of [[check]] that the build, `db check` and an overlay refuse, and where they say it is.
#include "db/check_rows.h"

#include <doctest/doctest.h>

#include "db/blob_database.h"
#include "db/load.h"

namespace rocvet::db {
namespace {

// A value that stands at a column of its own in each line.
const std::string kRow = R"(schema = 1
[[check]]
code = "RV9990"
id = "site-option"
topic = "driver"
title = "An option of the site"
needs = ["amd-gpu"]
bad = [{ fact = "option.sched_policy", ne = 0 }]
verdict = "warn"
says = "it is {value}"
good = "it is not"
remedy = "remove-kernel-parameter"
fix = ["echo {value}"]
asks = ["root"]
doc = '''
## What it looks for
## Why it matters
## How to mend it
## Not this
## References
- https://example.org/
'''
source = "our site"
checked = 2026-11-20
)";

std::string with(const std::string& old, const std::string& fresh) {
  std::string text = kRow;
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), fresh);
}

/// The first problem, as rocvet prints it; "" for none.
std::string problem(const std::string& text) {
  Tables tables;
  if (const auto done = load_text(text, "x.toml", tables); !done) return done.error().text();
  const auto problems = check_rows(tables);
  return problems.empty() ? "" : problems.front().where + ": " + problems.front().what;
}

}  // namespace

TEST_CASE("a whole row has no problem, nor have the rows of the binary") {
  CHECK(problem(kRow) == "");
  const auto* embedded = dynamic_cast<const BlobDatabase*>(&Database::embedded());
  REQUIRE(embedded != nullptr);
  CHECK(embedded->check_rows().size() >= 35);
  for (const Problem& one : check_rows(embedded->blob().decode())) FAIL(one.where, ": ", one.what);
}

TEST_CASE("a row that cannot be right is refused with file, line and column") {
  const auto refused = [](const std::string& old, const std::string& fresh,
                          const std::string& expected) {
    CAPTURE(fresh);
    CHECK(problem(with(old, fresh)) == expected);
  };
  refused("RV9990", "XY1", "x.toml:3:8: 'XY1' is no code such as RV233");
  refused("RV9990", "RV101",
          "x.toml:3:8: 'RV101' is also that of the check at checks/access/kfd_missing.cpp");
  refused("site-option", "kfd-missing",
          "x.toml:4:6: 'kfd-missing' is also that of the check at checks/access/kfd_missing.cpp");
  refused("site-option", "Site Option",
          "x.toml:4:6: 'Site Option' is no id of small letters, digits and dashes");
  refused("\"driver\"", "\"drivers\"",
          "x.toml:5:9: 'topic' takes one of detection, access, driver, firmware, kernel_log, "
          "installation, runtime, environment, container, framework, application, memory, pcie, "
          "xgmi, power, platform, not 'drivers'");
  refused("[\"amd-gpu\"]", "[\"amd-gpus\"]",
          "x.toml:7:9: no condition 'amd-gpus'; did you mean 'amd-gpu'?");
  refused("option.sched_policy", "options.sched_policy",
          "x.toml:8:17: no fact 'options.sched_policy'; did you mean 'option.sched_policy'?");
  refused("option.sched_policy", "sysctl.vm.max_map_coun",
          "x.toml:8:17: no fact 'sysctl.vm.max_map_coun'; did you mean 'sysctl.vm.max_map_count'?");
  refused("option.sched_policy", "cards.colour",
          "x.toml:8:17: no fact 'cards.colour'; there is cards.compute-partition, "
          "cards.compute-units, cards.firmware, cards.memory, cards.memory-partition");
  refused("ne = 0", "in = [\"0\"]",
          "x.toml:8:45: 'in' is for texts, and option.sched_policy is none");
  refused("option.sched_policy", "variable.SCHED",
          "x.toml:8:40: 'ne' is for numbers, and variable.SCHED is none");
  refused("ne = 0", "ne = 0.5", "x.toml:8:45: 'ne' takes a whole number");
  refused(", ne = 0", "", "x.toml:8:17: nothing says which values of option.sched_policy are bad");
  refused("option.sched_policy\", ne = 0", "cards.memory\", set = true",
          "x.toml:8:39: 'set' is not for cards.memory, which is bad by being there");
  refused("option.sched_policy\", ne = 0", "kernel-log.display\"",
          "x.toml:9:11: 'verdict' is the messages' own");
  refused("bad = [{ fact = \"option.sched_policy\", ne = 0 }]", "",
          "x.toml:4:6: [[check]] without 'bad'");
  refused("verdict = \"warn\"", "", "x.toml:4:6: [[check]] without 'verdict'");
  refused("says = \"it is {value}\"", "", "x.toml:4:6: [[check]] without 'says'");
  refused("\"warn\"", "\"warn\"\nsaid = [\"slow\"]",
          "x.toml:10:8: 'said' makes a pass a warning, and this is none");
  refused("\"warn\"", "\"warn\"\nsees = \"mains-ofline\"",
          "x.toml:10:8: no observation 'mains-ofline'");
  refused("it is {value}", "it is {valeu}",
          "x.toml:10:8: 'says' has {valeu}, which is no gap; did you mean 'value'?");
  refused("it is {value}", "it is {usual}", "x.toml:10:8: 'says' has {usual}, which is no gap");
  refused("it is not", "it is {value}", "x.toml:11:8: 'good' has {value}, which is no gap");
  refused("remove-kernel-parameter", "unset-variable",
          "x.toml:12:10: 'unset-variable' is no remedy of option.sched_policy");
  refused("echo {value}", "echo '{value}'",
          "x.toml:13:7: 'fix' has a gap inside quotes: echo '{value}'");
  refused("[\"root\"]", "[\"roots\"]",
          "x.toml:14:8: 'asks' takes root, reboot and login, not 'roots'");
  refused("## Not this\n", "",
          "x.toml:15:7: the manual has no '## Not this' after the headings before it");
  refused("https://", "http:", "x.toml:15:7: the manual has no address under '## References'");
  refused("source = \"our site\"", "", "x.toml:2:1: [[check]] without 'source'");
}

TEST_CASE(
    "two rows may not have one code, and an overlay's row takes the place of one with its id") {
  const std::string second = with("site-option", "site-other").substr(kRow.find("[[check]]"));
  CHECK(problem(kRow + second) == "x.toml:26:8: 'RV9990' is also that of the check at x.toml:2:1");
  Tables base, overlay;
  REQUIRE(load_text(kRow, "base.toml", base));
  REQUIRE(load_text(with("ne = 0", "eq = 7"), "site.toml", overlay));
  const Tables merged = merge(base, overlay);
  CHECK(check_rows(merged).empty());
  const auto database = BlobDatabase::own(encode(merged));
  REQUIRE(database);
  REQUIRE((*database)->check_rows().size() == 1);
  REQUIRE((*database)->check_rows().front().bad.size() == 1);
  CHECK((*database)->check_rows().front().bad.front().eq == 7);
}

}  // namespace rocvet::db

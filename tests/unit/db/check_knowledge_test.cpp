// Causes that the build, `db check` and an overlay refuse, and what is said of them.
#include "db/check_knowledge.h"

#include <doctest/doctest.h>

#include "db/load.h"

namespace rocvet::db {
namespace {

/// The first problem of a file with one cause that has these signs and is refuted by that.
std::string problem(const std::string& signs, const std::string& refuted_by) {
  const std::string text = R"(schema = 1
[[cause]]
id = "site-cause"
title = "what goes wrong at the site"
definition = "Something of the site's."
action = "configure"
remedy = ["mend it"]
refuted_by = [)" + refuted_by +
                           R"(]
sign = [)" + signs + R"(]
source = "our site"
checked = 2026-11-20
)";
  Tables tables;
  if (const auto done = load_text(text, "x.toml", tables); !done) return done.error().text();
  const auto problems = check_knowledge(tables);
  return problems.empty() ? "" : problems.front().where + ": " + problems.front().what;
}

std::string sign(const std::string& saw) {
  return R"({ saw = ")" + saw + R"(", shows = "usually", group = "state" })";
}

}  // namespace

TEST_CASE("a cause is shown by checks that there are") {
  CHECK(problem(sign("check.kfd-missing"), "") == "");
  CHECK(problem(sign("check.kfd-mising"), "") ==
        "x.toml:9:9: no check 'kfd-mising'; did you mean 'kfd-missing'?");
  CHECK(problem(sign("check.kfd-missing"), R"("check.no-such")") ==
        "x.toml:2:1: no check 'no-such'");
}

TEST_CASE("a cause that nothing can show is refused") {
  CHECK(problem("", "") == "x.toml:2:1: 'site-cause' has no sign: nothing would ever show it");
}

}  // namespace rocvet::db

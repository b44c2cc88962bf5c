// From what was asked for to tests and devices.
#include "selftests/select.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace rocvet;

namespace {

std::vector<std::string> ids(const std::vector<std::string>& patterns) {
  const auto tests = select_tests(patterns);
  REQUIRE(tests);
  std::vector<std::string> names;
  for (const SelfTest* test : *tests) names.emplace_back(test->id);
  return names;
}

}  // namespace

TEST_CASE("nothing asked for is everything, in the order of the registry") {
  const auto all = ids({});
  REQUIRE(all.size() == all_selftests().size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == all_selftests()[i]->id);
}

TEST_CASE("every self-test has an id of its own, a title, a manual page and both functions") {
  std::set<std::string_view> seen;
  for (const SelfTest* test : all_selftests()) {
    CAPTURE(test->id);
    CHECK(seen.insert(test->id).second);
    CHECK_FALSE(test->title.empty());
    CHECK(test->doc.find("## What it does") != std::string_view::npos);
    CHECK(test->doc.find("## What a failure means") != std::string_view::npos);
    CHECK(static_cast<bool>(test->why_skip));
    CHECK(static_cast<bool>(test->run));
    // What may hang for long has a limit of its own, and what loads vendor code is alone.
    CHECK(test->own_process == (test->deadline_s > 0));
  }
}

TEST_CASE("an id, a glob, and several of them name each test once") {
  CHECK(ids({"gemm.fp32"}) == std::vector<std::string>{"gemm.fp32"});
  CHECK(ids({"gemm.fp32", "gemm.*"}) == ids({"gemm.*"}));
  CHECK(ids({"gemm.fp32", "bandwidth.copy"}) ==
        std::vector<std::string>{"bandwidth.copy", "gemm.fp32"});
  CHECK(ids({"library.*"}).size() == 8);
  CHECK(ids({"*"}).size() == all_selftests().size());
}

TEST_CASE("a name that matches nothing is an error that helps") {
  const auto wrong = select_tests({"gemm.fp23"});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().text().find("gemm.fp23") != std::string::npos);
  CHECK(wrong.error().text().find("did you mean") != std::string::npos);
  CHECK_FALSE(select_tests({"gemm.fp32", "nothing.*"}));
  CHECK_FALSE(select_tests({""}));
}

TEST_CASE("devices") {
  const auto one = parse_device("hip:3");
  REQUIRE(one);
  CHECK(one->runtime == "hip");
  CHECK(one->index == 3);
  CHECK(one->text() == "hip:3");
  const auto all = parse_device("cuda");
  REQUIRE(all);
  CHECK(all->index == -1);
  CHECK(all->text() == "cuda");
  const auto host = parse_device("host");
  REQUIRE(host);
  CHECK(host->index == 0);
  CHECK(host->text() == "host");
}

TEST_CASE("what is no device is refused") {
  for (const char* text : {"", "hip:", "hip:-1", "hip:x", "hip:1x", "hip:99999", "host:1", "rocm:0",
                           "hip:0:1", ":0", "HIP:0"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_device(text));
  }
}

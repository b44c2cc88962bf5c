#include "base/path_walk.h"

#include <doctest/doctest.h>

#include <map>

using rocvet::Error;
using rocvet::PathWalk;
using rocvet::Result;

namespace {

using Links = std::map<std::string, std::string>;

/// Everything is there; some of it is a link.
struct Tree {
  Links links;
  std::size_t looks = 0;

  PathWalk::Look look() {
    return [this](const std::string& path) -> Result<PathWalk::Step> {
      ++looks;
      const auto link = links.find(path);
      return link == links.end() ? PathWalk::Step{} : PathWalk::Step{true, link->second};
    };
  }
};

std::string many(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("links are resolved inside the tree") {
  Tree tree{{{"/lib", "usr/lib"}, {"/usr/lib/x", "../../opt/./x"}, {"/loop", "loop"}}};
  PathWalk walk(tree.look());
  CHECK(walk.resolve("/lib/x/y", true).value_or("") == "/opt/x/y");
  CHECK(walk.resolve("/lib/x", false).value_or("") == "/usr/lib/x");
  CHECK(walk.resolve("/loop", true).error().what.starts_with("ELOOP"));
}

TEST_CASE("a link longer than PATH_MAX is none") {
  Tree tree{{{"/long", many("a/", 2048)}, {"/longest", std::string(4095, 'a')}}};
  PathWalk walk(tree.look());
  const auto refused = walk.resolve("/long", true);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == "/long");
  CHECK(refused.error().what.starts_with("ENAMETOOLONG"));
  CHECK(walk.resolve("/longest", false).has_value());
  CHECK_FALSE(walk.resolve("/" + std::string(4096, 'a'), true));
}

TEST_CASE("resolved folders are remembered, as many as fit") {
  Tree tree;
  PathWalk walk(tree.look());
  REQUIRE(walk.resolve("/a/b/c", false));
  REQUIRE(tree.looks == 2);
  REQUIRE(walk.resolve("/a/b/d", false));
  CHECK(tree.looks == 2);
  // Paths of 4 KB with 400 folders each: 800 KB, twice.
  for (int i = 0; i < 60; ++i)
    REQUIRE(walk.resolve("/" + std::to_string(i) + many("/aaaaaaaaa", 390) + "/x", false));
  const std::size_t before = tree.looks;
  REQUIRE(walk.resolve("/a/b/c", false));
  CHECK(tree.looks == before + 2);  // 90 MB would be a memory that a stranger's links decide on
}

TEST_CASE("deep links within each other end") {
  // Each link leads through 390 folders and another link; nothing of it is remembered twice.
  Tree tree;
  for (int i = 0; i < 40; ++i) {
    tree.links["/l" + std::to_string(i)] =
        many("/d" + std::to_string(i), 390) + "/../../l" + std::to_string(i + 1);
    tree.links[many("/d" + std::to_string(i), 388) + "/l" + std::to_string(i + 1)] =
        "/l" + std::to_string(i + 1);
  }
  PathWalk walk(tree.look());
  CHECK(walk.resolve("/l0", true).error().what.starts_with("ELOOP"));
  CHECK(tree.looks <= 1100);
}

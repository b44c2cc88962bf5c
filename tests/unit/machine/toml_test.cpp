#include "machine/toml.h"

#include <doctest/doctest.h>

using rocvet::parse_toml;
using rocvet::TomlNode;

TEST_CASE("parse_toml gives a tree with positions") {
  const auto root = parse_toml("b = 1\na = 'x'\n[t]\nd = 2026-11-21\nl = [1.5, true]\n", "f.toml");
  REQUIRE(root.has_value());
  CHECK(root->string_or("a") == "x");
  REQUIRE(root->find("b") != nullptr);
  CHECK(root->find("b")->integer == 1);
  CHECK(root->find("b")->line == 1);
  CHECK(root->find("b")->column == 5);
  const TomlNode* table = root->find("t");
  REQUIRE(table != nullptr);
  CHECK(table->find("d")->kind == TomlNode::Kind::date);
  CHECK(table->find("d")->text == "2026-11-21");
  CHECK(table->find("d")->line == 4);
  REQUIRE(table->find("l")->items.size() == 2);
  CHECK(table->find("l")->items[0].real == 1.5);
  CHECK(table->find("l")->items[1].boolean);
  CHECK(root->find("nothing") == nullptr);
}

TEST_CASE("parse_toml says where a mistake is") {
  const auto bad = parse_toml("a = 1\nb = = 2\n", "f.toml");
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().where.starts_with("f.toml:2:"));
  CHECK(bad.error().what.find('\n') == std::string::npos);
  CHECK_FALSE(parse_toml("a = 1\na = 2\n", "f.toml").has_value());
  CHECK_FALSE(parse_toml("[\n  {", "f.toml").has_value());  // an assertion of toml++ 3.3
  CHECK_FALSE(parse_toml(std::string(100000, '['), "f.toml").has_value());
  std::string nested = "a = ";
  nested.append(80, '[').append(80, ']');
  CHECK_FALSE(parse_toml(nested, "f.toml").has_value());
}

TEST_CASE("parse_toml answers for every character outside a string") {
  CHECK_FALSE(parse_toml("\xEF\xBA\xBF = 1\n", "f.toml").has_value());
  CHECK_FALSE(parse_toml("a \xEF\xBA\xBF= 1\n", "f.toml").has_value());
  CHECK(parse_toml("a = '\xEF\xBA\xBF'\n", "f.toml").has_value());
}

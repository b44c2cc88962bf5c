#include "base/toml.h"

#include <doctest/doctest.h>

using rocvet::parse_toml;
using rocvet::TomlNode;

namespace {

std::string times(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string error(const std::string& text) {
  const auto root = parse_toml(text, "f.toml");
  return root ? std::string() : root.error().text();
}

}  // namespace

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

TEST_CASE("parse_toml refuses what nests without end before it parses it") {
  const std::string deep = ": is nested deeper than 64 levels";
  CHECK(error(times("a.", 400000) + "a = 1\n") == "f.toml:1:130" + deep);
  CHECK(error("x = 1\n  [" + times("a . ", 200000) + "a]\n") == "f.toml:2:258" + deep);
  CHECK(error("[[" + times("'a'.", 200000) + "a]]\n") == "f.toml:1:254" + deep);
  CHECK(error("a = " + times("[", 100000)) == "f.toml:1:69" + deep);
  CHECK(error("a = " + times("{a = ", 100000)) == "f.toml:1:325" + deep);
  // No part of it is deep, the whole is: 31 of the header, 20 of the key, 10 brackets, and of
  // each table its brace and its dot: the second dot is the 65th.
  CHECK(error("[" + times("a.", 30) + "a]\n" + times("a.", 20) + "a = " + times("[", 10) +
              times("{a.a = ", 10)) == "f.toml:2:64" + deep);
  CHECK(error(std::string(9u << 20, '\n')) == "f.toml:1:1: is larger than 8388608 bytes");
}

TEST_CASE("parse_toml refuses more values than a tree may have before it parses them") {
  const std::string many = ": holds more than 50000 values";
  CHECK(error("a = [" + times("[],", 1000000) + "]") == "f.toml:1:75003" + many);
  CHECK(error("a = [" + times("1,", 1000000) + "]").ends_with(many));
  CHECK(error(times("[[a]]\n", 1000000)) == "f.toml:50001:2" + many);
  CHECK(error(times("a=1\n", 1000000)) == "f.toml:50001:2" + many);
  CHECK(error(times("[a.b.c.d]\n", 500000)).ends_with(many));
  CHECK(error("a = [" + times("1,", 49990) + "]") == "");
  CHECK(error("a = '" + times("[],=.", 1000000) + "' # " + times("[],=.", 10000)) == "");
}

TEST_CASE("parse_toml takes much that is not deep, and brackets in strings and comments") {
  std::string text = "a = [";
  for (int i = 0; i < 6000; ++i) text += "{b.c = [1]}, ";
  text += "]\n";
  for (int i = 0; i < 6000; ++i) text += "[[t]]\nx.y = 1.5\n";
  CHECK(parse_toml(text, "f.toml").has_value());
  const std::string open(100, '['), dots(100, '.');
  CHECK(parse_toml("# " + open + "\n" +                                   //
                       "a = '" + open + "'\n" +                           //
                       "b = \"\\\"" + open + "\"\n" +                     //
                       "c = \"\"\"\n" + open + "\n\"\" \\\"\"\"\"\"\n" +  //
                       "d = '''" + open + "\n" + open + "'''\n" +         //
                       "\"" + dots + "\" = 1\n",
                   "f.toml")
            .has_value());
}

TEST_CASE("parse_toml answers for every character outside a string") {
  CHECK_FALSE(parse_toml("\xEF\xBA\xBF = 1\n", "f.toml").has_value());
  CHECK_FALSE(parse_toml("a \xEF\xBA\xBF= 1\n", "f.toml").has_value());
  CHECK(parse_toml("a = '\xEF\xBA\xBF'\n", "f.toml").has_value());
}

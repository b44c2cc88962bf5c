#include "base/json.h"

#include <doctest/doctest.h>

#include "machine/deep.h"
#include "machine/gpu_tools.h"
#include "source/snapshot_facts.h"

using namespace rocvet;
using Json = nlohmann::json;

namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string error_of(std::string_view text, const JsonLimits& limits = {}) {
  const auto json = parse_json<Json>(text, "x.json", limits);
  return json ? "" : json.error().text();
}

}  // namespace

TEST_CASE("parse_json gives what is there") {
  const auto json = parse_json<Json>(R"({"a": [1, "]]]{{{\"[", {"b": null}]})", "x.json");
  REQUIRE(json);
  CHECK((*json)["a"][0] == 1);
  CHECK((*json)["a"][1] == "]]]{{{\"[");
}

TEST_CASE("parse_json says what is wrong, and at which byte, in one line") {
  CHECK(error_of("").starts_with("x.json: is not JSON at byte 1: "));
  CHECK(error_of("[1,\n2,,").starts_with("x.json: is not JSON at byte 7: "));
  CHECK(error_of("\"\xff\"").starts_with("x.json: is not JSON at byte 2: "));
  CHECK(error_of("[1e999]").starts_with("x.json: is not JSON: "));
  const std::string loud = error_of("[\"\x01\n" + repeated("x", 100000));
  CHECK(loud.find('\n') == std::string::npos);
  CHECK(loud.size() < 300);
}

TEST_CASE("parse_json refuses what is too deep, too large or too much before it builds it") {
  const std::string deepest = repeated("[", 64) + repeated("]", 64);
  CHECK(error_of(deepest) == "");
  CHECK(error_of("[" + deepest + "]") == "x.json: is nested deeper than 64 levels at byte 65");
  CHECK(error_of(repeated("[", 10u << 20)) == "x.json: is nested deeper than 64 levels at byte 65");
  CHECK(error_of(repeated("{\"a\":", 1u << 20)) ==
        "x.json: is nested deeper than 64 levels at byte 321");
  CHECK(error_of(repeated("[]", 1000)).starts_with("x.json: is not JSON at byte 3"));
  CHECK(error_of("[1,2,3]", {.bytes = 6}) == "x.json: is larger than 6 bytes");
  CHECK(error_of("[1,2,3]", {.values = 3}).starts_with("x.json: holds more than 3 values"));
  CHECK(error_of("[1,2]", {.values = 3}) == "");
  CHECK(error_of(R"({"a":1,"b":2})", {.members = 1}) ==
        "x.json: has an object of more than 1 members at byte 11");
  CHECK(error_of(R"([{"a":1},{"b":2}])", {.members = 1}) == "");
}

TEST_CASE("parse_json bounds the looking for keys over all objects together") {
  const auto object = [](std::size_t members, const std::string& prefix) {
    std::string out = "{";
    for (std::size_t i = 0; i < members; ++i)
      out += (i == 0 ? "\"" : ",\"") + prefix + std::to_string(i) + "\":0";
    return out + "}";
  };
  const auto list = [](const std::string& one, std::size_t times) {
    return "[" + repeated(one + ",", times) + "0]";
  };
  const std::string wide = object(5000, "k");
  CHECK(error_of(list(wide, 4)) == "");
  CHECK(error_of(list(wide, 5)).starts_with("x.json: has too many objects of many members"));
  CHECK(error_of(object(5001, "k")).starts_with("x.json: has an object of more than 5000 members"));
  // The largest report that can be has objects of some thirty members.
  CHECK(error_of(list(object(50, "k"), 19000)) == "");
  // Equal beginnings of long names are compared to their end.
  CHECK(error_of(object(5000, std::string(640, 'k')))
            .starts_with("x.json: has too many objects of many members"));
  CHECK(error_of(object(500, std::string(640, 'k'))) == "");
}

TEST_CASE("every reader of foreign JSON refuses the deep") {
  // Whole, so that a parser without a limit would build it, and end where it is written or copied.
  const std::string deep = repeated("[", 100000) + repeated("]", 100000);
  CHECK_FALSE(parse_deep(R"({"schema":"rocvet.deep/1","probes":)" + deep + "}"));
  CHECK_FALSE(parse_deep_device(R"({"index":0,"name":)" + deep + "}"));
  CHECK_FALSE(parse_elf_json(R"({"soname":"x","needed":)" + deep + "}", "index.tsv:2"));
  CHECK(gpus_from_json(R"({"card0":)" + deep + "}").empty());
  CHECK(gpus_from_json(R"({"card0":")" + repeated("{", 100000) + "\"}").empty());
  // A number that the field does not hold is none.
  const auto device =
      parse_deep_device(R"({"index":4294967296,"name":"x","kfd_node":1e300,"memory_bytes":-1})");
  REQUIRE(device);
  CHECK(device->index == 0);
  CHECK_FALSE(device->kfd_node);
  CHECK_FALSE(device->memory_bytes);
  // A search path as the file's own entry has it, and as a list.
  const auto text =
      parse_elf_json(R"({"soname":"x","needed":[],"runpath":"$ORIGIN:/opt/lib"})", "x");
  const auto list =
      parse_elf_json(R"({"soname":"x","needed":[],"runpath":["$ORIGIN","/opt/lib"]})", "x");
  REQUIRE(text);
  REQUIRE(list);
  CHECK(text->runpath == std::vector<std::string>{"$ORIGIN", "/opt/lib"});
  CHECK(text->runpath == list->runpath);
}

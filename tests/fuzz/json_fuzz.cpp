// Foreign JSON: parse_json() throws nothing, keeps its limits, and what it takes can be written and
// read again.
#include <nlohmann/json.hpp>
#include <string>

#include "base/json.h"
#include "base/json_text.h"
#include "fuzz/target.h"

using namespace rocvet;

namespace {

std::size_t depth_of(const nlohmann::json& json) {
  std::size_t deepest = 0;
  if (json.is_structured()) {
    for (const auto& value : json) deepest = std::max(deepest, depth_of(value));
    return deepest + 1;
  }
  return 0;
}

}  // namespace

FUZZ_TARGET(json) {
  constexpr JsonLimits kFew{.bytes = 1 << 16, .depth = 8, .values = 64, .members = 16};
  const auto few = parse_json<nlohmann::json>(bytes, "x", kFew);
  if (few) {
    fuzz::must(bytes.size() <= kFew.bytes, "the limit of bytes holds");
    fuzz::must(depth_of(*few) <= kFew.depth, "the limit of depth holds");
    fuzz::must(few->flatten().size() <= kFew.values, "the limit of values holds");
  }
  const auto many = parse_json<nlohmann::ordered_json>(bytes, "x");
  fuzz::must(!few || many, "what fits into little fits into much");
  if (!many) {
    const std::string told = many.error().text();
    fuzz::must(told.find('\n') == std::string::npos, "an error is one line");
    return;
  }
  const std::string written = json_text(*many);
  const auto again = parse_json<nlohmann::ordered_json>(written, "x");
  fuzz::must(again.has_value(), "what we write we read");
  fuzz::must_equal(json_text(*again), written, "and write alike");
}

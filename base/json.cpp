#include "base/json.h"

#include <optional>
#include <vector>

namespace rocvet {
namespace {

/// What a text holds too much of, with the byte; nullopt: it keeps the limits. Up to the first
/// fault of the syntax this sees what the parser will; what comes behind it is never built.
std::optional<std::string> excess(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes)
    return "is larger than " + std::to_string(limits.bytes) + " bytes";
  const auto at = [](std::string what, std::size_t i) {
    return std::move(what) + " at byte " + std::to_string(i + 1);
  };
  std::vector<std::size_t> members;  // of what is open; a "," in an array counts too and harms not
  constexpr std::size_t kKeyBlock = 64;
  std::size_t values = 1, comparisons = 0, string_begin = 0, string_bytes = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') {
        in_string = false;
        string_bytes = i - string_begin;
      }
      continue;
    }
    switch (c) {
      case '"':
        in_string = true;
        string_begin = i;
        break;
      case '[':
      case '{':
        if (members.size() == limits.depth)
          return at("is nested deeper than " + std::to_string(limits.depth) + " levels", i);
        members.push_back(0);
        ++values;
        break;
      case ']':
      case '}':
        if (!members.empty()) members.pop_back();
        break;
      case ',':
        ++values;
        break;
      case ':':
        if (members.empty()) break;
        comparisons += members.back() * (1 + string_bytes / kKeyBlock);
        if (++members.back() > limits.members)
          return at("has an object of more than " + std::to_string(limits.members) + " members", i);
        if (comparisons > limits.comparisons)
          return at("has too many objects of many members, or with long names,", i);
        break;
      default:
        break;
    }
    if (values > limits.values)
      return at("holds more than " + std::to_string(limits.values) + " values", i);
  }
  return std::nullopt;
}

/// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …" without what
/// stands before the reason.
std::string reason(std::string what) {
  constexpr std::size_t kMostShown = 200;  // it may quote a string of any length
  if (const std::size_t id = what.find("] "); id != std::string::npos) what.erase(0, id + 2);
  if (what.starts_with("parse error at ")) {
    if (const std::size_t colon = what.find(": "); colon != std::string::npos)
      what.erase(0, colon + 2);
  }
  if (what.size() > kMostShown) what = what.substr(0, kMostShown) + "…";
  return what;
}

}  // namespace

template <typename Json>
Result<Json> parse_json(std::string_view text, const std::string& where, const JsonLimits& limits) {
  if (auto what = excess(text, limits)) return malformed(where, std::move(*what));
  try {
    return Json::parse(text);
  } catch (const typename Json::parse_error& problem) {
    return malformed(where, "is not JSON at byte " + std::to_string(problem.byte) + ": " +
                                reason(problem.what()));
  } catch (const std::exception& problem) {  // a number that no double holds
    return malformed(where, "is not JSON: " + reason(problem.what()));
  }
}

template Result<nlohmann::json> parse_json(std::string_view, const std::string&, const JsonLimits&);
template Result<nlohmann::ordered_json> parse_json(std::string_view, const std::string&,
                                                   const JsonLimits&);

}  // namespace rocvet

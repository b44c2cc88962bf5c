// Foreign JSON: reports of others, lines of a worker that a library has written into, tools'
// output. Every text that rocvet has not just written itself is read through here.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocvet {

/// What a text may hold. Checked in one pass over the bytes before anything is built of it, for a
/// tree of values takes many times the memory of its text, and copying, writing or destroying a
/// deep one recurses.
struct JsonLimits {
  std::size_t bytes = 64u << 20;
  std::size_t depth = 64;        ///< arrays and objects within each other
  std::size_t values = 1000000;  ///< in all
  std::size_t members = 5000;    ///< of one object
  /// An object that keeps its order looks for each new key among all before it: the sum over all
  /// keys of how many those are, each time as many times as the key has blocks of 64 bytes. A
  /// million values in objects of fifty members each need half of it.
  std::size_t comparisons = 50000000;
};

/// Line of a worker, entry of an index: one small object.
inline constexpr JsonLimits kSmallJson{.bytes = 4u << 20, .depth = 64, .values = 100000};

/// For nlohmann::json and nlohmann::ordered_json. An error is one line with the byte, from 1;
/// nothing is thrown.
template <typename Json>
Result<Json> parse_json(std::string_view text, const std::string& where,
                        const JsonLimits& limits = {});
extern template Result<nlohmann::json> parse_json(std::string_view, const std::string&,
                                                  const JsonLimits&);
extern template Result<nlohmann::ordered_json> parse_json(std::string_view, const std::string&,
                                                          const JsonLimits&);

}  // namespace rocvet

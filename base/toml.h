// TOML as a plain tree with positions. The library that parses it is included in toml.cpp alone:
// toml++ where the distribution has it, toml11 where it does not (Ubuntu 22.04).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace rocvet {

struct TomlMember;

struct TomlNode {
  enum class Kind { string, integer, real, boolean, date, array, table };
  Kind kind = Kind::table;
  std::string text;  ///< of a string, or a date as "2026-11-21"
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<TomlNode> items;      ///< of an array
  std::vector<TomlMember> members;  ///< of a table, sorted by key
  int line = 0, column = 0;         ///< of the value, from 1

  /// The member of a table, or nullptr.
  const TomlNode* find(std::string_view key) const;
  /// The text of a string member, or "" when there is none or it is no string.
  std::string string_or(std::string_view key, const std::string& fallback = "") const;
};

/// One key of a table with its value.
struct TomlMember {
  TomlMember(std::string key, TomlNode value) : first(std::move(key)), second(std::move(value)) {}
  std::string first;
  TomlNode second;
};

/// "a string", "a table", … for messages.
std::string_view to_string(TomlNode::Kind kind);

/// `file` is named in errors, which read "file:line:column: what". More than 8 MiB, or nesting
/// deeper than 64 (headers, dotted keys and brackets together), is refused before it is parsed.
Result<TomlNode> parse_toml(std::string_view text, const std::string& file);

}  // namespace rocvet

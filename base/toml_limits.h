// Limits of a TOML file, checked before a library builds a tree of it: both libraries recurse where
// tables and arrays nest, and again where the tree is destroyed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rocvet {

struct TomlLimits {
  std::size_t bytes;
  std::size_t depth;  ///< of a value: its table's header, the dots of its key, and all brackets
  /// Values and tables in all: a tree takes some hundred bytes for each, and the text of one may be
  /// three bytes long. Counted by what begins them, so an inline table or array is two. The largest
  /// file of db/ has 10 400.
  std::size_t values = 50000;
};

struct TomlExcess {
  std::size_t line = 1, column = 1;
  std::string what;
};

/// The first place that goes beyond the limits; one pass. A text with a mistake in its syntax is
/// looked at rightly up to the mistake, where the library stops.
std::optional<TomlExcess> toml_excess(std::string_view text, const TomlLimits& limits);

}  // namespace rocvet

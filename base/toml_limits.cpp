#include "base/toml_limits.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rocvet {
namespace {

/// Behind the string that begins at `at`; a string of one line ends with its line at the latest.
std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const bool lines = text.substr(at, 3) == std::string(3, quote);
  at += lines ? 3 : 1;
  while (at < text.size()) {
    if (escapes && text[at] == '\\') {
      at += 2;
    } else if (lines ? text.substr(at, 3) == std::string(3, quote) : text[at] == quote) {
      at += lines ? 3 : 1;
      // Up to two quotes may stand before the three that end it.
      while (lines && at < text.size() && text[at] == quote) ++at;
      return at;
    } else if (!lines && text[at] == '\n') {
      return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

class Scan {
 public:
  Scan(std::string_view text, const TomlLimits& limits) : text_(text), limits_(limits) {}

  std::optional<TomlExcess> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
        if (open_.empty()) statement_begins();
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      } else if (c == '"' || c == '\'') {
        const std::size_t end = behind_string(text_, at_);
        for (std::size_t i = at_; i < end; ++i) {
          if (text_[i] != '\n') continue;
          ++line_;
          line_begin_ = i + 1;
        }
        fresh_ = false;
        at_ = end;
        continue;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        take(c);
      }
      if (depth() > limits_.depth)
        return excess("is nested deeper than " + std::to_string(limits_.depth) + " levels");
      if (values_ > limits_.values)
        return excess("holds more than " + std::to_string(limits_.values) + " values");
      ++at_;
    }
    return std::nullopt;
  }

 private:
  TomlExcess excess(std::string what) const {
    return {line_, at_ - line_begin_ + 1, std::move(what)};
  }

  std::size_t depth() const { return header_ + levels_ + dots_; }

  void statement_begins() {
    fresh_ = in_key_ = true;
    in_header_ = false;
    dots_ = 0;
  }

  void take(char c) {
    const bool first = fresh_;
    fresh_ = false;
    if (c == '[' || c == '{' || c == '=' || c == ',' || (c == '.' && (in_key_ || in_header_)))
      ++values_;
    if (first && c == '[') {
      in_header_ = true;
      header_ = 1;
      // "[[": an array of tables.
      if (text_.substr(at_, 2) == "[[") {
        ++at_;
        ++header_;
      }
    } else if (in_header_) {
      if (c == '.') ++header_;
    } else if (in_key_ && c == '.') {
      ++dots_;
    } else if (in_key_ && c == '=') {
      in_key_ = false;
    } else if (c == '[' || c == '{') {
      // What is inside is as deep as the key and the brackets around it.
      open_.push_back({c, dots_ + 1});
      levels_ += dots_ + 1;
      dots_ = 0;
      in_key_ = c == '{';
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      levels_ -= open_.back().levels;
      dots_ = open_.back().levels - 1;
      open_.pop_back();
      in_key_ = false;
    } else if (c == ',' && !open_.empty()) {
      dots_ = 0;
      in_key_ = open_.back().bracket == '{';
    }
  }

  struct Open {
    char bracket;
    std::size_t levels;
  };
  std::string_view text_;
  const TomlLimits& limits_;
  std::size_t values_ = 0, at_ = 0, line_ = 1, line_begin_ = 0;
  std::size_t header_ = 0, levels_ = 0, dots_ = 0;
  std::vector<Open> open_;
  bool fresh_ = true, in_key_ = true, in_header_ = false;
};

}  // namespace

std::optional<TomlExcess> toml_excess(std::string_view text, const TomlLimits& limits) {
  if (text.size() > limits.bytes)
    return TomlExcess{1, 1, "is larger than " + std::to_string(limits.bytes) + " bytes"};
  return Scan(text, limits).run();
}

}  // namespace rocvet

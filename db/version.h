// Versions and ranges of them: the one comparison of the project.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rocvet {

/// Dotted numbers: "6.2" < "6.2.1" < "6.10". Anything from the first character that is neither a
/// digit nor a dot on is a suffix and does not count ("6.2.0-39-generic" is 6.2.0).
struct Version {
  std::vector<int> parts;

  static Result<Version> parse(std::string_view text);
  std::string text() const;
  /// 6.2 equals 6.2.0.
  std::weak_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }
  /// True when `prefix`'s parts are the first parts of this: 6.2.4 is in 6.2.
  bool starts_with(const Version& prefix) const;
  /// 6.2 of 6.2.4.
  Version series() const;
};

/// ">=6.2, <6.4", "6.2.x" or "6.2" (the series), "=6.2.0" (exactly), "*" (all).
class VersionRange {
 public:
  static Result<VersionRange> parse(std::string_view text);
  /// One that holds nothing.
  static VersionRange none();
  bool takes_all() const { return bounds_.empty(); }
  bool contains(const Version& version) const;
  const std::string& text() const { return text_; }
  /// Bounded on both sides, within one series: both ends begin with the same two numbers.
  bool is_within_one_series() const;
  bool is_bounded() const { return lowest() != nullptr && highest() != nullptr; }

 private:
  const Version* lowest() const;
  const Version* highest() const;

  struct Bound {
    enum class Op { ge, gt, le, lt, eq, series } op;
    Version version;
  };
  std::vector<Bound> bounds_;
  std::string text_;
};

}  // namespace rocvet

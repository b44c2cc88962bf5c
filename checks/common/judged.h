// How many things a check has judged, and what it could not read of the others.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/finding.h"

namespace rocvet {

/// counted(1, "card has", "cards have") is "1 card has".
inline std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return std::to_string(number) + " " + std::string(number == 1 ? one : many);
}

class Judged {
 public:
  /// Fewer than `least` are none: two cards are needed to compare one.
  explicit Judged(std::size_t least = 1) : least_(least) {}
  /// One that was judged by other means.
  void count() { ++number_; }
  /// True when all facts of one thing are there: it counts. Else the reason is remembered.
  template <typename... T>
  bool has(const Result<T>&... facts) {
    const bool all = (facts.has_value() && ...);
    if (all) {
      ++number_;
    } else {
      (lacks(facts), ...);
    }
    return all;
  }
  /// Remembers why a fact is not there; one that is there says nothing.
  template <typename T>
  void lacks(const Result<T>& fact) {
    if (fact || fact.is_missing()) return;
    if (fact.is(Error::Kind::unsupported)) {
      asleep_ = true;
    } else {
      unread_ = fact.error();
    }
  }
  std::size_t number() const { return number_; }

  /// The findings, or the pass when there is none and something was judged; `unknown` for what
  /// could not be read; none_here(`absent`) when no thing here has what the check looks at.
  std::vector<Finding> rest(std::vector<Finding> findings, std::string passed,
                            std::string absent) const {
    if (findings.empty() && number_ >= least_) findings.push_back(pass(std::move(passed)));
    if (unread_) findings.push_back(unknown(*unread_));
    if (findings.empty() && asleep_) findings.push_back(skip("the GPU sleeps and is not woken"));
    if (findings.empty()) findings.push_back(none_here(std::move(absent)));
    return findings;
  }

 private:
  std::size_t least_, number_ = 0;
  std::optional<Error> unread_;
  bool asleep_ = false;
};

}  // namespace rocvet

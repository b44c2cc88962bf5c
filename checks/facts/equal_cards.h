// Cards of one part that are compared in one fact: how many were.
#pragma once

#include "checks/common/judged.h"
#include "checks/facts/siblings.h"

namespace rocvet {

/// `fact(gpu)` is a Result; counts the cards that have it and an equal card that has it too.
template <typename Fact>
Judged judge_equal_cards(const Machine& machine, const Fact& fact) {
  Judged judged;
  for (const auto& group : equal_cards(machine)) {
    std::size_t known = 0;
    for (const Gpu* gpu : group) known += fact(*gpu).has_value();
    for (const Gpu* gpu : group) {
      const auto one = fact(*gpu);
      if (known > 1 && one) judged.count();
      judged.lacks(one);
    }
  }
  return judged;
}

}  // namespace rocvet

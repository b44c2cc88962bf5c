// Cards of one part side by side: what is odd about one of them.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// A data-centre part by all that the database knows under its id.
bool is_instinct(const Context& context, const Gpu& gpu);
bool any_instinct(const Context& context);
/// One entry for each card: of a partitioned card the first partition.
std::vector<const Gpu*> cards(const Machine& machine);
/// Cards with the same device id, revision and board, where there are two or more.
std::vector<std::vector<const Gpu*>> equal_cards(const Machine& machine);

struct OddCard {
  const Gpu* gpu = nullptr;
  std::string value, usual;
};
/// Cards that have another value than most of their equals. "" is not known and left out.
std::vector<OddCard> odd_cards(const Machine& machine,
                               const std::function<std::string(const Gpu&)>& value);
/// "gpu 1 (0000:c1:00.0): 300 W, the others 750 W": a line of evidence; `unit` with its blank.
std::string odd_line(const OddCard& odd, std::string_view unit = "");

}  // namespace rocvet

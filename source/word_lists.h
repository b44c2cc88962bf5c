// Lists of words that decide.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace rocvet {

template <typename List>
constexpr bool is_in(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

}  // namespace rocvet

// A list whose entries differ.
#pragma once

#include <algorithm>

namespace rocvet {

/// At the end of the list, where it is not in it yet.
template <typename List, typename Value>
void add_once(List& list, const Value& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace rocvet

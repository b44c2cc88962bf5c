// What is said of causes, read a second time by somebody who had not seen the first entries
// (tests/second_reading).
#pragma once

#include <string>
#include <vector>

#include "db/knowledge.h"

namespace rocvet {

/// Where the two readings differ: a sign's level, a sign or a link that only
/// one of them has, a remedy that lacks what the second reader wants in it. Sorted.
std::vector<std::string> disagreements(const Knowledge& knowledge);
/// Those that are open, and those that a source has settled.
std::vector<std::string> known_disagreements();

}  // namespace rocvet

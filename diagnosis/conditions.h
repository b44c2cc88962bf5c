// The hard preconditions of causes: what a machine must be for a cause to be possible at all.
#pragma once

#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

enum class Truth { no, unknown, yes };

/// Every word that a cause's `needs` may use, without "!".
std::vector<std::string_view> condition_names();
/// Of a word, with "!" in front for "not"; unknown for what could not be read.
Truth condition(const Context& context, std::string_view word);

}  // namespace rocvet

// What a machine must be for a cause to be possible at all, or for a check to apply. The words
// stand in db/condition_names.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checks/check.h"

namespace rocvet {

enum class Truth { no, unknown, yes };

/// Of a word, with "!" in front for "not"; unknown for what could not be read.
Truth condition(const Context& context, std::string_view word);

/// Why a check that needs the word does not apply, as a skip: "there is no AMD GPU here"; nullopt
/// where the machine is so.
std::optional<Finding> unmet(const Context& context, std::string_view word);

}  // namespace rocvet

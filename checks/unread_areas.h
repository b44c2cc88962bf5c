// What a check rests on, as places of the machine: where one of them gave no answer, a pass would
// be a guess.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// The check's findings where something behind it could not be seen: no pass is left, no complaint
/// of something's absence, and no skip since something was not found.
std::vector<Finding> without_guesses(const Machine& machine, const Check& check,
                                     std::vector<Finding> findings);

/// Of what no probe could see, the places that checks rest on and that this user should be able to
/// look at, in the order in which they were asked for.
std::vector<const Unread*> unread_that_matter(const Machine& machine);

}  // namespace rocvet

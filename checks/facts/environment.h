// Variables of the process and of the places that set them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// The value of a variable of the process; nullopt when it is not set, an error when the
/// environment is not known.
Result<std::optional<std::string>> variable(const Machine& machine, std::string_view name);
/// The value, or "" when it is not set or not known.
std::string variable_or_empty(const Machine& machine, std::string_view name);
/// True when the environment is known and does not have it.
bool variable_unset(const Machine& machine, std::string_view name);
/// A variable that changes what ROCm does where it arrives, and is missed where it does not.
bool is_missed_when_unset(std::string_view name);
/// Some such variable is set where this process does not get it, or in this process with services
/// beside it, or the log speaks of one.
bool some_variable_elsewhere(const Context& context);
/// Places that set it, for messages: "/etc/environment", "compose service app of …".
std::vector<std::string> places_that_set(const Machine& machine, std::string_view name);
/// The value that counts: of the process, else of a service or compose file (its place in `where`).
struct EffectiveVariable {
  std::string value, where;
  bool in_process = false;
};
std::optional<EffectiveVariable> effective_variable(const Machine& machine, std::string_view name);

}  // namespace rocvet

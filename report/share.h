// Reports are meant for tickets and chats: what of a report others may see.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "diagnosis/explanation.h"
#include "report/report.h"

namespace rocvet {

/// For the terminal of the one who asked: without secrets (logins in URLs, tokens, values of
/// variables that GPU software does not read), and lines of logs as shareable() has
/// them. Other names and paths stay, so that a command can be typed as it stands.
Report for_its_owner(Report report);

/// For files and whatever else is passed on: also without user and host names, addresses, serials
/// and ids, each with the same stand-in everywhere.
Report shareable(Report report);

/// The same of a text that was explained without a machine.
Explanation shareable(Explanation explanation);

/// And of any other text.
std::string passed_on(std::string_view text);

/// What makes of a text of `report` what shareable() writes, to look it up in a report that was
/// saved. It costs as much as shareable().
std::function<std::string(std::string_view)> as_shared(const Report& report);

}  // namespace rocvet

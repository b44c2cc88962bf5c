// Reports are meant for tickets and chats: what of a report others may see.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

/// Makes of a text what may be passed on.
using Change = std::function<std::string(std::string_view)>;

/// What makes of a text of `report` what shareable() writes, to look it up in a report that was
/// saved. It costs as much as shareable().
Change as_shared(Report report);

/// And of a JSON text that a verb made of these reports, in which the same thing has the same
/// stand-in, whichever report it is of. Members called as one of `kept` stay as they are.
std::string shareable_json(const std::string& json, const std::vector<const Report*>& reports,
                           const std::vector<std::string>& kept = {});

}  // namespace rocvet

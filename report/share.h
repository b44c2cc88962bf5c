// Reports are meant for tickets and chats: what of a report others may see.
#pragma once

#include <string>

#include "report/report.h"

namespace rocvet {

/// Without secrets anywhere: logins in URLs, tokens, values of variables that GPU software does not
/// read. Names and paths stay, so that a command can be typed as it stands.
Report without_secrets(Report report);

/// For files that are passed on: also without user and host names, addresses, serials and ids, each
/// with the same stand-in everywhere. A report on a snapshot that has no such names keeps its text.
Report shareable(Report report);

/// A text of `report` as shareable() writes it, to look it up in a report that was saved.
std::string as_shared(const Report& report, const std::string& text);

}  // namespace rocvet

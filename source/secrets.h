// What nobody but its owner may read: passwords, tokens, keys. The second net, for text that flows
// through (logs, tool outputs, reports); what a snapshot takes of a file is decided line by line in
// machine/collect_filter.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/marked_words.h"

namespace rocvet {

/// The text without secrets: the user of a URL, its query parameters but for harmless ones, values
/// of secret names (NAME=VALUE, "name": "value", "name": ["value"], --name value, "--name",
/// "value", <name>value</name>), headers with credentials, keys and tokens known by their form, PEM
/// blocks. Facts stay as they are, and doing it twice changes nothing more. Time is linear in the
/// length.
std::string without_secrets(std::string_view text);
/// The same with `marked` = find_marked_words(text), by who needs that too.
std::string without_secrets(std::string_view text, const std::vector<MarkedWord>& marked);

}  // namespace rocvet

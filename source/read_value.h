// Small readers that every probe needs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/path_walk.h"
#include "base/result.h"
#include "source/source.h"

namespace rocvet {

/// The file without white space and NULs at both ends.
Result<std::string> read_value(Source& source, std::string_view path);
/// A whole number; anything else in the file is malformed.
Result<std::uint64_t> read_unsigned(Source& source, std::string_view path);
/// Full paths of the entries whose name matches `pattern` (shell style), sorted; empty when the
/// folder cannot be listed.
std::vector<std::string> matching_paths(Source& source, std::string_view folder,
                                        std::string_view pattern);
/// The word in brackets of "none [integrity] confidentiality"; a lone word is itself.
Result<std::string> chosen_word(std::string_view text, std::string_view where);

/// Names in a folder; none when it cannot be listed.
std::vector<std::string> list_of(Source& source, const std::string& folder);
/// A variable's value, or "" when it is not set.
std::string value_of(const std::map<std::string, std::string>& environment,
                     const std::string& name);

}  // namespace rocvet

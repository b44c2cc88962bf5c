// The options that a kernel module runs with, as /sys/module/NAME/parameters has them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocvet {

struct OptionValue {
  std::string text;                 ///< as it stands, trimmed: "-1", "Y", "0x6", "(null)"
  std::optional<long long> number;  ///< "Y" and "N" are 1 and 0
};

/// By name; a value that this user may not read is an error of its own (many are for root alone).
using OptionValues = std::map<std::string, Result<OptionValue>>;
/// Error: the folder was not read.
using ModuleOptions = Result<OptionValues>;

OptionValue parse_option(std::string_view text);
/// Missing where the folder was read and the module has none of that name.
Result<OptionValue> option_of(const ModuleOptions& options, const std::string& name);

}  // namespace rocvet

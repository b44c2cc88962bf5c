// The running kernel: version, command line, build options, what Secure Boot and lockdown forbid.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "machine/system.h"
#include "source/source.h"

namespace rocvet {

Kernel read_kernel(Source& source);
/// The keys of Kernel::sysctl and of Kernel::settings that read_kernel fills.
std::vector<std::string_view> sysctl_names();
std::vector<std::string_view> kernel_setting_names();

/// Words of a kernel command line as key and value, in order; quotes keep blanks together, dashes
/// in keys become underscores.
std::vector<std::pair<std::string, std::string>> parse_command_line(std::string_view text);
/// "Linux version 6.8.0-45-generic (build@…) …" -> "6.8.0-45-generic".
Result<std::string> parse_proc_version(std::string_view text);
/// The line "btime 1732100000" of /proc/stat: when the machine was booted, seconds since 1970.
Result<double> parse_boot_time(std::string_view text);
/// Options of a kernel .config that rocvet looks at, without CONFIG_; "is not set" is "n".
std::map<std::string, std::string> parse_kernel_config(std::string_view text);
/// Whether the bytes of the efivar SecureBoot say that it is on (4 attribute bytes, then 0 or 1).
Result<bool> parse_secure_boot_variable(std::string_view bytes, std::string_view where);

}  // namespace rocvet

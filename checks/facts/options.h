// What the kernel and its modules were told.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checks/check.h"

namespace rocvet {

/// The command line has `key`, with `value` among its comma-separated values ("" for any).
bool has_argument(const Machine& machine, std::string_view key, std::string_view value = {});
/// What the command line sets a key to, the last where it is given twice; missing where it does
/// not, another error where it was not read.
Result<std::string> kernel_argument(const Machine& machine, std::string_view key);
/// An option of amdgpu: as the loaded module shows it, else of the command line; missing where the
/// module runs and has none of that name, or nobody sets it; another error where it was not read.
Result<OptionValue> amdgpu_option(const Machine& machine, const std::string& name);
/// Where an option is set, for messages: "the kernel command line", "/etc/modprobe.d/gpu.conf", or
/// "" when neither sets it.
std::string place_of_option(const Machine& machine, std::string_view name);
/// A setting of the kernel (Kernel::settings); missing where this machine has none of that name.
Result<std::string> setting(const Machine& machine, std::string_view name);
/// "0-3,8" has 2.
bool range_has(std::string_view ranges, int number);
/// "16G", "512M", "1048576": bytes; nullopt for what is no size.
std::optional<unsigned long long> size_of(std::string_view text);

}  // namespace rocvet

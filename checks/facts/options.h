// What the kernel and its modules were told.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checks/check.h"

namespace rocvet {

/// The command line has `key`, with `value` among its comma-separated values ("" for any).
bool has_argument(const Machine& machine, std::string_view key, std::string_view value = {});
/// A parameter of amdgpu: as the loaded module shows it, else of the command line; nullopt when
/// neither tells.
std::optional<std::string> amdgpu_option(const Machine& machine, std::string_view name);
/// The same as a number; "Y" and "N" are 1 and 0.
std::optional<long long> amdgpu_number(const Machine& machine, std::string_view name);
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

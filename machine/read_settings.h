// Files that set variables for GPU programs, container definitions, and caches.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/access.h"
#include "machine/settings.h"
#include "machine/system.h"
#include "source/source.h"

namespace rocvet {

/// `services` are those of read_services: their Environment= lines count as places too.
Settings read_settings(Source& source, const ProcessFacts& process,
                       const std::vector<Mount>& mounts,
                       const Result<std::vector<Service>>& services);

/// Whether a variable changes what a GPU program does (ROCR_…, HSA_…, LD_LIBRARY_PATH …).
bool is_gpu_variable(std::string_view name);
/// A shell script (sh, bash, zsh, csh): `file` and `kind` are copied into each setting.
std::vector<VariableSetting> parse_shell_variables(std::string_view text, std::string_view file,
                                                   std::string_view kind);
/// config.fish, or fish_variables with its SETUVAR lines.
std::vector<VariableSetting> parse_fish_variables(std::string_view text, std::string_view file);
/// NAME=VALUE lines of /etc/environment, environment.d and EnvironmentFile=.
std::vector<VariableSetting> parse_environment_file(std::string_view text, std::string_view file);
/// The value of "key": "value" in a small JSON file, wherever it stands; "" when it is not there.
std::string json_string(std::string_view text, std::string_view key);
/// The devN: lines of a Proxmox container configuration.
std::vector<LxcDevice> parse_lxc_devices(std::string_view text, std::string_view file);

}  // namespace rocvet

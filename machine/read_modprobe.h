// What modprobe.d, modules-load.d and the kernel command line say of graphics drivers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/driver.h"
#include "source/source.h"

namespace rocvet {

struct ModprobeFacts {
  std::vector<ModprobeLine> lines;
  Result<Done> readable;
};
ModprobeFacts read_modprobe(Source& source);

/// The lines of one modprobe.d file that concern a graphics driver, vfio or their helpers.
std::vector<ModprobeLine> parse_modprobe(std::string_view text, std::string_view file);
/// "amdgpu" -> "modprobe.blacklist=amdgpu" for every module that the command line keeps out.
/// `arguments` as of parse_command_line.
std::map<std::string, std::string> command_line_blacklist(
    const std::vector<std::pair<std::string, std::string>>& arguments);

}  // namespace rocvet

// The amdgpu module: loaded or not, in-tree or DKMS, its parameters, files and firmware.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/driver.h"
#include "machine/system.h"
#include "source/source.h"

namespace rocvet {

/// `kernel` names the running release and its command line.
Driver read_driver(Source& source, const Kernel& kernel);

/// First words of /proc/modules.
std::vector<std::string> parse_proc_modules(std::string_view text);
/// "gc_11_0_0_mec.bin.zst" -> "gc_11_0_0_mec"; "" for a name that is no firmware file.
std::string firmware_name(std::string_view file);
/// Whether a line of modules.dep is amdgpu's: "…/amdgpu.ko.zst: kernel/…/ttm.ko.zst …".
bool is_amdgpu_dependency_line(std::string_view line);
/// The files that modules.dep wants for amdgpu, as written there (below the folder of the modules).
std::vector<std::string> amdgpu_dependencies(std::string_view modules_dep);

}  // namespace rocvet

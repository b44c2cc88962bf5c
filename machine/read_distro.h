// Which distribution the machine (or the container image) runs.
#pragma once

#include <string_view>

#include "base/result.h"
#include "machine/system.h"
#include "source/source.h"

namespace rocvet {

Result<Distro> read_distro(Source& source);
/// The text of an os-release file.
Distro parse_os_release(std::string_view text);

}  // namespace rocvet

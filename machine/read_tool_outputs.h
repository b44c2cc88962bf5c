// What rocminfo, clinfo, hipconfig and lspci -vvv printed, where a snapshot brings it along. They
// are never run for this on a live machine: the first three load vendor libraries, lspci wants
// root.
#pragma once

#include <map>
#include <string>

#include "source/source.h"

namespace rocvet {

std::map<std::string, std::string> read_tool_outputs(Source& source);

}  // namespace rocvet

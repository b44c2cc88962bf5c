// Which libraries root may load: those that nobody else could have put there.
#pragma once

#include <string>

namespace rocvet::gpu {

/// As root: why the library `name` (a path, or a name that the loader looks up) is not loaded, with
/// the file and who could have changed it: the library itself, or one that it asks for, as the loader
/// would find it. "" where root alone could, where the library is not there, and for everybody else.
std::string why_distrusted(const std::string& name);

}  // namespace rocvet::gpu

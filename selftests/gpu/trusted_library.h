// Which libraries root may load: those that nobody else could have put there.
#pragma once

#include <string>

namespace rocvet::gpu {

/// What to give dlopen for the library `name` (a path, or a name that the loader looks up); "" when
/// it is not to be opened: for root a name that leads nowhere, and what another user could have
/// changed, the library itself or one that it asks for, as the loader would find it. Then
/// `distrusted` gets the file and who that is. For root a name becomes the path that was looked at.
std::string library_to_open(const std::string& name, std::string& distrusted);

/// Where the caller's LD_LIBRARY_PATH leads to a library of this stem that root left out: the
/// reason.
std::string why_left_out(const std::string& stem);

}  // namespace rocvet::gpu

// DKMS: which versions of which driver are added, built and installed, and why a build failed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/driver.h"
#include "source/source.h"

namespace rocvet {

/// Fills the dkms members of `driver`.
void read_dkms(Source& source, Driver& driver);

/// The output of `dkms status`, old form ("amdgpu, 5.2, 5.4.0-60-generic, x86_64: installed") and
/// new
/// ("amdgpu/5.2, …"). Lines that are no states are appended to `messages`.
std::vector<DkmsState> parse_dkms_status(std::string_view text, std::vector<std::string>& messages);
/// Lines of a make.log that say why it failed, at most 20, long ones cut at 300 bytes.
std::vector<std::string> build_errors(std::string_view log);

}  // namespace rocvet

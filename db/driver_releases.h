// Releases of AMD's kernel driver, the ROCm that they go with and the module that they ship.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/database.h"
#include "db/version.h"

namespace rocvet {

/// The driver release in the version of a package: "1:6.16.13.30300400-2341068.24.04"
/// holds 30.30.4, "1:6.8.5.60200-2009582.24.04" holds 6.2.0.
std::optional<Version> driver_release_in(std::string_view package);
/// The driver release that AMD publishes with a ROCm release: of the same number before 7.0; ""
/// when none is known.
std::string driver_release_for(const Database& database, const Version& rocm);
/// The newest ROCm release that a driver release is published with; "" when none is known.
std::string rocm_of_driver(const Database& database, const std::string& release);
/// The first module version of a driver release ("6.16.6" of "30.20"); "" when it is not known.
std::string module_of_driver(const Database& database, const std::string& release);
/// The version that amdgpu-dkms of a driver release has, as far as it tells the release
/// ("6.12.12.60401" of "6.4.1", "6.16.13.30300400" of "30.30.4"); "" when the module is not known.
std::string package_of_driver(const Database& database, const std::string& release);
/// The release of the DKMS driver of a situation: by its package's version, else by the module's;
/// "" when there is none or it is not known.
std::string driver_release_of(const Database& database, const Situation& here);

}  // namespace rocvet

// The package database of the distribution, read from its files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// /var/lib/dpkg/status: every paragraph with a version; `state` is the last word of Status.
std::vector<Package> parse_dpkg_status(std::string_view text);
/// Lines of `rpm -qa`: name-version-release.arch. Packages there are installed.
std::vector<Package> parse_rpm_list(std::string_view text);
/// A desc file of pacman's local database.
Result<Package> parse_pacman_desc(std::string_view text, std::string_view where);
/// /lib/apk/db/installed: P:, V: and A: lines.
std::vector<Package> parse_apk_installed(std::string_view text);

/// dpkg, pacman, apk or rpm, whichever is there. Fills `package_manager`, `packages`,
/// `package_log`.
void read_packages(Source& source, Software& software);

}  // namespace rocvet

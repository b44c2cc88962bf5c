// What a package manager wrote down of its work: dpkg.log, pacman.log, dnf.rpm.log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocvet {

struct PackageChange {
  std::string date;      ///< "2026-05-27"
  std::string package;   ///< without architecture: "linux-firmware", "linux-image-6.8.0-45-generic"
  std::string from, to;  ///< versions; from is empty of an installation, and where dnf wrote it
  bool installed = false;  ///< it was not there before
};

/// Upgrades and installations, in the order of the log. Other lines are left out.
std::vector<PackageChange> package_changes(std::string_view log);

}  // namespace rocvet

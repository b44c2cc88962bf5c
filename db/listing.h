// What the database knows by name: releases, systems, frameworks, for people to choose from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"

namespace rocvet {

/// A line of a list: what it is called, what is said of it, and of what date or range.
struct Listed {
  std::string name, about;
};

/// ROCm releases, oldest first; `about`: the driver that goes with it, and "preview" where it is
/// one.
std::vector<Listed> listed_releases(const Database& database);
/// Systems by name and version ("Ubuntu 24.04.3"); `about`: the ranges of releases that list it.
std::vector<Listed> listed_systems(const Database& database);
/// Frameworks; `about`: the versions that are listed or have wheels, oldest first.
std::vector<Listed> listed_frameworks(const Database& database);

/// The release that a text means: "6.2" is the newest of its series. Errors name `option`: no
/// release
/// ("7", "7.2-rc1"), or none of that series though a later one is known.
struct NamedRelease {
  std::string rocm;   ///< "6.2.4"
  bool known = true;  ///< false: newer than the database, or a patch release that it has not
};
Result<NamedRelease> named_release(const Database& database, const std::string& option,
                                   std::string_view text);

/// The Python that a system's own packages bring ("3.12" of "ubuntu-24.04"); "" is not known.
std::string python_of_system(const Database& database, const std::string& os);

}  // namespace rocvet

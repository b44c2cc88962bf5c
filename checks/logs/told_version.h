// Versions that a person's words name as the ones something works or fails with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/knowledge.h"

namespace rocvet {

struct ToldVersion {
  enum class Of { unknown, kernel, rocm, firmware, driver_package };
  Of of = Of::unknown;  ///< by the word before or behind it; unknown: the number stands alone
  /// As it is written: "6.11", "5.10.14-lqx1", "20250808"; "" is what is here ("since the update").
  std::string version;
  bool works = false;    ///< "worked on 6.8", "downgraded to 6.8": else it is what fails
  std::string sentence;  ///< in one line
};

/// Of sentences that speak of a change for the worse or the better (since, after the update, worked
/// before, a regression) and name versions. Log lines have no such sentences; of each other
/// sentence nothing.
std::vector<ToldVersion> told_versions(std::string_view words, const Knowledge& knowledge);

/// Whether the version that is here is the one that is named: "6.8" is of 6.8.0-45-generic,
/// "5.10.14-lqx1" of itself alone.
bool is_of_version(std::string_view here, std::string_view told);

}  // namespace rocvet

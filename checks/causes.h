// The catalogue of root causes: one entry for each slug of the taxonomy.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rocvet {

struct CauseInfo {
  std::string_view id;          ///< "user-not-in-render-group"
  std::string_view title;       ///< one line
  std::string_view definition;  ///< what it is and how it shows
  bool benign = false;          ///< never to be reported as a fault
};

std::span<const CauseInfo> all_causes();
/// The manual page that `explain` prints.
std::string cause_page(const CauseInfo& cause);

}  // namespace rocvet

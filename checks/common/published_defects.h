// Published defects as findings: that a machine lies within one says little, for most such machines
// are well; that its words stand in a log says much.
#pragma once

#include <optional>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// What is seen of a defect within which the machine lies.
struct DefectNames {
  ObservationName shown;          ///< its words stand in a log
  ObservationName perhaps_shown;  ///< so do words that other faults bring about too
  ObservationName spoken_of;      ///< somebody complains of what it breaks
  /// The same of one that befalls most machines within it, or somebody gives its address.
  ObservationName likely;
};

/// Nothing but its conditions tells of it: it is as likely as the complaint fits.
bool has_no_words(const KnownIssue& issue);
/// A fail, when the machine lies within the defect and a log shows it; a warning, when a log has
/// words that other faults bring about too, or somebody complains of what it breaks.
std::optional<Finding> defect_at_work(const Context& context, const KnownIssue& issue,
                                      const DefectNames& names);
/// Adds one pass for all defects that are listed for the machine and that nothing shows; none when
/// none of them is certain to be.
void add_listed_defects(std::vector<Finding>& findings, const std::vector<KnownIssue>& issues);

}  // namespace rocvet

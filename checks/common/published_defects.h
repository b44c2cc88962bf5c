// Published defects as findings: that a machine lies within one says little, for most such machines
// are well; that its words stand in a log says much.
#pragma once

#include <optional>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// What is seen of a defect whose words stand in a log.
struct DefectShown {
  ObservationName certainly;
  ObservationName perhaps;  ///< other faults bring these words about too
};

/// A fail, when the machine lies within the defect and a log shows it; a warning, when a log has
/// words that other faults bring about too.
std::optional<Finding> shown_defect(const Context& context, const KnownIssue& issue,
                                    const DefectShown& names);
/// Adds one pass for all defects that are listed for the machine and that nothing shows; none when
/// none of them is certain to be.
void add_listed_defects(std::vector<Finding>& findings, const std::vector<KnownIssue>& issues,
                        ObservationName name);

}  // namespace rocvet

// The catalogue of root causes: one entry for each slug that a diagnosis may name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/finding.h"

namespace rocvet {

struct Machine;

struct CauseInfo {
  std::string_view id;          ///< "user-not-in-render-group"
  std::string_view title;       ///< one line
  std::string_view definition;  ///< what it is and how it shows
  /// Other causes that this one brings about, space separated: found together with it, they are
  /// its consequences and are not named.
  std::string_view explains = {};
  /// The command that decides where reading cannot; "" when reading can.
  Literal experiment = {};
  /// Commands, one a line; a line that begins with "apt: ", "dnf: ", "zypper: " or "pacman: " is
  /// for that family alone.
  Literal remedy = {};
  std::string_view needs = {};  ///< any of "root reboot login"
  bool mild = false;            ///< a warning: something works, only badly
  bool benign = false;          ///< never to be reported as a fault
  bool hardware = false;  ///< its remedy is to open the machine: what a log says is not enough
};

std::span<const CauseInfo> all_causes();
const CauseInfo* find_cause(std::string_view id);
/// Its general remedy with the commands of this machine's package manager.
Remedy remedy_for(const CauseInfo& cause, const Machine& machine);
/// A step with what this machine tells put into its gaps: the GPU's target for gfxN, its ROCm for
/// X.Y and /opt/rocm-X.Y.Z, 9/10 of its memory in pages for PAGES. What is not known, or is not
/// plain, stays.
Step fill_in(Step step, const Machine& machine);
/// The manual page that `explain` prints.
std::string cause_page(const CauseInfo& cause);

}  // namespace rocvet

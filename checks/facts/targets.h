// Which libraries and applications have code for a gfx target.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// Frameworks, applications and kernel libraries with code objects that run on `gfx`, by path; only
/// those that carry code of their own count.
std::vector<std::string> libraries_with(const Machine& machine, std::string_view gfx);

/// The XNACK modes that the code objects for a target come in.
struct XnackTargets {
  bool on = false, off = false, any = false;
  std::string where;
  std::vector<std::string> only_on;  ///< programs and libraries whose code for it is all xnack+
};
/// The GPU for which KFD refuses XNACK to every process here: it has one mode per process, for all
/// GPUs that the process may open, whatever ROCR_VISIBLE_DEVICES says. nullptr: there is none.
const Gpu* gpu_without_xnack(const Machine& machine);
XnackTargets xnack_targets(const Machine& machine, std::string_view gfx);
/// Whether a process gets XNACK on this GPU; nullopt when nothing tells.
std::optional<bool> xnack_mode(const Machine& machine, const Gpu& gpu);
std::string xnack_evidence(const Machine& machine, const Gpu& gpu);

}  // namespace rocvet

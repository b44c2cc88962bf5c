// What is said of a machine's part, and how it is mended.
#pragma once

#include <string_view>
#include <vector>

#include "base/step.h"

namespace rocvet {

enum class Verdict { pass, warn, fail, skip, unknown };
std::string_view to_string(Verdict verdict);

/// Commands a person can paste, in order, and how they learn that it worked.
struct Remedy {
  std::vector<Step> steps = {};
  Step verify = {};
  Step undo = {};
  bool needs_root = false, needs_reboot = false, needs_login = false;
  bool empty() const { return steps.empty(); }
};

}  // namespace rocvet

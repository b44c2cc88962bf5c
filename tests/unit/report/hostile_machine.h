// A machine whose names somebody chose to harm who pastes a remedy.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"

namespace rocvet {

/// One kind of name that can reach a step: the user's, package names, kernel releases …
struct HostileName {
  const char* what;
  /// Adds the text to each name of the kind; whether the machine has any.
  bool (*spoil)(Machine& machine, const std::string& payload);
};

const std::vector<HostileName>& hostile_names();

}  // namespace rocvet

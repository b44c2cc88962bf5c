// Which GPUs a person or a program names. Where the system shows none (WSL, a container without
// devices) that is all there is to go by.
#pragma once

#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// Targets that the given log names by themselves ("gfx1201") or by a product ("RX 9070 XT",
/// "Strix Halo"), in order, each once. A product of several targets is none.
std::vector<std::string> targets_spoken_of(const Context& context);

}  // namespace rocvet

// A machine with secrets wherever a snapshot looks.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/unit/machine/scratch.h"

namespace rocvet {

/// Every secret that was planted, and the kinds of them.
struct Planted {
  std::vector<std::string> secrets;
  std::set<std::string> kinds;

  /// Notes a secret and gives it back, to be put into a text.
  std::string operator()(const std::string& kind, const std::string& secret) {
    kinds.insert(kind);
    secrets.push_back(secret);
    return secret;
  }
};

/// The tree below a root for live_source(). The process's HOME must be /home/ada.
Planted plant_machine(Scratch& root);
/// Lines of a kernel log with secrets, and an application's output.
std::string planted_kernel_log(Planted& plant);
std::string planted_app_log(Planted& plant);

}  // namespace rocvet

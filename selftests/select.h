// From what was asked for to tests and devices.
#pragma once

#include <string>
#include <vector>

#include "selftests/selftest.h"

namespace rocvet {

/// The tests that ids or globs name, in the order of the registry; empty: all. A name that matches
/// none is an error with "did you mean".
Result<std::vector<const SelfTest*>> select_tests(const std::vector<std::string>& patterns);

struct DeviceName {
  std::string runtime;  ///< "hip", "hsa", "kfd", "cuda", "host"
  int index = 0;        ///< -1: all that the runtime has
  std::string text() const;
};
/// "hip:0", "hsa:0", "kfd:0", "cuda:1", "host", or "hip" for all.
Result<DeviceName> parse_device(const std::string& text);

}  // namespace rocvet

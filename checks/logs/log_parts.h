// What a text given as a log is made of. Who wrote a line decides what may be concluded from it:
// the kernel's lines are read as a kernel log, a report on an environment states versions and no
// fault, and in the rest programs and people speak.
#pragma once

#include <string>
#include <string_view>

namespace rocvet {

struct LogParts {
  std::string kernel;       ///< lines of a kernel log, with their stamps
  std::string environment;  ///< collect_env of PyTorch or vLLM
  std::string rest;
};

/// Each line of the text is in one of the parts, in its order. A few kernel lines that somebody
/// quotes are no kernel log: they stay in the rest.
LogParts log_parts(std::string_view log);

}  // namespace rocvet

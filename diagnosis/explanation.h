// What a pasted text says, with no machine beside it: the messages that are known, what may be
// behind them, and what would tell these apart.
#pragma once

#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

struct ExplainedMessage {
  std::string line;    ///< the first that has it, as printed
  std::string from;    ///< "HIP", "kernel" …
  std::string means;   ///< one sentence
  std::string asks;    ///< which facts decide between its causes; "" of what is no fault
  std::string source;  ///< where the message comes from
  bool fault = false;  ///< it says that something of the GPU stack fails
};

/// A root cause that the text may have.
struct Reading {
  std::string id, title;
  double probability = 0;
  bool benign = false;     ///< nobody needs to mend it
  std::string decided_by;  ///< what, seen on the machine, would speak for it most; "" for nothing
  Remedy remedy;
  Step experiment;
};

struct Explanation {
  std::vector<ExplainedMessage> messages;
  std::vector<Reading> readings;  ///< likeliest first
  std::vector<std::string>
      unexplained;  ///< lines that say that something failed, and are not known
};

/// Of a context whose machine is not known but for its log; `results` are the checks of it.
Explanation explain_log(const Context& context, const std::vector<CheckResult>& results);

}  // namespace rocvet

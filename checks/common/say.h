// Findings put together in one expression.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// `failing("…").saw("…").sees("name").fix({"sudo …"}).root()` is a Finding.
class Say {
 public:
  Say(Verdict verdict, std::string summary) {
    finding_.verdict = verdict;
    finding_.summary = std::move(summary);
  }
  Say&& saw(std::string evidence) && {
    if (!evidence.empty()) finding_.evidence.push_back(std::move(evidence));
    return std::move(*this);
  }
  Say&& saw(const std::vector<std::string>& evidence) && {
    for (const std::string& line : evidence) finding_.evidence.push_back(line);
    return std::move(*this);
  }
  Say&& about(std::string subject) && {
    finding_.subject = std::move(subject);
    return std::move(*this);
  }
  Say&& sees(ObservationName observation) && {
    finding_.seen.push_back(observation);
    return std::move(*this);
  }
  Say&& fix(std::vector<Step> steps) && {
    // A command that this distribution has not is no step.
    std::erase_if(steps, [](const Step& step) { return step.empty(); });
    finding_.remedy.steps = std::move(steps);
    return std::move(*this);
  }
  Say&& verify(Step command) && {
    finding_.remedy.verify = std::move(command);
    return std::move(*this);
  }
  Say&& undo(Step command) && {
    finding_.remedy.undo = std::move(command);
    return std::move(*this);
  }
  Say&& root() && {
    finding_.remedy.needs_root = true;
    return std::move(*this);
  }
  Say&& reboot() && {
    finding_.remedy.needs_reboot = true;
    return std::move(*this);
  }
  Say&& login() && {
    finding_.remedy.needs_login = true;
    return std::move(*this);
  }
  operator Finding() && { return std::move(finding_); }                 // NOLINT
  operator std::vector<Finding>() && { return {std::move(finding_)}; }  // NOLINT

 private:
  Finding finding_;
};

inline Say failing(std::string summary) {
  return {Verdict::fail, std::move(summary)};
}
inline Say warning(std::string summary) {
  return {Verdict::warn, std::move(summary)};
}
/// Of a state that is a fault only where something suffers from it: a program's message makes it
/// one, people's words alone are worth a warning.
inline Verdict verdict_of(bool stated, bool said) {
  return stated ? Verdict::fail : said ? Verdict::warn : Verdict::pass;
}
/// Nothing is wrong by itself; what was seen may weigh in a diagnosis (sees).
inline Say passing(std::string summary) {
  return {Verdict::pass, std::move(summary)};
}

/// Findings of which each is a pass are worth one line: the given one.
inline std::vector<Finding> or_pass(std::vector<Finding> findings, std::string summary) {
  if (findings.empty()) findings.push_back(pass(std::move(summary)));
  return findings;
}

}  // namespace rocvet

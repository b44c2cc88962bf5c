// What a check has to say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/result.h"
#include "machine/step.h"

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

/// What a finding says for or against a root cause (a slug of db/causes.toml).
/// strength: 0..1, how sure this finding alone makes us that the cause is (or, with `against`, is
/// not) what is wrong.
struct Vote {
  std::string cause = {};
  double strength = 0;
  bool against = false;
};

struct Finding {
  Verdict verdict = Verdict::pass;
  std::string summary = {};  ///< one sentence, no full stop
  std::string subject = {};  ///< "gpu 1 (0000:c1:00.0)"; empty for the machine
  std::vector<std::string> evidence = {};
  Remedy remedy = {};
  std::vector<Vote> votes = {};
};

inline Finding pass(std::string summary) {
  return {.verdict = Verdict::pass, .summary = std::move(summary)};
}
/// Does not apply here; the reason is the summary.
inline Finding skip(std::string reason) {
  return {.verdict = Verdict::skip, .summary = std::move(reason)};
}
/// Could not be judged: the fact is not there.
inline Finding unknown(const Error& error) {
  return {.verdict = Verdict::unknown, .summary = "could not tell: " + error.text()};
}

}  // namespace rocvet

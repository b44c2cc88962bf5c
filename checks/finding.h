// What a check has to say.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/observation_name.h"
#include "base/result.h"
#include "base/verdict.h"

namespace rocvet {

/// What was not found, of a finding that rests on that: where places could not be looked at, it may
/// be there all the same (checks/unread_areas.h).
enum class Absence { none, gpu, surroundings, thing };

struct Finding {
  Verdict verdict = Verdict::pass;
  std::string summary = {};  ///< one sentence, no full stop
  std::string subject = {};  ///< "gpu 1 (0000:c1:00.0)"; empty for the machine
  std::vector<std::string> evidence = {};
  Remedy remedy = {};
  std::vector<ObservationName> seen = {};  ///< beside what its verdict says
  /// Ids of the kernel's messages that it tells of (db/kernel_log).
  std::vector<std::string_view> messages = {};
  Absence absence = Absence::none;
};

inline Finding pass(std::string summary) {
  return {.verdict = Verdict::pass, .summary = std::move(summary)};
}
/// Does not apply here, as was seen; the reason is the summary.
inline Finding skip(std::string reason) {
  return {.verdict = Verdict::skip, .summary = std::move(reason)};
}
/// Does not apply here, since what it would judge was not found.
inline Finding none_here(std::string what, Absence of = Absence::thing) {
  return {.verdict = Verdict::skip, .summary = std::move(what), .absence = of};
}
/// Could not be judged: the fact is not there.
inline Finding unknown(const Error& error, std::string subject = "") {
  return {.verdict = Verdict::unknown,
          .summary = "could not tell: " + error.text(),
          .subject = std::move(subject)};
}
/// Of a fact that could not be had: none_here where it does not exist (`absent` says what that
/// means), else unknown.
inline Finding unread(const Error& error, std::string absent) {
  return error.kind == Error::Kind::missing ? none_here(std::move(absent)) : unknown(error);
}

}  // namespace rocvet

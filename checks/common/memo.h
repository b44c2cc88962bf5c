// What several checks derive from the same machine, computed once for a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/check.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_parts.h"

namespace rocvet {

struct Memo {
  std::optional<LogParts> log;
  std::optional<std::vector<LogEvent>> events;
  std::optional<std::string> spoken, spoken_lower;
  std::optional<bool> of_a_person, complained;
  std::optional<std::vector<AppError>> app_errors;
};

/// Lives with the context (Context::memo).
Memo& memo_of(const Context& context);
/// The log that was given, by what it is made of; empty parts when there is none.
const LogParts& given_log(const Context& context);

}  // namespace rocvet

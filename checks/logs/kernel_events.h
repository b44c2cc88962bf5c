// The kernel log, decoded: known messages of the GPU driver and of what it stands on, collapsed and
// attributed to a GPU.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

enum class LogSeverity { harmless, warning, error, fatal };

struct LogPattern {
  std::string_view name, group;
  LogSeverity severity;
  std::string_view text;     ///< "*" stands for anything in between
  std::string_view meaning;  ///< one sentence
  std::string_view causes;   ///< "slug:strength …"
  std::string_view example;
};

struct LogEvent {
  /// This machine's log of this boot; a kernel log that was given; a few lines that somebody
  /// quoted.
  enum class From { machine, log, quote };
  const LogPattern* pattern = nullptr;
  std::string bdf;   ///< "0000:03:00.0"; "" when the line names no device
  std::string line;  ///< the first one
  double seconds = -1;
  int count = 0;
  From from = From::machine;
};

std::span<const LogPattern> log_patterns();
/// The pattern of a line, or nullptr.
const LogPattern* decode_line(std::string_view line);
/// All that is known in a log, in order of first appearance.
std::vector<LogEvent> decode_log(const KernelLog& log);
/// Of this machine's log, decoded once; empty when there is none.
const std::vector<LogEvent>& kernel_events(const Context& context);
bool has_event(const Context& context, std::string_view pattern);
/// What a group ("init", "ras" …) says, as findings: fail for errors, warn for warnings.
std::vector<Finding> findings_of_group(const Context& context, std::string_view group,
                                       std::string_view what);
/// "slug:0.5 other:0.2" as votes.
std::vector<Vote> parse_votes(std::string_view text);
/// Whether `line` has all parts of `text` in order; a "$" at the end of `text` is the end of the
/// line.
bool fits(std::string_view text, std::string_view line);

}  // namespace rocvet

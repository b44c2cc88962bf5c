// The kernel log, decoded: known messages of the GPU driver and of what it stands on, collapsed and
// attributed to a GPU.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"
#include "db/knowledge.h"

namespace rocvet {

struct LogEvent {
  /// This machine's log of this boot; a kernel log that was given; a few lines that somebody
  /// quoted.
  enum class From { machine, log, quote };
  const KernelMessage* message = nullptr;
  std::string bdf;    ///< "0000:03:00.0"; "" when the line names no device
  std::string line;   ///< the first one
  std::string means;  ///< what the message means, with its values
  double seconds = -1;
  int count = 0;
  std::size_t at = 0;  ///< which line of its log, the first one
  From from = From::machine;
  bool recovered = false;  ///< a hang or fault: the GPU was reset with success after its last line
  /// A step of a start or a resume whose failure is told after it: that one's topic; "" else.
  std::string_view step_of;
};

/// All that is known in a log, in order of first appearance, but what was no fault after all: the
/// same GPU came up after it, say.
std::vector<LogEvent> decode_log(const KernelLog& log, const Knowledge& knowledge);
/// Of this machine's log, decoded once; empty when there is none.
const std::vector<LogEvent>& kernel_events(const Context& context);
bool has_event(const Context& context, std::string_view id);
/// Whether an error of the topic ("execution" …) is told.
bool has_error(const Context& context, std::string_view topic);
/// What a topic ("init", "ras" …) says, as findings, worst first and one for each GPU: fail for
/// errors, warn for warnings.
/// `adjust` may change each of them by the event that it is made of.
std::vector<Finding> findings_of_topic(
    const Context& context, std::string_view topic, std::string_view what,
    const std::function<void(const LogEvent&, Finding&)>& adjust = {});
/// Whether `line` has all parts of `text` in order; a "$" at the end of `text` is the end of the
/// line.
bool fits(std::string_view text, std::string_view line);

}  // namespace rocvet

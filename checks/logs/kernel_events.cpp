#include "checks/logs/kernel_events.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/add_once.h"
#include "base/text.h"
#include "checks/common/memo.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"
#include "checks/logs/line_owner.h"
#include "formats/kernel_message.h"
#include "machine/read_kernel_log.h"

namespace rocvet {
namespace {

/// "0000:03:00.0" somewhere in the line.
std::string find_bdf(std::string_view line) {
  const auto hex = [&](std::size_t at) {
    return at < line.size() && std::isxdigit(static_cast<unsigned char>(line[at])) != 0;
  };
  for (std::size_t dot = line.find('.'); dot != line.npos; dot = line.find('.', dot + 1)) {
    if (dot < 10 || !hex(dot + 1) || line[dot - 3] != ':' || line[dot - 6] != ':') continue;
    const std::size_t start = dot - 10;
    if (hex(start) && hex(start + 3) && hex(start + 5) && hex(start + 6) && hex(dot - 1))
      return lower(line.substr(start, 12));
  }
  return "";
}

constexpr std::size_t kLongestQuoted = 1024;

/// What this machine's own log tells already is not told again.
void add_new(std::vector<LogEvent>& events, std::vector<LogEvent> more, LogEvent::From from) {
  for (LogEvent& event : more) {
    const bool known = std::any_of(events.begin(), events.end(), [&](const LogEvent& other) {
      return other.message == event.message;
    });
    if (known) continue;
    event.from = from;
    events.push_back(std::move(event));
  }
}

std::string_view where(const LogEvent& event) {
  switch (event.from) {
    case LogEvent::From::log:
      return "kernel log given: ";
    case LogEvent::From::quote:
      return kTold;
    default:
      return "kernel log: ";
  }
}

/// Lines one after the other, collapsed to events.
class Collector {
 public:
  explicit Collector(const Knowledge& knowledge) : knowledge_(knowledge) {}

  void take(std::string_view line, double seconds) {
    ++line_;
    const KernelMessage* message = knowledge_.message_of(message_of(line), &values_);
    if (message != nullptr && !of_its_field(*message)) add(*message, line, seconds);
    if (traced_ != nullptr && names_driver(line)) in_driver_.insert(traced_);
    if (message != nullptr && is_traced(*message)) {
      traced_ = message;
      trace_ends_ = line_ + kLongestTrace;
    } else if (line_ >= trace_ends_) {
      traced_ = nullptr;
    }
  }
  /// Of words around a message: who quotes one may cut it, and adds to it.
  void take_quoted(std::string_view line) {
    ++line_;
    if (line.empty()) return;
    const KernelMessage* message = knowledge_.message_in(line, &values_);
    if (message == nullptr || of_its_field(*message) || is_of_another_driver(line, find_bdf(line)))
      return;
    in_driver_.insert(message);  // a quote leaves the trace out
    add(*message, line, -1);
  }
  std::vector<LogEvent> events() && {
    std::vector<std::size_t> stay;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      events_[i].recovered =
          events_[i].message->topic == "execution" && came_after("gpu-reset-succeeded", i);
      if (!made_good(i)) stay.push_back(i);
    }
    std::vector<LogEvent> kept;
    kept.reserve(stay.size());
    for (const std::size_t i : stay) kept.push_back(std::move(events_[i]));
    return kept;
  }

 private:
  // As many devices as no machine has; a log that names more has been made up.
  static constexpr std::size_t kMostEvents = 4096;

  void add(const KernelMessage& message, std::string_view line, double seconds) {
    ++number_;
    std::string bdf = find_bdf(line);
    const auto [known, fresh] = places_.try_emplace({&message, bdf}, events_.size());
    if (!fresh) {
      ++events_[known->second].count;
      last_[known->second] = number_;
    } else if (events_.size() < kMostEvents) {
      events_.push_back({&message, std::move(bdf), std::string(line),
                         fill_gaps(message.means, values_), seconds, 1, line_ - 1});
      last_.push_back(number_);
    } else {
      places_.erase(known);
    }
  }

  /// What the message is about is something that may be so: an optional file.
  bool of_its_field(const KernelMessage& message) const {
    for (const Benign& benign : message.benign) {
      for (const MessageTemplate::Value& value : values_) {
        const bool fits =
            value.name == benign.field &&
            std::any_of(benign.is.begin(), benign.is.end(),
                        [&](std::string_view one) { return glob_match(one, value.text); });
        if (fits) return true;
      }
    }
    return false;
  }

  static bool is_traced(const KernelMessage& message) {
    return std::any_of(message.benign.begin(), message.benign.end(),
                       [](const Benign& benign) { return benign.when == "trace-elsewhere"; });
  }
  /// A frame of a call trace in amdgpu or in what it stands on: "amdgpu_irq_put+0x41/0x70
  /// [amdgpu]".
  static bool names_driver(std::string_view line) {
    constexpr std::string_view kModules[] = {"[amdgpu",    "[amdttm", "[amddrm_ttm", "[amdkcl",
                                             "[amd_sched", "[ttm",    "[gpu_sched"};
    return contains_one(line, kModules);
  }

  /// Whether the same GPU came up, or was reset with success, after the last such line; or a trace
  /// shows that it befell another part of the kernel.
  bool made_good(std::size_t i) const {
    const LogEvent& event = events_[i];
    for (const Benign& benign : event.message->benign) {
      if (benign.when == "trace-elsewhere" && !in_driver_.contains(event.message)) return true;
      if (benign.when == "gpu-initialised" && came_after("gpu-initialised", i)) return true;
      if (benign.when == "bar-assigned" && came_after("bar-assigned", i)) return true;
      if (benign.when == "reset-succeeded" && came_after("gpu-reset-succeeded", i)) return true;
    }
    return false;
  }
  /// Whether the same GPU told the wanted message after the last such line.
  bool came_after(std::string_view wanted, std::size_t i) const {
    for (std::size_t other = 0; other < events_.size(); ++other) {
      const bool same = events_[other].bdf == events_[i].bdf || events_[other].bdf.empty() ||
                        events_[i].bdf.empty();
      if (events_[other].message->id == wanted && same && last_[other] > last_[i]) return true;
    }
    return false;
  }

  const Knowledge& knowledge_;
  std::vector<MessageTemplate::Value> values_;
  std::vector<LogEvent> events_;
  std::vector<std::size_t> last_;  ///< of each event, the number of its last line
  std::map<std::pair<const KernelMessage*, std::string>, std::size_t> places_;
  std::size_t number_ = 0;
  // Registers, modules and frames of an oops; the next event is another matter after these.
  static constexpr std::size_t kLongestTrace = 120;
  std::size_t line_ = 0, trace_ends_ = 0;
  const KernelMessage* traced_ = nullptr;     ///< whose call trace is being read
  std::set<const KernelMessage*> in_driver_;  ///< of which a trace names the GPU's driver
};

}  // namespace

bool fits(std::string_view text, std::string_view line) {
  if (text.ends_with('$')) {
    line = trim(line);
    const std::string_view last = text.substr(0, text.size() - 1);
    if (!line.ends_with(last.substr(last.rfind('*') + 1))) return false;
    text = last;
  }
  std::size_t at = 0;
  while (true) {
    const std::size_t star = text.find('*');
    const std::string_view part = text.substr(0, star);
    const std::size_t found = line.find(part, at);
    if (found == line.npos) return false;
    if (star == text.npos) return true;
    at = found + part.size();
    text.remove_prefix(star + 1);
  }
}

std::vector<LogEvent> decode_log(const KernelLog& log, const Knowledge& knowledge) {
  Collector collector(knowledge);
  for (const KernelLine& line : log.lines) collector.take(line.text, line.seconds);
  return std::move(collector).events();
}

const std::vector<LogEvent>& kernel_events(const Context& context) {
  Memo& memo = memo_of(context);
  if (memo.events) return *memo.events;
  memo.events.emplace();
  const Knowledge& knowledge = context.db.knowledge();
  if (const auto& log = context.machine.kernel_log)
    memo.events = of_gpus(decode_log(*log, knowledge), *log, &context.machine);
  if (!context.machine.app_log) return *memo.events;
  const LogParts& given = given_log(context);
  const KernelLog log = parse_kernel_log(given.kernel, "--log");
  add_new(*memo.events, of_gpus(decode_log(log, knowledge), log, nullptr), LogEvent::From::log);
  Collector quoted(knowledge);
  each_line(given.rest,
            [&](std::string_view line) { quoted.take_quoted(line.substr(0, kLongestQuoted)); });
  add_new(*memo.events, std::move(quoted).events(), LogEvent::From::quote);
  return *memo.events;
}

bool has_event(const Context& context, std::string_view id) {
  const auto& events = kernel_events(context);
  return std::any_of(events.begin(), events.end(),
                     [&](const LogEvent& event) { return event.message->id == id; });
}

bool has_error(const Context& context, std::string_view topic) {
  const auto& events = kernel_events(context);
  return std::any_of(events.begin(), events.end(), [&](const LogEvent& event) {
    return event.message->topic == topic && event.message->severity >= LogSeverity::error;
  });
}

namespace {

struct Told {
  const LogEvent* event;
  Finding finding;
  bool step;  ///< a line of what failed, and not what failed
};

/// Fatal errors first, then other errors, warnings, and what is none.
int badness(const Told& told) {
  if (told.step) return 1;
  const int severity = static_cast<int>(told.event->message->severity);
  return told.finding.verdict == Verdict::fail   ? 100 + severity
         : told.finding.verdict == Verdict::warn ? 50 + severity
                                                 : 0;
}

/// What befalls one GPU is one thing: the worst says what, the others are lines of it.
std::vector<Finding> by_gpu(std::vector<Told> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Told& a, const Told& b) { return badness(a) > badness(b); });
  std::vector<Finding> findings;
  std::map<std::string_view, std::size_t> places;  // of each GPU's finding
  for (Told& told : all) {
    const std::string_view bdf = told.event->bdf;
    const auto place = places.find(bdf);
    if (bdf.empty() || place == places.end() || badness(told) == 0) {
      places.try_emplace(bdf, findings.size());
      findings.push_back(std::move(told.finding));
      continue;
    }
    Finding& worst = findings[place->second];
    for (std::string& line : told.finding.evidence) worst.evidence.push_back(std::move(line));
    for (const std::string_view id : told.finding.messages) add_once(worst.messages, id);
  }
  return findings;
}

}  // namespace

std::vector<Finding> findings_of_topic(
    const Context& context, std::string_view topic, std::string_view what,
    const std::function<void(const LogEvent&, Finding&)>& adjust) {
  std::vector<Told> told;
  for (const LogEvent& event : kernel_events(context)) {
    const KernelMessage& message = *event.message;
    const bool step = !event.step_of.empty();
    if ((step ? event.step_of : message.topic) != topic || message.severity < LogSeverity::warning)
      continue;
    Finding finding;
    // What a reset mended is history, while nobody says that something fails.
    const bool mended = event.recovered && !someone_complains(context);
    const bool mild = message.severity == LogSeverity::warning || mended;
    finding.verdict = mild ? Verdict::warn : Verdict::fail;
    finding.summary = event.means;
    finding.messages = {message.id};
    finding.evidence.push_back(
        std::string(where(event)) + std::string(trim(event.line)) +
        (event.count > 1 ? " (" + std::to_string(event.count) + " times)" : ""));
    for (const Gpu& gpu : context.machine.gpus) {
      if (!event.bdf.empty() && gpu.bdf && *gpu.bdf == event.bdf) finding.subject = gpu_label(gpu);
    }
    if (adjust) adjust(event, finding);
    told.push_back({&event, std::move(finding), step});
  }
  if (!told.empty()) return by_gpu(std::move(told));
  const auto& log = context.machine.kernel_log;
  const bool given = !given_log(context).kernel.empty();
  if (!log && was_not_seen(log.error()) && !given) return {unknown(log.error())};
  if (!log) return {skip("the kernel log could not be read")};
  return {pass("the kernel log has no " + std::string(what))};
}

}  // namespace rocvet

#include "checks/logs/kernel_events.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/text.h"
#include "checks/common/memo.h"
#include "checks/facts/gpus.h"
#include "checks/logs/complaint.h"
#include "checks/logs/line_owner.h"
#include "checks/logs/literal_filter.h"
#include "machine/read_kernel_log.h"

namespace rocvet {
namespace {

constexpr LogSeverity kHarmless = LogSeverity::harmless, kWarning = LogSeverity::warning,
                      kError = LogSeverity::error, kFatal = LogSeverity::fatal;
constexpr LogPattern kPatterns[] = {
#include "checks/kernel_log/patterns.inc"
};

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
      return other.pattern == event.pattern;
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

/// Most lines are of no interest: they have the longest part of no pattern.
const LiteralFilter& pattern_filter() {
  static const LiteralFilter kFilter = [] {
    std::vector<std::vector<std::string>> literals;
    for (const LogPattern& pattern : kPatterns) literals.push_back({longest_part(pattern.text)});
    return LiteralFilter(literals, LiteralFilter::Case::as_is);
  }();
  return kFilter;
}

/// Lines one after the other, collapsed to events.
class Collector {
 public:
  void take(std::string_view line, double seconds) {
    const LogPattern* pattern = decode_line(line);
    if (pattern == nullptr) return;
    std::string bdf = find_bdf(line);
    const auto [known, fresh] = places_.try_emplace({pattern, bdf}, events_.size());
    if (!fresh) {
      ++events_[known->second].count;
    } else if (events_.size() < kMostEvents) {
      events_.push_back({pattern, std::move(bdf), std::string(line), seconds, 1});
    } else {
      places_.erase(known);
    }
  }
  std::vector<LogEvent> events() && { return std::move(events_); }

 private:
  // As many devices as no machine has; a log that names more has been made up.
  static constexpr std::size_t kMostEvents = 4096;
  std::vector<LogEvent> events_;
  std::map<std::pair<const LogPattern*, std::string>, std::size_t> places_;
};

}  // namespace

std::span<const LogPattern> log_patterns() {
  return kPatterns;
}

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

const LogPattern* decode_line(std::string_view line) {
  thread_local LiteralFilter::Marks marks;
  if (!pattern_filter().mark(line, marks)) return nullptr;
  const LogPattern* first = nullptr;
  each_marked(marks, [&](std::size_t i) {
    if (first == nullptr && fits(kPatterns[i].text, line)) first = &kPatterns[i];
  });
  return first;
}

std::vector<LogEvent> decode_log(const KernelLog& log) {
  Collector collector;
  for (const KernelLine& line : log.lines) collector.take(line.text, line.seconds);
  return std::move(collector).events();
}

const std::vector<LogEvent>& kernel_events(const Context& context) {
  Memo& memo = memo_of(context);
  if (memo.events) return *memo.events;
  memo.events.emplace();
  if (const auto& log = context.machine.kernel_log)
    memo.events = of_gpus(decode_log(*log), *log, &context.machine);
  if (!context.machine.app_log) return *memo.events;
  const LogParts& given = given_log(context);
  const KernelLog log = parse_kernel_log(given.kernel, "--log");
  add_new(*memo.events, of_gpus(decode_log(log), log, nullptr), LogEvent::From::log);
  Collector quoted;
  each_line(given.rest,
            [&](std::string_view line) { quoted.take(line.substr(0, kLongestQuoted), -1); });
  add_new(*memo.events, std::move(quoted).events(), LogEvent::From::quote);
  return *memo.events;
}

bool has_event(const Context& context, std::string_view pattern) {
  const auto& events = kernel_events(context);
  return std::any_of(events.begin(), events.end(),
                     [&](const LogEvent& event) { return event.pattern->name == pattern; });
}

std::vector<Vote> parse_votes(std::string_view text) {
  std::vector<Vote> votes;
  for (const std::string_view word : words(text)) {
    const std::size_t colon = word.find(':');
    if (colon == word.npos) continue;
    votes.push_back({std::string(word.substr(0, colon)),
                     std::strtod(std::string(word.substr(colon + 1)).c_str(), nullptr), false});
  }
  return votes;
}

std::vector<Finding> findings_of_group(const Context& context, std::string_view group,
                                       std::string_view what) {
  std::vector<Finding> findings;
  for (const LogEvent& event : kernel_events(context)) {
    const LogPattern& pattern = *event.pattern;
    if (pattern.group != group || pattern.severity == LogSeverity::harmless) continue;
    Finding finding;
    finding.verdict = pattern.severity == LogSeverity::warning ? Verdict::warn : Verdict::fail;
    finding.summary = std::string(pattern.meaning);
    finding.evidence.push_back(
        std::string(where(event)) + std::string(trim(event.line)) +
        (event.count > 1 ? " (" + std::to_string(event.count) + " times)" : ""));
    for (const Gpu& gpu : context.machine.gpus) {
      if (!event.bdf.empty() && gpu.bdf && *gpu.bdf == event.bdf) finding.subject = gpu_label(gpu);
    }
    finding.votes = parse_votes(pattern.causes);
    findings.push_back(std::move(finding));
  }
  if (!findings.empty()) return findings;
  if (!context.machine.kernel_log) return {skip("the kernel log could not be read")};
  return {pass("the kernel log has no " + std::string(what))};
}

}  // namespace rocvet

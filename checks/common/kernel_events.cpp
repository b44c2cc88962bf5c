#include "checks/common/kernel_events.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "checks/common/complaint.h"
#include "checks/common/gpus.h"
#include "checks/common/line_owner.h"
#include "checks/common/memo.h"
#include "machine/read_kernel_log.h"
#include "machine/text.h"

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

/// Most lines are of no interest: one of these words is in each pattern.
bool may_matter(std::string_view line) {
  for (const std::string_view word :
       {"amdgpu",      "kfd",   "drm",    "PCIe",           "BAR",       "BUG",
        "AMD-Vi",      "DMAR",  "odule",  "Hardware Error", "audit",     "blocked for",
        "rcu",         "panic", "fault",  "memory",         "I/O error", "EXT4",
        "ACPI",        "DPC",   "pciehp", "PKCS",           "Lockdown",  "assign",
        "power state", "PCI"}) {
    if (line.find(word) != line.npos) return true;
  }
  return false;
}

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
  for (const std::string_view part : split(text, '*')) {
    const std::size_t found = line.find(part, at);
    if (found == line.npos) return false;
    at = found + part.size();
  }
  return true;
}

const LogPattern* decode_line(std::string_view line) {
  if (!may_matter(line)) return nullptr;
  for (const LogPattern& pattern : kPatterns) {
    if (fits(pattern.text, line)) return &pattern;
  }
  return nullptr;
}

std::vector<LogEvent> decode_log(const KernelLog& log) {
  std::vector<LogEvent> events;
  for (const KernelLine& line : log.lines) {
    const LogPattern* pattern = decode_line(line.text);
    if (pattern == nullptr) continue;
    const std::string bdf = find_bdf(line.text);
    const auto same = std::find_if(events.begin(), events.end(), [&](const LogEvent& event) {
      return event.pattern == pattern && event.bdf == bdf;
    });
    if (same != events.end()) {
      ++same->count;
    } else {
      events.push_back({pattern, bdf, line.text, line.seconds, 1});
    }
  }
  return events;
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
  KernelLog quoted;
  for (const std::string_view line : split(given.rest, '\n'))
    quoted.lines.push_back({-1, std::string(line.substr(0, kLongestQuoted))});
  add_new(*memo.events, decode_log(quoted), LogEvent::From::quote);
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

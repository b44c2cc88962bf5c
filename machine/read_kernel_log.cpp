#include "machine/read_kernel_log.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/terminal_codes.h"
#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostLines = 20000, kFirstLines = 5000, kLongestLine = 2000;
constexpr std::size_t kMostBytes = 4u << 20, kFirstBytes = 1u << 20;

/// "Mon Nov 20 10:00:00 2023" of dmesg -T, "Nov20 10:00" and "Nov 2 10:00" of dmesg -e.
bool is_date(std::string_view text) {
  constexpr std::string_view kMonths = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
  std::vector<std::string_view> parts = words(text);
  if (parts.size() == 5) {  // with weekday and year
    parts.erase(parts.begin());
    parts.pop_back();
  }
  return (parts.size() == 2 || parts.size() == 3) && parts[0].size() >= 3 &&
         kMonths.find(parts[0].substr(0, 3)) != kMonths.npos &&
         parts.back().find(':') != std::string_view::npos;
}

/// "[   T1234] text", "[    C3] text": the thread or the processor that printed it.
void drop_caller(std::string_view& line) {
  const std::size_t id = line.find_first_not_of(' ', 1);
  if (!line.starts_with('[') || id == line.npos || (line[id] != 'T' && line[id] != 'C')) return;
  const std::size_t close = line.find_first_not_of("0123456789", id + 1);
  if (close == line.npos || close == id + 1 || line[close] != ']') return;
  line.remove_prefix(close + 1);
  if (line.starts_with(' ')) line.remove_prefix(1);
}

/// "[   12.345678] text" -> 12.345678, the rest left in `line`. A date, and the "[  +0.000012]"
/// of dmesg -d, tell no seconds since the boot: -1. nullopt: there is no stamp.
std::optional<double> take_stamp(std::string_view& line) {
  if (!line.starts_with('[')) return std::nullopt;
  const std::size_t close = line.find(']');
  if (close == std::string_view::npos || close > 40) return std::nullopt;
  const std::string inside(trim(line.substr(1, close - 1)));
  char* end = nullptr;
  double seconds = std::strtod(inside.c_str(), &end);
  const bool is_number = end != inside.c_str() && (*end == '\0' || *end == ' ') &&
                         inside.find('.') != std::string::npos;
  if (!is_number && !is_date(inside)) return std::nullopt;  // "[drm] …" is part of the message
  if (!is_number || inside.starts_with('+')) seconds = -1;
  line.remove_prefix(close + 1);
  if (line.starts_with(' ')) line.remove_prefix(1);
  drop_caller(line);
  return seconds;
}

/// "2026-11-20T10:00:00,123456+01:00 text" of dmesg --time-format iso.
void drop_iso_stamp(std::string_view& line) {
  const auto digit = [&](std::size_t at) { return line[at] >= '0' && line[at] <= '9'; };
  const bool iso = line.size() > 20 && digit(0) && digit(3) && line[4] == '-' && line[7] == '-' &&
                   line[10] == 'T' && line[13] == ':' && line[16] == ':';
  const std::size_t blank = iso ? line.find(' ') : line.npos;
  if (blank != line.npos) line.remove_prefix(blank + 1);
}

/// "kern  :info  : " of dmesg -x, or "<6>" of raw output.
void drop_level(std::string_view& line) {
  if (line.starts_with('<')) {
    const std::size_t close = line.find('>');
    if (close != std::string_view::npos && close <= 4) line.remove_prefix(close + 1);
    return;
  }
  for (const std::string_view facility : {"kern", "user", "daemon", "syslog"}) {
    if (!line.starts_with(facility)) continue;
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (first <= 8 && second != std::string_view::npos && second <= 18) {
      line = trim(line.substr(second + 1));
    }
  }
}

/// "Nov 20 10:00:00 host kernel: text", "2024-11-20T10:00:00.1+01:00 host kernel: text" and, of
/// the journal, "host kernel: text" after a stamp, or "kernel: text" where its host was taken out.
/// False: the line is another program's.
bool take_syslog_head(std::string_view& line) {
  if (line.starts_with("kernel: ")) {
    line.remove_prefix(8);
    return true;
  }
  const std::size_t kernel = line.find(" kernel: ");
  // Far to the right it is a part of some message.
  if (kernel != std::string_view::npos && kernel < 100) {
    line.remove_prefix(kernel + 9);
    return true;
  }
  return false;
}

bool looks_like_syslog(std::string_view text) {
  int syslog = 0, seen = 0;
  each_line(text.substr(0, 64u << 10), [&](std::string_view line) {
    if (seen == 200 || trim(line).empty() || line.starts_with("-- ")) return;
    const std::size_t kernel = line.find(" kernel: ");
    if (line.starts_with("kernel: ") || (kernel != line.npos && kernel < 100)) ++syslog;
    ++seen;
  });
  return syslog > 0 && syslog * 10 >= seen;
}

/// A line without its head; nullopt: it is no line of the kernel's, or says nothing.
std::optional<KernelLine> kernel_line(std::string_view line, bool syslog) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty() || line.starts_with("-- ")) return std::nullopt;  // the journal's own remarks
  KernelLine entry;
  const std::string plain =
      line.find('\x1b') == line.npos ? std::string() : strip_terminal_codes(line);
  if (!plain.empty()) line = plain;
  drop_level(line);
  if (const auto seconds = take_stamp(line)) entry.seconds = *seconds;
  if (syslog) {
    if (!take_syslog_head(line)) return std::nullopt;
    if (const auto seconds = take_stamp(line)) entry.seconds = *seconds;
  } else {
    drop_iso_stamp(line);
  }
  if (line.size() > kLongestLine) line = line.substr(0, kLongestLine);
  while (line.ends_with(' ') || line.ends_with('\0')) line.remove_suffix(1);
  if (line.empty()) return std::nullopt;
  entry.text = line;
  return entry;
}

bool is_banner(const KernelLine& line) {
  return line.text.starts_with("Linux version ") && line.seconds <= 0.001;
}

/// From the last banner of the kernel on; the whole when there is none.
std::string_view last_boot(std::string_view text, bool syslog) {
  constexpr std::string_view kBanner = "Linux version ";
  for (std::size_t at = text.rfind(kBanner); at != text.npos;) {
    const std::size_t before = at == 0 ? text.npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == text.npos ? 0 : before + 1;
    const auto line = kernel_line(text.substr(begin, text.find('\n', at) - begin), syslog);
    if (line && is_banner(*line)) return text.substr(begin);
    if (begin == 0) break;
    at = text.rfind(kBanner, begin - 1);
  }
  return text;
}

/// The first lines tell how the boot went, the last what happens now; between them is noise.
class Keeper {
 public:
  void take(KernelLine line) {
    // What belongs to earlier boots goes: before the kernel's banner, and, in a log without
    // banners, before the clock went back to the start.
    const bool restarted = line.seconds >= 0 && line.seconds < 1 && clock_ > line.seconds + 5;
    if (is_banner(line) || restarted) {
      first_.clear();
      last_.clear();
    }
    if (line.seconds >= 0) clock_ = line.seconds;
    if (first_.size() < kFirstLines) {
      first_.push_back(std::move(line));
      return;
    }
    if (last_.size() == kMostLines - kFirstLines) last_.pop_front();
    last_.push_back(std::move(line));
  }
  std::vector<KernelLine> lines() && {
    std::move(last_.begin(), last_.end(), std::back_inserter(first_));
    return std::move(first_);
  }

 private:
  std::vector<KernelLine> first_;
  std::deque<KernelLine> last_;
  double clock_ = -1;
};

}  // namespace

KernelLog parse_kernel_log(std::string_view text, std::string origin) {
  KernelLog log;
  log.origin = std::move(origin);
  const bool syslog = looks_like_syslog(text);
  Keeper keeper;
  const auto take = [&](std::string_view part) {
    each_line(part, [&](std::string_view line) {
      if (auto entry = kernel_line(line, syslog)) keeper.take(std::move(*entry));
    });
  };
  text = last_boot(text, syslog);
  if (text.size() > kMostBytes) {
    const std::size_t head = text.rfind('\n', kFirstBytes);
    if (head != text.npos) take(text.substr(0, head));
    text.remove_prefix(text.size() - (kMostBytes - kFirstBytes));
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  take(text);
  log.lines = std::move(keeper).lines();
  return log;
}

bool is_kernel_line(std::string_view line) {
  drop_level(line);
  return take_stamp(line) || take_syslog_head(line);
}

Result<KernelLog> read_kernel_log(Source& source) {
  Error first = not_captured("dmesg");
  bool have_first = false;
  const auto note = [&](const Error& error) {
    // "Denied" is worth more to the user than "not captured" of a place that nobody uses.
    if (!have_first ||
        (first.kind == Error::Kind::not_captured && error.kind != Error::Kind::not_captured)) {
      first = error;
      have_first = true;
    }
  };
  for (const char* command : {"dmesg", "journalctl-k"}) {
    const Result<CommandOutput> output = source.run(command);
    if (!output) {
      note(output.error());
      continue;
    }
    KernelLog log = parse_kernel_log(output->out, command);
    if (!log.lines.empty()) return log;
    note(Error{output->status == 0 ? Error::Kind::missing : Error::Kind::denied, command,
               output->status == 0 ? "shows no line" : "may not be read by this user"});
  }
  for (const char* path : {"/var/log/dmesg", "/var/log/kern.log", "/var/log/messages"}) {
    const Result<std::string> text = source.read(path, 64u << 20);
    if (!text) {
      if (!text.is_missing()) note(text.error());
      continue;
    }
    KernelLog log = parse_kernel_log(*text, path);
    if (!log.lines.empty()) return log;
  }
  return first;
}

}  // namespace rocvet

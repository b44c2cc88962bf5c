#include "machine/read_kernel_log.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/terminal_codes.h"
#include "base/text.h"
#include "formats/kernel_head.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostLines = 20000, kFirstLines = 5000, kLongestLine = 2000;
constexpr std::size_t kMostKernelLogBytes = 4u << 20, kFirstBytes = 1u << 20;

bool looks_like_syslog(std::string_view text) {
  int syslog = 0, seen = 0;
  each_line(text.substr(0, 64u << 10), [&](std::string_view line) {
    if (seen == 200 || trim(line).empty() || line.starts_with("-- ")) return;
    if (take_syslog_head(line)) ++syslog;
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
  if (text.size() > kMostKernelLogBytes) {
    const std::size_t head = text.rfind('\n', kFirstBytes);
    if (head != text.npos) take(text.substr(0, head));
    text.remove_prefix(text.size() - (kMostKernelLogBytes - kFirstBytes));
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

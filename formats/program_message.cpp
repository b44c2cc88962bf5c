#include "formats/program_message.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "formats/kernel_message.h"

namespace rocvet {
namespace {

using std::string_view;

/// A line with more headers, or more quotations, is none that a program prints.
constexpr std::size_t kMostMessagesOfText = 48;
constexpr std::size_t kLongestBracket = 100;
constexpr std::size_t kShortestQuotation = 8;

string_view first_word(string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}

bool all_of(string_view text, string_view letters) {
  return text.find_first_not_of(letters) == text.npos;
}

bool has_digit(string_view text) {
  return text.find_first_of("0123456789") != text.npos;
}

/// "\x1b[31m"
std::size_t colour(string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end == text.npos ? 0 : end + 1;
}

/// "> ", ">>> ", "| ", "+ ", a quotation mark: how people and shells set off what others said.
std::size_t quotation_mark(string_view text) {
  const std::size_t end = std::min(text.find_first_not_of(">|`\"'+$"), text.size());
  return end;
}

/// A word of digits and what divides them: "2025-01-01", "10:00:00,123", "2025-01-01T00:00:00Z:".
bool is_stamp(string_view word) {
  return word.size() >= 5 && has_digit(word) && all_of(word, "0123456789-:./,TZ+") &&
         word.find_first_of("-:") != word.npos;
}

/// The seconds before each line of a step of docker build: "74.28 ", "#12 74.28 ".
std::size_t build_seconds(string_view text) {
  std::size_t step = 0;
  if (text.starts_with('#')) {
    const string_view number = first_word(text);
    if (number.size() < 2 || !all_of(number.substr(1), "0123456789")) return 0;
    step = number.size() + 1;
    if (step >= text.size()) return 0;
  }
  const string_view word = first_word(text.substr(step));
  const std::size_t point = word.find('.');
  if (point == word.npos || point == 0 || point + 1 == word.size()) return 0;
  const bool seconds =
      all_of(word.substr(0, point), "0123456789") && all_of(word.substr(point + 1), "0123456789");
  return seconds ? step + word.size() : 0;
}

/// llama.cpp's minutes, seconds, milli- and microseconds, and the level: "0.00.842.586 E ".
std::size_t stamp_and_letter(string_view text) {
  const string_view word = first_word(text);
  const std::size_t minutes = word.find('.');
  if (minutes == word.npos || minutes == 0 || !all_of(word, "0123456789.")) return 0;
  const string_view rest = word.substr(minutes);
  if (rest.size() != 11 || rest[3] != '.' || rest[7] != '.') return 0;
  const string_view behind = text.substr(word.size());
  const bool letter = behind.size() > 3 && behind[0] == ' ' && behind[2] == ' ' &&
                      string_view("EWIDC").find(behind[1]) != string_view::npos;
  return letter ? word.size() + 2 : 0;
}

/// A stamp, or the journal's "Nov 20 10:00:00 host ".
std::size_t stamp(string_view text) {
  const string_view word = first_word(text);
  if (is_stamp(word)) return word.size();
  if (const std::size_t end = stamp_and_letter(text); end > 0) return end;
  if (const std::size_t end = build_seconds(text); end > 0) return end;
  constexpr string_view kMonths = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
  if (word.size() != 3 || kMonths.find(word) == kMonths.npos) return 0;
  const std::vector<string_view> parts = words(text.substr(0, 120));
  if (parts.size() < 5 || !all_of(parts[1], "0123456789") || !is_stamp(parts[2])) return 0;
  return static_cast<std::size_t>(parts[3].data() + parts[3].size() - text.data());
}

/// "[rank0]: ", "[2025-01-01 00:00:00.000] ", "[error] ", "(EngineCore_0 pid=12) ".
std::size_t bracket(string_view text) {
  if (!text.starts_with('[') && !text.starts_with('(')) return 0;
  const char open = text[0], close = open == '[' ? ']' : ')';
  int depth = 0;
  for (std::size_t at = 0; at < std::min(text.size(), kLongestBracket); ++at) {
    depth += text[at] == open ? 1 : text[at] == close ? -1 : 0;
    if (depth == 0) return at + 1 < text.size() && text[at + 1] == ':' ? at + 2 : at + 1;
  }
  return 0;
}

std::size_t level(string_view text) {
  for (const string_view one : {"ERROR", "WARNING", "WARN", "INFO", "DEBUG", "CRITICAL", "FATAL",
                                "Error!", "NCCL WARN", "NCCL INFO"}) {
    if (!text.starts_with(one) || text.size() == one.size()) continue;
    const char next = text[one.size()];
    if (next == ' ' || next == '\t') return one.size();
    // Python's logging: "ERROR:root:".
    const std::size_t end = next == ':' ? first_word(text).find(':', one.size() + 1) : text.npos;
    if (end != text.npos) return end + 1;
    // JAX's: "WARNING:2025-03-05 12:00:00,123:jax._src.xla_bridge:969: ".
    if (next == ':' && is_stamp(first_word(text.substr(one.size() + 1)))) return one.size() + 1;
  }
  return 0;
}

/// "E0101 00:00:00.000000   12 file.cc:1] ", "W tensorflow/core/file.cc:64] ".
std::size_t source_place(string_view text) {
  const string_view word = first_word(text);
  if (word.empty() || string_view("EWIF").find(word[0]) == string_view::npos) return 0;
  if (!all_of(word.substr(1), "0123456789")) return 0;
  const std::size_t end = text.find("] ");
  return end == text.npos || end > 2 * kLongestBracket ? 0 : end + 1;
}

/// One word and a colon: "modprobe: ", "RuntimeError: ", "file.cpp:12:3: ", "MIOpen(HIP): "; also
/// with the bar of compose, "ollama-1  | ".
std::size_t name(string_view text) {
  const string_view word = first_word(text);
  if (word.size() > 1 && word.ends_with(':')) return word.size();
  const std::size_t bar = text.find_first_not_of(" \t", word.size());
  return bar != text.npos && text.substr(bar).starts_with("| ") ? bar + 1 : 0;
}

/// A few words and a colon that speak of an error: "Error response from daemon: ", "HIP error: ",
/// "line 1: ", and MIOpen's "Warning [SQLiteBase] ".
std::size_t words_of_error(string_view text) {
  if (text.starts_with("Warning [") || text.starts_with("Error [")) return text.find(']') + 1;
  const std::size_t end = text.substr(0, 80).find(": ");
  if (end == text.npos) return 0;
  const std::vector<string_view> before = words(text.substr(0, end));
  constexpr string_view kTelling[] = {"error",     "Error",   "ERROR",   "failed",
                                      "failure",   "failed,", "warning", "line",
                                      "exception", "daemon",  "Warning"};
  const bool telling = std::any_of(before.begin(), before.end(), [&](string_view word) {
    return std::find(std::begin(kTelling), std::end(kTelling), word) != std::end(kTelling);
  });
  return telling && before.size() <= 6 ? end + 1 : 0;
}

/// HIP's ":1:hip_fatbin.cpp :0277: 1234 us: [pid:12 tid:0x7f00] ", and before ROCm 6 "… 1234 us: 12
/// : [tid:0x7f00] ".
std::size_t hip_log(string_view text) {
  if (text.size() < 4 || text[0] != ':' || text[2] != ':') return 0;
  constexpr string_view kClock = " us: ";
  const std::size_t at = text.substr(0, kLongestBracket).find(kClock);
  if (at == text.npos) return 0;
  const std::size_t end = text.substr(0, 2 * kLongestBracket).find("] ", at);
  return end == text.npos ? at + kClock.size() : end + 1;
}

/// RCCL's "host:12:34 [0] file.cc:163 NCCL WARN ", WSL's "pid:12 tid:0x7f00 [function] ".
std::size_t process(string_view text) {
  for (const string_view rccl : {" NCCL WARN ", " NCCL INFO "}) {
    const std::size_t at = text.substr(0, 2 * kLongestBracket).find(rccl);
    if (at != text.npos) return at + rccl.size();
  }
  if (!text.starts_with("pid:")) return 0;
  const std::size_t end = text.substr(0, 2 * kLongestBracket).find("] ");
  return end == text.npos ? 0 : end + 1;
}

/// Up to the name of an exception in the middle of a line: "… failed with RuntimeError: ".
std::size_t exception(string_view text) {
  constexpr string_view kError = "Error: ";
  const std::size_t at = text.find(kError);
  const bool named = at != text.npos && at > 0 && text[at - 1] != ' ';
  return named ? at + kError.size() - 1 : 0;
}

std::size_t header(string_view text) {
  for (const auto form : {colour, quotation_mark, stamp, bracket, hip_log, process, level,
                          source_place, name, words_of_error, exception}) {
    if (const std::size_t size = form(text)) return size;
  }
  const string_view behind = message_of(text);  // "amdgpu 0000:03:00.0: "
  return behind.size() < text.size() && !behind.empty()
             ? static_cast<std::size_t>(behind.data() - text.data())
             : 0;
}

/// Without colours and white space at the end, and without the mark that closes a quotation.
string_view closed(string_view text, char mark) {
  text = trim(text);
  while (text.ends_with('m')) {
    const std::size_t escape = text.rfind('\x1b');
    if (escape == text.npos || escape + colour(text.substr(escape)) != text.size()) break;
    text = trim(text.substr(0, escape));
  }
  if (mark != '\0' && text.ends_with(mark)) text.remove_suffix(1);
  return text;
}

void add(string_view text, std::vector<string_view>& messages) {
  text = closed(text, '\0');
  while (!text.empty() && messages.size() < kMostMessagesOfText) {
    messages.push_back(text);
    const std::size_t size = header(text);
    if (size == 0) return;
    const char mark = text[size - 1];
    text = closed(text.substr(size), mark == '"' || mark == '\'' || mark == '`' ? mark : '\0');
  }
}

}  // namespace

std::vector<string_view> messages_of(string_view line) {
  std::vector<string_view> messages;
  line = trim(line);
  add(line, messages);
  // Also the values of a structured line: `level=WARN msg="…" error="…"`, `{"msg":"…"}`.
  for (const char mark : {'"', '`'}) {
    for (std::size_t open = line.find(mark); open != line.npos;) {
      std::size_t close = line.find(mark, open + 1);
      while (close != line.npos && line[close - 1] == '\\') close = line.find(mark, close + 1);
      if (close == line.npos || messages.size() >= kMostMessagesOfText) break;
      const string_view inside = line.substr(open + 1, close - open - 1);
      if (inside.size() >= kShortestQuotation) add(inside, messages);
      open = line.find(mark, close + 1);
    }
  }
  // And what a person sets off with single ones: "throws error 'E: Unable to locate package x'". An
  // apostrophe has a letter on either side.
  for (std::size_t open = line.find(" '"); open != line.npos; open = line.find(" '", open + 2)) {
    const std::size_t close = line.find('\'', open + 2);
    if (close == line.npos || messages.size() >= kMostMessagesOfText) break;
    const bool ends = close + 1 == line.size() || line[close + 1] == ' ' ||
                      line[close + 1] == '.' || line[close + 1] == ',';
    const string_view inside = line.substr(open + 2, close - open - 2);
    if (ends && inside.size() >= kShortestQuotation) add(inside, messages);
  }
  return messages;
}

}  // namespace rocvet

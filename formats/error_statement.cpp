#include "formats/error_statement.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "formats/program_message.h"

namespace rocvet {
namespace {

using Words = std::string_view;

constexpr Words kException[] = {"Error", "Exception", "Failure", "Fault"};
constexpr Words kLevels[] = {"ERROR", "FATAL", "CRITICAL", "Error",
                             "Fatal", "error", "fatal",    "panic"};
constexpr Words kAnywhere[] = {": error: ",   ": fatal error: ", " *ERROR* ",   "level=ERROR",
                               "level=error", "level=fatal",     "level=FATAL", "level=panic"};
constexpr Words kEnds[] = {"Segmentation fault",
                           "Aborted",
                           "Bus error",
                           "Illegal instruction",
                           "terminate called after",
                           "Floating point exception",
                           "Fatal Python error"};

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// "torch.cuda.OutOfMemoryError: …", "RuntimeError": a name that ends as exceptions' do.
bool begins_with_exception(std::string_view text) {
  const std::size_t size = std::find_if_not(text.begin(), text.end(), is_name) - text.begin();
  const std::string_view name = text.substr(0, size);
  if (size < text.size() && text[size] != ':') return false;
  return std::any_of(std::begin(kException), std::end(kException),
                     [&](Words end) { return name.size() > end.size() && name.ends_with(end); });
}

/// "ERROR: …", "Error! …", "[error] …", "FATAL -- …".
bool begins_with_level(std::string_view text) {
  const bool bracket = text.starts_with('[');
  if (bracket) text.remove_prefix(1);
  return std::any_of(std::begin(kLevels), std::end(kLevels), [&](Words level) {
    if (!text.starts_with(level) || text.size() == level.size()) return false;
    const char next = text[level.size()];
    return bracket ? next == ']' : next == ':' || next == '!';
  });
}

/// "E0823 17:01:02.123 …", "2024-01-10 20:25:42.726550: E tensorflow/…".
bool has_letter_of_level(std::string_view line) {
  if (line.size() > 6 && (line[0] == 'E' || line[0] == 'F') &&
      std::all_of(line.begin() + 1, line.begin() + 5, is_digit) && line[5] == ' ')
    return true;
  for (const Words letter : {": E ", ": F "}) {
    const std::size_t at = line.find(letter);
    if (at != line.npos && at < 40 && line.find(".cc:", at) != line.npos) return true;
  }
  return false;
}

}  // namespace

bool is_error_statement(std::string_view line) {
  line = trim(line);
  if (line.size() < 4 || has_letter_of_level(line)) return line.size() >= 4;
  const auto in_line = [&](Words part) { return line.find(part) != line.npos; };
  if (std::any_of(std::begin(kAnywhere), std::end(kAnywhere), in_line)) return true;
  const std::vector<std::string_view> messages = messages_of(line);
  return std::any_of(messages.begin(), messages.end(), [&](std::string_view text) {
    return begins_with_exception(text) || begins_with_level(text) ||
           std::any_of(std::begin(kEnds), std::end(kEnds),
                       [&](Words end) { return text.starts_with(end); });
  });
}

}  // namespace rocvet

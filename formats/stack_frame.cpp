#include "formats/stack_frame.h"

#include "base/text.h"

namespace rocvet {
namespace {

/// What stands between `begin` and the next `end`; empty where either is not there.
std::string_view between(std::string_view line, std::string_view begin, std::string_view end) {
  const std::size_t at = line.find(begin);
  if (at == line.npos) return {};
  line.remove_prefix(at + begin.size());
  const std::size_t close = line.find(end);
  return close == line.npos ? std::string_view() : line.substr(0, close);
}

bool is_library(std::string_view object) {
  return object.find(".so") != object.npos && object.find(' ') == object.npos;
}

/// "#12 0x00007f… …": of gdb and of systemd-coredump.
bool is_numbered(std::string_view line) {
  if (!line.starts_with('#')) return false;
  line.remove_prefix(1);
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  return digits > 0 && digits < line.size() && trim(line.substr(digits)).starts_with("0x");
}

std::string_view numbered_object(std::string_view line) {
  for (const std::string_view word : {" from ", " at "}) {
    const std::size_t at = line.rfind(word);
    if (at == line.npos) continue;
    const std::string_view object = trim(line.substr(at + word.size()));
    if (is_library(object)) return object;
  }
  const std::size_t open = line.rfind('(');
  if (open == line.npos) return {};
  const std::string_view object = between(line.substr(open), "(", " + 0x");
  return is_library(object) ? object : std::string_view();
}

/// "/x/lib.so(f+0x12) [0x7f…]", "/x/lib.so(+0x12)[0x7f…]".
std::string_view backtrace_object(std::string_view line) {
  const std::size_t open = line.find('(');
  if (!line.starts_with('/') || open == line.npos) return {};
  const std::size_t close = line.find(')', open);
  if (close == line.npos || line.substr(open, close - open).find("+0x") == line.npos) return {};
  if (!trim(line.substr(close + 1)).starts_with("[0x")) return {};
  return line.substr(0, open);
}

}  // namespace

std::optional<StackFrame> parse_stack_frame(std::string_view line) {
  line = trim(line);
  if (line.starts_with("File \"") && line.find("\", line ") != line.npos) {
    return StackFrame{between(line, "File \"", "\""), true};
  }
  const std::string_view object =
      is_numbered(line) ? numbered_object(line) : backtrace_object(line);
  if (object.empty()) return std::nullopt;
  return StackFrame{object, false};
}

}  // namespace rocvet

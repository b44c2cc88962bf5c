#include "cli/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/printable.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/output.h"

namespace rocvet::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Of the user's locale; where that is not installed, by its name.
bool has_utf8() {
  if (const locale_t locale = ::newlocale(LC_CTYPE_MASK, "", nullptr); locale != nullptr) {
    const bool utf8 = lower(::nl_langinfo_l(CODESET, locale)) == "utf-8";
    ::freelocale(locale);
    return utf8;
  }
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = lower(variable(name));
    if (!value.empty())
      return value.find("utf-8") != value.npos || value.find("utf8") != value.npos;
  }
  return false;
}

bool has_color(std::string_view wish, bool terminal) {
  if (wish == "always") return true;
  if (wish == "never" || !variable("NO_COLOR").empty()) return false;
  const std::string_view forced = variable("FORCE_COLOR");
  if (!forced.empty() && forced != "0") return true;
  return terminal && !terminal_is_dumb() && forced != "0";
}

std::size_t columns_of_output() {
  if (const std::size_t columns = terminal_columns(STDOUT_FILENO); columns > 0) return columns;
  const auto told = parse_number(variable("COLUMNS"));
  return told && *told < 10000 ? static_cast<std::size_t>(*told) : 0;
}

}  // namespace

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool terminal_is_dumb() {
  return variable("TERM") == "dumb";
}

Terminal standard_output(std::string_view wish) {
  Terminal out;
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  out.color = has_color(wish, terminal);
  if (!terminal) return out;
  // Below, tables are no longer tables.
  constexpr std::size_t kNarrowest = 40;
  const std::size_t columns = columns_of_output();
  out.columns = columns == 0 ? 0 : std::max(columns, kNarrowest);
  out.ascii = !has_utf8();
  return out;
}

std::string fitted(std::string text, const Terminal& terminal) {
  if (terminal.ascii) text = in_ascii(text);
  return terminal.columns == 0 ? text : wrapped(text, terminal.columns);
}

Result<Done> print_words(const std::string& text) {
  return print(fitted(printable_lines(text), standard_output()));
}

}  // namespace rocvet::cli

#include "formats/kernel_head.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "base/text.h"

namespace rocvet {
namespace {

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

}  // namespace

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

void drop_iso_stamp(std::string_view& line) {
  const bool iso = line.size() > 20 && is_digit(line[0]) && is_digit(line[3]) && line[4] == '-' &&
                   line[7] == '-' && line[10] == 'T' && line[13] == ':' && line[16] == ':';
  const std::size_t blank = iso ? line.find(' ') : line.npos;
  if (blank != line.npos) line.remove_prefix(blank + 1);
}

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

}  // namespace rocvet

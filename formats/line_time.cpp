#include "formats/line_time.h"

#include <optional>

#include "base/text.h"
#include "formats/kernel_head.h"

namespace rocvet {
namespace {

constexpr std::string_view kMonths = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
/// How far to the right a stamp may begin: behind a journal's head and "time=".
constexpr std::size_t kHead = 96;

/// Takes `count` digits; nullopt: there are not so many.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, count)) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// "08:12:33" and what stands behind the seconds: the seconds of the day.
std::optional<double> take_clock(std::string_view& text) {
  const auto hour = take_digits(text, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || !take(text, ':')) return std::nullopt;
  const auto second = take_digits(text, 2);
  if (!second) return std::nullopt;
  double seconds = *hour * 3600.0 + *minute * 60.0 + *second;
  if (!text.starts_with('.') && !text.starts_with(',')) return seconds;
  text.remove_prefix(1);
  for (double unit = 0.1; !text.empty() && is_digit(text.front()); unit /= 10) {
    seconds += unit * (text.front() - '0');
    text.remove_prefix(1);
  }
  return seconds;
}

/// Days from 1970-01-01 in the Gregorian calendar.
long days_from_epoch(int year, int month, int day) {
  // Years begin with March, so that the leap day is the last.
  const long y = month <= 2 ? year - 1 : year;
  const long month_of_year = (month + 9) % 12;
  return y * 365 + y / 4 - y / 100 + y / 400 + (month_of_year * 153 + 2) / 5 + day - 1 - 719468;
}

/// "Z", "+01:00", "+0100": the offset in seconds.
std::optional<double> take_zone(std::string_view& text) {
  if (take(text, 'Z')) return 0;
  const double sign = text.starts_with('-') ? -1 : 1;
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const auto hour = take_digits(text, 2);
  if (!hour) return std::nullopt;
  take(text, ':');
  const auto minute = take_digits(text, 2);
  if (!minute) return std::nullopt;
  return sign * (*hour * 3600.0 + *minute * 60.0);
}

/// "2025-01-05T08:12:33.123+01:00" at the beginning of the text.
std::optional<double> rfc3339(std::string_view text) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day || (!take(text, 'T') && !take(text, ' '))) return std::nullopt;
  const auto clock = take_clock(text);
  if (!clock) return std::nullopt;
  const auto zone = take_zone(text);
  if (!zone) return std::nullopt;
  return static_cast<double>(days_from_epoch(*year, *month, *day)) * 86400 + *clock - *zone;
}

/// "Jan  5 08:12:33 host": the seconds of a year whose months have 31 days.
std::optional<double> journal(std::string_view text) {
  if (text.size() < 15 || text[3] != ' ') return std::nullopt;
  const std::size_t month = kMonths.find(text.substr(0, 3));
  if (month == kMonths.npos || month % 4 != 0) return std::nullopt;
  text.remove_prefix(4);
  if (!take(text, ' ') && !is_digit(text.front())) return std::nullopt;
  const auto day = take_digits(text, is_digit(text[1]) ? 2 : 1);
  if (!day || !take(text, ' ')) return std::nullopt;
  const auto clock = take_clock(text);
  if (!clock || !text.starts_with(' ')) return std::nullopt;
  return (static_cast<double>(month) / 4 * 31 + *day) * 86400 + *clock;
}

}  // namespace

LineTime line_time(std::string_view line) {
  LineTime time;
  if (const auto local = journal(line)) time.local = *local;
  const std::string_view head = line.substr(0, kHead);
  for (std::size_t at = head.find("20"); at != head.npos; at = head.find("20", at + 1)) {
    if (at > 0 && is_digit(line[at - 1])) continue;
    if (const auto utc = rfc3339(line.substr(at))) {
      time.utc = *utc;
      break;
    }
  }
  if (const auto boot = take_stamp(line)) time.boot = *boot;
  return time;
}

}  // namespace rocvet

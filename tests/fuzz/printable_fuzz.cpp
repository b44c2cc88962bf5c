// printable() and its sisters: well-formed UTF-8, nothing that steers a terminal or is not seen,
// and to do it twice changes nothing. What is well formed is judged by a decoder of our own.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json_text.h"
#include "base/printable.h"
#include "base/terminal_codes.h"
#include "base/text.h"
#include "fuzz/target.h"

using namespace rocvet;

namespace {

/// Bytes of the character at the front; 0 when it is no UTF-8.
std::size_t character(std::string_view text, char32_t& code) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc0 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf8 ? 4
                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  code = length == 1 ? lead : lead & (0xff >> (length + 1));
  for (std::size_t at = 1; at < length; ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[at]) & 0x3f);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code >= kLeast[length] && code <= 0x10ffff && !surrogate ? length : 0;
}

bool is_hidden(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x200b ||
         code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
         (code >= 0xe0000 && code <= 0xe007f) || (code & 0xfffe) == 0xfffe;
}

void must_be_printable(std::string_view text, std::string_view allowed) {
  while (!text.empty()) {
    char32_t code = 0;
    const std::size_t bytes = character(text, code);
    fuzz::must(bytes > 0, "it is UTF-8");
    const bool is_allowed = code < 0x80 && allowed.find(char(code)) != allowed.npos;
    fuzz::must(!is_hidden(code) || is_allowed, "nothing is hidden");
    text.remove_prefix(bytes);
  }
}

}  // namespace

FUZZ_TARGET(printable) {
  const std::string line = printable(bytes), lines = printable_lines(bytes),
                    colored = printable_colored(bytes);
  must_be_printable(line, "");
  must_be_printable(lines, "\n\t");
  must_be_printable(colored, "\n\t\x1b");
  fuzz::must_equal(printable(line), line, "twice is once");
  fuzz::must_equal(printable_lines(lines), lines, "lines: twice is once");
  fuzz::must_equal(printable_colored(colored), colored, "colours: twice is once");
  fuzz::must(line.size() <= 4 * bytes.size(), "no byte is more than four");

  const std::string plain = strip_terminal_codes(bytes);
  fuzz::must(plain.find_first_of(std::string_view("\r\0", 2)) == std::string::npos,
             "no carriage returns, no NULs");
  fuzz::must(plain.size() <= bytes.size(), "it only takes away");

  nlohmann::ordered_json json;
  json[std::string(bytes)] = {std::string(bytes), 1};
  must_be_printable(json_text(json), "\n");

  const std::string text(bytes);
  fuzz::use(trim(bytes));
  fuzz::use(words(bytes));
  fuzz::must(lines_of(bytes).size() <= split(bytes, '\n').size(), "lines are parts");
  fuzz::use(parse_number(bytes));
  fuzz::use(parse_number(bytes, 16));
  fuzz::use(parse_signed_number(bytes));
  const std::size_t half = bytes.size() / 2;
  fuzz::use(glob_match(bytes.substr(0, half), bytes.substr(half)));
  fuzz::must(glob_match("*", bytes), "a star matches everything");
  const std::string candidates[] = {"rocm", "kernel", text};
  fuzz::use(did_you_mean(bytes.substr(0, half), candidates));
}

#include "base/terminal_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "base/text.h"

namespace rocvet {
namespace {

std::string words_of(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::string all;
  for (const std::string_view word : words(text)) all += std::string(word) + ' ';
  return all;
}

}  // namespace

TEST_CASE("display_width: columns, not bytes, and no colours") {
  CHECK(display_width("gfx942") == 6);
  CHECK(display_width("8 × MI300X") == 10);
  CHECK(display_width("\x1b[1;31mFAIL\x1b[0m") == 4);
  CHECK(display_width("") == 0);
  CHECK(display_width("\xe9") == 1);          // no UTF-8
  CHECK(display_width("\xe6\xbc\xa2") >= 1);  // 漢: 2 where a UTF-8 locale is installed
}

TEST_CASE("wrapped: a long line is broken at blanks and hangs below its text") {
  CHECK(wrapped("      saw: one two three four five six seven", 30) ==
        "      saw: one two three four\n           five six seven");
  CHECK(wrapped("FAIL  RV102 kfd  the node is closed to this user", 36) ==
        "FAIL  RV102 kfd  the node is closed\n                 to this user");
  CHECK(wrapped("short\nlines\n", 30) == "short\nlines\n");
  CHECK(wrapped("anything that is long enough to be broken", 0) ==
        "anything that is long enough to be broken");
}

TEST_CASE("wrapped: commands and words that are wider stay whole") {
  const std::string command =
      "      fix: sudo apt install --allow-downgrades amdgpu-dkms=GOOD_VERSION";
  CHECK(wrapped(command, 30) == command);
  const std::string path = "see " + std::string(50, 'x') + " there";
  CHECK(wrapped(path, 20) == "see\n  " + std::string(50, 'x') + "\n  there");
}

TEST_CASE("wrapped: nothing is lost, and no line is wider than its widest word needs") {
  const std::string text =
      "MAYBE device-libs-missing (a suspicion, 40 %)  the ROCm device bitcode is not installed\n"
      "  FAIL     HIP    1.0 s  hipGetDeviceCount: hipErrorNoDevice (100): no \xc3\x97 GPU\n";
  for (std::size_t columns = 10; columns < 120; ++columns) {
    const std::string broken = wrapped(text, columns);
    CHECK(words_of(broken) == words_of(text));
    for (const std::string_view line : split(broken, '\n')) {
      const bool fits = display_width(line) <= columns || words(line).size() <= 1;
      CHECK_MESSAGE(fits, columns, ": ", std::string(line));
    }
  }
}

TEST_CASE("in_ascii: our signs have one of their own, foreign letters an escape") {
  CHECK(in_ascii("8 × MI300X · 70 °C…") == "8 x MI300X - 70  deg C...");
  CHECK(in_ascii("Jos\xc3\xa9") == "Jos\\u00e9");
  CHECK(in_ascii("\xf0\x9f\x98\x80") == "\\U0001f600");
  CHECK(in_ascii("plain") == "plain");
  CHECK(in_ascii("  · a\n      fix: sudo usermod -aG render 'ad\xc3\xa9'\n") ==
        "  - a\n      fix: sudo usermod -aG render 'ad\xc3\xa9'\n");
}

}  // namespace rocvet

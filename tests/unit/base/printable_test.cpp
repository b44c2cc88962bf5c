#include "base/printable.h"

#include <doctest/doctest.h>

namespace rocvet {
namespace {

TEST_CASE("what can be read stays as it is") {
  for (const char* text : {"", "AMD Instinct MI300X", "caf\u00e9", "\u6f22\u5b57", "\U0001f642",
                           "a \\x1b b", "\u0645\u06cc\u062e", "\ufffd", "\u26a0\ufe0f"}) {
    CAPTURE(text);
    CHECK(printable(text) == text);
    CHECK(printable_lines(text) == text);
  }
}

TEST_CASE("control characters become escapes, line ends and tabs blanks or stay") {
  CHECK(printable("\x1b]0;owned\x07") == "\\x1b]0;owned\\x07");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("a\x7f") == "a\\x7f");
  CHECK(printable("a\r\n\tb") == "a\\x0d  b");
  CHECK(printable_lines("a\r\n\tb") == "a\\x0d\n\tb");
  CHECK(printable("\u0085\u009b31m") == "\\u0085\\u009b31m");
}

TEST_CASE("what reorders or hides text becomes an escape") {
  CHECK(printable("user\u202egpj.exe") == "user\\u202egpj.exe");
  CHECK(printable("\u2066\u2069\u200e\u200f\u061c") == "\\u2066\\u2069\\u200e\\u200f\\u061c");
  CHECK(printable("\u2028\u2029\u200b\ufeff\u00ad") == "\\u2028\\u2029\\u200b\\ufeff\\u00ad");
  CHECK(printable("\ufdd0\ufffe\uffff\U0001ffff\U000e0041") ==
        "\\ufdd0\\ufffe\\uffff\\U0001ffff\\U000e0041");
  // A joiner hides in a word, and between emoji, as well as a space without width.
  CHECK(printable("hip\u200cError\u200d") == "hip\\u200cError\\u200d");
  CHECK(printable("\U0001f468\u200d\U0001f469") == "\U0001f468\\u200d\U0001f469");
  CHECK(printable("\u2060\u2064\u034f\u3164\ufe00\U000e0100") ==
        "\\u2060\\u2064\\u034f\\u3164\\ufe00\\U000e0100");
}

TEST_CASE("a byte that is no UTF-8 is shown as that byte") {
  CHECK(printable("caf\xe9 de") == "caf\\xe9 de");                 // Latin-1
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong
  CHECK(printable("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");           // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  CHECK(printable("\xf0\x9f\x99") == "\\xf0\\x9f\\x99");           // cut short
  CHECK(printable("\xe2\x1b[31m") == "\\xe2\\x1b[31m");        // cut short by an escape sequence
  CHECK(printable("\xf4\x8f\xbf\xbd") == "\xf4\x8f\xbf\xbd");  // U+10FFFD
}

TEST_CASE("twice is the same as once") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(printable(printable(all)) == printable(all));
  CHECK(printable_lines(printable_lines(all)) == printable_lines(all));
}

TEST_CASE("of a long text a message shows both ends") {
  const std::string plain(600, 'x');
  CHECK(printable_excerpt(plain) == plain);
  const std::string cut =
      printable_excerpt("unknown verb '" + std::string(100000, 'x') + "'; help");
  CHECK(cut.size() < 420);
  CHECK(cut.starts_with("unknown verb 'xxx"));
  CHECK(cut.ends_with("xxx'; help"));
  CHECK(cut.find("x … x") != std::string::npos);
  // Never through a character of several bytes, whatever stands before it.
  for (const std::string before : {"", "a", "ab", "abc"}) {
    std::string text = before;
    for (int i = 0; i < 1000; ++i) text += "\U0001f642";
    const std::string both = printable_excerpt(text);
    CHECK(printable(both) == both);
  }
  CHECK(printable_excerpt(std::string(1000, '\n')).find('\n') == std::string::npos);
}

TEST_CASE("of escape sequences only colours can stay") {
  CHECK(printable_colored("\x1b[1;31mFAIL\x1b[0m\n") == "\x1b[1;31mFAIL\x1b[0m\n");
  CHECK(printable_colored("\x1b[2J\x1b]0;x\x07\x1b[31") == "\\x1b[2J\\x1b]0;x\\x07\\x1b[31");
}

}  // namespace
}  // namespace rocvet

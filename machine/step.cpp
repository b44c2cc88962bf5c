#include "machine/step.h"

#include <algorithm>
#include <iterator>

#include "machine/text.h"

namespace rocvet {
namespace {

constexpr char kPlace = '_';

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  return out;
}

/// Whether the word can stand where it is put: `before` and `after` are the text around it.
bool fits(const Word& word, std::string_view before, std::string_view after) {
  if (!word.quotable()) return false;
  const bool begins = before.empty() || before.back() == ' ';
  const bool ends = after.empty() || after[0] == ' ';
  if (begins && (word.is_option() || (ends && word.empty()))) return false;
  const bool assigns = before.starts_with("export ") && after.starts_with('=');
  if ((before.starts_with("unset ") || assigns) && begins && !word.names_variable()) return false;
  const bool removes = before.starts_with("rm ") || before.starts_with("sudo rm ");
  if (removes && word.text().find("..") != std::string::npos) return false;
  // The echo of some shells reads \n and \c.
  return !before.starts_with("echo ") || !word.has_backslash();
}

}  // namespace

std::vector<Literal> Literal::lines() const {
  std::vector<Literal> out;
  for (const std::string_view line : split(text_, '\n')) out.push_back(Literal(line));
  return out;
}

Step::Step(StepFormatted format, std::span<const Word> words) {
  std::string_view rest = format.text;
  for (const Word& word : words) {
    const std::size_t gap = rest.find("{}");
    shape_ += rest.substr(0, gap);
    text_ += rest.substr(0, gap);
    rest.remove_prefix(gap + 2);
    by_hand_ |= !fits(word, shape_, rest);
    shape_ += kPlace;
    text_ += word.text();
  }
  shape_ = one_line(shape_ + std::string(rest));
  text_ = one_line(text_ + std::string(rest));
  if (by_hand_) text_ = "# by hand: " + text_;
}

Step Step::of_database(std::string_view text) {
  Step step;
  step.text_ = step.shape_ = one_line(text);
  return step;
}

Step Step::of_report(std::string_view text) {
  Step step = of_database(text);
  step.by_hand_ = true;
  return step;
}

void Step::fill(std::string_view gap, std::string_view value) {
  if (is_plain(value)) put(gap, value);
}

void Step::fill_with_code(std::string_view gap, Literal code) {
  put(gap, code);
}

void Step::put(std::string_view gap, std::string_view text) {
  for (std::string* whole : {&text_, &shape_}) {
    for (std::size_t at = whole->find(gap); at != whole->npos;
         at = whole->find(gap, at + text.size()))
      whole->replace(at, gap.size(), text);
  }
}

bool Step::is_command() const {
  if (by_hand_) return false;
  constexpr std::string_view kCommands[] = {
      "sudo",    "echo",   "export",    "unset",          "pip",
      "conda",   "docker", "podman",    "flatpak",        "rm",
      "ln",      "printf", "df",        "lspci",          "curl",
      "ulimit",  "rocvet", "systemctl", "amdgpu-install", "dmesg",
      "rocminfo"};
  const std::string_view shape = shape_;
  const std::string_view first = shape.substr(0, shape.find(' '));
  if (std::find(std::begin(kCommands), std::end(kCommands), first) == std::end(kCommands))
    return false;
  for (const std::string_view open :
       {"IMAGE", "COMMAND", "SERVICE", "ACCOUNT", "APPLICATION", "OLD_VERSION", "BRIDGE", "PAGES",
        "DISTRO", "X.Y", "gfxN", "-N-", "…", "<", " keep ", "? "}) {
    if (shape.find(open) != shape.npos) return false;
  }
  // A remark in parentheses is no part of a command; "$(…)" is.
  return shape.find(" (") == shape.npos;
}

std::vector<std::string> texts(std::span<const Step> steps) {
  std::vector<std::string> out;
  for (const Step& step : steps) out.push_back(step.text());
  return out;
}

}  // namespace rocvet

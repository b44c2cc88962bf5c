#include "base/step.h"

#include <algorithm>
#include <iterator>

#include "base/command_words.h"
#include "base/text.h"

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
  // The name of a unit leads into no other folder.
  if (before.ends_with("/etc/systemd/system/") && word.text().find('/') != std::string::npos)
    return false;
  // The echo of some shells reads \n and \c.
  return !before.starts_with("echo ") || !word.has_backslash();
}

/// Whether the position lies inside quotes.
bool inside_quotes(std::string_view text, std::size_t position) {
  char open = 0;
  for (std::size_t at = 0; at < position; ++at) {
    const char c = text[at];
    if (c == '\\' && open != '\'') {
      ++at;
    } else if (c == '\'' || c == '"') {
      open = open == 0 ? c : open == c ? char(0) : open;
    }
  }
  return open != 0;
}

}  // namespace

bool gap_in_quotes(std::string_view text) {
  char open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && open != '\'') {
      ++at;
    } else if (c == '\'' || c == '"') {
      open = open == 0 ? c : open == c ? char(0) : open;
    } else if (c == '{' && open != 0 && text.find('}', at) != text.npos) {
      return true;
    }
  }
  return false;
}

std::vector<Literal> Literal::lines() const {
  std::vector<Literal> out;
  for (const std::string_view line : split(text_, '\n')) out.push_back(Literal(line));
  return out;
}

Step::Step(StepFormatted format, std::span<const Word> words) : words_(words.begin(), words.end()) {
  std::string_view rest = format.text;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::size_t gap = rest.find("{}");
    literals_.push_back(one_line(rest.substr(0, gap)));
    rest.remove_prefix(gap + 2);
  }
  literals_.push_back(one_line(rest));
  compose();
}

void Step::compose() {
  by_hand_ = foreign_;
  bool unquotable = false;
  text_ = shape_ = literals_.empty() ? "" : literals_.front();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    unquotable |= !fits(words_[i], shape_, literals_[i + 1]);
    text_ += words_[i].text() + literals_[i + 1];
    shape_ += kPlace + literals_[i + 1];
  }
  if (unquotable) text_ = "# by hand: " + text_;
  by_hand_ |= unquotable;
}

Step Step::of_text(std::string_view text, bool foreign) {
  Step step;
  step.literals_ = {one_line(text)};
  step.foreign_ = foreign;
  step.compose();
  return step;
}

Step Step::of_database(std::string_view text) {
  return of_text(text, false);
}

Step Step::of_database(std::string_view text, std::span<const NamedWord> words) {
  Step step;
  std::string literal;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    const std::size_t close = std::min(text.find('}', open), text.size());
    const std::string_view name =
        close == text.size() ? std::string_view() : text.substr(open + 1, close - open - 1);
    const auto named = std::find_if(words.begin(), words.end(),
                                    [&](const NamedWord& one) { return one.name == name; });
    if (name.empty() || named == words.end()) {
      literal += text.substr(0, open + 1);
      text.remove_prefix(std::min(open + 1, text.size()));
      continue;
    }
    step.literals_.push_back(one_line(literal + std::string(text.substr(0, open))));
    step.words_.push_back(named->word);
    literal.clear();
    text.remove_prefix(close + 1);
  }
  step.literals_.push_back(one_line(literal));
  step.compose();
  return step;
}

Step Step::of_report(std::string_view text) {
  return of_text(text, true);
}

void Step::fill(std::string_view gap, std::string_view value) {
  if (is_plain(value)) put(gap, value);
}

void Step::fill_with_code(std::string_view gap, Literal code) {
  put(gap, code);
}

bool Step::ask(std::string_view name, Literal code) {
  bool found = false;
  for (std::string& whole : literals_) {
    for (std::size_t at = find_name(whole, name, 0); at != whole.npos;) {
      const bool can_stand = !inside_quotes(whole, at);
      if (can_stand) whole.replace(at, name.size(), std::string_view(code));
      found |= can_stand;
      at = find_name(whole, name, at + (can_stand ? std::string_view(code).size() : 1));
    }
  }
  compose();
  return found;
}

void Step::put(std::string_view gap, std::string_view text) {
  for (std::string& whole : literals_) {
    for (std::size_t at = whole.find(gap); at != whole.npos; at = whole.find(gap, at + text.size()))
      whole.replace(at, gap.size(), text);
  }
  compose();
}

void Step::change(const std::function<std::string(std::string_view)>& change) {
  if (foreign_) {
    *this = of_report(change(text_));
    return;
  }
  for (Word& word : words_) word = word.changed(change);
  compose();
  // What the words tell only together with the text around them: quotes might go with it.
  if (const std::string whole = change(text_); !words_.empty() && whole != text_)
    *this = of_report("# by hand: " + whole);
}

bool Step::is_command() const {
  return !by_hand_ && runs_a_program(shape_) && !has_open_name(shape_);
}

bool Step::mends() const {
  return !by_hand_ && runs_a_program(shape_) && !only_looks();
}

bool Step::only_looks() const {
  return only_shows(text_);
}

std::vector<std::string> texts(std::span<const Step> steps) {
  std::vector<std::string> out;
  for (const Step& step : steps) out.push_back(step.text());
  return out;
}

}  // namespace rocvet

#include "base/shell_word.h"

#include <algorithm>

#include "base/printable.h"
#include "base/text.h"

namespace rocvet {
namespace {

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_plain_letter(char c) {
  return is_alnum(c) || std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

bool is_plain(std::string_view value) {
  return !value.empty() &&
         (is_alnum(value[0]) || value[0] == '_' || value[0] == '/' || value[0] == '.') &&
         std::all_of(value.begin(), value.end(), is_plain_letter);
}

std::optional<std::string> shell_quoted(std::string_view value) {
  // What would be shown as an escape would be pasted as one, and name something else.
  if (printable(value) != value) return std::nullopt;
  if (is_plain(value)) return std::string(value);
  std::string out = "'";
  for (std::size_t at = 0; at < value.size(); ++at) {
    const char next = at + 1 < value.size() ? value[at + 1] : '\'';
    // fish takes \' and \\ for escapes inside the quotes too: these stand outside, where all shells
    // agree.
    if (value[at] == '\'')
      out += "'\\''";
    else if (value[at] == '\\' && (next == '\'' || next == '\\'))
      out += "'\\\\'";
    else
      out += value[at];
  }
  return out + "'";
}

Word::Word(std::string_view value) : values_{std::string(value)} {
  const auto quoted = shell_quoted(value);
  quotable_ = quoted.has_value();
  if (quoted) {
    text_ = *quoted;
  } else {
    for (const char c : value) text_ += is_plain_letter(c) ? c : '?';
  }
  empty_ = value.empty();
  option_ = value.starts_with('-');
  name_ = !value.empty() && (value[0] < '0' || value[0] > '9') &&
          std::all_of(value.begin(), value.end(), [](char c) { return is_alnum(c) || c == '_'; });
  backslash_ = value.find('\\') != value.npos;
}

Word Word::around(std::string_view before, std::string_view plain_value, std::string_view after) {
  std::string shown;
  for (const char c : plain_value) shown += is_plain_letter(c) ? c : '?';
  Word word(std::string(before) + shown + std::string(after));
  word.kind_ = Kind::around;
  word.values_ = {std::string(plain_value)};
  word.before_ = before;
  word.after_ = after;
  word.quotable_ &= is_plain(plain_value) && plain_value.find('/') == plain_value.npos;
  return word;
}

Word Word::list(std::span<const std::string> values) {
  Word all{std::string_view()};
  all.kind_ = Kind::list;
  all.values_.assign(values.begin(), values.end());
  all.empty_ = values.empty();
  for (const std::string& value : values) {
    const Word one(value);
    all.quotable_ &= one.quotable_;
    all.empty_ |= one.empty_;
    all.option_ |= one.option_;
    all.backslash_ |= one.backslash_;
    all.text_ = &value == &values.front() ? one.text_ : all.text_ + " " + one.text_;
  }
  return all;
}

Word Word::changed(const std::function<std::string(std::string_view)>& change) const {
  std::vector<std::string> values;
  for (const std::string& value : values_) values.push_back(change(value));
  switch (kind_) {
    case Kind::value:
      return Word(values.front());
    case Kind::around:
      return around(before_, values.front(), after_);
    case Kind::list:
      return list(values);
    case Kind::code:
      break;
  }
  return *this;
}

}  // namespace rocvet

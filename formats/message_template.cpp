#include "formats/message_template.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "base/text.h"

namespace rocvet {
namespace {

using Field = MessageTemplate::Field;
using Part = MessageTemplate::Part;

std::optional<Field> field_of(std::string_view type) {
  constexpr std::pair<std::string_view, Field> kTypes[] = {
      {"int", Field::integer}, {"hex", Field::hex}, {"word", Field::word}, {"path", Field::path},
      {"bdf", Field::bdf},     {"any", Field::any}, {"rest", Field::rest},
  };
  for (const auto& [name, field] : kTypes) {
    if (name == type) return field;
  }
  return std::nullopt;
}

bool is_hex(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isxdigit(c) != 0; });
}

bool is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "0000:03:00.0", or without the domain or the function.
bool is_address(std::string_view text) {
  return text.size() >= 5 && text.find(':') != text.npos &&
         text.find_first_not_of("0123456789abcdefABCDEF:.") == text.npos;
}

bool takes(Field field, std::string_view text) {
  switch (field) {
    case Field::integer:
      return is_number(text);
    case Field::hex:
      return is_hex(text.starts_with("0x") ? text.substr(2) : text);
    case Field::word:
    case Field::path:
      return !text.empty() && text.find_first_of(" \t") == text.npos;
    case Field::bdf:
      return is_address(text);
    case Field::any:
    case Field::rest:
      return true;
  }
  return false;
}

/// Whether a text with more behind it may begin with what the field takes.
bool may_begin(Field field, std::string_view text) {
  if (field != Field::integer && field != Field::hex && field != Field::bdf) return true;
  if (field == Field::integer && (text.starts_with('-') || text.starts_with('+')))
    text.remove_prefix(1);
  if (text.empty()) return false;
  return field == Field::integer ? is_digit(text.front()) : is_hex(text.substr(0, 1));
}

/// The parts from `at` on against all of `message`. A field ends where the next literal begins;
/// where its text is none of its type, it may end at a later one, a few times.
class Matcher {
 public:
  explicit Matcher(const std::vector<Part>& parts) : parts_(parts), ends_(parts.size()) {}

  bool match(std::size_t at, std::string_view message) {
    if (at == parts_.size()) return message.empty();
    const Part& part = parts_[at];
    if (!part.literal.empty()) {
      return message.starts_with(part.literal) &&
             match(at + 1, message.substr(part.literal.size()));
    }
    if (at + 1 == parts_.size()) return accept(at, message);
    const std::string_view next = parts_[at + 1].literal;
    const bool last = at + 2 == parts_.size();
    for (std::size_t end = last ? message.rfind(next) : message.find(next);
         end != message.npos && tries_ < kMostTries; end = message.find(next, end + 1)) {
      ++tries_;
      if (accept(at, message.substr(0, end)) && match(at + 1, message.substr(end))) return true;
    }
    return false;
  }
  const std::vector<std::string_view>& texts() const { return ends_; }

 private:
  static constexpr int kMostTries = 64;

  bool accept(std::size_t at, std::string_view text) {
    if (!takes(parts_[at].field, text)) return false;
    ends_[at] = text;
    return true;
  }

  const std::vector<Part>& parts_;
  std::vector<std::string_view> ends_;
  int tries_ = 0;
};

Error wrong(std::string_view text, std::string what) {
  return malformed("'" + std::string(text) + "'", std::move(what));
}

}  // namespace

Result<MessageTemplate> MessageTemplate::parse(std::string_view text) {
  MessageTemplate made;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] != '{') {
      const std::size_t end = std::min(text.find_first_of("{}", at), text.size());
      if (end < text.size() && text[end] == '}') return wrong(text, "has a } without its {");
      made.parts_.push_back({text.substr(at, end - at), {}, {}});
      at = end;
      continue;
    }
    const std::size_t close = text.find('}', at);
    const std::size_t colon = text.find(':', at);
    if (close == text.npos || colon > close)
      return wrong(text, "has a field that is no {name:type}");
    const std::string_view name = text.substr(at + 1, colon - at - 1);
    const std::string_view type = text.substr(colon + 1, close - colon - 1);
    const auto field = field_of(type);
    if (name.empty() || !field)
      return wrong(text, "has a field of the unknown type '" + std::string(type) + "'");
    if (!made.parts_.empty() && made.parts_.back().literal.empty())
      return wrong(text, "has fields that touch");
    for (const Part& part : made.parts_) {
      if (part.name == name) return wrong(text, "has two fields '" + std::string(name) + "'");
      if (part.literal.empty() && part.field == Field::rest)
        return wrong(text, "goes on after a field that takes the rest");
    }
    made.parts_.push_back({{}, name, *field});
    at = close + 1;
  }
  if (made.longest_literal().size() < kShortestLiteral)
    return wrong(text, "has no literal of 8 bytes");
  return made;
}

bool MessageTemplate::match(std::string_view message, std::vector<Value>* values) const {
  // Most that share a part differ in their beginning or their end.
  const std::string_view first = parts_.front().literal, last = parts_.back().literal;
  if (!message.starts_with(first) || !message.ends_with(last)) return false;
  Matcher matcher(parts_);
  if (!matcher.match(0, message)) return false;
  if (values == nullptr) return true;
  values->clear();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].literal.empty()) values->push_back({parts_[i].name, matcher.texts()[i]});
  }
  return true;
}

bool MessageTemplate::find(std::string_view text, std::vector<Value>* values) const {
  // With anything before it and behind it; a field at an end loses its bounds.
  MessageTemplate loose;
  loose.parts_ = parts_;
  if (loose.parts_.front().literal.empty())
    loose.parts_.front().field = Field::any;
  else
    loose.parts_.insert(loose.parts_.begin(), {{}, "", Field::any});
  if (loose.parts_.back().literal.empty())
    loose.parts_.back().field = Field::rest;
  else
    loose.parts_.push_back({{}, "", Field::rest});
  std::vector<Value> found;
  if (!loose.match(text, &found)) return false;
  const std::string_view behind = found.back().text;
  const Part& end = parts_.back();
  if (end.literal.empty() && !may_begin(end.field, behind)) return false;
  // "failed -2" is not in "failed -22".
  if (!end.literal.empty() && is_digit(end.literal.back()) && !behind.empty() &&
      is_digit(behind.front()))
    return false;
  if (values != nullptr) *values = std::move(found);
  return true;
}

std::string_view MessageTemplate::longest_literal() const {
  std::string_view longest;
  for (const Part& part : parts_) {
    if (part.literal.size() > longest.size()) longest = part.literal;
  }
  return longest;
}

std::size_t MessageTemplate::literal_bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) bytes += part.literal.size();
  return bytes;
}

std::string fill_gaps(std::string_view means, const std::vector<MessageTemplate::Value>& values) {
  std::string out;
  while (!means.empty()) {
    const std::size_t open = means.find('{');
    out += means.substr(0, open);
    if (open == means.npos) break;
    const std::size_t close = means.find('}', open);
    if (close == means.npos) return out += means.substr(open);
    const std::string_view name = means.substr(open + 1, close - open - 1);
    for (const MessageTemplate::Value& value : values) {
      if (value.name == name) out += value.text;
    }
    means.remove_prefix(close + 1);
  }
  return out;
}

std::vector<std::string_view> gaps_of(std::string_view means) {
  std::vector<std::string_view> names;
  for (std::size_t open = means.find('{'); open != means.npos; open = means.find('{', open + 1)) {
    const std::size_t close = means.find('}', open);
    if (close == means.npos) break;
    names.push_back(means.substr(open + 1, close - open - 1));
  }
  return names;
}

}  // namespace rocvet

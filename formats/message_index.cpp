#include "formats/message_index.h"

#include <utility>

namespace rocvet {

MessageIndex::MessageIndex(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::vector<std::vector<std::string>> literals;
  for (const Entry& entry : entries_)
    literals.push_back({std::string(entry.text.longest_literal())});
  filter_ = std::make_unique<LiteralFilter>(literals, LiteralFilter::Case::as_is);
}

const MessageIndex::Entry* MessageIndex::best(std::string_view text, Fit fit,
                                              Values* values) const {
  thread_local LiteralFilter::Marks marks;
  if (filter_ == nullptr || !filter_->mark(text, marks)) return nullptr;
  const Entry* found = nullptr;
  each_marked(marks, [&](std::size_t i) {
    const Entry& one = entries_[i];
    const bool more = found == nullptr || one.text.literal_bytes() > found->text.literal_bytes();
    if (more && (one.text.*fit)(text, nullptr)) found = &one;
  });
  if (found != nullptr && values != nullptr) static_cast<void>((found->text.*fit)(text, values));
  return found;
}

bool MessageIndex::may_hold(std::string_view text) const {
  thread_local LiteralFilter::Marks marks;
  return filter_ != nullptr && filter_->mark(text, marks);
}

const MessageIndex::Entry* MessageIndex::match(std::string_view message, Values* values) const {
  return best(message, &MessageTemplate::match, values);
}

const MessageIndex::Entry* MessageIndex::match_part(
    std::string_view text, std::vector<std::string_view> (*parts_of)(std::string_view)) const {
  thread_local LiteralFilter::Marks marks;
  if (filter_ == nullptr || !filter_->mark(text, marks)) return nullptr;
  const Entry* found = nullptr;
  const std::vector<std::string_view> parts = parts_of(text);
  each_marked(marks, [&](std::size_t i) {
    const Entry& one = entries_[i];
    if (found != nullptr && one.text.literal_bytes() <= found->text.literal_bytes()) return;
    for (const std::string_view part : parts) {
      if (!one.text.match(part)) continue;
      found = &one;
      return;
    }
  });
  return found;
}

const MessageIndex::Entry* MessageIndex::find(std::string_view text, Values* values) const {
  return best(text, &MessageTemplate::find, values);
}

}  // namespace rocvet

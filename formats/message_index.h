// Which of many templates a message is.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/literal_filter.h"
#include "formats/message_template.h"

namespace rocvet {

class MessageIndex {
 public:
  struct Entry {
    std::size_t owner;  ///< whose text it is: find() gives it back
    MessageTemplate text;
  };
  using Values = std::vector<MessageTemplate::Value>;

  MessageIndex() = default;
  explicit MessageIndex(std::vector<Entry> entries);

  /// Whether a message that some template fits may stand in the text: false for most lines.
  bool may_hold(std::string_view text) const;
  /// The template that the whole message fits, nullptr when none does. Of several the one with the
  /// most literal text; `values` gets its fields.
  const Entry* match(std::string_view message, Values* values = nullptr) const;
  /// The same of the parts of a text; `parts_of` is asked only where a template may fit.
  const Entry* match_part(std::string_view text,
                          std::vector<std::string_view> (*parts_of)(std::string_view)) const;
  /// The same of a template that stands somewhere in a text.
  const Entry* find(std::string_view text, Values* values = nullptr) const;

 private:
  using Fit = bool (MessageTemplate::*)(std::string_view, Values*) const;
  const Entry* best(std::string_view text, Fit fit, Values* values) const;

  std::vector<Entry> entries_;
  std::unique_ptr<LiteralFilter> filter_;
};

}  // namespace rocvet

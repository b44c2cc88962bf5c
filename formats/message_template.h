// A message as a program prints it: literal text with typed fields, such as
// `Direct firmware load for {file:path} failed with error {code:int}`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rocvet {

class MessageTemplate {
 public:
  /// What a field takes: int 12, -2; hex 1f or 0x1f; word and path no blanks; bdf 0000:03:00.0; any
  /// what stands before the next literal; rest all that remains. any and rest may be empty.
  enum class Field { integer, hex, word, path, bdf, any, rest };
  struct Part {
    std::string_view literal;  ///< "" for a field
    std::string_view name;     ///< of the field
    Field field = Field::any;
  };
  struct Value {
    std::string_view name, text;
  };

  /// The views are into `text`, which must outlive it. An error says what is wrong: an unknown
  /// type, fields that touch, a name used twice, no literal of kShortestLiteral bytes.
  static Result<MessageTemplate> parse(std::string_view text);
  static constexpr std::size_t kShortestLiteral = 8;

  /// Whether the whole message fits, from its beginning to its end; `values` gets the fields.
  bool match(std::string_view message, std::vector<Value>* values = nullptr) const;
  /// Whether it stands somewhere in the text.
  bool find(std::string_view text, std::vector<Value>* values = nullptr) const;
  std::string_view longest_literal() const;
  std::size_t literal_bytes() const;
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

/// `means` with the values of a message in its gaps: "{file} is missing".
std::string fill_gaps(std::string_view means, const std::vector<MessageTemplate::Value>& values);
/// The names between braces.
std::vector<std::string_view> gaps_of(std::string_view means);

}  // namespace rocvet

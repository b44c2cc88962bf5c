// Which of many templates a line of a program's log is.
#pragma once

#include <string_view>
#include <vector>

#include "formats/message_index.h"

namespace rocvet {

class ProgramIndex {
 public:
  struct Entry {
    std::size_t owner;  ///< whose text it is: find() gives it back
    MessageTemplate text;
    bool anywhere = false;  ///< may stand in the middle of what a line says
  };

  ProgramIndex() = default;
  explicit ProgramIndex(std::vector<Entry> entries);

  /// The owner of the template that the line is, -1 when none is: the whole line behind its headers
  /// (formats/program_message.h), or what it quotes. A template with a "\n" fits the end of `above`
  /// and the beginning of `line`. Of several that fit, the one with the most literal text. A line
  /// that is none may hold one that has much text of its own, behind the mark of a wrapper.
  long find(std::string_view above, std::string_view line) const;

 private:
  MessageIndex whole_, within_, anywhere_, broken_;
};

}  // namespace rocvet

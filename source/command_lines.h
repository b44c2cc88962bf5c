// Whom command lines name, which machines, and which passwords they are given, by what each
// program's options mean: "usermod -aG render NAME", "echo PASSWORD | sudo -S", "mpirun -H A,B".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "source/marked_words.h"

namespace rocvet {

/// What a look at each word of a line says about the commands in it.
struct CommandHints {
  bool program = false;          ///< it names one that is known here
  bool login = false;            ///< it has -p and -u
  std::size_t first_colons = 0;  ///< in its first word

  bool any() const { return program || login || first_colons == kColonsOfPgpass; }
  static constexpr std::size_t kColonsOfPgpass = 4;  ///< "HOST:PORT:DATABASE:USER:PASSWORD"
};

/// Whether the word of `length` letters at `at` of a line is, or begins, the name of a program that
/// is known here.
bool names_a_program(std::string_view line, std::size_t at, std::size_t length);

/// Adds those of every command in a line that begins at `begin` of its text. Time is linear in the
/// length.
void find_command_words(std::string_view line, std::size_t begin, const CommandHints& hints,
                        std::vector<MarkedWord>& found);

}  // namespace rocvet

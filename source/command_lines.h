// Whom command lines name, which machines, and which passwords they are given, by what each
// program's options mean: "usermod -aG render NAME", "echo PASSWORD | sudo -S", "mpirun -H A,B".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "source/marked_words.h"

namespace rocvet {

/// Adds those of every command in a line that begins at `begin` of its text. Time is linear in the
/// length.
void find_command_words(std::string_view line, std::size_t begin, std::vector<MarkedWord>& found);

}  // namespace rocvet

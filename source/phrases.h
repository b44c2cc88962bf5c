// Whom and which machines programs and people name in words that are always the same: "sbatch:
// Submitted by NAME from HOST", "/work/NAME/venv", "login with NAME / PASSWORD".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "source/marked_words.h"

namespace rocvet {

/// Adds what the phrases of a line mark that begins at `begin` of its text. Time is linear in the
/// length.
void find_phrase_words(std::string_view line, std::size_t begin, std::vector<MarkedWord>& found);

}  // namespace rocvet

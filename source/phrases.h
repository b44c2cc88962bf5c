// Whom and which machines programs and people name in words that are always the same: "sbatch:
// Submitted by NAME from HOST", "/work/NAME/venv", "login with NAME / PASSWORD".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "source/marked_words.h"

namespace rocvet {

/// Adds what the phrase marks, if one does, that begins with the word of `length` letters at `at`
/// of a line; the line begins at `begin` of its text. Time is bounded, whatever the line's length.
void find_phrases_at(std::string_view line, std::size_t at, std::size_t length, std::size_t begin,
                     std::vector<MarkedWord>& found);

}  // namespace rocvet

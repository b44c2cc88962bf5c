// What standard output leads to, and text made fit for it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocvet::cli {

struct Terminal {
  bool color = false;
  std::size_t columns = 0;  ///< 0: no terminal, or one that does not tell
  bool ascii = false;       ///< a terminal whose locale has no UTF-8
};

/// `wish`: "always", "never", or "auto": on a terminal that is not dumb, as NO_COLOR and
/// FORCE_COLOR say (no-color.org, force-color.org). COLUMNS counts where the terminal does not
/// tell its width.
Terminal standard_output(std::string_view wish = "auto");

/// Of the terminal that this descriptor leads to; 0 where it does not tell.
std::size_t terminal_columns(int descriptor);
/// Whether TERM says that it knows neither colours nor a way back in the line.
bool terminal_is_dumb();

/// Wrapped at the width and in ASCII where that is all that can be shown; as it is where there is
/// no terminal.
std::string fitted(std::string text, const Terminal& terminal);

/// For words that a person reads, to standard output.
Result<Done> print_words(const std::string& text);

}  // namespace rocvet::cli

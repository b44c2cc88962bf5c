// Sizes that no real machine has: an answer beyond them is an error, before anybody walks it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/elf.h"

namespace rocvet {

/// What is one line or one list that the kernel keeps: at most 64 KiB.
Result<std::string> plausible_text(std::string_view path, Result<std::string> text);
/// Folders of the kernel, of modules and of installed software: at most 8192 names.
Result<std::vector<std::string>> plausible_names(std::string_view path,
                                                 Result<std::vector<std::string>> names);
/// At most 512 needed libraries and targets, 64 folders to look in, 4096 versions each way.
Result<ElfSummary> plausible_elf(std::string_view path, Result<ElfSummary> elf);

}  // namespace rocvet

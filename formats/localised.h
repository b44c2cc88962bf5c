// What the C library says in other languages, read as what it says in English.
#pragma once

#include <string>
#include <string_view>

namespace rocvet {

/// A log in which the C library's and the loader's messages are the English ones
/// (formats/glibc_messages.tsv, UTF-8); all else stays as it is, line by line, and so do lines of
/// more than 16 KiB. Linear in the log. What is quoted of it is the translation.
std::string in_english(std::string_view log);

}  // namespace rocvet

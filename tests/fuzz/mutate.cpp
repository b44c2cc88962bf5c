#include "fuzz/mutate.h"

#include <algorithm>
#include <iterator>

namespace rocvet::fuzz {
namespace {

std::size_t below(std::size_t bound, std::mt19937_64& random) {
  return bound == 0 ? 0 : random() % bound;
}

/// What parsers of lengths, depths and texts stumble over.
const std::string& stumbling_block(std::mt19937_64& random) {
  static const std::string kBlocks[] = {
      std::string(1, '\0'),
      std::string(8, '\xff'),
      std::string(4, '\x7f'),
      "\xef\xbb\xbf",
      "\xe2\x80\xae",
      "\xed\xa0\x80",
      "\xc2\x85",
      "\x1b[31m",
      "\r\n",
      "\n\n",
      "\t",
      "'",
      "\"",
      "\\",
      "`id`",
      "$(id)",
      "{{",
      "[[",
      "]]",
      "}}",
      "..",
      "/../",
      "-1",
      "18446744073709551616",
      "9223372036854775807",
      "1e999",
      "0x",
      "%s%n",
      "\"\"\"",
      "=",
      ":",
      ",",
      "#",
  };
  return kBlocks[below(std::size(kBlocks), random)];
}

void change(std::string& bytes, const std::string& other, std::mt19937_64& random) {
  const std::size_t at = below(bytes.size() + 1, random);
  const std::size_t some = 1 + below(64, random);
  switch (random() % 8) {
    case 0:
      if (at < bytes.size()) bytes[at] ^= static_cast<char>(1 << (random() % 8));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random());
      break;
    case 2:
      bytes.insert(at, stumbling_block(random));
      break;
    case 3:
      bytes.erase(at, some);
      break;
    case 4:
      bytes.insert(at, bytes.substr(at, some));
      break;
    case 5:
      bytes.insert(at, other.substr(below(other.size() + 1, random), some));
      break;
    case 6:
      bytes.resize(at);
      break;
    default:
      for (std::size_t i = at; i < std::min(bytes.size(), at + 8); ++i)
        bytes[i] = static_cast<char>(random());
  }
}

}  // namespace

std::string mutated(std::string bytes, const std::string& other, std::size_t longest,
                    std::mt19937_64& random) {
  for (std::size_t changes = 1 + below(8, random); changes > 0; --changes)
    change(bytes, other, random);
  if (bytes.size() > longest) bytes.resize(longest);
  return bytes;
}

}  // namespace rocvet::fuzz

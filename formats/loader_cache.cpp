#include "formats/loader_cache.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::string_view kOldMagic = "ld.so-1.7.0";
constexpr std::string_view kNewMagic = "glibc-ld.so.cache1.1";

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  if (at + 4 <= bytes.size()) std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

std::string_view text_at(std::string_view bytes, std::size_t at) {
  if (at >= bytes.size()) return {};
  constexpr std::size_t kLongest = 4096;
  const std::string_view text = bytes.substr(at, kLongest + 1);
  const std::size_t end = text.find('\0');
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

/// ELF for libc 6 and 64 bits: x86-64 (0x300), or the 64-bit kinds of other machines.
bool is_64_bit(std::uint32_t flags) {
  const std::uint32_t kind = flags & 0xff00;
  return (flags & 0xff) == 3 && (kind == 0x300 || kind == 0xa00 || kind == 0x500);
}

}  // namespace

Result<LoaderCache> parse_loader_cache(std::string_view bytes, std::string_view where) {
  LoaderCache out;
  std::size_t base = 0;
  if (bytes.starts_with(kOldMagic)) {
    const std::uint64_t count = number_at(bytes, 12);
    const std::uint64_t strings = 16 + count * 12;
    if (strings > bytes.size()) return malformed(std::string(where), "is cut short");
    base = (strings + 7) / 8 * 8;  // the new format follows, aligned
    if (!bytes.substr(std::min(base, bytes.size())).starts_with(kNewMagic)) {
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t entry = 16 + i * 12;
        if (!is_64_bit(number_at(bytes, entry))) continue;
        const auto name = text_at(bytes, strings + number_at(bytes, entry + 4));
        const auto path = text_at(bytes, strings + number_at(bytes, entry + 8));
        if (!name.empty() && path.starts_with('/')) out.emplace(name, path);
      }
      return out;
    }
  } else if (!bytes.starts_with(kNewMagic)) {
    return malformed(std::string(where), "is no cache of the dynamic loader");
  }
  const std::string_view cache = bytes.substr(base);
  const std::uint64_t count = number_at(cache, 20);
  if (48 + count * 24 > cache.size()) return malformed(std::string(where), "is cut short");
  LoaderCache for_processors;  // copies for newer processors: only where no plain one is
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t entry = 48 + i * 24;
    if (!is_64_bit(number_at(cache, entry))) continue;
    const auto name = text_at(cache, number_at(cache, entry + 4));
    const auto path = text_at(cache, number_at(cache, entry + 8));
    const bool special = number_at(cache, entry + 16) != 0 || number_at(cache, entry + 20) != 0;
    if (name.empty() || !path.starts_with('/')) continue;
    (special ? for_processors : out).emplace(name, path);
  }
  out.merge(for_processors);
  return out;
}

LoaderCache parse_ldconfig(std::string_view text) {
  LoaderCache out;
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view line = trim(whole);
    const std::size_t arrow = line.find(" => ");
    const std::size_t open = line.find(" (");
    if (arrow == std::string_view::npos || open == std::string_view::npos || open > arrow) continue;
    const std::string_view kind = line.substr(open, arrow - open);
    // "(libc6,x86-64)", "(libc6,AArch64)"; plain "(libc6)" is the 32-bit one of this machine.
    if (kind.find("64") == std::string_view::npos) continue;
    out.emplace(line.substr(0, open), line.substr(arrow + 4));
  }
  return out;
}

}  // namespace rocvet

#include "db/blob.h"

#include <cstring>
#include <unordered_map>

namespace rocvet::db {
namespace {

constexpr std::uint32_t kMagic = 0x62647672;  // "rvdb"
constexpr std::size_t kHeaderWords = 4;
constexpr std::size_t kTableWords = 3;

/// Changes when a table or a column does, so that a stale blob cannot be misread.
std::uint32_t fingerprint() {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  const auto mix = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    hash = (hash ^ 0xffu) * 16777619u;
  };
  for (const auto& spec : tables()) {
    mix(spec.name);
    for (const auto& column : spec.columns) mix(column.name);
  }
  return hash;
}

void put(std::string& out, std::size_t value) {
  const auto word = static_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((word >> shift) & 0xff);
}

}  // namespace

std::string encode(const Tables& all) {
  std::string texts, cells, directory;
  std::unordered_map<std::string, std::size_t> seen;
  const auto offset_of = [&](const std::string& text) {
    const auto [it, fresh] = seen.try_emplace(text, texts.size());
    if (fresh) texts += text;
    return it->second;
  };
  const std::size_t first_cell = kHeaderWords + kTableWords * tables().size();
  for (std::size_t table = 0; table < tables().size(); ++table) {
    put(directory, all.rows[table].size());
    put(directory, tables()[table].columns.size());
    put(directory, first_cell + cells.size() / 4);
    const auto& columns = tables()[table].columns;
    for (const auto& row : all.rows[table]) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string text = columns[i].kept ? row[i] : "";
        put(cells, offset_of(text));
        put(cells, text.size());
      }
    }
  }
  std::string out;
  put(out, kMagic);
  put(out, fingerprint());
  put(out, tables().size());
  put(out, texts.size());
  return out + directory + cells + texts;
}

std::uint32_t Blob::word(std::size_t index) const {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes_.data() + 4 * index, 4);
  return value;
}

Result<Blob> Blob::open(std::string_view bytes) {
  Blob blob;
  blob.bytes_ = bytes;
  if (bytes.size() < 4 * kHeaderWords || blob.word(0) != kMagic || blob.word(1) != fingerprint() ||
      blob.word(2) != tables().size() || blob.word(3) > bytes.size()) {
    return malformed("database", "is not one of this build");
  }
  blob.texts_ = bytes.size() - blob.word(3);
  return blob;
}

std::size_t Blob::rows(std::size_t table) const {
  return word(kHeaderWords + kTableWords * table);
}

std::string_view Blob::cell(std::size_t table, std::size_t row, std::size_t column) const {
  const std::size_t entry = kHeaderWords + kTableWords * table;
  const std::size_t at = word(entry + 2) + 2 * (row * word(entry + 1) + column);
  return bytes_.substr(texts_ + word(at), word(at + 1));
}

Tables Blob::decode() const {
  Tables all;
  for (std::size_t table = 0; table < tables().size(); ++table) {
    for (std::size_t row = 0; row < rows(table); ++row) {
      Row cells;
      for (std::size_t column = 0; column < tables()[table].columns.size(); ++column) {
        cells.emplace_back(cell(table, row, column));
      }
      all.rows[table].push_back(std::move(cells));
    }
  }
  return all;
}

}  // namespace rocvet::db

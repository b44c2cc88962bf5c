// index.tsv of a snapshot: what a plain file cannot carry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "source/source.h"

namespace rocvet {

/// One line: kind path mode uid gid owner group extra.
struct IndexEntry {
  enum class Kind { file, dir, link, char_device, block_device, absent, error, elf };
  Kind kind = Kind::file;
  std::uint32_t mode = 0;
  std::optional<std::uint32_t> uid, gid;
  std::string_view owner, group;  ///< empty when unknown
  /// file: size in bytes; dir: "complete" or "-"; link: target; char/block: major:minor; error:
  /// errno name, or open:ERRNO, then (rocvet's own recordings) a blank and what it is: "dir",
  /// "link", "char 226:128"; elf: JSON.
  std::string_view extra;
};

class SnapshotIndex {
 public:
  /// `where` names the file in errors, which end in :LINE. The first line is the header.
  static Result<SnapshotIndex> parse(std::string text, const std::string& where);

  SnapshotIndex() = default;
  const IndexEntry* find(std::string_view path) const;
  /// Names of the entries directly below a folder that exist (an `absent` line is no name).
  std::vector<std::string_view> children(std::string_view folder) const;
  std::size_t size() const { return entries_.size(); }

 private:
  std::unique_ptr<std::string> text_;  ///< what the views point into
  std::unordered_map<std::string_view, IndexEntry> entries_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> children_;
};

/// "226:128" -> {226, 128}.
std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_device_numbers(std::string_view text);

}  // namespace rocvet

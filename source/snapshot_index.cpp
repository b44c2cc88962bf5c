#include "source/snapshot_index.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/path_walk.h"
#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxEntries = 2'000'000;

std::optional<IndexEntry::Kind> kind_of(std::string_view word) {
  using Kind = IndexEntry::Kind;
  if (word == "file") return Kind::file;
  if (word == "dir") return Kind::dir;
  if (word == "link") return Kind::link;
  if (word == "char") return Kind::char_device;
  if (word == "block") return Kind::block_device;
  if (word == "absent") return Kind::absent;
  if (word == "error") return Kind::error;
  if (word == "elf") return Kind::elf;
  return std::nullopt;
}

/// An id or "-"; nothing else.
bool parse_id(std::string_view text, std::optional<std::uint32_t>& out) {
  if (text == "-") return true;
  const auto number = parse_number(text);
  if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return false;
  out = static_cast<std::uint32_t>(*number);
  return true;
}

/// Absolute, and without empty, "." and ".." parts: nothing that could be read two ways.
bool well_formed_path(std::string_view path) {
  if (path == "/") return true;
  if (!path.starts_with('/') || path.size() > 4096) return false;
  std::size_t start = 1;
  for (;;) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") return false;
    if (end == path.size()) return true;
    start = end + 1;
  }
}

/// The reason why a line is no entry, or "" after filling it in.
std::string parse_line(std::string_view line, std::string_view& path, IndexEntry& entry) {
  std::array<std::string_view, 8> columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t tab = line.find('\t');
    const bool last = i + 1 == columns.size();
    if (last != (tab == std::string_view::npos)) {
      return "expected 8 columns separated by tabs";
    }
    columns[i] = line.substr(0, tab);
    line.remove_prefix(last ? line.size() : tab + 1);
  }
  const auto kind = kind_of(columns[0]);
  if (!kind) return "unknown kind '" + std::string(columns[0].substr(0, 40)) + "'";
  entry.kind = *kind;
  path = columns[1];
  if (!well_formed_path(path)) {
    return "not a clean absolute path: '" + std::string(path.substr(0, 80)) + "'";
  }
  if (columns[2] != "-") {
    const auto mode = parse_number(columns[2], 8);
    if (!mode || *mode > 07777) {
      return "mode '" + std::string(columns[2].substr(0, 20)) + "' is not octal";
    }
    entry.mode = static_cast<std::uint32_t>(*mode);
  }
  if (!parse_id(columns[3], entry.uid)) {
    return "uid '" + std::string(columns[3].substr(0, 20)) + "' is no number";
  }
  if (!parse_id(columns[4], entry.gid)) {
    return "gid '" + std::string(columns[4].substr(0, 20)) + "' is no number";
  }
  if (columns[5] != "-") entry.owner = columns[5];
  if (columns[6] != "-") entry.group = columns[6];
  entry.extra = columns[7];
  if (entry.kind == IndexEntry::Kind::link && (entry.extra.empty() || entry.extra == "-")) {
    return "a link without a target";
  }
  if (entry.kind == IndexEntry::Kind::error && (entry.extra.empty() || entry.extra == "-")) {
    return "an error without its errno name";
  }
  if ((entry.kind == IndexEntry::Kind::char_device ||
       entry.kind == IndexEntry::Kind::block_device) &&
      entry.extra != "-" && !parse_device_numbers(entry.extra)) {
    return "device numbers '" + std::string(entry.extra.substr(0, 40)) + "' are not major:minor";
  }
  return "";
}

}  // namespace

std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_device_numbers(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto major = parse_number(text.substr(0, colon));
  const auto minor = parse_number(text.substr(colon + 1));
  constexpr auto kMax = std::numeric_limits<std::uint32_t>::max();
  if (!major || !minor || *major > kMax || *minor > kMax) return std::nullopt;
  return std::pair(static_cast<std::uint32_t>(*major), static_cast<std::uint32_t>(*minor));
}

Result<SnapshotIndex> SnapshotIndex::parse(std::string text, const std::string& where) {
  SnapshotIndex index;
  index.text_ = std::make_unique<std::string>(std::move(text));
  std::string_view rest = *index.text_;
  const auto lines = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n'));
  if (lines > kMaxEntries) return malformed(where, "more than 2000000 lines");
  index.entries_.reserve(lines);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (number == 1 && line.starts_with("kind\t"))) continue;
    IndexEntry entry;
    std::string_view path;
    std::string problem = parse_line(line, path, entry);
    if (problem.empty() && !index.entries_.emplace(path, entry).second) {
      problem = "'" + std::string(path) + "' is listed twice";
    }
    if (!problem.empty()) return malformed(where + ":" + std::to_string(number), problem);
    if (entry.kind != IndexEntry::Kind::absent && path != "/") {
      index.children_[parent_path(path)].push_back(base_name(path));
    }
  }
  return index;
}

const IndexEntry* SnapshotIndex::find(std::string_view path) const {
  const auto found = entries_.find(path);
  return found == entries_.end() ? nullptr : &found->second;
}

std::vector<std::string_view> SnapshotIndex::children(std::string_view folder) const {
  const auto found = children_.find(folder);
  return found == children_.end() ? std::vector<std::string_view>{} : found->second;
}

}  // namespace rocvet

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "base/errno_name.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "source/gzip_reader.h"
#include "source/snapshot_store.h"

namespace rocvet {
namespace {

// What is unpacked bounds the time: all, and of that what is no content. Headers cost more for each
// byte, and the longest that a tool writes take 1.5 KiB: these are 350 000 entries.
constexpr std::size_t kMaxBytes = 1u << 30, kMaxHeaderBytes = 512u << 20;
constexpr std::size_t kMaxMember = 64u << 20;  // no fact of a machine is larger
// All members together; more where the archive itself is large.
constexpr std::size_t kMaxHeld = 128u << 20, kMaxHeldForEach = 10;
constexpr std::size_t kMaxPath = 1024;
constexpr std::size_t kMaxTarget = 4096;           // PATH_MAX: no file system has a longer link
constexpr std::size_t kMaxNameBytes = 256u << 20;  // with the targets of links

struct Item {
  StoredEntry::Kind kind = StoredEntry::Kind::dir;
  std::string data;      ///< content, or target of a link
  std::size_t size = 0;  ///< of a file; of one above kMaxMember no content is kept
};

class ArchiveStore : public SnapshotStore {
 public:
  explicit ArchiveStore(std::string origin) : origin_(std::move(origin)) {
    items_.reserve(16384);
    items_.emplace("", Item{});
  }

  Result<StoredEntry> look(const std::string& path) override {
    const auto found = items_.find(path);
    if (found == items_.end()) return missing(named(path));
    const Item& item = found->second;
    if (item.kind == StoredEntry::Kind::link) return StoredEntry{item.kind, item.data, 0};
    return StoredEntry{item.kind, "", item.size};
  }

  Result<std::string> read(const std::string& path, std::size_t limit) override {
    const auto found = items_.find(path);
    if (found == items_.end()) return missing(named(path));
    const Item& item = found->second;
    if (item.kind == StoredEntry::Kind::dir) return errno_error(named(path), "EISDIR");
    if (item.kind != StoredEntry::Kind::file) return errno_error(named(path), "ELOOP");
    if (const auto most = std::min(limit, kMaxMember); item.size > most)
      return too_large(named(path), most);
    return item.data;
  }

  Result<std::vector<std::string>> list(const std::string& path) override {
    const auto found = items_.find(path);
    if (found == items_.end()) return missing(named(path));
    if (found->second.kind != StoredEntry::Kind::dir) return errno_error(named(path), "ENOTDIR");
    const auto names = children_.find(path);
    if (names == children_.end()) return std::vector<std::string>{};
    return names->second;
  }

  /// After the last add(): names in order.
  void finish() {
    for (auto& [folder, names] : children_) std::sort(names.begin(), names.end());
  }

  /// Adds the folders above too. False for a path that leaves the archive or goes through something
  /// that is no folder, and where is_full().
  bool add(std::string_view raw, Item item) {
    if (raw.size() > kMaxPath) return false;
    std::string path;
    path.reserve(raw.size());
    for (std::string_view part : split(raw, '/')) {
      if (part.empty() || part == ".") continue;
      if (part == "..") return false;
      if (!path.empty()) path += '/';
      path += part;
    }
    if (path.empty()) return true;
    // The files of a folder come one after the other: it is looked up once.
    const std::size_t slash = path.rfind('/');
    const std::string_view above =
        std::string_view(path).substr(0, slash == std::string::npos ? 0 : slash);
    if (above != last_folder_ && !add_folders(above)) return false;
    if (item.kind == StoredEntry::Kind::dir) {
      if (!add_folder(path)) return false;
    } else {
      if (item.kind == StoredEntry::Kind::link) name_bytes_ += item.data.size();
      const auto [place, added] = items_.insert_or_assign(path, std::move(item));
      if (added) enter(place->first);
      // What was a folder may be a file now.
      if (!added) last_folder_.clear();
    }
    return !is_full();
  }

  /// More than kMaxNameBytes of paths and targets of links.
  bool is_full() const { return name_bytes_ > kMaxNameBytes; }

  const Item* file(std::string_view raw) const {
    const auto found = items_.find(clean_path(raw).substr(1));
    return found != items_.end() && found->second.kind == StoredEntry::Kind::file ? &found->second
                                                                                  : nullptr;
  }

 private:
  std::string named(const std::string& path) const { return origin_ + ":" + path; }

  /// "a/b/c": a, a/b and a/b/c.
  bool add_folders(std::string_view path) {
    for (std::size_t slash = path.find('/'); !path.empty(); slash = path.find('/', slash + 1)) {
      if (!add_folder(std::string(path.substr(0, slash)))) return false;
      if (slash == std::string_view::npos) break;
    }
    last_folder_ = path;
    return true;
  }

  bool add_folder(const std::string& path) {
    const auto [item, added] = items_.try_emplace(path);
    if (added) enter(path);
    return item->second.kind == StoredEntry::Kind::dir && !is_full();
  }

  /// Notes a new name in its folder, and what names cost.
  void enter(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string_view folder =
        std::string_view(path).substr(0, slash == std::string::npos ? 0 : slash);
    if (last_children_ == nullptr || folder != last_children_->first)
      last_children_ = &*children_.try_emplace(std::string(folder)).first;
    last_children_->second.push_back(path.substr(slash == std::string::npos ? 0 : slash + 1));
    name_bytes_ += 2 * path.size() + 64;
  }

  std::string origin_;
  std::unordered_map<std::string, Item> items_;
  std::unordered_map<std::string, std::vector<std::string>> children_;
  std::size_t name_bytes_ = 0;
  std::string last_folder_;  ///< known to be a folder
  std::pair<const std::string, std::vector<std::string>>* last_children_ = nullptr;
};

struct ArchiveCloser {
  void operator()(archive* handle) const { archive_read_free(handle); }
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveCloser>;

ArchiveHandle new_reader() {
  ArchiveHandle reader(archive_read_new());
  archive_read_support_format_tar(reader.get());
  archive_read_support_filter_zstd(reader.get());
  return reader;
}

la_ssize_t read_next(archive* reader, void* file, const void** bytes) {
  const auto next = static_cast<GzipReader*>(file)->next();
  if (!next) {
    archive_set_error(reader, EIO, "%s", next.error().what.c_str());
    return ARCHIVE_FATAL;
  }
  *bytes = next->data();
  return static_cast<la_ssize_t>(next->size());
}

/// What unpacking has cost, and may. An archive of some KB may claim any size.
class Costs {
 public:
  Costs(std::size_t archive_bytes, const std::string& where)
      : most_held_(std::max(kMaxHeld, std::min(kMaxBytes, kMaxHeldForEach * archive_bytes))),
        where_(where) {}

  /// Of a file of that size, before it is read.
  Result<Done> add(std::uint64_t size) {
    if (auto skipped = add_skipped(size); !skipped) return skipped;
    if (size <= kMaxMember) held_ += size;
    if (held_ > most_held_) return too_much(most_held_);
    return Done{};
  }
  /// Of content that is not kept, before it is passed over.
  Result<Done> add_skipped(std::uint64_t size) {
    if (size > kMaxBytes - unpacked_) return too_much(kMaxBytes);
    unpacked_ += size;
    return Done{};
  }
  /// Of the headers of an entry with their extensions.
  Result<Done> add_headers(std::uint64_t size) {
    if (size > kMaxHeaderBytes - headers_)
      return malformed(where_, "more than " + std::to_string(kMaxHeaderBytes >> 20) +
                                   " MiB of headers when unpacked");
    headers_ += size;
    return add_skipped(size);
  }

 private:
  Error too_much(std::size_t most) const {
    return malformed(where_, "more than " + std::to_string(most >> 20) + " MiB when unpacked");
  }

  std::size_t unpacked_ = 0, headers_ = 0, held_ = 0, most_held_;
  const std::string& where_;
};

/// Why the archive cannot be read on: what unpacking it met, else `otherwise`.
Error unreadable(archive* reader, const std::string& where, const char* otherwise) {
  const char* reason = archive_errno(reader) == EIO ? archive_error_string(reader) : nullptr;
  return malformed(where, reason != nullptr ? reason : otherwise);
}
constexpr const char* kNoArchive = "not a tar archive, or a damaged one";

std::uint64_t size_of(archive_entry* entry) {
  return static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
}

/// Bytes of the unpacked archive that lie behind the reader.
std::uint64_t position(archive* reader) {
  return static_cast<std::uint64_t>(std::max<la_int64_t>(archive_filter_bytes(reader, 0), 0));
}

/// The current entry, without its content where that is too large to be asked for.
Result<Item> read_file(archive* reader, archive_entry* entry, const std::string& where,
                       Costs& costs) {
  const std::uint64_t size = size_of(entry);
  if (auto added = costs.add(size); !added) return added.error();
  Item item{StoredEntry::Kind::file, "", static_cast<std::size_t>(size)};
  if (size > kMaxMember) return item;
  item.data.resize(item.size);
  std::size_t have = 0;
  while (have < item.size) {
    const la_ssize_t got = archive_read_data(reader, item.data.data() + have, item.size - have);
    if (got < 0) {
      const char* reason = archive_error_string(reader);
      return malformed(where, reason != nullptr ? reason : "the archive is damaged");
    }
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  item.data.resize(have);
  item.size = have;
  return item;
}

Result<std::unique_ptr<SnapshotStore>> unpack(ArchiveHandle reader, std::size_t archive_bytes,
                                              const std::string& where) {
  auto store = std::make_unique<ArchiveStore>(where);
  Costs costs(archive_bytes, where);
  for (std::uint64_t behind = 0;;) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) break;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
      return unreadable(reader.get(), where, kNoArchive);
    }
    if (auto added = costs.add_headers(position(reader.get()) - behind); !added)
      return added.error();
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr) return malformed(where, "an entry without a name");
    const std::string path(name), shown = path.substr(0, 120);
    Item item;
    if (const char* hardlink = archive_entry_hardlink(entry)) {
      const Item* other = store->file(hardlink);
      if (other == nullptr) return malformed(where, shown + ": hard link to nothing");
      if (auto added = costs.add(other->size); !added) return added.error();
      if (auto added = costs.add_skipped(size_of(entry)); !added) return added.error();
      item = *other;
    } else if (archive_entry_filetype(entry) == AE_IFREG) {
      Result<Item> file = read_file(reader.get(), entry, where, costs);
      if (!file) return file.error();
      item = std::move(*file);
    } else if (archive_entry_filetype(entry) == AE_IFLNK) {
      const char* target = archive_entry_symlink(entry);
      if (target == nullptr) return malformed(where, shown + ": a link without a target");
      if (std::strlen(target) > kMaxTarget)
        return malformed(
            where, shown + ": a link with a target above " + std::to_string(kMaxTarget) + " bytes");
      item = {StoredEntry::Kind::link, target};
    } else if (archive_entry_filetype(entry) != AE_IFDIR) {
      item = {StoredEntry::Kind::other, ""};  // a device or FIFO has no business in a snapshot
    }
    if (!store->add(path, std::move(item))) {
      if (store->is_full())
        return malformed(where, "more than " + std::to_string(kMaxNameBytes >> 20) +
                                    " MiB of names and links when unpacked");
      return malformed(where, "'" + shown + "' leaves the archive or is no path");
    }
    if (archive_read_data_skip(reader.get()) < ARCHIVE_WARN)
      return unreadable(reader.get(), where, kNoArchive);
    behind = position(reader.get());
  }
  store->finish();
  return std::unique_ptr<SnapshotStore>(std::move(store));
}

}  // namespace

Result<std::unique_ptr<SnapshotStore>> archive_store(const std::string& path) {
  // libarchive does not ask for the checksum of a gzip file, zlib does.
  GzipReader file(path);
  ArchiveHandle reader = new_reader();
  if (archive_read_open(reader.get(), &file, nullptr, read_next, nullptr) != ARCHIVE_OK) {
    return unreadable(reader.get(), path,
                      "not a tar archive (.tar, .tar.gz, .tar.zst), or unreadable");
  }
  struct stat info {};
  const bool known = ::stat(path.c_str(), &info) == 0;
  auto store = unpack(std::move(reader), known ? static_cast<std::size_t>(info.st_size) : 0, path);
  if (!store) return store;
  if (const auto rest = file.check_rest(kMaxBytes); !rest) return rest.error();
  return store;
}

Result<std::unique_ptr<SnapshotStore>> archive_store_from_memory(std::string_view bytes,
                                                                 const std::string& where) {
  ArchiveHandle reader = new_reader();
  archive_read_support_filter_gzip(reader.get());
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
    return malformed(where, "not a tar archive");
  }
  return unpack(std::move(reader), bytes.size(), where);
}

}  // namespace rocvet

// A machine as it was: a folder or archive with about.toml (architecture section 5), or a plain
// tree of sysfs files and command outputs without one. All of it is hostile input.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/errno_name.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "source/commands.h"
#include "source/snapshot_facts.h"
#include "source/snapshot_index.h"
#include "source/snapshot_store.h"
#include "source/source.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxIndexBytes = 256u << 20;
constexpr std::size_t kMaxSmallFile = 4u << 20;
constexpr std::size_t kMaxStoredOutput = 64u << 20;

/// What is at a path: the index's word, or the raw entry of a tree without one.
struct Found {
  const IndexEntry* indexed = nullptr;
  StoredEntry stored;
};

class Snapshot : public Source {
 public:
  Snapshot(std::string origin, std::unique_ptr<SnapshotStore> store, std::string files)
      : origin_(std::move(origin)),
        store_(std::move(store)),
        files_(std::move(files)),
        walk_([this](const std::string& path) { return step(path); }) {}

  /// Reads the structured files, or settles what a plain tree is complete in.
  Result<Done> load(bool has_about) {
    if (has_about) {
      if (auto done = load_about(); !done) return done;
    }
    if (Result<std::string> text = store_->read("index.tsv", kMaxIndexBytes)) {
      auto index = SnapshotIndex::parse(std::move(*text), origin_ + "/index.tsv");
      if (!index) return index.error();
      index_ = std::move(*index);
    } else if (!text.is_missing()) {
      return text.error();
    }
    if (const auto text = store_->read("process.toml", kMaxSmallFile)) {
      auto facts = parse_process(*text, origin_ + "/process.toml");
      if (!facts) return facts.error();
      process_ = std::move(*facts);
    } else if (!text.is_missing()) {
      return text.error();
    }
    if (const auto names = store_->list("cmd")) outputs_ = *names;
    if (!has_about) find_complete_parts();
    return Done{};
  }

  Result<std::string> read(std::string_view path, std::size_t limit) override {
    if (walks_itself(path)) {
      Result<std::string> content = store_->read(stored_path(std::string(path)), limit);
      if (content) return content;
      if (content.is_missing()) return absence(path, std::string(path));
      if (!through_link(content.error())) return renamed(content.error(), path, limit);
    }
    const Result<std::string> real = resolved(path, true);
    if (!real) return real.error();
    if (const IndexEntry* entry = index_.find(*real)) {
      switch (entry->kind) {
        case IndexEntry::Kind::file:
          break;
        case IndexEntry::Kind::absent:
          return missing(std::string(path));
        case IndexEntry::Kind::error:
          return recorded_error(*entry, path, limit);
        case IndexEntry::Kind::dir:
          return errno_error(std::string(path), "EISDIR");
        case IndexEntry::Kind::elf:
          return not_captured(std::string(path));
        default:
          return Error{Error::Kind::failed, std::string(path), "is not a regular file"};
      }
      Result<std::string> content = store_->read(stored_path(*real), limit);
      if (content) return content;
      if (content.is_missing()) return content_not_kept(*entry, path, limit);
      return renamed(content.error(), path, limit);
    }
    Result<std::string> content = store_->read(stored_path(*real), limit);
    if (content) return content;
    if (content.is_missing()) return absence(path, *real);
    return renamed(content.error(), path, limit);
  }

  Result<std::vector<std::string>> list(std::string_view path) override {
    if (walks_itself(path)) {
      Result<std::vector<std::string>> names = store_->list(stored_path(std::string(path)));
      if (names && (!names->empty() || is_complete(std::string(path)))) return names;
      if (names) return not_captured(std::string(path));
      if (names.is_missing()) return absence(path, std::string(path));
      if (!through_link(names.error())) return renamed(names.error(), path, 0);
    }
    const Result<std::string> real = resolved(path, true);
    if (!real) return real.error();
    const IndexEntry* entry = index_.find(*real);
    if (entry != nullptr && entry->kind == IndexEntry::Kind::absent) {
      return missing(std::string(path));
    }
    if (entry != nullptr && entry->kind == IndexEntry::Kind::error) {
      return recorded_error(*entry, path, 0);
    }
    if (entry != nullptr && entry->kind != IndexEntry::Kind::dir) {
      return errno_error(std::string(path), "ENOTDIR");
    }
    std::vector<std::string> names;
    for (std::string_view name : index_.children(*real)) names.emplace_back(name);
    const Result<std::vector<std::string>> stored = store_->list(stored_path(*real));
    if (stored) {
      for (const std::string& name : *stored) {
        const IndexEntry* child = index_.find(join_path(*real, name));
        if (child == nullptr) names.push_back(name);
      }
    } else if (entry == nullptr && names.empty()) {
      if (stored.is_missing()) return absence(path, *real);
      return renamed(stored.error(), path, 0);
    }
    std::sort(names.begin(), names.end());
    // A folder whose listing nobody took says nothing by being empty.
    if (names.empty() && !is_complete(*real)) return not_captured(std::string(path));
    return names;
  }

  Result<std::string> link(std::string_view path) override {
    const Result<std::string> real = resolved(path, false);
    if (!real) return real.error();
    const Result<Found> found = find(*real);
    if (!found) return renamed(found.error(), path, 0);
    if (found->indexed != nullptr) {
      if (found->indexed->kind == IndexEntry::Kind::link) return std::string(found->indexed->extra);
      if (found->indexed->kind == IndexEntry::Kind::absent) return missing(std::string(path));
      if (found->indexed->kind == IndexEntry::Kind::error) {
        return recorded_error(*found->indexed, path, 0);
      }
    } else if (found->stored.kind == StoredEntry::Kind::link) {
      return found->stored.target;
    }
    return errno_error(std::string(path), "EINVAL");
  }

  Result<std::string> resolve(std::string_view path) override {
    Result<std::string> real = resolved(path, true);
    if (!real) return real;
    const Result<Found> found = find(*real);
    if (!found) return renamed(found.error(), path, 0);
    if (found->indexed != nullptr && found->indexed->kind == IndexEntry::Kind::absent) {
      return missing(std::string(path));
    }
    return real;
  }

  Result<FileStat> lstat(std::string_view path) override { return ask(path, false); }
  Result<FileStat> stat(std::string_view path) override { return ask(path, true); }

  Result<Done> open_device(std::string_view path) override {
    const Result<std::string> real = resolved(path, true);
    if (!real) {
      return real.is_missing() ? open_error(std::string(path), "ENOENT") : real.error();
    }
    const IndexEntry* entry = index_.find(*real);
    if (entry == nullptr) {
      const Error error = absence(path, *real);
      return error.kind == Error::Kind::missing ? open_error(std::string(path), "ENOENT")
                                                : not_captured(std::string(path));
    }
    switch (entry->kind) {
      case IndexEntry::Kind::char_device:
      case IndexEntry::Kind::block_device:
        return Done{};
      case IndexEntry::Kind::absent:
        return open_error(std::string(path), "ENOENT");
      case IndexEntry::Kind::error:
        if (error_name(*entry) == "not_captured") return not_captured(std::string(path));
        return open_error(std::string(path), error_name(*entry));
      default:
        return open_error(std::string(path), "ENODEV");
    }
  }

  Result<ElfSummary> elf(std::string_view path) override {
    const Result<std::string> real = resolved(path, true);
    if (!real) return real.error();
    const IndexEntry* entry = index_.find(*real);
    if (entry != nullptr && entry->kind == IndexEntry::Kind::elf) {
      return parse_elf_json(entry->extra, std::string(path));
    }
    const Result<std::string> bytes = read(path, kMaxStoredOutput);
    if (!bytes) return bytes.error();
    return read_elf(*bytes, path);
  }

  Result<CommandOutput> run(std::string_view name) override {
    // Captures made by hand carry an extension.
    for (const char* extension : {"", ".txt", ".json", ".xml", ".csv", ".log"}) {
      const std::string file = std::string(name) + extension;
      if (!std::binary_search(outputs_.begin(), outputs_.end(), file)) continue;
      CommandOutput output;
      Result<std::string> text = store_->read("cmd/" + file, kMaxStoredOutput);
      if (!text) return renamed(text.error(), name, kMaxStoredOutput);
      output.out = std::move(*text);
      if (const auto status = store_->read("cmd/" + file + ".rc", 64)) {
        if (const auto error = parse_command_error(*status, name)) return *error;
        const auto number = parse_number(trim(*status));
        if (!number || *number > 255) {
          return malformed(origin_ + "/cmd/" + file + ".rc", "is not an exit status");
        }
        output.status = static_cast<int>(*number);
      }
      return output;
    }
    return not_captured(std::string(name));
  }

  std::vector<std::string> outputs() override {
    std::vector<std::string> names;
    if (from_live_) return names;  // a replay must ask what the live machine was asked
    for (const std::string& name : outputs_) {
      if (!name.ends_with(".rc")) names.push_back(name);
    }
    return names;
  }

  const ProcessFacts& process() override { return process_; }
  std::string kind() const override { return "snapshot"; }
  std::string origin() const override { return origin_; }

 private:
  Result<Done> load_about() {
    const Result<std::string> text = store_->read("about.toml", kMaxSmallFile);
    if (!text) return text.error();
    auto about = parse_about(*text, origin_ + "/about.toml");
    if (!about) return about.error();
    from_live_ = about->live;
    for (const std::string& prefix : about->complete) complete_.insert(clean_path(prefix));
    return Done{};
  }

  /// A plain tree is complete in the KFD topology and in the folders of PCI devices.
  void find_complete_parts() {
    const auto add = [this](const std::string& path) {
      const Result<std::string> real = walk_.resolve(path, true);
      if (!real) return;
      const Result<Found> found = find(*real);
      if (!found) return;
      complete_.insert(path);
      complete_.insert(*real);
    };
    add("/sys/class/kfd/kfd/topology");
    if (const auto cards = list("/sys/class/drm")) {
      for (const std::string& card : *cards) {
        if (card.starts_with("card") && card.find('-') == std::string::npos) {
          add("/sys/class/drm/" + card + "/device");
        }
      }
    }
    if (const auto devices = list("/sys/bus/pci/devices")) {
      for (const std::string& device : *devices) add("/sys/bus/pci/devices/" + device);
    }
  }

  /// Without an index the store alone decides, and one that notices links needs no walk.
  bool walks_itself(std::string_view path) const {
    return index_.size() == 0 && store_->notices_links() && path.starts_with('/') &&
           path.size() < 4096 && path.find("/..") == std::string_view::npos;
  }
  static bool through_link(const Error& error) { return error.what.starts_with("ELOOP"); }

  std::string stored_path(const std::string& real) const {
    if (real == "/") return files_;
    return files_.empty() ? real.substr(1) : files_ + real;
  }

  Result<std::string> resolved(std::string_view path, bool follow_last) {
    if (!path.starts_with('/')) {
      return Error{Error::Kind::failed, std::string(path), "is not an absolute path"};
    }
    Result<std::string> real = walk_.resolve(path, follow_last);
    if (real) return real;
    return renamed(real.error(), path, 0);
  }

  /// What is at a path that has no link before its last component.
  Result<Found> find(const std::string& real) {
    Found found;
    found.indexed = index_.find(real);
    if (found.indexed != nullptr) return found;
    Result<StoredEntry> stored = store_->look(stored_path(real));
    if (stored) {
      found.stored = std::move(*stored);
      return found;
    }
    if (stored.is_missing()) return absence(real, real);
    return renamed(stored.error(), real, 0);
  }

  Result<PathWalk::Step> step(const std::string& path) {
    const Result<Found> found = find(path);
    if (!found) {
      // Its last component may be unknown to look() and still be readable (see read()).
      if (found.error().kind == Error::Kind::missing ||
          found.error().kind == Error::Kind::not_captured) {
        return PathWalk::Step{};
      }
      return found.error();
    }
    if (found->indexed != nullptr) {
      if (found->indexed->kind != IndexEntry::Kind::link) return PathWalk::Step{};
      return PathWalk::Step{true, std::string(found->indexed->extra)};
    }
    if (found->stored.kind != StoredEntry::Kind::link) return PathWalk::Step{};
    return PathWalk::Step{true, found->stored.target};
  }

  bool is_complete(const std::string& real) const {
    // A path has few folders above it; the prefixes may be many.
    for (std::string_view at = real; !complete_.empty(); at = parent_path(at)) {
      if (complete_.contains(std::string(at))) return true;
      if (at == "/") break;
    }
    const IndexEntry* entry = index_.find(real);
    return entry != nullptr && entry->kind == IndexEntry::Kind::dir && entry->extra == "complete";
  }

  /// Why nothing is at a path: it is known not to exist, or nobody looked.
  Error absence(std::string_view path, const std::string& real) {
    if (is_complete(real) || is_complete(std::string(path))) return missing(std::string(path));
    for (std::string_view above = real; above != "/";) {
      above = parent_path(above);
      const IndexEntry* entry = index_.find(above);
      if (entry == nullptr) continue;
      if (entry->kind == IndexEntry::Kind::dir) {
        if (entry->extra == "complete") return missing(std::string(path));
        break;  // the nearest folder that is there does not claim to be complete
      }
      if (entry->kind == IndexEntry::Kind::error) return recorded_error(*entry, path, 0);
      return missing(std::string(path));  // below a file, or below what is absent
    }
    return not_captured(std::string(path));
  }

  static std::string_view error_name(const IndexEntry& entry) {
    std::string_view name = entry.extra.substr(0, entry.extra.find(' '));
    if (name.starts_with("open:")) name.remove_prefix(5);
    return name;
  }

  static Error recorded_error(const IndexEntry& entry, std::string_view path, std::size_t limit) {
    if (entry.extra.starts_with("open:")) {  // the device is there; its content was never read
      return Error{Error::Kind::failed, std::string(path), "is not a regular file"};
    }
    if (error_name(entry) == "not_captured") return not_captured(std::string(path));
    return renamed(errno_error(std::string(path), error_name(entry)), path, limit);
  }

  /// The machine's path instead of the snapshot's, so that a replay words it as the machine did.
  static Error renamed(Error error, std::string_view path, std::size_t limit) {
    error.where = std::string(path);
    if (error.what.starts_with("EFBIG")) return too_large(std::string(path), limit);
    return error;
  }

  static Error content_not_kept(const IndexEntry& entry, std::string_view path, std::size_t limit) {
    const auto size = parse_number(entry.extra);
    if (size == 0ULL) return not_captured(std::string(path));
    if (size && *size > limit) return too_large(std::string(path), limit);
    return not_captured(std::string(path));
  }

  Result<FileStat> ask(std::string_view path, bool follow) {
    const Result<std::string> real = resolved(path, follow);
    if (!real) return real.error();
    const Result<Found> found = find(*real);
    if (!found) return renamed(found.error(), path, 0);
    if (found->indexed != nullptr) return indexed_stat(*found->indexed, path);
    FileStat out;  // owners and modes of the copy are not the machine's
    switch (found->stored.kind) {
      case StoredEntry::Kind::file:
        out.type = FileStat::Type::file;
        out.size = found->stored.size;
        break;
      case StoredEntry::Kind::dir:
        out.type = FileStat::Type::dir;
        break;
      case StoredEntry::Kind::link:
        out.type = FileStat::Type::link;
        break;
      case StoredEntry::Kind::other:
        break;
    }
    return out;
  }

  static Result<FileStat> indexed_stat(const IndexEntry& entry, std::string_view path) {
    FileStat out;
    out.mode = entry.mode;
    out.uid = entry.uid;
    out.gid = entry.gid;
    out.owner = entry.owner;
    out.group = entry.group;
    switch (entry.kind) {
      case IndexEntry::Kind::file:
        out.type = FileStat::Type::file;
        if (const auto size = parse_number(entry.extra)) out.size = *size;
        break;
      case IndexEntry::Kind::elf:
        out.type = FileStat::Type::file;
        break;
      case IndexEntry::Kind::dir:
        out.type = FileStat::Type::dir;
        break;
      case IndexEntry::Kind::link:
        out.type = FileStat::Type::link;
        break;
      case IndexEntry::Kind::char_device:
      case IndexEntry::Kind::block_device:
        out.type = entry.kind == IndexEntry::Kind::char_device ? FileStat::Type::char_device
                                                               : FileStat::Type::block_device;
        set_numbers(out, entry.extra);
        break;
      case IndexEntry::Kind::absent:
        return missing(std::string(path));
      case IndexEntry::Kind::error: {
        const std::size_t blank = entry.extra.find(' ');
        const std::string_view hint =
            blank == std::string_view::npos ? "" : entry.extra.substr(blank + 1);
        if (hint == "unseen") return errno_error(std::string(path), error_name(entry));
        out.type = entry.extra.starts_with("open:") ? FileStat::Type::char_device
                   : hint == "dir"                  ? FileStat::Type::dir
                                                    : FileStat::Type::file;
        if (hint.starts_with("char ")) set_numbers(out, hint.substr(5));
        if (hint.starts_with("size ")) out.size = parse_number(hint.substr(5));
        break;
      }
    }
    return out;
  }

  static void set_numbers(FileStat& out, std::string_view text) {
    if (const auto numbers = parse_device_numbers(text)) {
      out.major = numbers->first;
      out.minor = numbers->second;
    }
  }

  /// A recording notes a command that gave no answer: "missing WHAT" or "timed_out WHAT".
  static std::optional<Error> parse_command_error(std::string_view text, std::string_view name) {
    const std::string_view line = trim(text);
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    const std::string_view word = line.substr(0, blank);
    return Error{error_kind(word), std::string(name), std::string(line.substr(blank + 1))};
  }

  std::string origin_;
  std::unique_ptr<SnapshotStore> store_;
  std::string files_;  ///< where the tree lies in the store: "files", "sysroot" or ""
  PathWalk walk_;
  SnapshotIndex index_;
  bool from_live_ = false;
  std::unordered_set<std::string> complete_;  ///< folders of which all was recorded
  std::vector<std::string> outputs_;          ///< names in cmd/, sorted
  ProcessFacts process_;
};

/// Which of these names the folder `at` ("" or "NAME/") has. What cannot be asked (no descriptor is
/// left, the disk answers with an error) is not the same as what is not there.
Result<std::vector<std::string>> present(SnapshotStore& store, const std::string& at,
                                         std::initializer_list<const char*> names) {
  std::vector<std::string> found;
  for (const char* name : names) {
    const auto entry = store.look(at + name);
    if (entry) found.emplace_back(name);
    if (!entry && !entry.is_missing()) return entry.error();
  }
  return found;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Where about.toml, sysroot/, sys/ or cmd/ lies, and which of them.
struct Top {
  std::string folder;
  std::vector<std::string> names;
};

/// In the archive itself or in its only folder.
Result<Top> find_top(SnapshotStore& store) {
  const auto top = [&](const std::string& at) {
    return present(store, at, {"about.toml", "sysroot", "sys", "cmd"});
  };
  auto here = top("");
  if (!here) return here.error();
  if (!here->empty()) return Top{"", *std::move(here)};
  const auto names = store.list("");
  if (!names) return names.error();
  if (names->size() != 1) return Top{};
  auto below = top(names->front() + "/");
  if (!below) return below.error();
  if (below->empty()) return Top{};
  return Top{names->front(), *std::move(below)};
}

Result<std::unique_ptr<Source>> open_snapshot(std::unique_ptr<SnapshotStore> store,
                                              const std::string& origin) {
  auto top = find_top(*store);
  if (!top) return top.error();
  store = sub_store(std::move(store), std::move(top->folder));
  const bool has_about = has(top->names, "about.toml");
  std::string files;
  if (has_about) {
    files = "files";
  } else if (has(top->names, "sysroot")) {
    files = "sysroot";
  } else if (top->names.empty()) {
    return malformed(origin,
                     "not a snapshot: there is no about.toml, sysroot/, sys/ or cmd/ in it");
  }
  auto snapshot = std::make_unique<Snapshot>(origin, std::move(store), std::move(files));
  const Result<Done> loaded = snapshot->load(has_about);
  if (!loaded) return loaded.error();
  return std::unique_ptr<Source>(std::move(snapshot));
}

}  // namespace

Result<std::unique_ptr<Source>> snapshot_from_memory(std::string_view archive,
                                                     const std::string& origin) {
  auto store = archive_store_from_memory(archive, origin);
  if (!store) return store.error();
  return open_snapshot(std::move(*store), origin);
}

Result<std::unique_ptr<Source>> snapshot_source(const std::string& path) {
  auto folder = folder_store(path);
  if (folder) {
    // A capture with many files is one archive beside its description.
    const auto names = present(**folder, "", {"capture.tar.gz", "about.toml", "sysroot"});
    if (!names) return names.error();
    const bool packed = *names == std::vector<std::string>{"capture.tar.gz"};
    if (!packed) return open_snapshot(std::move(*folder), path);
    auto store = archive_store(path + "/capture.tar.gz");
    if (!store) return store.error();
    return open_snapshot(std::move(*store), path);
  }
  if (folder.error().what.starts_with("does not exist")) {
    // A file where a folder was asked for reads ENOTDIR: it may be an archive.
    const auto self = live_source()->stat(path);
    if (!self) return self.error();
    if (self->type != FileStat::Type::file) return malformed(path, "not a folder and not a file");
    auto store = archive_store(path);
    if (!store) return store.error();
    return open_snapshot(std::move(*store), path);
  }
  return folder.error();
}

}  // namespace rocvet

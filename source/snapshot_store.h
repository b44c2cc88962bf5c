// The raw entries of a snapshot, as a folder on disk or as an archive in memory. Paths are
// relative, clean ("files/sys/class"), and never followed through a link: that is the snapshot's
// business.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rocvet {

struct StoredEntry {
  enum class Kind { file, dir, link, other };
  Kind kind = Kind::other;
  std::string target;    ///< of a link
  std::size_t size = 0;  ///< of a file
};

class SnapshotStore {
 public:
  virtual ~SnapshotStore() = default;
  /// Whether read() and list() answer ELOOP, not missing, for a path that goes through a link: then
  /// "missing" needs no walk along the path.
  virtual bool notices_links() const { return false; }
  virtual Result<StoredEntry> look(const std::string& path) = 0;
  /// A file that is a link is Error::failed with ELOOP.
  virtual Result<std::string> read(const std::string& path, std::size_t limit) = 0;
  virtual Result<std::vector<std::string>> list(const std::string& path) = 0;  ///< sorted
};

/// A folder; every component is opened without following links.
Result<std::unique_ptr<SnapshotStore>> folder_store(const std::string& path);
/// A .tar, .tar.gz or .tar.zst, unpacked into memory: at most 128 MiB of content or ten times the
/// archive, and 256 MiB of names and of targets of links, none above 4096 bytes. A file above 64
/// MiB has a size and cannot be read; with all such and 512 MiB of headers it is at most 1 GiB.
Result<std::unique_ptr<SnapshotStore>> archive_store(const std::string& path);
/// The same from bytes (tests, fuzzing); `where` is named in errors.
Result<std::unique_ptr<SnapshotStore>> archive_store_from_memory(std::string_view bytes,
                                                                 const std::string& where);
/// Another store seen from one of its folders ("" is the whole).
std::unique_ptr<SnapshotStore> sub_store(std::unique_ptr<SnapshotStore> store, std::string folder);

}  // namespace rocvet

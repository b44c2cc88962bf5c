// The dynamic linker's search, replayed: which file a program or module would get for each library.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/elf.h"
#include "formats/loader_cache.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

struct LoaderSettings {
  std::vector<std::string> library_path;  ///< LD_LIBRARY_PATH in order; "" is the current folder
  std::vector<std::string> preload;  ///< paths of LD_PRELOAD: loaded before what a program needs
  Result<LoaderCache> cache;
  std::vector<std::string> default_folders;  ///< those compiled into ld.so
};

/// Where glibc of this machine looks by default: "/lib/x86_64-linux-gnu", … "/lib64", "/usr/lib".
std::vector<std::string> default_loader_folders(Source& source);

/// One file in the process that is replayed.
struct LoadedObject {
  std::string path;
  std::string soname;
  std::string via, by;
  ElfSummary elf;
  bool readable = false;  ///< `elf` could be read
  int loader = -1;        ///< index of the object that asked first; -1 for the program
};

struct Replay {
  std::vector<LoadedObject> objects;  ///< in the order of loading (breadth first)
  /// Asked for and known not to be found, by the object that asked.
  std::vector<std::pair<std::string, int>> not_found;
  /// Whether some folder on the way was not captured, so that more could be there.
  bool complete = true;
};

/// As ld.so(8) says: RPATH of the object and of those that loaded it (unless it has a RUNPATH),
/// LD_LIBRARY_PATH, RUNPATH, cache, default folders; a library that is already loaded under the
/// same name is taken again. Folders for special processors (glibc-hwcaps) are not looked at.
class Loader {
 public:
  Loader(Source& source, LoaderSettings settings)
      : source_(source), settings_(std::move(settings)) {}

  /// The process of a program. `preloaded` are files that it opens by dlopen; `program_rpath`
  /// replaces the RPATH of the program where its file is unreadable.
  Replay replay(const std::string& program, const std::vector<std::string>& preloaded = {},
                const std::vector<std::string>& program_rpath = {});

  /// What dlopen(name) gives a program without RPATH, by environment, cache and default folders.
  std::optional<LoadedObject> find_by_name(const std::string& name);

  const LoaderSettings& settings() const { return settings_; }
  /// Another LD_LIBRARY_PATH from now on; what was read of files is kept.
  void set_library_path(std::vector<std::string> path) { settings_.library_path = std::move(path); }

  /// The ELF summary of a file, read once. Of a library that is left unread (library_names.h) only
  /// the soname is filled, from the file's name.
  const Result<ElfSummary>& elf(const std::string& path);

 private:
  enum class Seen { yes, no, unknown };

  void load_all(Replay& replay);
  std::optional<LoadedObject> find(const Replay& replay, const std::string& name, int by,
                                   bool& certain);
  bool try_folders(const std::vector<std::string>& folders, const std::string& origin,
                   const std::string& name, std::string_view via, LoadedObject& out, bool& certain);
  Seen exists(const std::string& path);

  Source& source_;
  LoaderSettings settings_;
  std::map<std::string, Result<ElfSummary>> elves_;
  std::map<std::string, Seen> seen_;
};

/// "$ORIGIN/../lib" with `origin` in place; $LIB and $PLATFORM for a 64-bit machine.
std::string expand_loader_path(std::string_view path, std::string_view origin);

/// The files of LD_PRELOAD, which spaces and colons part, and of /etc/ld.so.preload, which line
/// ends part as well.
std::vector<std::string> split_preload(std::string_view text);

/// LD_LIBRARY_PATH split at ':' and ';'.
std::vector<std::string> split_library_path(std::string_view text);

/// The watched libraries of a replay, and where two copies or majors of one family meet.
ProcessLibraries summarize_replay(Source& source, const std::string& program, const Replay& replay);

}  // namespace rocvet

#include "machine/loader.h"

#include <algorithm>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/library_names.h"
#include "machine/read_loader_cache.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxObjects = 512;  // of one process; PyTorch with everything has below 200

std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

}  // namespace

std::string expand_loader_path(std::string_view path, std::string_view origin) {
  std::string out(path);
  for (const std::string_view name : {"${ORIGIN}", "$ORIGIN"}) out = replace_all(out, name, origin);
  for (const std::string_view name : {"${LIB}", "$LIB"}) out = replace_all(out, name, "lib64");
  for (const std::string_view name : {"${PLATFORM}", "$PLATFORM"}) {
    out = replace_all(out, name, "x86_64");
  }
  return out;
}

std::vector<std::string> split_preload(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view line : lines_of(text)) {
    for (const std::string_view part : split(line, ':')) {
      for (const std::string_view file : words(part)) out.emplace_back(file);
    }
  }
  return out;
}

std::vector<std::string> split_library_path(std::string_view text) {
  std::vector<std::string> out;
  if (text.empty()) return out;
  std::string whole(text);
  std::replace(whole.begin(), whole.end(), ';', ':');
  for (const std::string_view part : split(whole, ':')) out.emplace_back(part);
  return out;
}

std::vector<std::string> default_loader_folders(Source& source) {
  std::vector<std::string> out;
  // Debian and its children compile the triplet in; the others use lib64. Arch links lib64 to lib.
  for (const char* triplet : {"x86_64-linux-gnu", "aarch64-linux-gnu"}) {
    if (source.exists("/usr/lib/" + std::string(triplet))) {
      out.push_back("/lib/" + std::string(triplet));
      out.push_back("/usr/lib/" + std::string(triplet));
    }
  }
  for (const char* folder : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"}) out.emplace_back(folder);
  return out;
}

const Result<ElfSummary>& Loader::elf(const std::string& path) {
  const auto found = elves_.find(path);
  if (found != elves_.end()) return found->second;
  const LibraryName name = parse_library_name(base_name(path));
  if (is_left_unread(name.family) && !name.version.empty()) {
    ElfSummary unread;
    unread.soname = "lib" + name.family + ".so." + name.major();
    return elves_.emplace(path, std::move(unread)).first->second;
  }
  return elves_.emplace(path, source_.elf(path)).first->second;
}

Loader::Seen Loader::exists(const std::string& path) {
  const auto found = seen_.find(path);
  if (found != seen_.end()) return found->second;
  const Result<FileStat> stat = source_.stat(path);
  Seen seen = Seen::unknown;
  if (stat) seen = stat->type == FileStat::Type::dir ? Seen::no : Seen::yes;
  if (stat.is_missing() || stat.is(Error::Kind::denied)) seen = Seen::no;
  seen_.emplace(path, seen);
  return seen;
}

bool Loader::try_folders(const std::vector<std::string>& folders, const std::string& origin,
                         const std::string& name, std::string_view via, LoadedObject& out,
                         bool& certain) {
  for (const std::string& folder : folders) {
    const std::string expanded = expand_loader_path(folder, origin);
    if (!expanded.starts_with('/')) continue;  // relative to a folder that we do not know
    const std::string path = join_path(expanded, name);
    const Seen seen = exists(path);
    if (seen == Seen::unknown) certain = false;
    if (seen != Seen::yes) continue;
    const Result<ElfSummary>& summary = elf(path);
    if (summary && !summary->is_64_bit) continue;  // the loader skips those of the other class
    out.path = path;
    out.via = via;
    return true;
  }
  return false;
}

std::optional<LoadedObject> Loader::find(const Replay& replay, const std::string& name, int by,
                                         bool& certain) {
  LoadedObject out;
  out.soname = name;
  out.loader = by;
  if (by >= 0) out.by = replay.objects[by].path;
  if (name.find('/') != std::string::npos) {
    if (exists(name) == Seen::no) return std::nullopt;
    out.path = name;
    out.via = "path";
    return out;
  }
  const auto folder_of = [&](int index) {
    return std::string(parent_path(replay.objects[index].path));
  };
  if (by >= 0 && replay.objects[by].elf.runpath.empty()) {
    for (int at = by; at >= 0; at = replay.objects[at].loader) {
      const ElfSummary& elf = replay.objects[at].elf;
      if (!elf.runpath.empty()) continue;
      if (try_folders(elf.rpath, folder_of(at), name, "RPATH", out, certain)) return out;
    }
    // The program's RPATH counts for every object, also for one that was opened by dlopen.
    const ElfSummary& program = replay.objects[0].elf;
    if (program.runpath.empty() &&
        try_folders(program.rpath, folder_of(0), name, "RPATH", out, certain)) {
      return out;
    }
  }
  if (try_folders(settings_.library_path, "", name, "LD_LIBRARY_PATH", out, certain)) return out;
  if (by >= 0 &&
      try_folders(replay.objects[by].elf.runpath, folder_of(by), name, "RUNPATH", out, certain)) {
    return out;
  }
  if (settings_.cache) {
    const auto found = settings_.cache->find(name);
    if (found != settings_.cache->end() && exists(found->second) != Seen::no) {
      out.path = found->second;
      out.via = "ld.so.cache";
      return out;
    }
  }
  // ldconfig lists the default folders too: with a cache they hold nothing that it does not name.
  bool defaults_certain = true;
  if (try_folders(settings_.default_folders, "", name, "default", out, defaults_certain)) {
    return out;
  }
  if (!settings_.cache && !defaults_certain) certain = false;
  return std::nullopt;
}

void Loader::load_all(Replay& replay) {
  for (std::size_t i = 0; i < replay.objects.size(); ++i) {
    const std::vector<std::string> needed = replay.objects[i].elf.needed;
    for (const std::string& name : needed) {
      const bool loaded = std::any_of(replay.objects.begin(), replay.objects.end(),
                                      [&](const LoadedObject& object) {
                                        return object.soname == name || object.elf.soname == name ||
                                               base_name(object.path) == name;
                                      });
      if (loaded) continue;
      const bool reported = std::any_of(
          replay.not_found.begin(), replay.not_found.end(),
          [&](const auto& one) { return one.first == name && one.second == static_cast<int>(i); });
      if (reported || replay.objects.size() >= kMaxObjects) continue;
      bool certain = true;
      std::optional<LoadedObject> found = find(replay, name, static_cast<int>(i), certain);
      if (!found) {
        if (certain) replay.not_found.emplace_back(name, static_cast<int>(i));
        if (!certain) replay.complete = false;
        continue;
      }
      const Result<ElfSummary>& summary = elf(found->path);
      found->readable = summary.has_value();
      if (summary) found->elf = *summary;
      if (!summary) replay.complete = false;
      replay.objects.push_back(std::move(*found));
    }
  }
}

Replay Loader::replay(const std::string& program, const std::vector<std::string>& preloaded,
                      const std::vector<std::string>& program_rpath) {
  Replay out;
  LoadedObject first;
  first.path = program;
  first.via = "program";
  const Result<ElfSummary>& summary = elf(program);
  first.readable = summary.has_value();
  if (summary) first.elf = *summary;
  if (!summary) first.elf.rpath = program_rpath;
  out.objects.push_back(first);
  const auto add = [&](const std::string& path, std::string_view via) {
    const bool loaded =
        std::any_of(out.objects.begin(), out.objects.end(),
                    [&](const LoadedObject& object) { return object.path == path; });
    if (loaded) return;
    LoadedObject object;
    object.path = path;
    object.via = via;
    object.by = program;
    object.loader = 0;
    const Result<ElfSummary>& its = elf(path);
    object.readable = its.has_value();
    if (its) object.elf = *its;
    // A second copy under a soname that is there already is what dlopen by full path makes.
    object.soname = object.elf.soname.empty() ? std::string(base_name(path)) : object.elf.soname;
    out.objects.push_back(std::move(object));
  };
  for (const std::string& path : settings_.preload) {
    // The loader passes over a file that is not there.
    if (exists(path) != Seen::no) add(path, "LD_PRELOAD");
  }
  load_all(out);
  for (const std::string& path : preloaded) {
    add(path, "preload");
    load_all(out);
  }
  return out;
}

std::optional<LoadedObject> Loader::find_by_name(const std::string& name) {
  bool certain = true;
  return find(Replay{}, name, -1, certain);
}

ProcessLibraries summarize_replay(Source& source, const std::string& program,
                                  const Replay& replay) {
  ProcessLibraries out;
  out.program = program;
  std::map<std::string, std::vector<std::string>> families;
  std::map<std::string, std::set<std::string>> files;
  for (const LoadedObject& object : replay.objects) {
    const LibraryName name = parse_library_name(
        object.elf.soname.empty() ? base_name(object.path) : std::string_view(object.elf.soname));
    if (!is_watched_library(name.family)) continue;
    LoadedLibrary library;
    library.soname = object.elf.soname.empty() ? object.soname : object.elf.soname;
    library.path = object.path;
    library.real = source.resolve(object.path).value_or(object.path);
    library.via = object.via;
    library.by = object.by;
    if (files[name.family].insert(library.real).second) {
      families[name.family].push_back(object.path);
    }
    if (is_rocm_library(name.family)) {
      const std::string folder(parent_path(library.real));
      if (std::find(out.rocm_folders.begin(), out.rocm_folders.end(), folder) ==
          out.rocm_folders.end()) {
        out.rocm_folders.push_back(folder);
      }
    }
    out.libraries.push_back(std::move(library));
  }
  for (const auto& [family, paths] : families) {
    if (paths.size() > 1) out.clashes.push_back({family, paths});
  }
  return out;
}

}  // namespace rocvet

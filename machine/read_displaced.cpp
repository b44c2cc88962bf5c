#include "machine/read_displaced.h"

#include <algorithm>

#include "base/path_walk.h"
#include "formats/library_names.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxPaths = 8;
constexpr std::size_t kMaxDisplaced = 64;

bool holds_rocm(Source& source, const std::string& folder) {
  if (!folder.starts_with('/')) return false;
  const std::vector<std::string> names = list_of(source, folder);
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return is_rocm_library(parse_library_name(name).family);
  });
}

std::string family_of(const LoadedObject& object) {
  const std::string family = parse_library_name(base_name(object.path)).family;
  return is_rocm_library(family) ? family : "";
}

/// The library of that family which symbols come from; nullptr when none is loaded.
const LoadedObject* first_of(const Replay& replay, const std::string& family) {
  const auto found =
      std::find_if(replay.objects.begin(), replay.objects.end(),
                   [&](const LoadedObject& object) { return family_of(object) == family; });
  return found == replay.objects.end() ? nullptr : &*found;
}

}  // namespace

std::vector<LibraryPath> read_library_paths(Source& source,
                                            const std::map<std::string, std::string>& environment,
                                            const std::vector<Service>& services,
                                            const std::vector<VariableSetting>& variables) {
  constexpr const char* kName = "LD_LIBRARY_PATH";
  std::vector<std::pair<std::string, std::string>> values;  // value, who sets it
  const auto add = [&](const std::string& value, const std::string& set_by) {
    const bool known = std::any_of(values.begin(), values.end(),
                                   [&](const auto& one) { return one.first == value; });
    if (!value.empty() && !known) values.emplace_back(value, set_by);
  };
  if (const auto own = environment.find(kName); own != environment.end()) add(own->second, "");
  for (const Service& service : services) {
    const auto found = service.environment.find(kName);
    if (found != service.environment.end()) add(found->second, service.name);
  }
  for (const VariableSetting& setting : variables) {
    if (setting.name == kName && setting.exported && setting.kind != "compose")
      add(setting.value, setting.where.empty() ? setting.file : setting.where);
  }
  std::vector<LibraryPath> out;
  for (const auto& [value, set_by] : values) {
    LibraryPath path;
    path.set_by = set_by;
    path.folders = split_library_path(value);
    std::copy_if(path.folders.begin(), path.folders.end(), std::back_inserter(path.others),
                 [&](const std::string& folder) { return !holds_rocm(source, folder); });
    if (path.others.size() < path.folders.size() && out.size() < kMaxPaths)
      out.push_back(std::move(path));
  }
  return out;
}

void compare_library_paths(Source& source, Loader& loader, const std::vector<LibraryPath>& paths,
                           const std::string& program, const std::function<Replay()>& replay,
                           std::vector<DisplacedLibrary>& out) {
  const std::vector<std::string> before = loader.settings().library_path;
  for (const LibraryPath& path : paths) {
    loader.set_library_path(path.folders);
    const Replay with = replay();
    loader.set_library_path(path.others);
    const Replay without = replay();
    for (const LoadedObject& object : with.objects) {
      const std::string family = family_of(object);
      if (family.empty() || object.via != "LD_LIBRARY_PATH" || out.size() >= kMaxDisplaced)
        continue;
      // Two numbers of one library may meet without the variable too.
      const std::string real = source.resolve(object.path).value_or(object.path);
      const bool same =
          std::any_of(without.objects.begin(), without.objects.end(), [&](const LoadedObject& one) {
            return family_of(one) == family && source.resolve(one.path).value_or(one.path) == real;
          });
      if (same) continue;
      const LoadedObject* other = first_of(without, family);
      out.push_back({program, object.elf.soname.empty() ? object.soname : object.elf.soname,
                     object.path, other == nullptr ? "" : other->path,
                     std::string(parent_path(object.path)), path.set_by});
    }
  }
  loader.set_library_path(before);
}

}  // namespace rocvet

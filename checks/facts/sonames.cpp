#include "checks/facts/sonames.h"

#include <algorithm>
#include <cctype>

#include "base/add_once.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "checks/facts/packages.h"
#include "db/version.h"
#include "formats/library_names.h"

namespace rocvet {
namespace {

/// Debian 13 and Ubuntu 23.10 dropped ncurses 5: what asks for it was built for a release before.
bool has_ncurses_5(const Machine& machine) {
  if (!machine.distro) return true;
  const auto version = Version::parse(machine.distro->version);
  if (!version) return machine.distro->id != "debian";
  if (machine.distro->id == "ubuntu") return *version < Version{{23, 10}};
  return machine.distro->id != "debian" || *version < Version{{13}};
}

const LibraryPackage* owner_of(const Database& db, std::string_view soname) {
  const auto& all = db.library_packages();
  const auto found = std::ranges::find(all, stem_of_soname(soname), &LibraryPackage::library);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string_view stem_of_soname(std::string_view soname) {
  return soname.substr(0, soname.find(".so"));
}

namespace {

/// The folder of packages that a file of a Python environment lies in; "" outside of one.
std::string_view site_of(std::string_view path) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = path.find(folder);
    if (at != path.npos) return path.substr(0, at + folder.size());
  }
  return {};
}

constexpr std::size_t kLongestListed = 1024;  // a line that lists a file

/// Sorts files by whether they are the library that is asked for.
class Search {
 public:
  Search(std::string_view soname, Whereabouts& found)
      : soname_(soname), stem_(stem_of_soname(soname)), found_(found) {
    is_rocm_ = is_rocm_library(parse_library_name(soname).family);
  }

  bool is_it(std::string_view path, std::string_view its_soname = {}) const {
    const std::string_view base = base_name(path);
    if (base == soname_) return true;
    // A wheel's "libamdhip64.so" is known by its soname; libfoo.so.6.2.1 is behind libfoo.so.6.
    return base.ends_with(".so") ? its_soname == soname_
                                 : soname_.find(".so.") != soname_.npos &&
                                       base.starts_with(std::string(soname_) + ".");
  }

  void consider(const std::string& path, std::string_view its_soname = {}) {
    std::string_view base = base_name(path);
    if (is_it(path, its_soname)) return add_once(found_.exact, path);
    if (base.ends_with(".so") && !its_soname.empty()) base = its_soname;
    // Libraries of the system with another number are other libraries; a program that asks for no
    // number wants the link of a package for developers.
    if (!is_rocm_ || stem_of_soname(base) != stem_ || base.find(".so.") == base.npos ||
        soname_.find(".so.") == soname_.npos)
      return;
    add_once(found_.other_majors, path);
    found_.of_distribution |= path.starts_with("/usr/lib") || path.starts_with("/lib");
  }

 private:
  std::string_view soname_, stem_;
  Whereabouts& found_;
  bool is_rocm_ = false;
};

/// Libraries that a framework or an application brings for itself. They serve what is imported
/// beside them, and nothing else.
void look_into_bundles(const Machine& machine, std::string_view by, const Search& search,
                       Whereabouts& found) {
  const auto look_at = [&](const Library& library, bool beside) {
    if (!search.is_it(library.path, library.elf.soname)) return;
    add_once(beside ? found.exact : found.bundled, library.path);
  };
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      const bool beside =
          by.empty() || (!site_of(by).empty() && site_of(by) == site_of(framework.root + "/"));
      for (const Library& library : framework.libraries) look_at(library, beside);
    }
  }
  for (const Application& application : machine.software.applications) {
    for (const Library& library : application.libraries) look_at(library, by == application.path);
  }
}

/// Files of this name that somebody lists in the log: what find, ls or locate printed.
void look_into_log(const Machine& machine, std::string_view soname, Whereabouts& found) {
  constexpr std::string_view kFailures[] = {"cannot open", "No such file", "not found", "ailed",
                                            "rror"};
  if (!machine.app_log) return;
  const std::string name = "/" + std::string(soname);
  each_line(*machine.app_log, [&](std::string_view line) {
    const std::size_t at = line.find(name);
    if (at == line.npos || line.size() > kLongestListed) return;
    if (contains_one(line, kFailures)) return;
    const std::size_t end = at + name.size();
    if (end < line.size() && line[end] != ' ' && line[end] != '.') return;
    const std::size_t blank = line.rfind(' ', at);
    const std::string_view path = line.substr(blank == line.npos ? 0 : blank + 1);
    if (path.starts_with('/')) add_once(found.exact, std::string(path.substr(0, path.find(' '))));
  });
}

}  // namespace

Whereabouts whereabouts(const Machine& machine, std::string_view soname, std::string_view by) {
  Whereabouts found;
  Search search(soname, found);
  const Software& software = machine.software;
  bool unresolved = false;
  for (const UnresolvedLibrary& one : software.unresolved) unresolved |= one.needed == soname;
  if (software.loader_cache) {
    for (const auto& [name, path] : *software.loader_cache) {
      if (name == soname && !unresolved) add_once(found.found, path);
      if (name != soname) search.consider(path);
    }
  }
  for (const RocmInstall& install : software.rocm) {
    if (install.owner == RocmOwner::app_bundle) continue;
    for (const Library& library : install.libraries) {
      const bool everywhere =
          install.root == "/usr" && search.is_it(library.path, library.elf.soname);
      if (everywhere && !unresolved) add_once(found.found, library.path);
      if (!everywhere) search.consider(library.path, library.elf.soname);
    }
    for (const std::string& path : install.files) {
      if (search.is_it(path)) search.consider(path);
    }
  }
  // A wheel has no link without a number for a program that asks for none: its file is the one.
  if (found.found.empty() && found.exact.empty() && soname.ends_with(".so")) {
    for (const RocmInstall& install : software.rocm) {
      if (install.owner != RocmOwner::wheel) continue;
      for (const Library& library : install.libraries) {
        if (stem_of_soname(base_name(library.path)) == stem_of_soname(soname))
          add_once(found.exact, library.path);
      }
    }
  }
  if (!found.found.empty()) found.exact.clear();
  if (found.exact.empty() && found.other_majors.empty())
    look_into_bundles(machine, by, search, found);
  if (found.found.empty() && found.exact.empty() && found.other_majors.empty())
    look_into_log(machine, soname, found);
  // A bundle of another number tells which ROCm the neighbours were built for.
  if (found.exact.empty() && found.other_majors.empty()) {
    for (const PythonEnvironment& python : software.python) {
      for (const Framework& framework : python.frameworks) {
        for (const Library& library : framework.libraries)
          search.consider(library.path, library.elf.soname);
      }
    }
  }
  return found;
}

bool is_of_system(std::string_view path) {
  // Of /usr what the hierarchy standard has; clusters mount folders of their own there.
  static constexpr std::string_view kFolders[] = {"/lib", "/bin/", "/sbin/"};
  static constexpr std::string_view kOfUsr[] = {"lib",    "bin/", "sbin/",   "share/",
                                                "games/", "src/", "include/"};
  const auto begins = [&](std::string_view folder) { return path.starts_with(folder); };
  if (std::ranges::any_of(kFolders, begins)) return true;
  if (!path.starts_with("/usr/")) return false;
  path.remove_prefix(5);
  return std::ranges::any_of(kOfUsr, begins);
}

bool is_in_site_packages(std::string_view path) {
  return !site_of(path).empty();
}

bool is_of_wheel_or_bundle(std::string_view path) {
  if (path.starts_with("/opt/rocm")) return false;  // also ROCm's own packages of Python
  if (is_in_site_packages(path)) return !is_of_system(path);
  if (!path.starts_with('/') || is_of_system(path)) return false;
  static constexpr std::string_view kOthers[] = {"/opt/amdgpu", "/nix/", "/gnu/", "/etc/",
                                                 "/usr/local/"};
  return std::ranges::none_of(kOthers,
                              [&](std::string_view folder) { return path.starts_with(folder); });
}

std::string_view package_of(std::string_view path) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = path.find(folder);
    if (at == path.npos) continue;
    const std::string_view inside = path.substr(at + folder.size());
    return inside.substr(0, inside.find('/'));
  }
  return base_name(path);
}

bool is_bound_from_host(std::string_view path) {
  return path.starts_with(std::string(kHostLibraries) + "/");
}

bool another_build_fits(const Machine& machine, const UnresolvedLibrary& one) {
  const std::string_view folder = parent_path(one.by);
  const std::string_view stem = stem_of_soname(one.needed);
  const std::vector<UnresolvedLibrary>& unresolved = machine.software.unresolved;
  const auto fits = [&](const Library& library) {
    if (library.path == one.by || parent_path(library.path) != folder) return false;
    return std::any_of(
        library.elf.needed.begin(), library.elf.needed.end(), [&](const std::string& needed) {
          return stem_of_soname(needed) == stem &&
                 std::none_of(unresolved.begin(), unresolved.end(),
                              [&](const UnresolvedLibrary& other) {
                                return other.by == library.path && other.needed == needed;
                              });
        });
  };
  for (const PythonEnvironment& python : machine.software.python) {
    if (std::any_of(python.extensions.begin(), python.extensions.end(), fits)) return true;
    for (const Framework& framework : python.frameworks) {
      if (std::any_of(framework.libraries.begin(), framework.libraries.end(), fits)) return true;
    }
  }
  return false;
}

bool is_of_rocm(const Machine& machine, std::string_view path) {
  const auto& installs = machine.software.rocm;
  return std::any_of(installs.begin(), installs.end(), [&](const RocmInstall& install) {
    if (install.owner == RocmOwner::app_bundle) return false;
    if (install.root == "/usr")
      return is_of_system(path) && is_rocm_library(parse_library_name(base_name(path)).family);
    return !install.root.empty() && path.starts_with(install.root + "/");
  });
}

bool is_core_of_rocm(std::string_view path) {
  const std::string family = parse_library_name(base_name(path)).family;
  return family == "amdhip64" || family == "hsa-runtime64" || family == "amd_comgr" ||
         family == "amdocl64";
}

bool is_rocm_soname(const Database& db, std::string_view soname) {
  if (is_rocm_library(parse_library_name(soname).family)) return true;
  const LibraryPackage* owner = owner_of(db, soname);
  return owner != nullptr && !owner->programs_only;
}

const Package* installed_owner(const Context& context, std::string_view soname) {
  const Machine& machine = context.machine;
  const LibraryName name = parse_library_name(soname);
  if (!is_rocm_library(name.family)) return nullptr;
  std::vector<std::string> names;
  if (const LibraryPackage* owner = owner_of(context.db, soname)) {
    for (const std::string_view package : {owner->apt, owner->dnf, owner->fedora, owner->pacman})
      if (!package.empty()) add_once(names, std::string(package));
  }
  // Debian's policy: the soname, with a hyphen where two numbers would meet.
  if (!name.version.empty()) {
    std::string debian = lower(stem_of_soname(soname));
    std::replace(debian.begin(), debian.end(), '_', '-');
    const bool number = std::isdigit(static_cast<unsigned char>(debian.back())) != 0;
    add_once(names, debian + (number ? "-" : "") + name.version);
  }
  for (const std::string& one : names) {
    // AMD's for several releases side by side have the release behind the name: hsa-rocr6.4.1.
    for (const Package* package : find_packages(machine, one + "*")) {
      const bool its =
          package->name.find_first_not_of("0123456789.", one.size()) == std::string::npos;
      if (its && package->state != "config-files") return package;
    }
  }
  return nullptr;
}

Step package_of_soname(const Context& context, std::string_view soname) {
  const Machine& machine = context.machine;
  if (soname == "libtinfo.so.5" && !has_ncurses_5(machine))
    return "install the build of ROCm for this release of the distribution (rocvet advise): it has "
           "no libtinfo.so.5 any more";
  const LibraryPackage* owner = owner_of(context.db, soname);
  if (owner == nullptr || owner->apt.empty() ||
      (owner->library == "libtinfo" && !soname.ends_with(".5")))
    return {};
  // Fedora packages ROCm itself, by other names than AMD.
  const bool fedora = machine.distro && machine.distro->id == "fedora" && !owner->fedora.empty();
  return install_command(machine, owner->apt, fedora ? owner->fedora : owner->dnf, owner->zypper,
                         owner->pacman);
}

}  // namespace rocvet

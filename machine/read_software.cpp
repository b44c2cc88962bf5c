#include "machine/read_software.h"

#include <algorithm>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/library_names.h"
#include "machine/loader.h"
#include "machine/read_applications.h"
#include "machine/read_dead_paths.h"
#include "machine/read_displaced.h"
#include "machine/read_extensions.h"
#include "machine/read_frameworks.h"
#include "machine/read_loader_cache.h"
#include "machine/read_named_programs.h"
#include "machine/read_package_files.h"
#include "machine/read_packages.h"
#include "machine/read_python.h"
#include "machine/read_repositories.h"
#include "machine/read_rocm.h"
#include "machine/read_toolchain.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

std::string relative_run_path(const ElfSummary& elf) {
  for (const auto* folders : {&elf.rpath, &elf.runpath}) {
    for (const std::string& folder : *folders) {
      if (!folder.empty() && folder[0] != '/' && folder[0] != '$') return folder;
    }
  }
  return "";
}

/// The numbers of "GLIBCXX_3.4.30"; empty for GLIBC_PRIVATE and its likes.
std::vector<unsigned long long> version_numbers(std::string_view version) {
  std::vector<unsigned long long> out;
  const std::size_t underscore = version.rfind('_');
  if (underscore == std::string_view::npos) return out;
  for (const std::string_view part : split(version.substr(underscore + 1), '.')) {
    const auto number = parse_number(part);
    if (!number) return {};
    out.push_back(*number);
  }
  return out;
}

/// Which library defines a family of version symbols: the beginning of its soname.
std::string_view provider_of(std::string_view version) {
  if (version.starts_with("GLIBCXX_") || version.starts_with("CXXABI_")) return "libstdc++.so.6";
  if (version.starts_with("GLIBC_")) return "libc.so.6";
  if (version.starts_with("GCC_")) return "libgcc_s.so.1";
  if (version.starts_with("hip_")) return "libamdhip64.so.";
  if (version.starts_with("amd_comgr_")) return "libamd_comgr.so.";
  return "";
}

/// A release of glibc may have a new symbol in libm alone: that release is here all the same.
bool another_file_of_glibc_has(const Replay& replay, const std::string& version) {
  return version.starts_with("GLIBC_") &&
         std::any_of(replay.objects.begin(), replay.objects.end(), [&](const LoadedObject& object) {
           return (object.soname.starts_with("libm.so.") ||
                   object.soname.starts_with("libpthread.so.") ||
                   object.soname.starts_with("ld-linux")) &&
                  std::find(object.elf.defines_versions.begin(), object.elf.defines_versions.end(),
                            version) != object.elf.defines_versions.end();
         });
}

constexpr std::size_t kMaxSearchedFiles = 64;

bool needs_rocm(const ElfSummary& elf) {
  return std::ranges::any_of(elf.needed, [](const std::string& soname) {
    return is_rocm_library(parse_library_name(soname).family);
  });
}

class SoftwareReader {
 public:
  SoftwareReader(Source& source, Machine& machine)
      : source_(source),
        machine_(machine),
        software_(machine.software),
        environment_(machine.process.environment.value_or(std::map<std::string, std::string>{})) {}

  void read(const std::vector<std::string>& python) {
    read_packages(source_, software_);
    software_.package_files = read_package_files(source_, software_);
    read_repositories(source_, software_);
    software_.loader_path = read_loader_folders(source_);
    software_.loader_cache = read_loader_cache(source_);
    machine_.kernel.settings["dead paths"] =
        dead_paths_text(read_dead_paths(source_, software_.loader_path, environment_));
    LoaderSettings settings;
    settings.library_path = split_library_path(value_of("LD_LIBRARY_PATH"));
    settings.cache = software_.loader_cache;
    settings.default_folders = default_loader_folders(source_);
    const auto of_all = source_.read_as(FileKind::loader_folders, "/etc/ld.so.preload", 1u << 16);
    std::string preload = value_of("LD_PRELOAD");
    if (of_all) preload += " " + *of_all;  // the loader takes the variable's first
    for (std::string& file : split_preload(preload)) {
      if (file.starts_with('/')) settings.preload.push_back(std::move(file));
    }
    Loader loader(source_, std::move(settings));

    read_rocm(source_, loader, environment_, software_);
    software_.python = find_python(source_, environment_, python);
    for (PythonEnvironment& one : software_.python) {
      read_frameworks(source_, loader, one);
      read_rocm_wheels(source_, loader, one, software_);
      read_extensions(source_, loader, one);
      if (one.kind == "conda")
        read_rocm_of_conda(source_, loader, environment_, one.root, software_);
    }
    const std::vector<Service> none;
    const auto& services = machine_.access.services;
    read_applications(source_, loader, environment_, services ? *services : none,
                      machine_.surroundings.container, software_);
    software_.host_libraries = read_host_libraries(source_, loader);
    software_.gcc = read_gcc(source_);
    read_opencl(source_, loader, environment_, software_);

    library_paths_ = read_library_paths(source_, environment_, services ? *services : none,
                                        machine_.settings.variables);
    replay_installations(loader);
    replay_opencl(loader);
    replay_any_program(loader);
    for (const Library& host : software_.host_libraries)
      note_problems(loader, loader.replay(host.path));
    for (const PythonEnvironment& one : software_.python) replay_python(loader, one);
    for (const Application& one : software_.applications) replay_application(loader, one);
    replay_named_programs(loader);
    replay_library_path(loader);
  }

 private:
  std::string value_of(const std::string& name) const {
    const auto found = environment_.find(name);
    return found == environment_.end() ? "" : found->second;
  }

  /// Whether the libraries of a tree find each other and what they need of the system.
  void replay_installations(Loader& loader) {
    for (const RocmInstall& install : software_.rocm) {
      if (install.owner == RocmOwner::app_bundle) continue;  // with its application
      if (install.owner == RocmOwner::wheel) {
        // rocm_sdk opens the libraries of all its wheels by full path, so they find each other.
        std::vector<std::string> files;
        for (const Library& library : install.libraries) files.push_back(library.path);
        if (!files.empty()) note_problems(loader, loader.replay(files.front(), files));
        continue;
      }
      for (const Library& library : install.libraries) {
        // MIGraphX keeps parts of itself in a folder of its own; its library opens them.
        if (library.path.find("/migraphx/lib/") != std::string::npos) continue;
        note_problems(loader, loader.replay(library.path));
      }
    }
  }

  /// What a program without a search path of its own gets for HIP.
  void replay_any_program(Loader& loader) {
    std::set<std::string> names;
    for (const RocmInstall& install : software_.rocm) {
      for (const Library& library : install.libraries) {
        if (library.elf.soname.starts_with("libamdhip64.so.")) names.insert(library.elf.soname);
      }
    }
    for (const std::string& name : names) {
      const auto found = loader.find_by_name(name);
      if (!found) continue;
      add_process(loader.replay(found->path), found->path, found->via);
    }
    // A path may bring in the first HIP, or send to another one: each name is asked anew.
    for (const std::string& name : names) {
      compare(loader, name, [&] {
        const auto found = loader.find_by_name(name);
        if (!found) return Replay{};
        Replay replay = loader.replay(found->path);
        replay.objects.front().via = found->via;
        return replay;
      });
    }
  }

  void compare(Loader& loader, const std::string& program, const std::function<Replay()>& replay) {
    compare_library_paths(source_, loader, library_paths_, program, replay, software_.displaced);
  }

  /// AMD's OpenCL drivers, wherever an .icd file leads: the loader of OpenCL passes over one that
  /// cannot be opened.
  void replay_opencl(Loader& loader) {
    if (!software_.opencl_icds) return;
    for (const OpenClIcd& icd : *software_.opencl_icds) {
      if (icd.resolved && icd.library.find("amdocl") != std::string::npos)
        note_problems(loader, loader.replay(*icd.resolved));
    }
  }

  void add_process(const Replay& replay, const std::string& program, std::string_view via = "") {
    ProcessLibraries process = summarize_replay(source_, program, replay);
    if (!via.empty() && !process.libraries.empty() && process.libraries[0].via == "program") {
      process.libraries[0].via = via;
    }
    const bool rocm = !process.rocm_folders.empty();
    if (rocm) software_.processes.push_back(std::move(process));
  }

  void replay_python(Loader& loader, const PythonEnvironment& python) {
    const std::string program = python_program(python);
    for (const Framework& framework : python.frameworks) {
      std::vector<std::string> files = loaded_early(python);
      const bool sdk = starts_rocm_sdk(framework);
      if (sdk) add_sdk_libraries(python, files);
      if (framework.name != "torch") add_torch(python, files);
      bool uses_hip = false;
      for (const Library& library : framework.libraries) {
        const LibraryName name = parse_library_name(base_name(library.path));
        if (is_rocm_library(name.family)) continue;  // comes with those that need it
        uses_hip = uses_hip || needs_rocm(library) || name.family == "torch_cpu";
        files.push_back(library.path);
      }
      const auto again = [&] { return loader.replay(program, files, {"$ORIGIN/../lib"}); };
      const Replay replay = again();
      if (!uses_hip) {  // TensorFlow and XLA open ROCm's libraries later
        note_versions(loader, replay);
        continue;
      }
      // Without the wheel of libraries that rocm_sdk would open nothing can be said of them.
      if (!sdk || has_sdk_libraries(python)) note_problems(loader, replay);
      add_process(replay, main_library(framework));
      compare(loader, main_library(framework), again);
    }
    for (const Library& extension : python.extensions) {
      std::vector<std::string> files = loaded_early(python);
      const bool sdk = std::any_of(
          python.frameworks.begin(), python.frameworks.end(),
          [&](const Framework& one) { return one.name == "torch" && starts_rocm_sdk(one); });
      if (sdk && !has_sdk_libraries(python)) break;
      if (sdk) add_sdk_libraries(python, files);
      add_torch(python, files);
      files.push_back(extension.path);
      const Replay replay = loader.replay(program, files, {"$ORIGIN/../lib"});
      note_problems(loader, replay);
      if (!summarize_replay(source_, extension.path, replay).clashes.empty())
        add_process(replay, extension.path);
    }
  }

  std::vector<std::string> loaded_early(const PythonEnvironment& python) {
    std::vector<std::string> files;
    if (python.kind != "conda") return files;
    // conda's modules have an RPATH to its lib folder, and Python loads one of them early.
    for (const char* name : {"/lib/libstdc++.so.6", "/lib/libgcc_s.so.1"}) {
      if (source_.exists(python.root + name)) files.push_back(python.root + name);
    }
    return files;
  }

  /// Extensions of PyTorch are imported after it and find its libraries loaded.
  static void add_torch(const PythonEnvironment& python, std::vector<std::string>& files) {
    for (const Framework& framework : python.frameworks) {
      if (framework.name != "torch") continue;
      for (const Library& library : framework.libraries) {
        const LibraryName name = parse_library_name(base_name(library.path));
        if (!is_rocm_library(name.family)) files.push_back(library.path);
      }
    }
  }

  /// The library that stands for a framework: the first of its own that needs ROCm.
  static std::string main_library(const Framework& framework) {
    std::string out = framework.root;
    for (const Library& library : framework.libraries) {
      const std::string_view name = base_name(library.path);
      if (is_rocm_library(parse_library_name(name).family) || !needs_rocm(library)) continue;
      if (name.starts_with("libtorch_hip")) return library.path;
      if (out == framework.root) out = library.path;
    }
    return out;
  }

  bool has_sdk_libraries(const PythonEnvironment& python) {
    for (const std::string& site : python.site_packages) {
      if (!matching_paths(source_, site, "_rocm_sdk_libraries*").empty()) return true;
    }
    return false;
  }

  std::string python_program(const PythonEnvironment& python) {
    const std::string root = python.kind == "user" ? "/usr" : python.root;
    for (const char* name : {"/bin/python3", "/bin/python"}) {
      // A venv's python is a link; the loader takes $ORIGIN from the file it leads to.
      if (const auto real = source_.resolve(root + name)) return *real;
    }
    return "/usr/bin/python3";
  }

  /// Wheels of TheRock load ROCm's own wheels by full path before their libraries ask for them.
  bool starts_rocm_sdk(const Framework& framework) {
    if (source_.exists(framework.root + "/_rocm_init.py")) return true;
    bool own_hip = false;
    for (const Library& library : framework.libraries) {
      own_hip |= parse_library_name(base_name(library.path)).family == "amdhip64";
      for (const std::string& folder : library.elf.runpath) {
        if (folder.find("_rocm_sdk_") != std::string::npos) return true;
      }
    }
    // It stands beside them and brings no HIP: it was built to be started by them.
    return !own_hip && source_.exists(std::string(parent_path(framework.root)) + "/_rocm_sdk_core");
  }

  void add_sdk_libraries(const PythonEnvironment& python, std::vector<std::string>& files) {
    for (const RocmInstall& install : software_.rocm) {
      if (install.owner != RocmOwner::wheel) continue;
      for (const std::string& site : python.site_packages) {
        if (!install.root.starts_with(site + "/")) continue;
        for (const Library& library : install.libraries) files.push_back(library.path);
      }
    }
  }

  void replay_application(Loader& loader, const Application& application) {
    std::vector<std::string> files;
    for (const Library& library : application.libraries) {
      // Back ends are opened by path when the program starts.
      if (base_name(library.path).starts_with("libggml-hip")) files.push_back(library.path);
    }
    Replay replay;
    if (application.name == "ollama" && !application.bundle.empty()) {
      // It starts its runner with its own folders first.
      LoaderSettings settings = loader.settings();
      std::vector<std::string> path{std::string(parent_path(application.bundle)),
                                    application.bundle};
      path.insert(path.end(), settings.library_path.begin(), settings.library_path.end());
      settings.library_path = std::move(path);
      replay = Loader(source_, std::move(settings)).replay(application.path, files);
    } else {
      const auto again = [&] { return loader.replay(application.path, files); };
      replay = again();
      compare(loader, application.path, again);
    }
    note_problems(loader, replay);
    add_process(replay, application.path);
  }

  /// Programs of the user's own, known only by the log that speaks of them.
  void replay_named_programs(Loader& loader) {
    if (!machine_.app_log) return;
    for (const std::string& path : read_named_programs(source_, *machine_.app_log, environment_)) {
      const std::string real = source_.resolve(path).value_or(path);
      const bool known = std::ranges::any_of(software_.applications, [&](const Application& one) {
        return !one.libraries.empty() && one.libraries.front().real == real;
      });
      const Result<ElfSummary>& elf = loader.elf(real);
      if (known || !elf) continue;
      const auto again = [&] { return loader.replay(real); };
      const Replay replay = again();
      const bool uses_rocm = !summarize_replay(source_, path, replay).rocm_folders.empty();
      if (uses_rocm || !elf->gfx.empty()) {
        Application program;
        program.name = base_name(path);
        program.path = path;
        program.libraries.push_back({path, real, *elf});
        program.gfx = elf->gfx;
        software_.applications.push_back(std::move(program));
      }
      note_problems(loader, replay);
      add_process(replay, path);
      compare(loader, path, again);
    }
  }

  /// What LD_LIBRARY_PATH puts before the system's libraries and is itself linked to ROCm (ZLUDA's
  /// libcuda.so): whether it finds what it needs.
  void replay_library_path(Loader& loader) {
    const LoaderSettings& settings = loader.settings();
    for (const std::string& folder : settings.library_path) {
      if (!folder.starts_with('/') || is_of_rocm(folder) ||
          std::ranges::find(settings.default_folders, folder) != settings.default_folders.end())
        continue;
      std::size_t looked_at = 0;
      for (const std::string& name : list_of(source_, folder)) {
        if (name.find(".so") == std::string::npos) continue;
        if (++looked_at > kMaxSearchedFiles) break;
        const std::string path = join_path(folder, name);
        const Result<ElfSummary>& elf = loader.elf(path);
        if (elf && needs_rocm(*elf)) note_problems(loader, loader.replay(path));
      }
    }
  }

  /// Its libraries were looked at with the release that it belongs to.
  bool is_of_rocm(const std::string& folder) const {
    return std::ranges::any_of(software_.rocm, [&](const RocmInstall& install) {
      return std::ranges::any_of(install.libraries, [&](const Library& library) {
        return parent_path(library.path) == folder || parent_path(library.real) == folder;
      });
    });
  }

  void note_problems(Loader& loader, const Replay& replay) {
    for (const auto& [needed, by] : replay.not_found) {
      const std::string& file = replay.objects[by].path;
      if (!unresolved_.insert(needed + "\n" + file).second) continue;
      UnresolvedLibrary one{needed, file, {}, {}, relative_run_path(replay.objects[by].elf)};
      find_elsewhere(one);
      software_.unresolved.push_back(std::move(one));
    }
    note_versions(loader, replay);
  }

  void note_versions(Loader& loader, const Replay& replay) {
    for (const LoadedObject& object : replay.objects) {
      for (const std::string& version : object.elf.needs_versions) {
        note_version(loader, replay, object, version);
      }
    }
  }

  /// Files of the same name, or of the same family with another number, in any tree that was read.
  void find_elsewhere(UnresolvedLibrary& one) {
    const LibraryName wanted = parse_library_name(one.needed);
    const auto consider = [&](const std::string& path, const std::string& soname) {
      const std::string_view name = base_name(path);
      const LibraryName has = parse_library_name(name);
      if (has.family != wanted.family || wanted.family.empty()) return;
      const bool same = name == one.needed || soname == one.needed;
      std::vector<std::string>& to = same ? one.elsewhere : one.other_majors;
      if (std::find(to.begin(), to.end(), path) == to.end()) to.push_back(path);
    };
    const auto look_at = [&](const Library& library) {
      consider(library.path, library.elf.soname);
    };
    for (const RocmInstall& install : software_.rocm) {
      for (const Library& library : install.libraries) look_at(library);
      // The other names of a library that was read say nothing more.
      if (is_rocm_library(wanted.family)) continue;
      for (const std::string& path : install.files) consider(path, "");
    }
    for (const PythonEnvironment& python : software_.python) {
      for (const Framework& framework : python.frameworks) {
        for (const Library& library : framework.libraries) look_at(library);
      }
    }
    for (const Application& application : software_.applications) {
      for (const Library& library : application.libraries) look_at(library);
    }
  }

  void note_version(Loader& loader, const Replay& replay, const LoadedObject& object,
                    const std::string& version) {
    const std::string_view begins = provider_of(version);
    if (begins.empty()) return;
    const auto provider =
        std::find_if(replay.objects.begin(), replay.objects.end(), [&](const LoadedObject& other) {
          return other.elf.soname.starts_with(begins) || other.soname.starts_with(begins);
        });
    if (provider == replay.objects.end() || provider->path == object.path) return;
    if (!is_version_unmet(version, provider->elf.defines_versions) ||
        another_file_of_glibc_has(replay, version))
      return;
    const std::string& soname =
        provider->elf.soname.empty() ? provider->soname : provider->elf.soname;
    if (!unmet_.insert(version + "\n" + object.path + "\n" + provider->path).second) return;
    UnmetVersion one{version, object.path, provider->path, {}};
    std::vector<std::string> places = loader.settings().default_folders;
    for (const PythonEnvironment& python : software_.python) {
      if (python.kind == "conda") places.push_back(python.root + "/lib");
    }
    std::set<std::string> seen{source_.resolve(provider->path).value_or(provider->path)};
    for (const std::string& folder : places) {
      const std::string path = folder + "/" + soname;
      const auto real = source_.resolve(path);
      if (!real || !seen.insert(*real).second) continue;
      const Result<ElfSummary>& elf = loader.elf(path);
      if (elf && !elf->defines_versions.empty() &&
          !is_version_unmet(version, elf->defines_versions)) {
        one.others.push_back(path);
      }
    }
    software_.unmet_versions.push_back(std::move(one));
  }

  Source& source_;
  Machine& machine_;
  Software& software_;
  std::map<std::string, std::string> environment_;
  std::vector<LibraryPath> library_paths_;
  std::set<std::string> unresolved_, unmet_;
};

}  // namespace

bool is_version_unmet(const std::string& version, const std::vector<std::string>& defined) {
  const auto wanted = version_numbers(version);
  if (wanted.empty()) return false;
  const std::string family = version.substr(0, version.rfind('_') + 1);
  bool any = false;
  for (const std::string& one : defined) {
    if (!one.starts_with(family)) continue;
    const auto has = version_numbers(one);
    if (has.empty()) continue;
    if (has >= wanted) return false;
    any = true;
  }
  return any;
}

void read_software(Source& source, Machine& machine, const std::vector<std::string>& python) {
  SoftwareReader(source, machine).read(python);
}

}  // namespace rocvet

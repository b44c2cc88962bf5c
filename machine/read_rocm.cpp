#include "machine/read_rocm.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/gfx_target.h"
#include "formats/library_names.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxRoots = 128;  // a cluster keeps some thirty releases
constexpr std::size_t kMaxKernelFiles = 4096;
constexpr std::size_t kMaxTargets = 128;  // of one library, and folders of them

/// Variables that name a ROCm tree or a folder in it.
constexpr std::size_t kMaxModules = 64;          // files of environment modules
constexpr std::size_t kMaxModule = 65536;        // bytes of one
constexpr std::size_t kMaxSharedObjects = 2048;  // names kept of one tree
constexpr std::size_t kMaxArchives = 64;         // kernel archives of one tree
/// Up to ROCm 5 each component had a folder; later ones left links there.
constexpr const char* kComponentFolders[] = {
    "hip/lib",       "hsa/lib",         "opencl/lib",     "opencl/lib/x86_64", "rocblas/lib",
    "hipblas/lib",   "rocfft/lib",      "rocrand/lib",    "hiprand/lib",       "rocsparse/lib",
    "hipsparse/lib", "rocsolver/lib",   "miopen/lib",     "rccl/lib",          "rocm_smi/lib",
    "roctracer/lib", "hcc/lib",         "hcrng/lib",      "hcblas/lib",        "hcfft/lib",
    "hcsparse/lib",  "rocprofiler/lib", "rocalution/lib", "hipsolver/lib",     "hipfft/lib",
    "oam/lib",       "rdc/lib",         "comgr/lib",      "migraphx/lib"};
constexpr std::string_view kRootVariables[] = {"ROCM_PATH", "ROCM_HOME", "ROCM_ROOT", "HIP_PATH",
                                               "HIP_ROOT_DIR"};

void add_unique(std::vector<std::string>& to, const std::string& value) {
  if (std::find(to.begin(), to.end(), value) == to.end()) to.push_back(value);
}

bool has_runtime(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.starts_with("libamdhip64.so") || name.starts_with("libhsa-runtime64.so");
  });
}

/// A tree of ROCm's own shape; /usr is the distribution's and is looked at apart.
bool looks_like_rocm(Source& source, const std::string& root) {
  if (root == "/" || root == "/usr" || root == "/usr/local") return false;
  if (source.exists(root + "/.info/version")) return true;
  return has_runtime(list_of(source, root + "/lib")) ||
         has_runtime(list_of(source, root + "/lib64"));
}

class RocmReader {
 public:
  RocmReader(Source& source, Loader& loader, const std::map<std::string, std::string>& environment,
             Software& software)
      : source_(source), loader_(loader), environment_(environment), software_(software) {}

  void read() {
    find_below_opt();
    find_by_environment();
    find_in_home();
    find_spack();
    find_modules();
    for (auto& [root, pointed_by] : roots_) read_tree(root, pointed_by);
    read_distribution();
    read_conda(value_of(environment_, "CONDA_PREFIX"), "CONDA_PREFIX");
    find_bitcode();
  }

  void read_conda(const std::string& prefix, const std::string& why) {
    if (!prefix.starts_with('/') || !has_runtime(list_of(source_, prefix + "/lib"))) return;
    const auto known = std::find_if(software_.rocm.begin(), software_.rocm.end(),
                                    [&](const RocmInstall& one) { return one.root == prefix; });
    if (known != software_.rocm.end()) {
      known->owner = RocmOwner::conda;
      return;
    }
    read_tree(prefix, why.empty() ? std::vector<std::string>{} : std::vector<std::string>{why});
    software_.rocm.back().owner = RocmOwner::conda;
  }

 private:
  /// Remembers a tree under its real path.
  void add_root(const std::string& path, const std::string& why) {
    const std::string real = source_.resolve(path).value_or(path);
    const auto found = std::find_if(roots_.begin(), roots_.end(),
                                    [&](const auto& one) { return one.first == real; });
    if (found == roots_.end() && roots_.size() >= kMaxRoots) return;
    std::vector<std::string>& pointed_by =
        found == roots_.end() ? roots_.emplace_back(real, std::vector<std::string>{}).second
                              : found->second;
    if (!why.empty()) add_unique(pointed_by, why);
  }

  void find_below_opt() {
    for (const std::string& name : list_of(source_, "/opt")) {
      const std::string path = "/opt/" + name;
      if (!name.starts_with("rocm")) continue;
      if (name != "rocm") {
        if (!name.starts_with("rocm-")) continue;
        const auto stat = source_.lstat(path);
        if (stat && stat->type == FileStat::Type::link) continue;
        add_root(path, "");
        continue;
      }
      // A link to one version, or the tree itself (Arch), or a folder of core-X.Y (7.9 on).
      const auto stat = source_.lstat(path);
      const bool is_link = stat && stat->type == FileStat::Type::link;
      if (is_link) {
        if (source_.stat(path)) add_root(path, "/opt/rocm");
        continue;
      }
      for (const std::string& inner : list_of(source_, path)) {
        if (inner == "core") {
          add_root(path + "/core", "/opt/rocm");
        } else if (inner.starts_with("core-")) {
          add_root(path + "/" + inner, "");
        }
      }
      if (looks_like_rocm(source_, path)) add_root(path, "/opt/rocm");
    }
  }

  void find_by_environment() {
    for (const std::string_view variable : kRootVariables) {
      const std::string path = value_of(environment_, std::string(variable));
      if (!path.starts_with('/')) continue;
      // HIP_PATH=/opt/rocm/hip is how ROCm 4 and 5 had it.
      for (const std::string& root : {path, std::string(parent_path(path))}) {
        if (!looks_like_rocm(source_, root)) continue;
        add_root(root, std::string(variable));
        break;
      }
      for (const std::string& name : list_of(source_, path)) {
        if (looks_like_rocm(source_, path + "/" + name)) add_root(path + "/" + name, "");
      }
    }
    const auto by_folder = [&](const std::vector<std::string>& folders, const std::string& why) {
      for (const std::string& folder : folders) {
        const std::string root(parent_path(folder));
        if (folder.starts_with('/') && looks_like_rocm(source_, root)) add_root(root, why);
      }
    };
    std::vector<std::string> path;
    const std::string folders = value_of(environment_, "PATH");
    for (const auto part : split(folders, ':')) path.emplace_back(part);
    by_folder(path, "PATH");
    by_folder(loader_.settings().library_path, "LD_LIBRARY_PATH");
    by_folder(software_.loader_path, "ld.so.conf");
  }

  /// Tarballs are unpacked at home, often one folder deep.
  void find_in_home() {
    const std::string home = value_of(environment_, "HOME");
    std::vector<std::string> places{"/usr/local"};
    if (home.starts_with('/') && home != "/") places.push_back(home);
    for (const std::string& place : places) {
      for (const std::string& name : list_of(source_, place)) {
        const std::string small = lower(name);
        if (small.find("rocm") == std::string::npos && small.find("rock") == std::string::npos) {
          continue;
        }
        const std::string path = place + "/" + name;
        if (looks_like_rocm(source_, path)) {
          add_root(path, "");
          continue;
        }
        for (const char* inner : {"install", "dist/rocm", "build/dist/rocm"}) {
          if (looks_like_rocm(source_, path + "/" + inner)) add_root(path + "/" + inner, "");
        }
      }
    }
  }

  /// Spack gives each package a prefix of its own; HIP's stands for the installation.
  void find_spack() {
    std::vector<std::string> bases{"/opt/spack"};
    for (const char* variable : {"SPACK_ROOT", "HOME"}) {
      const std::string value = value_of(environment_, variable);
      if (!value.starts_with('/')) continue;
      bases.push_back(variable == std::string_view("HOME") ? value + "/spack" : value);
    }
    const auto look = [&](const std::string& folder) {
      for (const std::string& name : list_of(source_, folder)) {
        if (name.starts_with("hip-") && name.size() > 4 &&
            std::isdigit(static_cast<unsigned char>(name[4]))) {
          add_root(folder + "/" + name, "");
        }
      }
    };
    for (const std::string& base : bases) {
      const std::string store = base + "/opt/spack";
      for (const std::string& arch : list_of(source_, store)) {
        look(store + "/" + arch);
        for (const std::string& compiler : list_of(source_, store + "/" + arch)) {
          if (compiler.find('@') != std::string::npos || compiler.starts_with("gcc-") ||
              compiler.starts_with("clang-")) {
            look(store + "/" + arch + "/" + compiler);
          }
        }
      }
    }
  }

  /// Modules of HPC centres: "rocm/6.2.0" below MODULEPATH, a file of Tcl or Lua that names a
  /// prefix.
  void find_modules() {
    const std::string loaded = ":" + value_of(environment_, "LOADEDMODULES") + ":";
    const std::string folders = value_of(environment_, "MODULEPATH");
    for (const std::string_view folder : split(folders, ':')) {
      if (!folder.starts_with('/')) continue;
      for (const std::string& name : list_of(source_, std::string(folder))) {
        if (name.find("rocm") == std::string::npos) continue;
        const std::string path = std::string(folder) + "/" + name;
        const auto stat = source_.stat(path);
        if (!stat) continue;
        if (stat->type != FileStat::Type::dir) {
          read_module(path, name, loaded);
          continue;
        }
        for (const std::string& version : list_of(source_, path)) {
          if (!version.starts_with('.'))
            read_module(path + "/" + version, name + "/" + version, loaded);
        }
      }
    }
  }

  void read_module(const std::string& file, std::string name, const std::string& loaded) {
    if (++modules_ > kMaxModules) return;
    const auto text = source_.read_as(FileKind::module_file, file, kMaxModule);
    if (!text) return;
    if (name.ends_with(".lua")) name.resize(name.size() - 4);
    for (const std::string& prefix : prefixes_of_modulefile(*text)) {
      if (!looks_like_rocm(source_, prefix)) continue;
      const bool is_loaded = loaded.find(":" + name + ":") != std::string::npos;
      add_root(prefix, is_loaded ? "module " + name : "");
      return;
    }
  }

  void read_tree(const std::string& root, const std::vector<std::string>& pointed_by) {
    RocmInstall install;
    install.root = root;
    install.pointed_by = pointed_by;
    install.is_default =
        std::find(pointed_by.begin(), pointed_by.end(), "/opt/rocm") != pointed_by.end();
    // Up to ROCm 5 each component had a folder; later ones left links there.
    std::vector<std::string> folders{"lib", "lib64", "lib/migraphx/lib"};
    folders.insert(folders.begin() + 2, std::begin(kComponentFolders), std::end(kComponentFolders));
    for (const std::string& folder : folders) {
      add_libraries(install, root + "/" + folder);
      add_faults(install, root + "/" + folder);
    }
    install.files = shared_objects(source_, root);
    install.missing = missing_parts(install.libraries);
    read_version(install);
    read_owner(install);
    for (const char* folder : {"lib", "lib64", "rocblas/lib"}) {
      read_kernel_targets(source_, root + "/" + folder, root + "/share", install,
                          software_.kernel_files);
    }
    read_kernel_archives(source_, loader_, root, install);
    read_rocblas_kernels(install);
    for (const std::string& folder : bitcode_folders(root)) {
      install.has_device_libs = true;
      add_unique(software_.bitcode, folder);
    }
    install.leftover = install.libraries.empty() && install.version.is_missing();
    if (root.starts_with("/opt/rocm") && install.libraries.empty()) install.leftover = true;
    software_.rocm.push_back(std::move(install));
  }

  /// Trees of AMD's packages before 7.9, and Arch's: later ones split the kernels off, and may
  /// archive them (.kpack). Before 4.0 not all of rocBLAS was in files.
  bool keeps_rocblas_kernels_beside(const RocmInstall& install) {
    if (install.owner != RocmOwner::amd_packages && install.owner != RocmOwner::distro_packages)
      return false;
    const std::vector<std::string_view> parts =
        install.version ? split(*install.version, '.') : std::vector<std::string_view>();
    const unsigned long long major = parts.empty() ? 0 : parse_number(parts[0]).value_or(0);
    const unsigned long long minor = parts.size() < 2 ? 0 : parse_number(parts[1]).value_or(0);
    return major >= 4 && (major < 7 || (major == 7 && minor < 9)) &&
           source_.stat(install.root + "/.kpack").is_missing();
  }

  /// Whether no folder of kernels lies where a rocBLAS in this folder looks.
  bool lacks_rocblas_kernels(const std::string& folder) {
    if (!known_empty(folder + "/rocblas/library") || !known_empty(folder + "/library"))
      return false;
    // Debian puts a version between.
    const std::vector<std::string> names = list_of(source_, folder + "/rocblas");
    return std::none_of(names.begin(), names.end(), [](const std::string& name) {
      return std::isdigit(static_cast<unsigned char>(name[0])) != 0;
    });
  }

  /// It is not there, or has nothing in it.
  bool known_empty(const std::string& folder) {
    const Result<std::vector<std::string>> names = source_.list(folder);
    return names ? names->empty() : source_.stat(folder).is_missing();
  }

  void read_rocblas_kernels(RocmInstall& install) {
    if (!keeps_rocblas_kernels_beside(install)) return;
    bool any = false;
    for (const Library& library : install.libraries) {
      if (parse_library_name(base_name(library.path)).family != "rocblas") continue;
      if (!lacks_rocblas_kernels(std::string(parent_path(library.path))) ||
          !lacks_rocblas_kernels(std::string(parent_path(library.real))))
        return;
      any = true;
    }
    // Of a distribution's folders those of the library are all.
    install.rocblas_kernels_gone =
        any && (install.root == "/usr" || (lacks_rocblas_kernels(install.root + "/lib") &&
                                           lacks_rocblas_kernels(install.root + "/rocblas/lib")));
  }

  void add_libraries(RocmInstall& install, const std::string& folder) {
    for (Library& library : read_rocm_libraries(source_, loader_, folder)) {
      const bool known =
          std::any_of(install.libraries.begin(), install.libraries.end(),
                      [&](const Library& other) { return other.real == library.real; });
      if (!known) install.libraries.push_back(std::move(library));
    }
  }

  /// The soname of one of the runtime's libraries that has another major than the name it is found
  /// under, "libamdhip64.so.6" under "libamdhip64.so.5": somebody's link or copy. "" of any other.
  std::string other_soname(const std::string& path, const LibraryName& called) {
    constexpr std::string_view kRuntime[] = {"amdhip64", "hsa-runtime64", "amd_comgr", "hiprtc",
                                             "rocblas",  "hipblaslt",     "MIOpen"};
    if (std::ranges::find(kRuntime, called.family) == std::end(kRuntime)) return "";
    const Result<ElfSummary>& elf = loader_.elf(path);
    if (!elf) return "";
    const LibraryName its = parse_library_name(elf->soname);
    const bool other =
        its.family == called.family && !its.version.empty() && its.major() != called.major();
    return other ? elf->soname : "";
  }

  /// What is listed under a name that the loader asks for ("librocblas.so.4") and cannot be loaded.
  void add_faults(RocmInstall& install, const std::string& folder) {
    for (const std::string& name : list_of(source_, folder)) {
      const LibraryName parsed = parse_library_name(name);
      if (!name.starts_with("lib") || parsed.version.empty() || !is_rocm_library(parsed.family))
        continue;
      const std::string path = folder + "/" + name;
      const Result<std::string> real = source_.resolve(path);
      const auto stat = source_.lstat(path);
      const bool loops = !real && !real.is(Error::Kind::denied) &&
                         !real.is(Error::Kind::not_captured) && stat &&
                         stat->type == FileStat::Type::link;
      if (real.is_missing() || loops) {
        install.faults.push_back(
            {FileFault::Kind::dangling, path, source_.link(path).value_or("")});
        continue;
      }
      if (!real || !stat) continue;
      if (auto soname = other_soname(path, parsed); !soname.empty()) {
        install.faults.push_back({FileFault::Kind::other_major, path, std::move(soname)});
        continue;
      }
      if (stat->type != FileStat::Type::file) continue;  // the file itself counts
      const Result<ElfSummary>& elf = loader_.elf(path);
      if (elf) continue;
      if (elf.error().kind == Error::Kind::malformed)
        install.faults.push_back({FileFault::Kind::damaged, path, elf.error().text()});
      if (elf.error().kind == Error::Kind::denied)
        install.faults.push_back({FileFault::Kind::unreadable, path, elf.error().text()});
    }
  }

  /// ".../.info/version", else the name of the tree, else the file name of HIP's library.
  void read_version(RocmInstall& install) {
    for (const char* name : {"version", "version-rocm", "version-dev"}) {
      const std::string file = install.root + "/.info/" + name;
      const Result<std::string> text = read_value(source_, file);
      if (!text) continue;
      const std::string version = rocm_version_of(*text);
      install.version_source = file;
      if (version.empty()) {
        install.version = malformed(file, "begins with no version");
      } else {
        install.version = version;
      }
      return;
    }
    const std::string_view name = base_name(install.root);
    const std::size_t dash = name.find('-');
    if (dash != std::string_view::npos) {
      const std::string version = rocm_version_of(name.substr(dash + 1));
      if (version.find('.') != std::string::npos) {
        install.version = version;
        install.version_source = install.root;
        return;
      }
    }
    version_by_hip(install);
  }

  /// libamdhip64.so.6.4.43484 is HIP 6.4: the first two numbers are ROCm's since 5.0.
  void version_by_hip(RocmInstall& install) {
    install.version = missing(install.root, "nothing there says which version it is");
    for (const Library& library : install.libraries) {
      const LibraryName name = parse_library_name(base_name(library.real));
      if (name.family != "amdhip64") continue;
      const auto parts = split(name.version, '.');
      if (parts.size() < 3) continue;
      install.version = std::string(parts[0]) + "." + std::string(parts[1]);
      install.version_source = library.real;
    }
  }

  void read_owner(RocmInstall& install) {
    if (install.root.find("/spack/") != std::string::npos) {
      install.owner = RocmOwner::spack;
      return;
    }
    if (!install.root.starts_with("/opt/rocm")) {
      install.owner = RocmOwner::tarball;
      return;
    }
    if (!software_.packages) return;
    const bool owned = std::any_of(software_.packages->begin(), software_.packages->end(),
                                   [](const Package& package) {
                                     for (const std::string_view stem :
                                          {"rocm-core", "hip-runtime-amd", "hsa-rocr", "amdrocm-",
                                           "hip-base", "hip_base", "hsa-ext-rocr-dev", "rocm-dev",
                                           "rocm-clang-ocl", "hip-hcc", "hip_hcc", "rocblas"}) {
                                       if (package.name.starts_with(stem)) return true;
                                     }
                                     return false;
                                   });
    if (!owned) {
      install.owner = RocmOwner::tarball;
    } else if (software_.package_manager == "pacman") {
      install.owner = RocmOwner::distro_packages;
    } else {
      install.owner = RocmOwner::amd_packages;
    }
  }

  std::vector<std::string> bitcode_folders(const std::string& root) {
    std::vector<std::string> out;
    for (const char* folder : {"amdgcn/bitcode", "lib/llvm/amdgcn/bitcode", "llvm/amdgcn/bitcode",
                               "lib/bitcode", "lib"}) {
      const std::string path = root + "/" + folder;
      if (source_.exists(path + "/ocml.bc") || source_.exists(path + "/ocml.amdgcn.bc")) {
        add_unique(out, source_.resolve(path).value_or(path));
      } else if (const auto stat = source_.stat(path + "/ocml.bc");
                 !stat && stat.error().kind == Error::Kind::denied) {
        add_unique(software_.closed_bitcode, path);
      }
    }
    const std::string clang = root + "/lib/llvm/lib/clang";
    for (const std::string& version : list_of(source_, clang)) {
      for (const char* folder : {"/amdgcn/bitcode", "/lib/amdgcn/bitcode"}) {
        const std::string path = clang + "/" + version + folder;
        if (source_.exists(path + "/ocml.bc")) add_unique(out, path);
      }
    }
    return out;
  }

  /// Debian, Ubuntu, Fedora, openSUSE: in the folders every program uses.
  void read_distribution() {
    RocmInstall install;
    install.root = "/usr";
    install.owner = RocmOwner::distro_packages;
    std::vector<std::string> folders;
    for (const std::string& folder : loader_.settings().default_folders) {
      add_unique(folders, source_.resolve(folder).value_or(folder));
    }
    for (const std::string& folder : folders) add_libraries(install, folder);
    const auto is_runtime = [](const Library& library) {
      const std::string family = parse_library_name(base_name(library.path)).family;
      return family == "amdhip64" || family == "hsa-runtime64";
    };
    for (const std::string& folder : folders) {
      for (const char* below : {"/amdgcn/bitcode", "/rocm/llvm/amdgcn/bitcode"}) {
        if (!source_.exists(folder + below + "/ocml.bc")) continue;
        install.has_device_libs = true;
        add_unique(software_.bitcode, folder + below);
      }
    }
    if (std::none_of(install.libraries.begin(), install.libraries.end(), is_runtime)) return;
    for (const std::string& folder : folders) add_faults(install, folder);
    install.missing = missing_parts(install.libraries);
    version_of_packages(install);
    read_rocblas_kernels(install);
    for (const std::string& folder : folders) {
      read_kernel_targets(source_, folder, "/usr/share", install, software_.kernel_files);
      // Fedora built the libraries once per generation: /usr/lib64/rocm/gfx11/lib.
      for (const std::string& name : list_of(source_, folder + "/rocm")) {
        if (!name.starts_with("gfx")) continue;
        read_kernel_targets(source_, folder + "/rocm/" + name + "/lib", "/usr/share", install,
                            software_.kernel_files);
      }
    }
    software_.rocm.push_back(std::move(install));
  }

  void version_of_packages(RocmInstall& install) {
    // HIP's package first: the runtime below may be of another release (Debian 13: 5.7.1 on 6.1.2).
    for (const std::string_view stem : {"libamdhip64-", "rocm-hip", "hip-runtime-amd", "libamdhip",
                                        "libhsa-runtime64-", "rocm-runtime", "hsa-rocr"}) {
      if (!software_.packages) break;
      for (const Package& package : *software_.packages) {
        if (!package.name.starts_with(stem) || package.name.ends_with("-dev") ||
            package.name.ends_with("-devel") || package.state == "config-files") {
          continue;
        }
        const std::string version = rocm_version_of(package.version);
        if (version.empty()) continue;
        install.version = version;
        install.version_source = package.name;
        return;
      }
    }
    version_by_hip(install);
  }

  void find_bitcode() {
    const std::string named = value_of(environment_, "HIP_DEVICE_LIB_PATH");
    std::vector<std::string> folders{"/usr/lib/amdgcn/bitcode", "/usr/share/amdgcn/bitcode"};
    if (named.starts_with('/')) folders.push_back(named);
    std::vector<std::string> clangs{"/usr/lib/clang", "/usr/lib64/clang"};
    // Debian's compilers have a folder each.
    for (const std::string& name : list_of(source_, "/usr/lib")) {
      if (name.starts_with("llvm-")) clangs.push_back("/usr/lib/" + name + "/lib/clang");
    }
    for (const std::string& base : clangs) {
      for (const std::string& version : list_of(source_, base)) {
        folders.push_back(base + "/" + version + "/amdgcn/bitcode");
        folders.push_back(base + "/" + version + "/lib/amdgcn/bitcode");
      }
    }
    for (const std::string& name : list_of(source_, "/nix/store")) {
      if (name.find("-rocm-device-libs-") != name.npos)
        folders.push_back("/nix/store/" + name + "/amdgcn/bitcode");
    }
    for (const std::string& folder : folders) {
      const auto stat = source_.stat(folder + "/ocml.bc");
      if (stat) add_unique(software_.bitcode, folder);
      if (!stat && stat.error().kind == Error::Kind::denied)
        add_unique(software_.closed_bitcode, folder);
    }
  }

  Source& source_;
  Loader& loader_;
  const std::map<std::string, std::string>& environment_;
  Software& software_;
  std::vector<std::pair<std::string, std::vector<std::string>>> roots_;
  std::size_t modules_ = 0;
};

void add_targets(RocmInstall& install, const std::string& name,
                 const std::vector<std::string>& targets) {
  if (targets.empty()) return;
  std::vector<std::string>& known = install.kernel_targets[name];
  for (const std::string& target : targets) add_unique(known, target);
  std::sort(known.begin(), known.end());
}

}  // namespace

std::string rocm_version_of(std::string_view text) {
  text = trim(text);
  if (const std::size_t epoch = text.find(':'); epoch != std::string_view::npos && epoch < 4) {
    text.remove_prefix(epoch + 1);
  }
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isdigit(static_cast<unsigned char>(text[end])) || text[end] == '.')) {
    ++end;
  }
  std::string_view version = text.substr(0, end);
  while (version.ends_with('.')) version.remove_suffix(1);
  // AMD's packages append their build number: 6.2.0.60200.
  std::string out;
  int parts = 0;
  for (const std::string_view part : split(version, '.')) {
    if (++parts > 3) break;
    if (part.size() >= 5) break;
    out += (out.empty() ? "" : ".") + std::string(part);
  }
  return out;
}

std::vector<Library> read_rocm_libraries(Source& source, Loader& loader,
                                         const std::string& folder) {
  std::vector<Library> out;
  // "libamdhip64.so.6" before "libamdhip64.so" and "libamdhip64.so.6.2.41133": it is what is
  // loaded.
  const auto rank = [](const std::string& version) {
    if (version.empty()) return 1;
    return version.find('.') == std::string::npos ? 0 : 2;
  };
  std::vector<std::pair<int, std::string>> names;
  for (const std::string& name : list_of(source, folder)) {
    if (!name.starts_with("lib")) continue;
    const LibraryName parsed = parse_library_name(name);
    if (is_rocm_library(parsed.family)) names.emplace_back(rank(parsed.version), name);
  }
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::set<std::string> seen;
  for (const auto& [order, name] : names) {
    Library library;
    library.path = folder + "/" + name;
    const Result<std::string> real = source.resolve(library.path);
    if (!real) continue;  // a link to nothing
    library.real = *real;
    if (!seen.insert(library.real).second) continue;
    const Result<ElfSummary>& elf = loader.elf(library.path);
    if (elf) library.elf = *elf;
    if (!elf && elf.error().kind == Error::Kind::malformed) continue;  // a linker script
    out.push_back(std::move(library));
  }
  std::sort(out.begin(), out.end(),
            [](const Library& a, const Library& b) { return a.path < b.path; });
  return out;
}

/// Spack gives each component a prefix of its own: those beside HIP's that are of ROCm.
std::vector<std::string> spack_neighbours(Source& source, const std::string& root) {
  constexpr std::string_view kOfRocm[] = {"roc",  "hip",    "hsa",      "comgr",      "miopen",
                                          "rccl", "amdsmi", "migraphx", "llvm-amdgpu"};
  std::vector<std::string> prefixes;
  if (root.find("/spack/") == std::string::npos) return prefixes;
  const std::string store(parent_path(root));
  for (const std::string& name : list_of(source, store)) {
    const bool of_rocm = std::ranges::any_of(
        kOfRocm, [&](std::string_view begins) { return name.starts_with(begins); });
    if (of_rocm && store + "/" + name != root) prefixes.push_back(store + "/" + name);
  }
  return prefixes;
}

std::vector<std::string> shared_objects(Source& source, const std::string& root) {
  std::vector<std::string> out;
  const auto take = [&](const std::string& folder, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (parse_library_name(name).family.empty() || out.size() >= kMaxSharedObjects) continue;
      out.push_back(folder + "/" + name);
    }
  };
  const std::vector<std::string> in_lib = list_of(source, root + "/lib");
  take(root + "/lib", in_lib);
  // LLVM's runtimes (libomp) may lie in a folder for each target.
  for (const char* below :
       {"/lib64", "/lib/llvm/lib", "/llvm/lib", "/lib/llvm/lib/x86_64-unknown-linux-gnu",
        "/llvm/lib/x86_64-unknown-linux-gnu"})
    take(root + below, list_of(source, root + below));
  // Components keep libraries of their own below lib, which no loader searches by itself:
  // lib/migraphx/lib, lib/rocm_sysdeps/lib, lib/rocprofiler-sdk. /usr/lib holds the whole system.
  const bool own_tree = !root.starts_with("/usr");
  for (const std::string& name : in_lib) {
    if (!own_tree || name.find('.') != std::string::npos || name == "llvm" || name == "cmake")
      continue;
    const std::string folder = root + "/lib/" + name;
    take(folder, list_of(source, folder));
    take(folder + "/lib", list_of(source, folder + "/lib"));
  }
  for (const std::string& prefix : spack_neighbours(source, root)) {
    for (const char* below : {"/lib", "/roctracer/lib"})
      take(prefix + below, list_of(source, prefix + below));
  }
  // Up to ROCm 5 each component had a folder of its own, which no loader searches by itself; a link
  // there that leads to nothing is no file.
  for (const char* below : kComponentFolders) {
    const std::string folder = root + "/" + below;
    for (const std::string& name : list_of(source, folder)) {
      if (parse_library_name(name).family.empty() || out.size() >= kMaxSharedObjects) continue;
      if (source.resolve(folder + "/" + name)) out.push_back(folder + "/" + name);
    }
  }
  return out;
}

std::vector<std::string> targets_of_file_names(Source& source, const std::string& folder) {
  std::set<std::string> targets;
  for (const std::string& name : list_of(source, folder)) {
    if (targets.size() >= kMaxTargets) break;
    // A folder per target (hipBLASLt since 7.1) says so by its own name.
    if (const std::string target = gfx_of_file_name(name); !target.empty()) targets.insert(target);
  }
  return {targets.begin(), targets.end()};
}

std::vector<std::string> targets_of_miopen_files(Source& source, const std::string& folder) {
  std::set<std::string> targets;
  for (const std::string& name : list_of(source, folder)) {
    if (!name.starts_with("gfx")) continue;
    const std::string target = gfx_of_miopen_file(name);
    if (!target.empty() && targets.size() < kMaxTargets) targets.insert(target);
  }
  return {targets.begin(), targets.end()};
}

void read_kernel_targets(Source& source, const std::string& library_folder,
                         const std::string& data_folder, RocmInstall& install,
                         std::map<std::string, std::vector<std::string>>& kernel_files) {
  std::vector<std::pair<std::string, std::string>> folders{
      {"rocblas", library_folder + "/rocblas/library"},
      {"hipblaslt", library_folder + "/hipblaslt/library"},
      {"rocblas", library_folder + "/library"}};  // ROCm before 5.2, below rocblas/lib
  // Debian puts a version between: rocblas/4.4.0/library.
  for (const std::string& name : list_of(source, library_folder + "/rocblas")) {
    if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0]))) {
      folders.emplace_back("rocblas", library_folder + "/rocblas/" + name + "/library");
    }
  }
  for (const auto& [name, folder] : folders) {
    add_targets(install, name, targets_of_file_names(source, folder));
    // A tree is read once, so no path comes twice.
    std::vector<std::string>& files = kernel_files[name];
    const auto keep = [&](const std::string& path) {
      if (files.size() < kMaxKernelFiles) files.push_back(path);
    };
    std::size_t target_folders = 0;
    for (const std::string& file : list_of(source, folder)) {
      if (file.find("_lazy_") != std::string::npos) keep(folder + "/" + file);
      if (!file.starts_with("gfx") || ++target_folders > kMaxTargets) continue;
      for (const std::string& inner : list_of(source, folder + "/" + file)) {
        if (inner.find("_lazy_") != std::string::npos) keep(folder + "/" + file + "/" + inner);
      }
    }
    if (files.empty()) kernel_files.erase(name);
  }
  for (const std::string& folder :
       {data_folder + "/miopen/db", data_folder + "/../miopen/share/miopen/db"}) {
    add_targets(install, "miopen", targets_of_miopen_files(source, folder));
  }
}

std::vector<std::string> missing_parts(const std::vector<Library>& libraries) {
  bool hip = false, hsa = false, comgr = false;
  for (const Library& library : libraries) {
    const std::string family = parse_library_name(base_name(library.path)).family;
    hip = hip || family == "amdhip64";
    hsa = hsa || family == "hsa-runtime64";
    comgr = comgr || family == "amd_comgr";
  }
  std::vector<std::string> out;
  if (!hip) out.emplace_back("HIP");
  if (!hsa) out.emplace_back("HSA");
  if (!comgr) out.emplace_back("comgr");
  return out;
}

void read_rocm(Source& source, Loader& loader,
               const std::map<std::string, std::string>& environment, Software& software) {
  RocmReader(source, loader, environment, software).read();
  const bool in_core = std::any_of(
      software.rocm.begin(), software.rocm.end(),
      [](const RocmInstall& install) { return install.root.starts_with("/opt/rocm/core"); });
  const auto gone = [&](const char* path) { return source.stat(path).is_missing(); };
  software.core_links_missing = in_core && gone("/opt/rocm/bin") && gone("/opt/rocm/lib");
}

void read_kernel_archives(Source& source, Loader& loader, const std::string& root,
                          RocmInstall& install) {
  std::size_t count = 0;
  for (const std::string& name : list_of(source, root + "/.kpack")) {
    if (!name.ends_with(".kpack") || ++count > kMaxArchives) continue;
    const Result<ElfSummary>& archive = loader.elf(root + "/.kpack/" + name);
    if (archive) add_targets(install, "kpack", archive->gfx);
  }
}

void read_rocm_of_conda(Source& source, Loader& loader,
                        const std::map<std::string, std::string>& environment,
                        const std::string& root, Software& software) {
  RocmReader(source, loader, environment, software).read_conda(root, "");
}

std::vector<std::string> prefixes_of_modulefile(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view line : lines_of(text)) {
    const std::string_view bare = trim(line);
    if (bare.starts_with('#') || bare.starts_with("--")) continue;
    std::size_t at = 0;
    while ((at = bare.find('/', at)) != std::string_view::npos) {
      const bool begins =
          at == 0 || std::string_view(" \t\"'({[,=:").find(bare[at - 1]) != std::string_view::npos;
      const std::size_t end = std::min(bare.find_first_of(" \t\"')}],:;", at), bare.size());
      std::string path(bare.substr(at, end - at));
      at = end;
      if (!begins || path.find('$') != std::string::npos) continue;
      for (const char* below : {"/bin", "/lib", "/lib64", "/include", "/share"}) {
        if (const std::size_t cut = path.find(std::string(below)); cut != std::string::npos) {
          const std::size_t after = cut + std::string_view(below).size();
          if (after == path.size() || path[after] == '/') path.resize(cut);
        }
      }
      while (path.size() > 1 && path.ends_with('/')) path.pop_back();
      if (path.size() > 1) add_unique(out, path);
    }
  }
  return out;
}

}  // namespace rocvet

#include "machine/read_extensions.h"

#include <algorithm>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/library_names.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxPackageFolders =
    768;                                    // listed below the site-packages of one environment
constexpr std::size_t kMaxExtensions = 96;  // whose ELF headers are read for one environment
constexpr std::size_t kMaxHostLibraries = 64;
constexpr std::size_t kMaxTrees = 8;  // that one .pth file names
constexpr int kMaxPackageDepth = 3;   // cupy_backends/cuda/api

// Where packages keep compiled modules when not in their own folder.
constexpr std::string_view kInner[] = {"_C",   "_core", "api", "backends", "core", "csrc",
                                       "cuda", "ext",   "hip", "kernels",  "jit",  "lib",
                                       "libs", "lib64", "ops", "rocm"};
// Read as frameworks, or large and known to have no code for a GPU.
constexpr std::string_view kNotHere[] = {
    "torch",      "triton", "jax",     "transformers", "numpy",      "scipy",   "PIL",
    "matplotlib", "pandas", "sklearn", "pip",          "setuptools", "skimage", "statsmodels"};

template <typename List>
bool is_one_of(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

/// It asks for ROCm itself, or for the part of PyTorch that is built for it.
bool asks_for_rocm(const Library& library) {
  const std::vector<std::string>& needed = library.elf.needed;
  return needs_rocm(library) ||
         std::any_of(needed.begin(), needed.end(), [](const std::string& name) {
           const std::string family = parse_library_name(name).family;
           return family == "torch_hip" || family == "c10_hip";
         });
}

class ExtensionReader {
 public:
  ExtensionReader(Source& source, Loader& loader, PythonEnvironment& environment)
      : source_(source), loader_(loader), environment_(environment) {
    for (const Framework& framework : environment.frameworks) {
      for (const Library& library : framework.libraries) seen_.insert(library.real);
    }
  }

  void read() {
    for (const std::string& site : environment_.site_packages) {
      const std::vector<std::string> names = list_of(source_, site);
      for (const std::string& name : names) {
        if (name.ends_with(".so")) add(site + "/" + name);
      }
      read_packages(site, names);
      for (const std::string& name : names) {
        if (!name.ends_with(".pth")) continue;
        for (const std::string& tree : trees_of(site + "/" + name))
          read_packages(tree, list_of(source_, tree));
      }
    }
  }

 private:
  /// The source trees that a .pth file adds to sys.path, as `pip install -e` leaves one: its lines
  /// that are absolute folders.
  std::vector<std::string> trees_of(const std::string& path) {
    std::vector<std::string> trees;
    const auto text = source_.read(path);
    if (!text) return trees;
    for (const std::string_view line : split(*text, '\n')) {
      const std::string tree(trim(line));
      if (tree.size() > 1 && tree.starts_with('/') && trees.size() < kMaxTrees)
        trees.push_back(tree);
    }
    return trees;
  }

  void read_packages(const std::string& folder, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (name.find('.') == name.npos && !name.starts_with("__") &&
          !name.starts_with("_rocm_sdk") && !is_one_of(kNotHere, name))
        read_folder(folder + "/" + name, 1);
    }
  }

  void read_folder(const std::string& folder, int depth) {
    if (++folders_ > kMaxPackageFolders) return;
    const std::vector<std::string> names = list_of(source_, folder);
    for (const std::string& name : names) {
      if (name.ends_with(".so")) add(folder + "/" + name);
    }
    if (depth == kMaxPackageDepth) return;
    for (const std::string& name : names) {
      // jax_plugins/xla_rocm7, onnxruntime_rocm
      const bool of_rocm = name.find("rocm") != name.npos && name.find('.') == name.npos;
      if (of_rocm || is_one_of(kInner, name)) read_folder(folder + "/" + name, depth + 1);
    }
  }

  void add(const std::string& path) {
    // What a wheel brings of ROCm is loaded for others, and is no module.
    const std::string name = path.substr(path.rfind('/') + 1);
    if (files_ >= kMaxExtensions || is_rocm_library(parse_library_name(name).family)) return;
    const Result<std::string> real = source_.resolve(path);
    if (!real || !seen_.insert(*real).second) return;
    ++files_;
    const Result<ElfSummary>& elf = loader_.elf(path);
    if (!elf) return;
    Library library{path, *real, *elf};
    if (asks_for_rocm(library)) environment_.extensions.push_back(std::move(library));
  }

  Source& source_;
  Loader& loader_;
  PythonEnvironment& environment_;
  std::set<std::string> seen_;
  std::size_t folders_ = 0, files_ = 0;
};

}  // namespace

bool needs_rocm(const Library& library) {
  const std::vector<std::string>& needed = library.elf.needed;
  return !library.elf.gfx.empty() ||
         std::any_of(needed.begin(), needed.end(), [](const std::string& name) {
           return is_rocm_library(parse_library_name(name).family);
         });
}

void read_extensions(Source& source, Loader& loader, PythonEnvironment& environment) {
  // The distribution's own folder has hundreds of packages, and none for a GPU without a framework.
  if (environment.frameworks.empty() && environment.kind == "system") return;
  ExtensionReader(source, loader, environment).read();
}

std::vector<Library> read_host_libraries(Source& source, Loader& loader) {
  std::vector<Library> out;
  const std::string folder(kHostLibraries);
  for (const std::string& name : list_of(source, folder)) {
    const LibraryName parsed = parse_library_name(name);
    if (!is_rocm_library(parsed.family) || parsed.version.empty()) continue;
    if (out.size() >= kMaxHostLibraries) break;
    Library library{folder + "/" + name, folder + "/" + name, {}};
    if (const Result<ElfSummary>& elf = loader.elf(library.path)) library.elf = *elf;
    out.push_back(std::move(library));
  }
  return out;
}

}  // namespace rocvet

#include "machine/read_package_files.h"

#include <algorithm>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/release_tree.h"

namespace rocvet {
namespace {

// How ROCm's packages begin, by AMD's names and by those of the distributions; their development
// files and the 32-bit ones go along, since a list of them is as good.
constexpr std::string_view kPackages[] = {
    "rocm",         "hip",        "hsa",       "comgr",       "amd-smi",       "rccl",
    "llvm-amdgpu",  "miopen",     "migraphx",  "rocblas",     "rocfft",        "rocrand",
    "rocsolver",    "rocsparse",  "rocinfo",   "rocprof",     "roctracer",     "rocalution",
    "amdrocm-",     "libamdhip",  "libamd-c",  "libamd-smi",  "libamd-device", "libhsa",
    "librocm",      "librocblas", "librocfft", "librocrand",  "librocsolver",  "librocsparse",
    "libhip",       "librccl",    "libmiopen", "libmigraphx", "librocprof",    "libroctracer",
    "librocalution"};
constexpr std::size_t kMaxList = 4u << 20;

/// The file that lists a package's files, or why there is none.
Result<std::string> list_of(Source& source, const Software& software, const Package& package) {
  if (software.package_manager == "pacman") {
    return source.read("/var/lib/pacman/local/" + package.name + "-" + package.version + "/files",
                       kMaxList);
  }
  const std::string start = "/var/lib/dpkg/info/" + package.name;
  auto text = source.read(start + ":" + package.arch + ".list", kMaxList);
  return text ? std::move(text) : source.read(start + ".list", kMaxList);
}

/// What dpkg was told to put elsewhere: three lines each, from, to and the package.
std::set<std::string> diverted(Source& source) {
  std::set<std::string> out;
  const auto text = source.read("/var/lib/dpkg/diversions", kMaxList);
  if (!text) return out;
  std::size_t at = 0;
  for (const std::string_view line : lines_of(*text)) {
    if (at++ % 3 == 0) out.emplace(line);
  }
  return out;
}

/// Leaves out what a tree below /opt has by that name: what somebody moved there is not gone.
void drop_moved(const Software& software, std::vector<PackageFileGone>& gone) {
  if (gone.empty()) return;
  std::set<std::string_view> names;
  for (const RocmInstall& rocm : software.rocm) {
    if (!rocm.root.starts_with("/opt/")) continue;
    for (const std::string& file : rocm.files) names.insert(base_name(file));
    for (const Library& library : rocm.libraries) names.insert(base_name(library.path));
  }
  std::erase_if(gone, [&](const PackageFileGone& file) {
    return !file.data_folder && names.contains(base_name(file.path));
  });
}

}  // namespace

bool is_package_of_rocm(std::string_view name) {
  return std::any_of(std::begin(kPackages), std::end(kPackages),
                     [&](std::string_view begins) { return name.starts_with(begins); });
}

bool is_working_file(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view folder = path.substr(0, slash), name = path.substr(slash + 1);
  if (path.find("/doc/") != std::string_view::npos) return false;
  // What is configured is its admin's to take away.
  if (path.starts_with("/etc/")) return false;
  return name.ends_with(".so") || name.find(".so.") != std::string_view::npos ||
         name.ends_with(".bc") || name.ends_with(".icd") || folder.ends_with("/bin");
}

bool is_data_folder(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  const bool kernels = path.find("/rocblas/") != path.npos || path.find("/hipblaslt/") != path.npos;
  return (kernels && path.ends_with("/library")) || path.ends_with("/miopen/db");
}

std::vector<std::string> parse_package_files(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with('%')) {
      if (line != "%FILES%") break;  // pacman's %BACKUP% behind it
      continue;
    }
    if (line.empty() || (line.ends_with('/') && !is_data_folder(line))) continue;
    out.push_back(line.starts_with('/') ? std::string(line) : "/" + std::string(line));
    if (out.back().ends_with('/')) out.back().pop_back();
  }
  return out;
}

Result<PackageFiles> read_package_files(Source& source, const Software& software) {
  if (!software.packages) return software.packages.error();
  if (software.package_manager != "dpkg" && software.package_manager != "pacman") {
    return missing("file lists of packages", "are not kept in files here");
  }
  PackageFiles out;
  const std::set<std::string> elsewhere = diverted(source);
  for (const Package& package : *software.packages) {
    if (package.state != "installed" || !is_package_of_rocm(package.name)) continue;
    const auto list = list_of(source, software, package);
    if (!list) continue;
    ++out.packages;
    std::set<std::string, std::less<>> trees;
    for (const std::string& path : parse_package_files(*list)) {
      const bool data = is_data_folder(path);
      if ((!data && !is_working_file(path)) || elsewhere.contains(path)) continue;
      trees.emplace(release_tree_of(path));
      // A link that leads nowhere is there: what it leads to is another package's.
      const auto stat = source.lstat(path);
      if (stat) {
        ++out.present;
      } else if (stat.is_missing()) {
        out.gone.push_back({package.name, path, data});
      }
    }
    if (trees.size() == 1 && !trees.begin()->empty())
      out.trees.emplace_back(package.name, *trees.begin());
  }
  drop_moved(software, out.gone);
  return out;
}

}  // namespace rocvet

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"
#include "db/version.h"
#include "formats/release_tree.h"

namespace rocvet {
namespace {

constexpr std::string_view kRocmFilesFaultyDoc = R"(
## What it looks for
Runtime libraries of each ROCm tree under the names that the loader asks for: links that lead to no
file, files that are no valid ELF (cut short, empty), files that this user may not read, and those
that somebody gave another major's name (libamdhip64.so.5 that is libamdhip64.so.6). And, with dpkg
and pacman, libraries, programs, device bitcode and folders of kernels that an installed ROCm package holds by the
package manager's own list and that are not on the disk. And packages whose files an upgrade left in the tree
of a former release.

## Why it matters
Its package counts as installed, and every program that needs the library ends with "cannot open
shared object file", "file too short", "invalid ELF header" or a bus error.

## How to mend it
Reinstall the package that owns the file. Of another major's name: remove it, and install what has
the library that is asked for.

## Not this
A library that was never installed: RV501. A folder that the loader does not search.

## References
- https://man7.org/linux/man-pages/man8/ld.so.8.html
- https://man7.org/linux/man-pages/man1/dpkg.1.html
)";

constexpr std::size_t kMostFilesShown = 6;

struct Kind {
  FileFault::Kind kind;
  ObservationName seen;
  std::string_view summary, word;
};
const Kind kKinds[] = {
    {FileFault::Kind::dangling, "rocm-library-file-gone",
     "files of installed ROCm libraries are not on the disk", "leads to no file: "},
    {FileFault::Kind::damaged, "rocm-library-damaged", "ROCm libraries on the disk are damaged",
     "is no valid library: "},
    {FileFault::Kind::unreadable, "rocm-library-unreadable",
     "this user may not read ROCm libraries", "may not be read: "},
    {FileFault::Kind::other_major, "rocm-library-under-another-major",
     "a ROCm library has the name of another release's", "is in truth "},
};

/// A link that gives a library another major's name may do for what it was made for.
bool may_be_wanted(FileFault::Kind kind) {
  return kind == FileFault::Kind::other_major;
}

Step step_for(FileFault::Kind kind) {
  if (kind == FileFault::Kind::other_major)
    return "take that name away, and install the package of the release that has this library";
  return "reinstall the package that owns the file (dpkg -S, rpm -qf)";
}

Step reinstall(const Machine& machine, const std::string& package) {
  if (family(machine) == Family::pacman) return Step("sudo pacman -S {}", package);
  if (family(machine) == Family::apt) return Step("sudo apt install --reinstall {}", package);
  return Step("reinstall the package {}", package);
}

/// What a program said: the application's log, and what the runtimes answered rocvet's probes.
std::string said(const Context& context) {
  std::string all(spoken_lower(context));
  if (!context.machine.deep) return all;
  for (const DeepProbe& probe : context.machine.deep->probes) {
    if (probe.outcome != DeepProbe::Outcome::works)
      all += "\n" + lower(probe.why) + "\n" + lower(probe.words);
  }
  return all;
}

/// What may be a file's name or a linker's option in it. A list of a package may hold thousands:
/// it is read once for all.
std::set<std::string, std::less<>> names_in(std::string_view said) {
  std::set<std::string, std::less<>> names;
  std::string name;
  const auto finish = [&] {
    while (name.ends_with('.')) name.pop_back();
    if (!name.empty()) names.insert(std::move(name));
    name.clear();
  };
  for (const char c : said) {
    const bool of_name = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' ||
                         c == '-' || c == '+';
    if (of_name)
      name += c;
    else
      finish();
  }
  finish();
  return names;
}

/// ".../rocblas/library" -> "rocblas/library": a folder's own name is a common word. What a
/// distribution has by its release, ".../rocblas/4.4.1/library", the library calls that too.
std::string with_parent(std::string_view folder) {
  const std::vector<std::string_view> parts = split(folder, '/');
  const auto parent = std::find_if(parts.rbegin() + 1, parts.rend(), [](std::string_view part) {
    return !part.empty() && !is_digit(part.front());
  });
  if (parent == parts.rend()) return std::string(folder);
  return std::string(*parent) + "/" + std::string(parts.back());
}

/// Whether what was said speaks of the file, by its name or as a linker does.
bool is_named(const std::set<std::string, std::less<>>& names, std::string_view path) {
  const std::string name = lower(base_name(path));
  if (names.contains(name)) return true;
  const std::size_t end = name.find(".so");
  return name.starts_with("lib") && end != name.npos &&
         names.contains("-l" + name.substr(3, end - 3));
}

/// What the package manager unpacked and is not there now. A warning: somebody may have taken out
/// what they do not use, and what a program does need is told by those who look at programs.
void judge_packages(const Context& context, std::vector<Finding>& findings) {
  const Machine& machine = context.machine;
  const auto& files = machine.software.package_files;
  if (!files || files->gone.empty()) return;
  std::vector<std::string> evidence;
  std::set<std::string> packages;
  const std::string words = said(context);
  const auto names = names_in(words);
  bool named = false;
  for (const PackageFileGone& file : files->gone) {
    packages.insert(file.package);
    named |= file.data_folder ? words.find(lower(with_parent(file.path))) != words.npos ||
                                    words.find(lower(file.path)) != words.npos
                              : is_named(names, file.path);
    if (evidence.size() < kMostFilesShown) {
      evidence.push_back(file.path + " of the package " + file.package + " is not on the disk");
    }
  }
  std::vector<Step> steps;
  steps.reserve(packages.size());
  for (const std::string& package : packages) steps.push_back(reinstall(machine, package));
  const std::size_t gone = files->gone.size();
  findings.push_back(Say(named ? Verdict::fail : Verdict::warn,
                         gone == 1
                             ? "a file of an installed ROCm package is not on "
                               "the disk"
                             : std::to_string(gone) + " files of installed ROCm packages are not "
                                                      "on the disk")
                         .saw(evidence)
                         .sees("package-file-gone")
                         .fix(steps)
                         .root());
}

/// The tree that /opt/rocm leads to: "/opt/rocm-6.2.0"; "" when there is none.
std::string default_tree(const Machine& machine) {
  for (const RocmInstall& install : machine.software.rocm) {
    if (install.is_default && !release_tree_of(install.root).empty()) return install.root;
  }
  return "";
}

/// An upgrade that left a package where the former release was: packages of a release beside
/// another have its number in their names, these have none.
void judge_trees(const Context& context, std::vector<Finding>& findings) {
  const Machine& machine = context.machine;
  const auto& files = machine.software.package_files;
  const std::string here = default_tree(machine);
  if (!files || here.empty()) return;
  const auto now = Version::parse(release_of_tree(here));
  std::vector<std::string> evidence;
  std::vector<Step> steps;
  for (const auto& [package, tree] : files->trees) {
    const std::string_view number = release_of_tree(tree);
    if (tree == here || package.find(number) != package.npos) continue;
    const auto old = Version::parse(number);
    if (!old || !now || !(*old < *now)) continue;
    std::string line = package;
    line.append(" has its files in ").append(tree).append("; /opt/rocm is ").append(here);
    evidence.push_back(std::move(line));
    steps.push_back(reinstall(machine, package));
  }
  if (evidence.empty()) return;
  findings.push_back(warning("packages of ROCm stayed in the tree of a former release")
                         .saw(evidence)
                         .sees("rocm-package-left-in-older-tree")
                         .fix(steps)
                         .root());
}

std::vector<Finding> run_rocm_files_faulty(const Context& context) {
  const auto& installs = context.machine.software.rocm;
  std::vector<Finding> findings;
  judge_packages(context, findings);
  judge_trees(context, findings);
  if (installs.empty() && findings.empty()) return {none_here("no ROCm was found")};
  std::size_t libraries = 0;
  for (const RocmInstall& install : installs) {
    libraries += install.libraries.size();
    for (const Kind& kind : kKinds) {
      std::vector<std::string> evidence;
      for (const FileFault& fault : install.faults) {
        if (fault.kind != kind.kind || evidence.size() == kMostFilesShown) continue;
        evidence.push_back(fault.path + " " + std::string(kind.word) + fault.detail);
      }
      if (evidence.empty()) continue;
      findings.push_back(Say(install.leftover           ? Verdict::pass
                             : may_be_wanted(kind.kind) ? Verdict::warn
                                                        : Verdict::fail,
                             std::string(kind.summary))
                             .about(install.root)
                             .saw(evidence)
                             .sees(kind.seen)
                             .fix({step_for(kind.kind)})
                             .root());
    }
  }
  return or_pass(std::move(findings),
                 "none of " + std::to_string(libraries) + " libraries of ROCm is faulty");
}

}  // namespace

extern const Check kRocmFilesFaulty;
constinit const Check kRocmFilesFaulty{
    .code = "RV419",
    .id = "rocm-files-faulty",
    .topic = "installation",
    .title = "Files of an installed ROCm are gone, damaged or closed",
    .doc = kRocmFilesFaultyDoc,
    .run = run_rocm_files_faulty};

}  // namespace rocvet

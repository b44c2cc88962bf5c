#include <algorithm>
#include <map>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/core_libraries.h"
#include "checks/facts/situation.h"

namespace rocvet {
namespace {

constexpr std::string_view kTwoRocmsInOneProcessDoc = R"(
## What it looks for
The dynamic loader's search replayed for HIP, each framework and each application, with this
process's LD_LIBRARY_PATH: whether libamdhip64, libhsa-runtime64, libamd_comgr and libhiprtc come
from one ROCm, or from two releases; whether a process gets two copies of one.

## Why it matters
These four are built for each other. ROCr of one release below HIP of another gives undefined
symbols, wrong code object versions and crashes in hipInit; two copies of HIP each have their own
streams and memory.

## How to mend it
One ROCm in LD_LIBRARY_PATH, and nothing where the loader's cache leads to the right one:
`unset LD_LIBRARY_PATH`. The finding names, for each library, the copy that wins and who lost.

## Not this
Several releases side by side that no process mixes: RV402.

## References
- https://man7.org/linux/man-pages/man8/ld.so.8.html
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/post-install.html
)";

/// The installation that a file belongs to: the longest root above it.
const RocmInstall* install_of(const Machine& machine, const LoadedLibrary& library) {
  const RocmInstall* best = nullptr;
  for (const RocmInstall& install : machine.software.rocm) {
    if (!install.version || install.root.empty()) continue;
    const std::string folder = install.root + "/";
    if (!library.real.starts_with(folder) && !library.path.starts_with(folder)) continue;
    if (best == nullptr || best->root.size() < install.root.size()) best = &install;
  }
  return best;
}

/// Whether a program would get another library in place of this one, were there no LD_LIBRARY_PATH:
/// one that the loader's replay found, or a copy in a tree that others of its libraries are from.
bool displaces_another(const Machine& machine, const ProcessLibraries& process,
                       const LoadedLibrary& library) {
  if (std::ranges::any_of(machine.software.displaced, [&](const DisplacedLibrary& one) {
        return one.program == process.program && one.taken == library.path &&
               !one.otherwise.empty();
      }))
    return true;
  const RocmInstall* its = install_of(machine, library);
  return std::ranges::any_of(process.libraries, [&](const LoadedLibrary& beside) {
    const RocmInstall* other = install_of(machine, beside);
    return other != nullptr && other != its && beside.via != "LD_LIBRARY_PATH" &&
           std::ranges::any_of(other->libraries, [&](const Library& copy) {
             return !library.soname.empty() && copy.elf.soname == library.soname;
           });
  });
}

/// Whether LD_LIBRARY_PATH alone makes the mixture: without it the program would get a library of
/// one of the other releases in place of each that comes by the variable.
bool is_made_by_variable(const Machine& machine, const ProcessLibraries& process) {
  bool any = false;
  for (const LoadedLibrary& library : process.libraries) {
    if (!is_core_family(family_of(library)) || library.via != "LD_LIBRARY_PATH") continue;
    if (!displaces_another(machine, process, library)) return false;
    any = true;
  }
  return any;
}

Finding judge(const Machine& machine, const ProcessLibraries& process) {
  std::map<std::string, std::vector<const RocmInstall*>> releases;
  std::vector<std::string> evidence;
  bool by_variable = false, of_distribution = false;
  for (const LoadedLibrary& library : process.libraries) {
    if (!is_core_family(family_of(library))) continue;
    const RocmInstall* install = install_of(machine, library);
    if (install == nullptr) continue;
    releases[series_of(*install->version)].push_back(install);
    by_variable |= library.via == "LD_LIBRARY_PATH";
    of_distribution |= install->owner == RocmOwner::distro_packages;
    evidence.push_back((library.soname.empty() ? library.path : library.soname) + ": " +
                       library.path + " (ROCm " + *install->version +
                       (library.via.empty() ? "" : ", by " + library.via) + ")");
    // Copies of the same name in the other trees: they lost.
    for (const RocmInstall& other : machine.software.rocm) {
      for (const Library& copy : other.libraries) {
        if (&other == install || library.soname.empty() || copy.elf.soname != library.soname ||
            copy.real == library.real)
          continue;
        evidence.back() += ", not " + copy.path;
        break;
      }
    }
  }
  std::vector<std::string> twice;
  for (const RuntimeClash& clash : process.clashes) {
    if (is_core_family(clash.family))
      twice.push_back("lib" + clash.family + ": " + join(clash.paths, ", "));
  }
  if (releases.size() < 2 && twice.empty()) return pass(process.program);
  std::vector<std::string> names;
  std::vector<std::string> majors;
  for (const auto& [release, installs] : releases) {
    names.push_back(release);
    const std::string major = release.substr(0, release.find('.'));
    if (std::count(majors.begin(), majors.end(), major) == 0) majors.push_back(major);
  }
  const std::string what =
      releases.size() > 1
          ? "libraries of ROCm " + join(names, " and ") + " would meet in one process"
          : "a library of ROCm would be loaded twice in one process";
  Finding said =
      (majors.size() > 1 || !twice.empty() ? failing(what) : warning(what))
          .about(process.program)
          .saw(evidence)
          .saw(twice)
          .sees(is_made_by_variable(machine, process)
                    ? ObservationName("two-rocms-by-the-library-path")
                : of_distribution ? ObservationName("two-rocms-in-a-process-one-of-distribution")
                                  : ObservationName("two-rocms-in-a-process"));
  if (by_variable) said.remedy.steps = {"unset LD_LIBRARY_PATH   # or leave one ROCm in it"};
  return said;
}

std::vector<Finding> run_two_rocms_in_one_process(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.software.processes.empty()) return {none_here("no program here loads ROCm")};
  std::vector<Finding> findings;
  for (const ProcessLibraries& process : machine.software.processes) {
    Finding said = judge(machine, process);
    if (said.verdict != Verdict::pass && findings.size() < 6) findings.push_back(std::move(said));
  }
  return or_pass(std::move(findings), "each program loads one ROCm");
}

}  // namespace

extern const Check kTwoRocmsInOneProcess;
constinit const Check kTwoRocmsInOneProcess{
    .code = "RV521",
    .id = "two-rocms-in-one-process",
    .topic = "runtime",
    .title = "One process would load libraries of two ROCm releases",
    .doc = kTwoRocmsInOneProcessDoc,
    .run = run_two_rocms_in_one_process};

}  // namespace rocvet

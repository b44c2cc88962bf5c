#include <algorithm>

#include "base/path_walk.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/core_libraries.h"
#include "checks/facts/environment.h"
#include "checks/logs/app_errors.h"
#include "formats/library_names.h"
#include "machine/loader.h"

namespace rocvet {
namespace {

constexpr std::string_view kCoreLibraryFromElsewhereDoc = R"(
## What it looks for
For each program, framework and application, and for HIP alone, the files that the loader would
take for HIP, ROCr, comgr and hipRTC: whether one of them comes from outside the folder that HIP
comes from, though a copy lies there, and what brings it: LD_PRELOAD, LD_LIBRARY_PATH, the host's
libraries that Apptainer binds, or the program's own search path.

## Why it matters
HIP calls functions of the ROCr that it was released with. An older one lacks some of them: the
program ends with "undefined symbol: hsa_…", or sees no GPU.

## How to mend it
Take the copy out of the way, or out of the variable.

## Not this
Two complete releases that meet in a process: RV521. A package that is older than the others: RV426.

## References
- https://man7.org/linux/man-pages/man8/ld.so.8.html
)";

/// The runtime or the loader says that a function or a version of it is not there.
bool complains(const Context& context) {
  constexpr std::string_view kTexts[] = {"undefined symbol: hsa_", "undefined symbol: amd_comgr",
                                         "undefined symbol: hip", "version `ROCR_1",
                                         "version `hip_"};
  return app_log_has_one(context, kTexts);
}

/// What brings a library in: as it is seen, told and undone.
struct Way {
  Brought how;
  ObservationName seen;
  std::string_view words;
  bool by_variable;
};
const Way kWays[] = {
    {Brought::by_preload, "core-library-preloaded", "LD_PRELOAD", true},
    {Brought::by_library_path, "core-library-by-the-library-path", "LD_LIBRARY_PATH", true},
    {Brought::by_host_of_container, "core-library-of-the-containers-host",
     "Apptainer's binding of the host's libraries", false},
    {Brought::by_program, "core-library-of-the-program", "the program's own search path", false},
};

/// A file of LD_PRELOAD with the name of a library of the core, whether it was read or not.
std::string preloaded_core_file(const Machine& machine) {
  const std::string preload = variable_or_empty(machine, "LD_PRELOAD");
  for (const std::string& file : split_preload(preload)) {
    if (is_core_family(parse_library_name(base_name(file)).family)) return file;
  }
  return "";
}

/// A library of ROCm's core in /usr/local that the loader takes before an installed one.
struct LocalCopy {
  std::string path, instead_of;
};

std::optional<LocalCopy> local_copy(const Machine& machine) {
  if (!machine.software.loader_cache) return std::nullopt;
  for (const auto& [soname, path] : *machine.software.loader_cache) {
    if (!path.starts_with("/usr/local/lib") || !is_core_family(parse_library_name(soname).family))
      continue;
    for (const RocmInstall& install : machine.software.rocm) {
      for (const Library& library : install.libraries) {
        if (library.elf.soname == soname && !library.path.starts_with("/usr/local"))
          return LocalCopy{path, library.path};
      }
    }
  }
  return std::nullopt;
}

std::vector<Finding> run_core_library_from_elsewhere(const Context& context) {
  const Machine& machine = context.machine;
  const bool complaint = complains(context);
  const Verdict verdict = complaint ? Verdict::fail : Verdict::pass;
  if (const std::string file = preloaded_core_file(machine); !file.empty()) {
    return Say(verdict, "LD_PRELOAD gives every program its own library of ROCm's core")
        .saw("LD_PRELOAD=" + file)
        .sees("core-library-preloaded")
        .fix({"unset LD_PRELOAD"});
  }
  const BroughtLibrary one = brought_core_library(machine);
  const auto way = std::ranges::find(kWays, one.how, &Way::how);
  if (way == std::end(kWays)) {
    if (const auto local = local_copy(machine))
      return Say(verdict, "a library of ROCm's core in /usr/local goes before the installed one")
          .saw("the loader takes " + local->path + ", not " + local->instead_of)
          .sees("core-library-in-usr-local")
          .fix({Step("sudo mv {} {}   # and the files that it links to", local->path,
                     local->path + ".away"),
                "sudo ldconfig"})
          .root();
    if (machine.software.processes.empty()) return {none_here("no program here loads ROCm")};
    return {pass("each program takes ROCm's core from one folder")};
  }
  return Say(verdict,
             std::string(way->words) + " brings in a library of ROCm's core from elsewhere")
      .about(one.process->program)
      .saw(one.process->program + " would get " + one.library->path + ", not " + one.instead_of)
      .sees(way->seen)
      .fix({way->by_variable ? Step("unset LD_LIBRARY_PATH LD_PRELOAD")
                             : Step("move {} out of the way", one.library->path)});
}

}  // namespace

extern const Check kCoreLibraryFromElsewhere;
constinit const Check kCoreLibraryFromElsewhere{
    .code = "RV522",
    .id = "core-library-from-elsewhere",
    .topic = "runtime",
    .title = "A library of ROCm's core comes from elsewhere than HIP",
    .doc = kCoreLibraryFromElsewhereDoc,
    .run = run_core_library_from_elsewhere};

}  // namespace rocvet

#include <algorithm>

#include "base/add_once.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/situation.h"
#include "checks/facts/sonames.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kLdLibraryPathForeignRocmDoc = R"(
## What it looks for
Folders of a ROCm release in LD_LIBRARY_PATH (of this process, of a service, of a profile) against
the release that /opt/rocm and ROCM_PATH name, and against the libraries that HIP, each framework
and each application would get without the variable. The folder of a Python wheel in it: every
program then takes that wheel's libraries first.

## Why it matters
A program then loads libraries of two releases: undefined symbols, or code objects that do not
fit. The loader asks the variable before a RUNPATH, which is how wheels and applications find the
libraries that they bring; an RPATH comes before the variable.

## How to mend it
Take the other release out of LD_LIBRARY_PATH.

## Not this
The only ROCm that is installed.

## References
- https://man7.org/linux/man-pages/man8/ld.so.8.html
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/install-methods/multi-version-install-index.html
)";

/// "6.4" of the ROCm that a library belongs to: of the tree it lies in, else of the framework that
/// brings it; "" when that is not known.
std::string release_of(const Machine& machine, const std::string& path) {
  std::string version;
  std::size_t longest = 0;
  for (const RocmInstall& install : machine.software.rocm) {
    const bool its =
        install.root == "/usr" ? is_of_system(path) : path.starts_with(install.root + "/");
    if (!its || !install.version || install.root.size() < longest) continue;
    longest = install.root.size();
    version = *install.version;
  }
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (version.empty() && framework.hip_version && path.starts_with(framework.root + "/"))
        version = *framework.hip_version;
    }
  }
  return series_of(version);
}

/// What the variable puts before the libraries that a wheel or an application brings along, of
/// another release than those; with nothing in their place without it, nobody loses anything.
std::vector<const DisplacedLibrary*> harmful(const Machine& machine) {
  std::vector<const DisplacedLibrary*> found;
  for (const DisplacedLibrary& one : machine.software.displaced) {
    if (one.otherwise.empty()) continue;
    const std::string taken = release_of(machine, one.taken);
    const std::string otherwise = release_of(machine, one.otherwise);
    if (!taken.empty() && !otherwise.empty() && taken != otherwise) found.push_back(&one);
  }
  return found;
}

/// Whether a program gets libraries of the variable's release beside those of its own: always when
/// it brings some, and of ROCm's own programs when not all come from the one folder.
bool is_mixed(const Machine& machine, const DisplacedLibrary& one) {
  if (is_of_wheel_or_bundle(one.otherwise)) return true;
  for (const ProcessLibraries& process : machine.software.processes) {
    const bool has =
        std::any_of(process.libraries.begin(), process.libraries.end(),
                    [&](const LoadedLibrary& library) { return library.path == one.taken; });
    if (has && process.rocm_folders.size() > 1) return true;
  }
  return false;
}

/// The loader or HIP says what comes of libraries that were not made for each other.
bool complains_of_a_mixture(const Context& context) {
  constexpr std::string_view kTexts[] = {
      "undefined symbol",        "' not found (required by", "cannot open shared object file",
      "invalid device function", "egmentation fault",        "SIGSEGV",
      "symbol lookup error",     "hipErrorSharedObject",     "core dumped"};
  return std::any_of(std::begin(kTexts), std::end(kTexts),
                     [&](std::string_view text) { return app_log_has(context, text); });
}

constexpr std::size_t kMostLines = 4;  // of evidence

Finding judge_displaced(const Context& context, const std::vector<const DisplacedLibrary*>& bad) {
  const Machine& machine = context.machine;
  const DisplacedLibrary& first = *bad.front();
  const bool mixed = std::any_of(
      bad.begin(), bad.end(), [&](const DisplacedLibrary* one) { return is_mixed(machine, *one); });
  std::vector<std::string> evidence;
  for (const DisplacedLibrary* one : bad) {
    if (evidence.size() >= kMostLines) break;
    add_once(evidence, one->program + " gets " + one->taken + " (ROCm " +
                           release_of(machine, one->taken) + "), without the variable " +
                           one->otherwise + " (ROCm " + release_of(machine, one->otherwise) + ")");
  }
  const std::string who =
      first.set_by.empty() ? "LD_LIBRARY_PATH" : "LD_LIBRARY_PATH of " + first.set_by;
  const bool failing_now = mixed && complains_of_a_mixture(context);
  return Say(failing_now ? Verdict::fail : Verdict::pass,
             who + " puts ROCm " + release_of(machine, first.taken) + " before ROCm " +
                 release_of(machine, first.otherwise) +
                 (mixed ? ", which the program brings or mixes in" : ""))
      .saw(evidence)
      .sees(mixed ? ObservationName("library-path-displaces-rocm")
                  : ObservationName("ld-library-path-of-another-rocm"))
      .fix({first.set_by.empty()
                ? Step("unset LD_LIBRARY_PATH")
                : Step("take {} out of LD_LIBRARY_PATH in {}", first.folder, first.set_by)});
}

std::vector<Finding> run_ld_library_path_foreign_rocm(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const std::vector<const DisplacedLibrary*> bad = harmful(machine);
  if (!bad.empty()) return {judge_displaced(context, bad)};
  const std::string path = variable_or_empty(machine, "LD_LIBRARY_PATH");
  if (path.empty()) {
    Finding said = passing("LD_LIBRARY_PATH is not set");
    if (variable_or_empty(machine, "LD_PRELOAD").empty() && machine.software.displaced.empty())
      said.seen.push_back("no-foreign-library-path");
    return {said};
  }
  for (const std::string_view folder : split(path, ':')) {
    if (!is_in_site_packages(std::string(folder) + "/") || machine.software.rocm.empty()) continue;
    return {passing("LD_LIBRARY_PATH puts what a Python wheel brings before the system's libraries")
                .saw("LD_LIBRARY_PATH has " + std::string(folder))
                .sees("ld-library-path-of-a-wheel")
                .fix({"unset LD_LIBRARY_PATH   # or set it for that one program alone"})};
  }
  const RocmInstall* named = nullptr;
  const RocmInstall* standard = nullptr;
  for (const RocmInstall& install : machine.software.rocm) {
    if (install.is_default) standard = &install;
    for (const std::string_view folder : split(path, ':')) {
      if (!install.root.empty() && install.root != "/usr" &&
          folder.starts_with(install.root + "/") && named == nullptr)
        named = &install;
    }
  }
  if (named == nullptr || standard == nullptr || named == standard || !named->version ||
      !standard->version || *named->version == *standard->version)
    return {pass("LD_LIBRARY_PATH leads to no other ROCm")};
  return passing("LD_LIBRARY_PATH leads to ROCm " + *named->version + ", /opt/rocm to " +
                 *standard->version)
      .saw("LD_LIBRARY_PATH=" + path)
      .sees("ld-library-path-of-another-rocm")
      .fix({"unset LD_LIBRARY_PATH"});
}

}  // namespace

extern const Check kLdLibraryPathForeignRocm;
constinit const Check kLdLibraryPathForeignRocm{.code = "RV605",
                                                .id = "ld-library-path-foreign-rocm",
                                                .topic = "environment",
                                                .title = "LD_LIBRARY_PATH leads to another ROCm",
                                                .doc = kLdLibraryPathForeignRocmDoc,
                                                .run = run_ld_library_path_foreign_rocm};

}  // namespace rocvet

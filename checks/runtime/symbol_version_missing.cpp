#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/sonames.h"
#include "checks/logs/loader_words.h"

namespace rocvet {
namespace {

constexpr std::string_view kSymbolVersionMissingDoc = R"(
## What it looks for
Symbol versions (GLIBC, GLIBCXX, CXXABI, GCC, hip, amd_comgr) that ROCm's libraries, frameworks, compiled
modules of Python and applications need, against the library that the loader takes first.

## Why it matters
A wheel or a program that was built on a newer system does not start on an older C library. conda
and other environments bring a libstdc++ of their own. It comes first and lacks what a ROCm library
needs: "version `GLIBCXX_3.4.30' not found". A module built with a newer ROCm asks libamdhip64 for
functions that an older one does not have.

## How to mend it
conda: `conda install -c conda-forge 'libstdcxx-ng>=12'`, or leave the environment. The system's
own: a container with a newer system, a newer release of the distribution, or an older wheel. HIP:
the build for the ROCm that is here.

## Not this
A library that is not there at all: RV501. Libraries of the host in Apptainer's container: RV719.

## References
- https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html
- https://docs.conda.io/projects/conda-build/en/stable/resources/use-shared-libraries.html
- https://sourceware.org/glibc/wiki/Release
)";

/// Of GCC's own libraries, libstdc++ and libgcc_s: conda has both, and one release brings both.
bool is_of_gcc(std::string_view version) {
  return version.starts_with("GLIBCXX_") || version.starts_with("CXXABI_") ||
         version.starts_with("GCC_");
}

Finding judge(const UnmetVersion& unmet, bool complaint) {
  const std::string what = unmet.provider + " lacks " + unmet.version;
  const bool wheel = is_of_wheel_or_bundle(unmet.by);
  const bool of_system = is_of_system(unmet.provider);
  const bool cxx = is_of_gcc(unmet.version);
  // A library of the system that is too old for a wheel stops it whenever it is loaded. Of the
  // others nobody may ever load the file that needs it, without a complaint.
  const Verdict verdict = complaint            ? Verdict::fail
                          : wheel && of_system ? Verdict::warn
                                               : Verdict::pass;
  Finding said = Say(verdict, what)
                     .saw(unmet.by + " needs " + unmet.version)
                     .saw(unmet.others.empty() ? "" : unmet.others.front() + " has it");
  const auto sees = [&](ObservationName name, std::vector<Step> steps) {
    said.seen.push_back(name);
    said.remedy.steps = std::move(steps);
    return said;
  };
  if (unmet.version.starts_with("hip_") || unmet.version.starts_with("amd_comgr_"))
    return sees(is_of_system(unmet.by) ? ObservationName("hip-older-than-needed-in-distribution")
                                       : ObservationName("hip-older-than-needed"),
                {Step("install the build of {} for the ROCm that is here", package_of(unmet.by))});
  if (wheel && of_system)
    return sees(
        "system-library-older-than-needed",
        {"use a container whose system is newer, or a newer release of the distribution",
         Step("or: install an older release of {}, or build it here", package_of(unmet.by))});
  if (!cxx || of_system) return sees("library-lacks-a-version", {});
  return sees("libstdcxx-lacks-a-version",
              {"conda install -c conda-forge 'libstdcxx-ng>=12' 'libgcc-ng>=12'"});
}

/// Of a program's words alone, where none of the files that were read shows it.
std::vector<Finding> judge_words(const std::vector<VersionNotFound>& said) {
  for (const VersionNotFound& one : said) {
    const bool of_c_library =
        one.version.starts_with("GLIBC_") && is_of_wheel_or_bundle(one.required_by);
    if ((!is_of_gcc(one.version) && !of_c_library) || is_bound_from_host(one.library) ||
        is_bound_from_host(one.required_by))
      continue;
    const std::string what = one.library + " lacks " + one.version;
    if (is_of_system(one.library))
      return failing(what)
          .saw(one.required_by.empty() ? "" : one.required_by + " needs it")
          .sees(one.required_by.starts_with("/opt/rocm") || is_of_system(one.required_by)
                    ? ObservationName("library-lacks-a-version")
                    : ObservationName("system-library-older-than-needed"))
          .fix({"use a container whose system is newer, or a newer release of the distribution"});
    return failing(what)
        .saw(one.required_by.empty() ? "" : one.required_by + " needs it")
        .sees("program-misses-libstdcxx-version")
        .fix({"conda install -c conda-forge 'libstdcxx-ng>=12' 'libgcc-ng>=12'"});
  }
  return {};
}

std::vector<Finding> run_symbol_version_missing(const Context& context) {
  const std::vector<VersionNotFound> said = versions_not_found(context);
  std::vector<Finding> findings;
  for (const UnmetVersion& unmet : context.machine.software.unmet_versions) {
    if (is_bound_from_host(unmet.by) || is_bound_from_host(unmet.provider)) continue;
    findings.push_back(judge(unmet, !said.empty()));
    if (findings.size() >= 3) break;
  }
  if (findings.empty()) findings = judge_words(said);
  return or_pass(std::move(findings), "every symbol version that is needed is there");
}

}  // namespace

extern const Check kSymbolVersionMissing;
constinit const Check kSymbolVersionMissing{.code = "RV502",
                                            .id = "symbol-version-missing",
                                            .topic = "runtime",
                                            .title = "A library is older than another one needs",
                                            .doc = kSymbolVersionMissingDoc,
                                            .run = run_symbol_version_missing};

}  // namespace rocvet

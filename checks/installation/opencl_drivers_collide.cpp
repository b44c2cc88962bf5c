#include <algorithm>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kOpenclDriversCollideDoc = R"(
## What it looks for
.icd files that are read and lead to more than one OpenCL library for AMD's GPUs: ROCm's of two
releases, or ROCm's beside Mesa's (rusticl, clover). Several files that lead to one library, as old
releases leave them behind. Mesa's rusticl as the only one, where RUSTICL_ENABLE names no driver.

## Why it matters
Each is offered as a platform of its own for the same GPU. A program that takes the first may get
the one that it cannot use, and two releases of ROCm's library do not go together in one process. The
loader of OpenCL opens every driver that is registered, so that one may crash a program that wants
the other. Each further file for one library makes the same platform and GPU appear once more.
Rusticl offers no device before RUSTICL_ENABLE names its driver.

## How to mend it
Name one with OCL_ICD_VENDORS, or remove the .icd file of the other. Rusticl alone:
RUSTICL_ENABLE=radeonsi, or ROCm's OpenCL.

## Not this
No valid .icd of AMD at all: RV406. CPU platforms (pocl) and other makers' GPUs.

## References
- https://github.com/OCL-dev/ocl-icd
- https://docs.mesa3d.org/rusticl.html
)";

bool has_part(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != text.npos; });
}

/// Here, or where a session sets it.
bool rusticl_is_on(const Machine& machine) {
  return has_part(variable_or_empty(machine, "RUSTICL_ENABLE"), {"radeonsi"}) ||
         std::ranges::any_of(machine.settings.variables, [](const VariableSetting& setting) {
           return setting.name == "RUSTICL_ENABLE" && has_part(setting.value, {"radeonsi"});
         });
}

/// Rusticl drives a GPU only where RUSTICL_ENABLE names its driver; clover does by itself.
bool mesa_drives_amd(const Machine& machine, std::string_view library) {
  return has_part(library, {"MesaOpenCL"}) ||
         (has_part(library, {"RusticlOpenCL"}) && rusticl_is_on(machine));
}

/// Whether OCL_ICD_VENDORS leaves this file out: it may name one file, or a folder.
bool left_out(const Machine& machine, const std::string& file) {
  const std::string chosen = variable_or_empty(machine, "OCL_ICD_VENDORS");
  return chosen.ends_with(".icd") && !file.ends_with(std::string(base_name(chosen)));
}

/// A crash, or people, name Mesa's driver. A listing of platforms names it too, and is no
/// complaint.
bool driver_is_named(const Context& context) {
  if (app_log_has(context, "libRusticlOpenCL") || app_log_has(context, "libMesaOpenCL"))
    return true;
  bool named = false;
  each_line(spoken(context), [&](std::string_view line) {
    const std::string small = lower(line);
    named |= has_part(small, {"rusticl", "clover"}) &&
             !has_part(small, {"platform name", "platform #", "platform version",
                               "number of devices", "devices:"});
  });
  return named && person_speaks(context);
}

/// A program, or a person, finds the same platform or GPU more than once.
bool platform_appears_twice(const Context& context) {
  return app_log_has(context, "possibly a multiple platform problem") ||
         people_say(context, {"twice", "two times", "three times", "four times", "duplicate",
                              "same gpu", "same platform", "listed more than once"});
}

std::vector<Finding> run_opencl_drivers_collide(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto& icds = machine.software.opencl_icds;
  if (!icds) return {unknown(icds.error())};
  std::vector<std::string> amd, mesa, dead, mesa_idle, repeated;
  std::string amd_icd;  // the first
  std::set<std::string> amd_files;
  for (const OpenClIcd& icd : *icds) {
    if (left_out(machine, icd.file)) continue;
    const std::string line = icd.file + " names " + icd.library;
    const bool is_amd = has_part(icd.library, {"amdocl"});
    // The driver for GPUs before Vega, which AMD's packages bring beside the other.
    if (has_part(icd.library, {"amdocl-orca"}) && !icd.resolved.is_missing()) continue;
    if (icd.resolved.is_missing()) {
      if (is_amd) dead.push_back(line + ", which is not found");
    } else if (is_amd) {
      if (amd.empty()) amd_icd = icd.file;
      const bool first = amd_files.insert(icd.resolved.value_or(icd.library)).second;
      (first ? amd : repeated).push_back(line);
    } else if (mesa_drives_amd(machine, icd.library)) {
      mesa.push_back(line);
    } else if (has_part(icd.library, {"RusticlOpenCL"})) {
      mesa_idle.push_back(line);
    }
  }
  Finding finding = pass("one OpenCL driver at most is registered for AMD's GPUs");
  const bool stated = said(context, "opencl-icd-conflict") >= 0.5;
  const bool stated_off = said(context, "rusticl-without-devices") >= 0.2;
  if (amd.size() > 1) {
    finding = Say(stated ? Verdict::fail : Verdict::warn,
                  "OpenCL libraries of several ROCm releases are registered")
                  .saw(amd)
                  .sees("several-amd-opencl-libraries")
                  .fix({Step("remove the .icd file of the release that is not used")})
                  .verify("clinfo -l")
                  .root();
  } else if (!amd.empty() && !mesa.empty()) {
    finding = Say(stated ? Verdict::fail : Verdict::warn,
                  "Mesa and ROCm both offer OpenCL for AMD's GPUs")
                  .saw(amd)
                  .saw(mesa)
                  .sees("mesa-and-rocm-offer-opencl")
                  .fix({Step("export OCL_ICD_VENDORS={}", amd_icd)})
                  .verify("clinfo -l");
  } else if (!amd.empty() && !mesa_idle.empty() && driver_is_named(context)) {
    finding = failing("Mesa's rusticl is registered beside ROCm, and the fault names it")
                  .saw(amd)
                  .saw(mesa_idle)
                  .sees("mesa-driver-named-beside-rocm")
                  .fix({Step("export OCL_ICD_VENDORS={}", amd_icd)})
                  .verify("clinfo -l");
  } else if (!amd.empty() && !mesa_idle.empty()) {
    finding = passing("Mesa's rusticl is registered beside ROCm and drives no AMD GPU by default")
                  .saw(mesa_idle)
                  .sees("rusticl-registered-beside-rocm");
  } else if (amd.empty() && mesa.empty() && dead.empty() && !mesa_idle.empty()) {
    const bool unserved = stated_off || driver_is_named(context);
    finding =
        Say(unserved ? Verdict::fail : Verdict::pass,
            "Mesa's rusticl is the only OpenCL driver, and RUSTICL_ENABLE names no GPU driver")
            .saw(mesa_idle)
            .sees("rusticl-alone-and-off")
            .fix({"export RUSTICL_ENABLE=radeonsi"})
            .verify("clinfo -l");
  }
  if (!repeated.empty()) {
    for (const std::string& line : repeated)
      finding.evidence.push_back(line + ": the library of another file again");
    finding.seen.push_back("opencl-library-registered-twice");
    // One platform more for the same GPU is nothing to mend before somebody is disturbed by it.
    if (finding.verdict == Verdict::pass && platform_appears_twice(context)) {
      finding.verdict = Verdict::fail;
      finding.summary = "several .icd files lead to one OpenCL library of AMD";
      finding.remedy.steps = {"remove the .icd files of releases that are gone"};
      finding.remedy.needs_root = true;
    }
  }
  if (!amd.empty() && !mesa.empty() && driver_is_named(context)) {
    finding.verdict = Verdict::fail;
    finding.seen.push_back("mesa-driver-named-beside-rocm");
  }
  if (!dead.empty()) {
    for (const std::string& line : dead) finding.evidence.push_back(line);
    finding.seen.push_back("opencl-icd-names-no-file");
  }
  return {finding};
}

}  // namespace

extern const Check kOpenclDriversCollide;
constinit const Check kOpenclDriversCollide{.code = "RV420",
                                            .id = "opencl-drivers-collide",
                                            .topic = "installation",
                                            .title = "Two OpenCL drivers offer the same GPU",
                                            .doc = kOpenclDriversCollideDoc,
                                            .run = run_opencl_drivers_collide};

}  // namespace rocvet

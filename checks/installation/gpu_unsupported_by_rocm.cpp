#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/dropped_targets.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuUnsupportedByRocmDoc = R"(
## What it looks for
Each GPU's target against each installed ROCm release, in the compatibility database; and GPUs that
stop the runtime for all others: ROCr from 7.0 on gives up at a card of before Vega.

## Why it matters
Libraries of the release may have no code for the GPU, and nobody tests it. Older releases may
have supported it, newer ones may: a GPU that came out after the release is unknown to it, and no
HIP program runs.

## How to mend it
`rocvet advise` says which release supports the GPU. Many unlisted consumer GPUs work with a
compatible override all the same.

## Not this
A framework build without the GPU's code: RV801. An integrated GPU beside a card that the release
knows; a target that runs a neighbour's code with HSA_OVERRIDE_GFX_VERSION.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/system-requirements.html
- https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html
)";

/// The newest ROCm here, a framework's own included; "" when one of them is of unknown version.
std::string newest_rocm(const Machine& machine) {
  std::string newest;
  bool known = true;
  const auto see = [&](const Result<std::string>& text) {
    const auto version = Version::parse(text.value_or(std::string()));
    if (!version) {
      known = false;
    } else if (newest.empty() || *Version::parse(newest) < *version) {
      newest = *text;
    }
  };
  for (const RocmInstall& install : machine.software.rocm) {
    if (!install.leftover) see(install.version);
  }
  if (newest.empty()) return "";
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (framework.hip_version) see(framework.hip_version);
    }
  }
  return known ? newest : "";
}

/// Whether a library that lies here has code for it, whatever was published of its release:
/// distributions build for more targets than AMD does.
bool has_code(const Machine& machine, const std::string& gfx) {
  return std::ranges::any_of(machine.software.rocm, [&](const RocmInstall& install) {
    const bool files = std::ranges::any_of(install.kernel_targets, [&](const auto& targets) {
      return any_target_fits(targets.second, gfx);
    });
    return files || std::ranges::any_of(install.libraries, [&](const Library& library) {
             return any_target_fits(library.elf.gfx, gfx);
           });
  });
}

/// Whether the target gets along without code of its own: it runs a neighbour's, or it is that of
/// an integrated GPU beside a card, which is not what the machine computes with.
bool can_do_without(const Context& context, const std::string& gfx, const std::string& rocm) {
  const Machine& machine = context.machine;
  if (const auto set = effective_variable(machine, "HSA_OVERRIDE_GFX_VERSION")) {
    // Code of another generation never runs, whatever the runtime is told.
    const std::string told = gfx_of_override(set->value);
    if (!told.empty() && gfx_major(told) == gfx_major(gfx)) return true;
  }
  for (const KnownIssue& issue : context.db.known_issues({.gfx = gfx, .rocm = rocm})) {
    if (issue.topic == "override-works") return true;
  }
  const auto has_target = [&](const Gpu& gpu) { return gpu.gfx && *gpu.gfx == gfx; };
  const bool only_integrated = std::ranges::all_of(
      machine.gpus, [&](const Gpu& gpu) { return !has_target(gpu) || gpu.kind == GpuKind::apu; });
  return only_integrated && std::ranges::any_of(machine.gpus, [](const Gpu& gpu) {
           return gpu.kind == GpuKind::dgpu;
         });
}

/// Whether the release knows the first target of the family (gfx1100 of gfx1103): the instructions
/// are the same, so the runtime lists the GPU and what is compiled for it runs; only libraries that
/// were built ahead have no code.
bool family_is_known(const Context& context, const std::string& gfx, const std::string& rocm) {
  const std::string first(context.db.sibling_of(gfx));
  return !first.empty() && context.db.rocm_needed_for(first, rocm).empty();
}

Finding too_old(const Context& context, const std::string& gfx, const std::string& rocm,
                const std::string& needed) {
  const std::string words = gfx + " needs ROCm " + needed + " or newer; here is " + rocm;
  const bool harmless = can_do_without(context, gfx, rocm) ||
                        (family_is_known(context, gfx, rocm) && !lacks_code(context));
  return (harmless ? passing(words) : failing(words))
      .about(gfx)
      .saw("the first release that has anything for " + gfx + " is " + needed)
      .sees(harmless ? ObservationName("gpu-newer-than-rocm-gets-along")
                     : ObservationName("gpu-newer-than-rocm"))
      .fix({"rocvet advise   # a release that lists the GPU, and the commands that install it"})
      .verify("rocvet check --only gpu-unsupported-by-rocm")
      .root();
}

/// GPUs that KFD lists and at which the runtime of the release stops.
std::vector<Finding> stops_the_runtime(const Context& context, const std::string& rocm) {
  std::vector<Finding> findings;
  const bool stopped =
      has_app_error(context, "hsa-generic-error") || has_app_error(context, "hsa-init-failed") ||
      has_app_error(context, "no-rocm-capable") || has_app_error(context, "no-hip-gpus") ||
      has_app_error(context, "hip-error-no-device") ||
      has_app_error(context, "amd-platform-without-devices");
  for (const Gpu* gpu : kfd_gpus(context.machine)) {
    Situation here = situation_of(context, *gpu);
    here.rocm = rocm;
    for (const KnownIssue& issue : issues_about(context, "gpu-stops-runtime", here)) {
      const std::string words = "ROCm " + rocm + " stops at " + gpu_name(*gpu);
      findings.push_back((stopped ? failing(words) : warning(words))
                             .about(gpu_label(*gpu))
                             .saw(issue.because + " (" + issue.source + ")")
                             .sees(stopped ? ObservationName("gpu-stopped-the-runtime")
                                           : ObservationName("gpu-stops-the-runtime"))
                             .fix({Step::of_database(issue.remedy)}));
    }
  }
  return findings;
}

/// Whether this process may not open /dev/kfd: then no runtime lists a GPU, of whatever age.
bool kfd_is_closed(const Machine& machine) {
  return node_access(machine, machine.kfd).answer == NodeAccess::Answer::closed;
}

/// OpenCL of ROCm 4.5 and newer leaves GPUs of GCN 3 out unless it is told not to.
bool opencl_leaves_out(const Context& context, const std::string& gfx) {
  return gfx_major(gfx).value_or(0) == 8 &&
         has_app_error(context, "amd-platform-without-devices") &&
         !kfd_is_closed(context.machine) &&
         variable_or_empty(context.machine, "ROC_ENABLE_PRE_VEGA") != "1";
}

std::vector<Finding> run_gpu_unsupported_by_rocm(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const std::string version = rocm_version(machine);
  if (version.empty()) return {none_here("there is no ROCm here")};
  const auto here = Version::parse(version);
  if (!here) return {unknown(malformed("ROCm", "'" + version + "' is no version"))};
  const std::string newest = newest_rocm(machine);
  std::vector<Finding> findings = stops_the_runtime(context, newest.empty() ? version : newest);
  for (const std::string& gfx : gfx_present(machine)) {
    if (gfx_major(gfx).value_or(9) < 7) continue;  // no kernel and no release ever computed on it
    if (const std::string needed = newest.empty() ? "" : context.db.rocm_needed_for(gfx, newest);
        !needed.empty() && !has_code(machine, gfx)) {
      findings.push_back(too_old(context, gfx, newest, needed));
      continue;
    }
    const std::string last = context.db.last_rocm_for(gfx);
    const auto until = Version::parse(last);
    if (dropped_by_libraries(context, gfx)) {
      findings.push_back(
          (lacks_code(context)
               ? failing("the libraries of ROCm have no code for " + gfx + " any more")
               : passing("the libraries of ROCm have no code for " + gfx))
              .about(gfx)
              .saw("each is built for newer targets alone")
              .sees("rocm-libraries-are-of-newer-targets")
              .fix({"rocvet advise   # the last release that lists the GPU"}));
      continue;
    }
    if (last.empty() || !until || !(*until < *here)) continue;
    // No patch release drops a target: 6.3.4, which no table lists, has what 6.3.3 has.
    if (here->starts_with(until->series())) continue;
    const bool opencl = opencl_leaves_out(context, gfx);
    const bool complaint = lacks_code(context) || opencl;
    findings.push_back((complaint ? failing("ROCm " + version + " no longer supports " + gfx)
                                  : passing("ROCm " + version + " no longer lists " + gfx))
                           .about(gfx)
                           .saw("the last release that did is " + last)
                           .sees("gpu-no-longer-listed-by-rocm")
                           .fix({Step("install ROCm {} and frameworks built for it", last)}));
    if (opencl) {
      findings.back().seen.push_back("opencl-leaves-out-a-dropped-gpu");
      findings.back().remedy.steps.insert(findings.back().remedy.steps.begin(),
                                          "export ROC_ENABLE_PRE_VEGA=1   # OpenCL alone");
    }
  }
  return or_pass(std::move(findings),
                 "no GPU here is too new for ROCm " + version + " or was dropped by it");
}

}  // namespace

extern const Check kGpuUnsupportedByRocm;
constinit const Check kGpuUnsupportedByRocm{.code = "RV401",
                                            .id = "gpu-unsupported-by-rocm",
                                            .topic = "installation",
                                            .title = "The installed ROCm does not support this GPU",
                                            .doc = kGpuUnsupportedByRocmDoc,
                                            .run = run_gpu_unsupported_by_rocm};

}  // namespace rocvet

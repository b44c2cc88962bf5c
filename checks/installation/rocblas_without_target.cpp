#include "base/path_walk.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/facts/modules.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kRocblasWithoutTargetDoc = R"(
## What it looks for
The files of rocblas/library (of each ROCm, framework and application) for the GPU's target, or
for the one that the override names; and whether a ROCm tree has rocBLAS and no such folder at all. The
code in ROCm's other libraries, where HIP says that code is missing.

## Why it matters
rocBLAS stops with "Cannot read TensileLibrary.dat … for GPU arch". Everything above it (PyTorch,
ollama, llama.cpp) fails with it.

## How to mend it
Install a release that ships the target; or set HSA_OVERRIDE_GFX_VERSION to a compatible neighbour
that it has. Where the folder is gone: reinstall the package rocblas.

## Not this
A framework whose own kernels lack the target: RV801.

## References
- https://rocm.docs.amd.com/projects/rocBLAS/en/latest/
- https://github.com/ROCm/rocBLAS/issues/1339
)";

/// Where its kernels belong: beside librocblas.
std::string folder_of_kernels(const RocmInstall& install) {
  for (const Library& library : install.libraries) {
    if (base_name(library.path).starts_with("librocblas.so"))
      return library.path.substr(0, library.path.rfind('/')) + "/rocblas";
  }
  return install.root + "/lib/rocblas";
}

/// A rocBLAS with no file of kernels at all: its package's files are gone. A program that brings a
/// rocBLAS of its own never misses them.
Finding judge_gone(const Context& context, const RocmInstall& install, bool complaint) {
  const bool listed = app_log_has(context, "cannot access*rocblas/library");
  return Say(complaint || listed ? Verdict::fail : Verdict::pass,
             "rocBLAS is installed and its folder of kernels is not there")
      .about(install.root)
      .saw(folder_of_kernels(install) + " has no library/ with files for any GPU")
      .sees("rocblas-kernels-gone")
      .fix({Step("reinstall the package rocblas (apt install --reinstall, dnf reinstall, zypper "
                 "install --force, pacman -S)")})
      .root();
}

/// The other libraries of ROCm (rocALUTION, RCCL …) hold their code themselves: those without
/// any for the GPU, where somebody complains that code is missing.
void judge_others(const RocmInstall& install, const std::string& gfx,
                  std::vector<Finding>& findings) {
  std::vector<std::string> lacking;
  for (const Library& library : install.libraries) {
    if (!library.elf.gfx.empty() && !any_target_fits(library.elf.gfx, gfx))
      lacking.push_back(library.path);
  }
  if (lacking.empty()) return;
  // AMD's own trees lie where its packages put them, unpacked or installed.
  const bool of_packages =
      install.root == "/opt/rocm" || install.root.starts_with("/opt/rocm-") ||
      install.root.starts_with("/opt/rocm/") ||
      (install.owner != RocmOwner::unknown && install.owner != RocmOwner::tarball);
  findings.push_back(
      warning("libraries of ROCm have no code for " + gfx)
          .about(install.root)
          .saw(lacking)
          .sees(of_packages ? ObservationName("rocm-library-lacks-the-target")
                            : "self-built-rocm-lacks-the-target")
          .fix({of_packages ? Step("install a ROCm that ships {} (rocvet advise)", gfx)
                            : Step("build it again for {}", gfx)}));
}

/// An integrated GPU beside one that rocBLAS serves: programs choose the other.
bool is_beside_served(const Machine& machine, const std::string& gfx,
                      const std::vector<std::string>& targets) {
  bool integrated = false, served = false;
  for (const Gpu* gpu : kfd_gpus(machine)) {
    if (!gpu->gfx) continue;
    if (gpu->kind == GpuKind::apu)
      integrated |= *gpu->gfx == gfx;
    else
      served |= any_target_fits(targets, *gpu->gfx);
  }
  return integrated && served;
}

std::vector<Finding> run_rocblas_without_target(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto set = effective_variable(machine, "HSA_OVERRIDE_GFX_VERSION");
  std::vector<Finding> findings;
  Judged judged;
  const bool complaint =
      app_log_has(context, "TensileLibrary") || app_log_has(context, "rocBLAS error") ||
      app_log_has(context, "for GPU arch") || app_log_has(context, "amdgpu is not supported");
  const auto judge = [&](const std::string& where,
                         const std::map<std::string, std::vector<std::string>>& targets) {
    const auto found = targets.find("rocblas");
    if (found == targets.end() || found->second.empty()) return;
    judged.count();
    for (const std::string& real : gfx_present(machine)) {
      std::string gfx = real;
      if (set && !gfx_of_override(set->value).empty()) gfx = gfx_of_override(set->value);
      if (any_target_fits(found->second, gfx)) continue;
      if (is_beside_served(machine, real, found->second)) continue;
      findings.push_back((complaint ? failing("rocBLAS has no kernels for " + gfx)
                                    : passing("rocBLAS has no kernels for " + gfx))
                             .about(where)
                             .saw(where + ": no file for " + gfx)
                             .sees("rocblas-lacks-the-target")
                             .fix({Step("install a ROCm that ships {} (rocvet advise)", gfx)}));
    }
  };
  const bool code_missed = complains_of_missing_code(context);
  for (const RocmInstall& install : machine.software.rocm) {
    judge(install.root, install.kernel_targets);
    if (code_missed && !set) {
      for (const std::string& gfx : gfx_present(machine)) judge_others(install, gfx, findings);
    }
    if (!install.rocblas_kernels_gone ||
        !places_that_set(machine, "ROCBLAS_TENSILE_LIBPATH").empty() ||
        !variable_or_empty(machine, "ROCBLAS_TENSILE_LIBPATH").empty())
      continue;
    judged.count();
    findings.push_back(judge_gone(context, install, complaint));
  }
  for (const Application& application : machine.software.applications)
    judge(application.path, application.kernel_targets);
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks)
      judge(framework.root, framework.kernel_targets);
  }
  return judged.rest(
      std::move(findings),
      counted(judged.number(), "rocBLAS has", "rocBLAS have") + " kernels for the GPUs here",
      "rocBLAS is not here");
}

}  // namespace

extern const Check kRocblasWithoutTarget;
constinit const Check kRocblasWithoutTarget{.code = "RV402",
                                            .id = "rocblas-without-target",
                                            .topic = "installation",
                                            .title = "rocBLAS has no kernels for this GPU",
                                            .doc = kRocblasWithoutTargetDoc,
                                            .run = run_rocblas_without_target};

}  // namespace rocvet

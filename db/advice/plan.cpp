// The steps in their order: kernel and driver, ROCm, groups, framework, check.
#include <algorithm>

#include "db/advice/planner.h"
#include "db/driver_releases.h"

namespace rocvet::db {
namespace {

AdviceStep in_words(std::string title, std::string why, bool reboot) {
  return {std::move(title), std::move(why), {}, true, reboot, false};
}

}  // namespace

void Planner::driver_of_windows() {
  advice.steps.push_back(
      in_words("Install the driver on Windows: AMD Software, Adrenalin Edition, with WSL support",
               "Under WSL2 Windows drives the GPU; inside it there is no kernel driver, and "
               "amdgpu-dkms must not be installed.",
               true));
  advice.notes.push_back(
      "WSL reaches the GPU by /dev/dxg and librocdxg; AMD's page \"Use ROCm on Radeon and Ryzen\" "
      "lists which Adrenalin goes with which ROCm");
}

void Planner::kernel_and_driver(const Version& rocm) {
  const std::string rocm_text = rocm.text();
  for (const auto& issue :
       db.known_issues({.gfx = gfx, .rocm = rocm_text, .kernel = request.kernel})) {
    if (issue.topic == "kernel-min" && issue.certain && !request.kernel.empty()) {
      advice.steps.push_back(
          in_words("Boot a newer kernel", issue.because + " (" + issue.source + ")", true));
      break;
    }
  }
  if (!request.kernel.empty() && !request.os.empty()) {
    const auto answer = db.ask({.gpu = request.gpu,
                                .rocm = rocm_text,
                                .os = request.os,
                                .kernel = request.kernel,
                                .system_is_given = true});
    for (const Fact& fact : answer ? answer->facts : std::vector<Fact>{}) {
      if (fact.subject == "gpu × os × kernel" && fact.verdict == Support::unsupported)
        advice.notes.push_back(fact.because + " (" + fact.source +
                               "): on Ubuntu the HWE kernel is linux-generic-hwe-VERSION");
    }
  }
  const auto products = db.find(request.gpu);
  if (!products.empty() && products.front()->is_apu) {
    advice.notes.push_back(
        "AMD lists the kernel's own driver for Ryzen APUs: do not install amdgpu-dkms");
    return;
  }
  const std::string driver = driver_release_for(db, rocm);
  auto step = install_step("driver", rocm, "Install the driver",
                           "ROCm " + rocm_text + " is listed with driver " + driver + ".");
  if (!step) {
    advice.notes.push_back(
        "the kernel's own amdgpu driver serves; no page of AMD's is known that has its driver for "
        "this system and release");
    return;
  }
  step->needs_reboot = !step->commands.empty();
  for (const auto& issue : db.known_issues({.gfx = gfx,
                           .rocm = rocm_text,
                           .kernel = request.kernel,
                           .dkms_driver = module_of_driver(db, driver),
                           .dkms_package = package_of_driver(db, driver)})) {
    if (issue.topic == "dkms-build" && issue.certain && !request.kernel.empty()) {
      advice.notes.push_back(issue.because + ": keep the kernel's own driver (" + issue.source +
                             ")");
      return;
    }
  }
  advice.steps.push_back(std::move(*step));
}

void Planner::rocm_itself(const Version& rocm, bool official) {
  const std::string rocm_text = rocm.text();
  const std::string why = official ? "The newest release that lists this GPU on this system."
                                   : "The newest release whose libraries are built for " + gfx +
                                         "; AMD does not list it.";
  auto step = install_step("rocm", rocm, "Install ROCm " + rocm_text, why);
  const bool commands = step && !step->commands.empty();
  const bool printed = step.has_value();
  if (!request.installed.empty() && commands)
    advice.notes.push_back(
        "remove ROCm " + request.installed +
        " first: packages of two releases in one system are the commonest fault");
  if (step) advice.steps.push_back(std::move(*step));
  auto own = install_step(
      "distribution", rocm,
      std::string(printed ? "Or install" : "Install") + " the distribution's ROCm",
      "No packages of ROCm " + rocm_text + " are known that AMD publishes for this system.");
  if (!commands && own) {
    advice.steps.push_back(std::move(*own));
  } else if (!printed && !request.os.empty()) {
    advice.notes.push_back("no installation commands are known for " + request.os);
  }
}

void Planner::group_step() {
  advice.steps.push_back({"Let your user open the GPU",
                          "/dev/kfd and the render nodes belong to these groups.",
                          {"sudo usermod -a -G render,video \"$LOGNAME\""},
                          true,
                          false,
                          true});
}

void Planner::last_steps(const Version& rocm) {
  framework(rocm);
  advice.steps.push_back(
      {"Check it", "The whole stack, as this user.", {"rocvet run"}, false, false, false});
}

void Planner::on_windows() {
  advice.notes.push_back(
      "rocvet knows which release lists a GPU on Windows, not the steps there: read "
      "rocm.docs.amd.com/projects/install-on-windows, or use WSL (--os wsl2-ubuntu-24.04)");
}

void Planner::plan(const Version& rocm, bool official) {
  if (os && os->id == "windows") return on_windows();
  if (request.wsl)
    driver_of_windows();
  else
    kernel_and_driver(rocm);
  rocm_itself(rocm, official);
  if (!request.wsl) group_step();
  last_steps(rocm);
}

void Planner::without_rocm() {
  const Version any = db.newest_release().value_or(Version{});
  if (auto step = install_step("vulkan-" + request.framework, any, "Use Vulkan", "")) {
    advice.steps.push_back(*std::move(step));
    return;
  }
  advice.notes.push_back(
      "programs that compute by Vulkan (llama.cpp, ollama) may use it without ROCm");
}

void Planner::keep(const Version& rocm) {
  if (os && os->id == "windows") return on_windows();
  if (request.dkms && !request.kernel.empty()) {
    const std::string driver = driver_release_for(db, rocm);
    for (const auto& issue : db.known_issues({.gfx = gfx,
                             .rocm = rocm.text(),
                             .kernel = request.kernel,
                             .dkms_driver = module_of_driver(db, driver),
                             .dkms_package = package_of_driver(db, driver)})) {
      if (issue.topic != "dkms-build" || !issue.certain) continue;
      advice.notes.push_back(issue.because + ": take the kernel's own driver, or a newer one (" +
                             issue.source + ")");
      break;
    }
  }
  if (request.wsl) driver_of_windows();
  last_steps(rocm);
}

}  // namespace rocvet::db

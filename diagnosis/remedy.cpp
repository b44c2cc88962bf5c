#include "diagnosis/remedy.h"

#include <sstream>

#include "base/text.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"

namespace rocvet {
namespace {

/// The line for this family, or nothing when it is another family's.
std::string_view for_family(std::string_view line, Family here) {
  constexpr std::pair<std::string_view, Family> kPrefixes[] = {{"apt: ", Family::apt},
                                                               {"dnf: ", Family::dnf},
                                                               {"zypper: ", Family::zypper},
                                                               {"pacman: ", Family::pacman}};
  for (const auto& [prefix, family] : kPrefixes) {
    if (line.starts_with(prefix)) return family == here ? line.substr(prefix.size()) : "";
  }
  return line;
}

}  // namespace

Step fill_in(Step step, const Machine& machine) {
  std::string gfx, root;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.gfx && (gfx.empty() || gpu.kind == GpuKind::dgpu)) gfx = *gpu.gfx;
  }
  for (const RocmInstall& install : machine.software.rocm) {
    if (install.root.starts_with("/opt/rocm-")) root = install.root;
  }
  const std::string version = rocm_version(machine);
  const std::size_t minor_end = version.find('.', version.find('.') + 1);
  step.fill("/opt/rocm-X.Y.Z", root);
  step.fill("rocmX.Y",
            version.find('.') != version.npos ? "rocm" + version.substr(0, minor_end) : "");
  step.fill("gfxN", gfx);
  if (machine.memory.total_bytes)
    step.fill("PAGES", std::to_string(*machine.memory.total_bytes / 4096 * 9 / 10));
  return step;
}

Remedy remedy_for(const Cause& cause, const Machine& machine) {
  Remedy remedy;
  const Family here = family(machine);
  for (const std::string_view line : cause.remedy) {
    const std::string_view step = for_family(line, here);
    if (!step.empty()) remedy.steps.push_back(Step::of_database(step));
  }
  remedy.verify = "rocvet check";
  for (const std::string_view ask : cause.asks) {
    remedy.needs_root |= ask == "root";
    remedy.needs_reboot |= ask == "reboot";
    remedy.needs_login |= ask == "login";
  }
  return remedy;
}

std::string cause_page(const Cause& cause) {
  std::ostringstream page;
  page << cause.title << "\n\n## What it is\n" << cause.definition << "\n\n## How it shows\n";
  for (const Sign& sign : cause.signs) page << "- " << sign.saw << "\n";
  page << "\n## How to mend it\n";
  for (const std::string_view line : cause.remedy) page << "- " << line << "\n";
  if (!cause.experiment.empty()) page << "\n## What would decide\n" << cause.experiment << "\n";
  if (!cause.explains.empty()) {
    page << "\n## What it brings about\n";
    for (const std::string_view other : cause.explains) page << "- " << other << "\n";
  }
  page << "\n## References\n- " << cause.source << "\n";
  return page.str();
}

}  // namespace rocvet

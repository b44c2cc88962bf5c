#include <sstream>

#include "base/text.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"
#include "diagnosis/causes.h"

namespace rocvet {
namespace {

constexpr CauseInfo kCauses[] = {
#include "diagnosis/causes/access.inc"
#include "diagnosis/causes/benign.inc"
#include "diagnosis/causes/container.inc"
#include "diagnosis/causes/driver.inc"
#include "diagnosis/causes/framework.inc"
#include "diagnosis/causes/hardware.inc"
#include "diagnosis/causes/software.inc"
#include "diagnosis/causes/wsl.inc"
};

/// The line for this family, or nothing when it is another family's.
Literal for_family(Literal text, Family here) {
  const std::string_view line = text;
  constexpr std::pair<std::string_view, Family> kPrefixes[] = {{"apt: ", Family::apt},
                                                               {"dnf: ", Family::dnf},
                                                               {"zypper: ", Family::zypper},
                                                               {"pacman: ", Family::pacman}};
  for (const auto& [prefix, family] : kPrefixes) {
    if (line.starts_with(prefix)) return family == here ? text.from(prefix.size()) : Literal();
  }
  return text;
}

}  // namespace

std::span<const CauseInfo> all_causes() {
  return kCauses;
}

const CauseInfo* find_cause(std::string_view id) {
  for (const CauseInfo& cause : kCauses) {
    if (cause.id == id) return &cause;
  }
  return nullptr;
}

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

Remedy remedy_for(const CauseInfo& cause, const Machine& machine) {
  Remedy remedy;
  const Family here = family(machine);
  for (const Literal line : cause.remedy.lines()) {
    const Literal step = for_family(line, here);
    if (!step.empty()) remedy.steps.emplace_back(step);
  }
  remedy.verify = "rocvet check";
  for (const std::string_view need : words(cause.needs)) {
    remedy.needs_root |= need == "root";
    remedy.needs_reboot |= need == "reboot";
    remedy.needs_login |= need == "login";
  }
  return remedy;
}

std::string cause_page(const CauseInfo& cause) {
  std::ostringstream page;
  page << cause.title << "\n\n## What it is\n" << cause.definition << "\n\n## How to mend it\n";
  for (const std::string_view line : cause.remedy.lines()) page << "- " << line << "\n";
  if (!cause.experiment.empty())
    page << "\n## What would decide\n" << std::string_view(cause.experiment) << "\n";
  if (!cause.explains.empty()) {
    page << "\n## What it brings about\n";
    for (const std::string_view other : words(cause.explains)) page << "- " << other << "\n";
  }
  return page.str();
}

}  // namespace rocvet

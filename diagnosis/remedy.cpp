#include "diagnosis/remedy.h"

#include <optional>
#include <sstream>

#include "base/text.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"

namespace rocvet {
namespace {

std::optional<Family> family_of(std::string_view name) {
  constexpr std::pair<std::string_view, Family> kNames[] = {{"apt", Family::apt},
                                                            {"dnf", Family::dnf},
                                                            {"zypper", Family::zypper},
                                                            {"pacman", Family::pacman}};
  for (const auto& [known, value] : kNames) {
    if (name == known) return value;
  }
  return std::nullopt;
}

/// The line for this family, or nothing when it is another's: "dnf,zypper: sudo …".
std::string_view for_family(std::string_view line, Family here) {
  const std::size_t colon = line.find(": ");
  if (colon == line.npos) return line;
  bool named = false;
  for (const std::string_view name : split(line.substr(0, colon), ',')) {
    const auto one = family_of(name);
    if (!one) return line;  // no list of families
    named |= *one == here;
  }
  return named ? line.substr(colon + 2) : "";
}

/// What stands between the two, or nothing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  if (!text.starts_with(before) || !text.ends_with(after)) return {};
  if (text.size() <= before.size() + after.size()) return {};
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

/// The commands of a line. Three sentences of the database are known, whose commands are others on
/// each distribution.
std::vector<Step> steps_of(std::string_view line, const Machine& machine) {
  constexpr std::string_view kAdded = " to the kernel command line (grubby, update-grub), reboot";
  constexpr std::string_view kTaken = " off the kernel command line (grubby, update-grub), reboot";
  if (line == "rebuild the initial RAM disk (update-initramfs, dracut, mkinitcpio)")
    return {initramfs_command(machine)};
  if (const auto parameter = between(line, "add ", kAdded); !parameter.empty())
    return add_kernel_parameter(machine, std::string(parameter));
  if (const auto parameter = between(line, "take ", kTaken); !parameter.empty())
    return remove_kernel_parameter(machine, std::string(parameter));
  return {Step::of_database(line)};
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
  step.fill("rocm-rel-X.Y",
            version.find('.') != version.npos ? "rocm-rel-" + version.substr(0, minor_end) : "");
  step.fill("gfxN", gfx);
  if (machine.memory.total_bytes)
    step.fill("PAGES", std::to_string(*machine.memory.total_bytes / 4096 * 9 / 10));
  return step;
}

Remedy remedy_for(const Cause& cause, const Machine& machine) {
  Remedy remedy;
  const Family here = family(machine);
  for (const std::string_view line : cause.remedy) {
    const std::string_view mine = for_family(line, here);
    if (mine.empty()) continue;
    for (Step& step : steps_of(mine, machine)) remedy.steps.push_back(std::move(step));
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

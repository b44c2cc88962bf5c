#include "checks/facts/packages.h"

#include <algorithm>

#include "base/text.h"

namespace rocvet {
namespace {

bool is_leftover(const Package& package) {
  return package.state == "config-files" || package.state == "not-installed";
}

bool like(const Distro& distro, std::string_view id) {
  if (distro.id == id) return true;
  for (const std::string& other : distro.like) {
    if (other == id) return true;
  }
  return false;
}

Step update_grub(const Machine& machine) {
  if (family(machine) == Family::apt) return "sudo update-grub";
  if (family(machine) == Family::zypper) return "sudo grub2-mkconfig -o /boot/grub2/grub.cfg";
  return "sudo grub-mkconfig -o /boot/grub/grub.cfg";
}

}  // namespace

const Package* find_package(const Machine& machine, std::string_view name) {
  if (!machine.software.packages) return nullptr;
  for (const Package& package : *machine.software.packages) {
    if (package.name == name && !is_leftover(package)) return &package;
  }
  return nullptr;
}

std::vector<const Package*> find_packages(const Machine& machine, std::string_view pattern) {
  std::vector<const Package*> found;
  if (!machine.software.packages) return found;
  for (const Package& package : *machine.software.packages) {
    if (!is_leftover(package) && glob_match(pattern, package.name)) found.push_back(&package);
  }
  return found;
}

bool package_absent(const Machine& machine, std::string_view name) {
  return machine.software.packages.has_value() && find_package(machine, name) == nullptr;
}

bool software_was_read(const Machine& machine) {
  const Software& software = machine.software;
  return software.packages.has_value() || software.loader_cache.has_value() ||
         !software.rocm.empty() || !software.python.empty() || !software.applications.empty();
}

bool is_firmware_package(std::string_view name) {
  return name.starts_with("linux-firmware") || name == "amdgpu-dkms-firmware" ||
         std::ranges::find(kFirmwarePackages, name) != std::end(kFirmwarePackages);
}

std::string describe(const Package& package) {
  std::string text = package.name + " " + package.version;
  if (!package.state.empty() && package.state != "installed") text += " (" + package.state + ")";
  return text;
}

std::string without_epoch(const std::string& version) {
  const std::size_t colon = version.find(':');
  return colon == version.npos ? version : version.substr(colon + 1);
}

bool is_broken(const Package& package) {
  return package.state.starts_with("half-") || package.state == "unpacked" ||
         package.state.starts_with("triggers-") || package.state == "reinst-required";
}

Family family(const Machine& machine) {
  const std::string& manager = machine.software.package_manager;
  if (manager == "pacman") return Family::pacman;
  if (machine.distro) {
    const Distro& distro = *machine.distro;
    if (like(distro, "debian") || like(distro, "ubuntu")) return Family::apt;
    if (like(distro, "fedora") || like(distro, "rhel") || like(distro, "centos"))
      return Family::dnf;
    if (like(distro, "suse") || like(distro, "opensuse") || distro.id.starts_with("sle"))
      return Family::zypper;
    if (like(distro, "arch")) return Family::pacman;
  }
  if (manager == "dpkg") return Family::apt;
  if (manager == "rpm") return Family::dnf;
  return Family::other;
}

Step install_command(const Machine& machine, const Word& apt, const Word& dnf, const Word& zypper,
                     const Word& pacman) {
  switch (family(machine)) {
    case Family::apt:
      return apt.empty() ? Step() : Step("sudo apt install {}", apt);
    case Family::dnf:
      return dnf.empty() ? Step() : Step("sudo dnf install {}", dnf);
    case Family::zypper:
      if (!zypper.empty()) return Step("sudo zypper install {}", zypper);
      return dnf.empty() ? Step() : Step("sudo zypper install {}", dnf);
    case Family::pacman:
      return pacman.empty() ? Step() : Step("sudo pacman -S {}", pacman);
    case Family::other:
      break;
  }
  return {};
}

Word module_package(const Machine& machine, const std::string& release) {
  const bool debian = machine.distro && machine.distro->id == "debian";
  return (debian ? "linux-image-" : "linux-modules-extra-") + release;
}

Step remove_command(const Machine& machine, const Word& packages) {
  switch (family(machine)) {
    case Family::dnf:
      return Step("sudo dnf remove {}", packages);
    case Family::zypper:
      return Step("sudo zypper remove {}", packages);
    case Family::pacman:
      return Step("sudo pacman -R {}", packages);
    default:
      return Step("sudo apt purge {}", packages);
  }
}

Step initramfs_command(const Machine& machine) {
  switch (family(machine)) {
    case Family::dnf:
    case Family::zypper:
      return "sudo dracut --force --regenerate-all";
    case Family::pacman:
      return "sudo mkinitcpio -P";
    default:
      return "sudo update-initramfs -u -k all";
  }
}

std::vector<Step> add_kernel_parameter(const Machine& machine, const std::string& parameter) {
  if (family(machine) == Family::dnf)
    return {Step("sudo grubby --update-kernel=ALL --args={}", Word::around("", parameter, "")),
            "sudo reboot"};
  return {Step("sudo sed -i {} /etc/default/grub",
               Word::around("s/^GRUB_CMDLINE_LINUX_DEFAULT=\"/&", parameter, " /")),
          update_grub(machine), "sudo reboot"};
}

std::vector<Step> remove_kernel_parameter(const Machine& machine, const std::string& parameter) {
  if (family(machine) == Family::dnf)
    return {
        Step("sudo grubby --update-kernel=ALL --remove-args={}", Word::around("", parameter, "")),
        "sudo reboot"};
  // A name goes with whatever value it has, as grubby does it.
  const bool whole = parameter.find('=') != std::string::npos;
  return {Step("sudo sed -i {} /etc/default/grub",
               Word::around("s/ *\\b", parameter, whole ? "\\b//" : "\\(=[^ \"]*\\|\\b\\)//")),
          update_grub(machine), "sudo reboot"};
}

}  // namespace rocvet

#include "checks/common/packages.h"

#include "machine/text.h"

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

std::string describe(const Package& package) {
  std::string text = package.name + " " + package.version;
  if (!package.state.empty() && package.state != "installed") text += " (" + package.state + ")";
  return text;
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

std::string install_command(const Machine& machine, std::string_view apt, std::string_view dnf,
                            std::string_view zypper, std::string_view pacman) {
  const auto command = [](std::string_view verb, std::string_view name) {
    return name.empty() ? std::string() : std::string(verb) + " " + std::string(name);
  };
  switch (family(machine)) {
    case Family::apt:
      return command("sudo apt install", apt);
    case Family::dnf:
      return command("sudo dnf install", dnf);
    case Family::zypper:
      return command("sudo zypper install", zypper.empty() ? dnf : zypper);
    case Family::pacman:
      return command("sudo pacman -S", pacman);
    case Family::other:
      break;
  }
  return "";
}

std::string remove_command(const Machine& machine, const std::string& packages) {
  switch (family(machine)) {
    case Family::dnf:
      return "sudo dnf remove " + packages;
    case Family::zypper:
      return "sudo zypper remove " + packages;
    case Family::pacman:
      return "sudo pacman -R " + packages;
    default:
      return "sudo apt purge " + packages;
  }
}

std::string initramfs_command(const Machine& machine) {
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

std::vector<std::string> add_kernel_parameter(const Machine& machine,
                                              const std::string& parameter) {
  switch (family(machine)) {
    case Family::dnf:
      return {"sudo grubby --update-kernel=ALL --args='" + parameter + "'", "sudo reboot"};
    case Family::apt:
      return {
          "sudo sed -i 's/^GRUB_CMDLINE_LINUX_DEFAULT=\"/&" + parameter + " /' /etc/default/grub",
          "sudo update-grub", "sudo reboot"};
    default:
      return {
          "sudo sed -i 's/^GRUB_CMDLINE_LINUX_DEFAULT=\"/&" + parameter + " /' /etc/default/grub",
          "sudo grub-mkconfig -o /boot/grub/grub.cfg", "sudo reboot"};
  }
}

std::vector<std::string> remove_kernel_parameter(const Machine& machine,
                                                 const std::string& parameter) {
  switch (family(machine)) {
    case Family::dnf:
      return {"sudo grubby --update-kernel=ALL --remove-args='" + parameter + "'", "sudo reboot"};
    case Family::apt:
      return {"sudo sed -i 's/ *\\b" + parameter + "\\b//' /etc/default/grub", "sudo update-grub",
              "sudo reboot"};
    default:
      return {"sudo sed -i 's/ *\\b" + parameter + "\\b//' /etc/default/grub",
              "sudo grub-mkconfig -o /boot/grub/grub.cfg", "sudo reboot"};
  }
}

}  // namespace rocvet

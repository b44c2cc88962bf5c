// Packages by name, and the commands of the package manager that is here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// The package of that name that is not merely a leftover of configuration files.
const Package* find_package(const Machine& machine, std::string_view name);
/// All whose name matches the pattern (* and ?) and that are not merely configuration files.
std::vector<const Package*> find_packages(const Machine& machine, std::string_view pattern);
/// True when the package database was read and lacks it.
bool package_absent(const Machine& machine, std::string_view name);
/// Whether any of the machine's software was looked at: of a text alone nothing is absent.
bool software_was_read(const Machine& machine);
/// Who ships the firmware of the kernel's own driver, by distribution.
inline constexpr const char* kFirmwarePackages[] = {
    "linux-firmware", "amd-gpu-firmware", "linux-firmware-amdgpu", "kernel-firmware-amdgpu",
    "firmware-amd-graphics"};
/// One of these, a part of linux-firmware, or the firmware of the DKMS driver.
bool is_firmware_package(std::string_view name);
/// "amdgpu-dkms 1:6.8.5 (half-configured)".
std::string describe(const Package& package);
/// "6.10.5.60302-2109964.24.04" of "1:6.10.5.60302-2109964.24.04".
std::string without_epoch(const std::string& version);
/// A state in which the package's files or scripts are not complete.
bool is_broken(const Package& package);

enum class Family { apt, dnf, zypper, pacman, other };
/// By the package manager, else by the distribution.
Family family(const Machine& machine);
/// "sudo apt install X" with the name for this family; empty where the family has none.
Step install_command(const Machine& machine, const Word& apt, const Word& dnf = "",
                     const Word& zypper = "", const Word& pacman = "");
Step remove_command(const Machine& machine, const Word& packages);
/// apt's package with the modules of that kernel: Ubuntu parts them, Debian keeps them with the
/// image.
Word module_package(const Machine& machine, const std::string& release);
/// Rebuilds the initial RAM disk.
Step initramfs_command(const Machine& machine);
/// Commands that add (or remove) a kernel parameter with this distribution's boot loader tools. A
/// parameter that is not plain is left to be done by hand: sed, and the shell that reads
/// /etc/default/grub, would read more into it.
std::vector<Step> add_kernel_parameter(const Machine& machine, const std::string& parameter);
std::vector<Step> remove_kernel_parameter(const Machine& machine, const std::string& parameter);

}  // namespace rocvet

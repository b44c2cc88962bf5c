// The operating system, the platform below it and the surroundings of the process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "formats/mounts.h"

namespace rocvet {

struct Kernel {
  Result<std::string> release;  ///< uname -r
  Result<double> boot_time;     ///< btime of /proc/stat, seconds since 1970
  Result<std::string> version;  ///< /proc/version
  Result<std::string> command_line;
  /// Its words in order: "amdgpu.runpm", "0"; a bare word has an empty value, a key may be given
  /// twice. Dashes in keys are underscores, as the kernel treats them.
  std::vector<std::pair<std::string, std::string>> arguments;
  Result<std::string> lockdown;    ///< "none", "integrity", "confidentiality"
  Result<bool> secure_boot;        ///< false on a machine without EFI
  std::string secure_boot_source;  ///< the efivar, "mokutil", or "" where nothing told
  Result<bool> mok_enrolled;       ///< whether the key that signs DKMS modules is enrolled
  std::map<std::string, Result<std::string>> sysctl;  ///< "kernel.numa_balancing" -> "0"
  Result<std::string> transparent_hugepages;          ///< "always", "madvise", "never"
  /// Small settings below /sys that checks ask for: "cpufreq governor", "smt", "pcie_aspm policy".
  std::map<std::string, Result<std::string>> settings;
  /// Build options without CONFIG_: "HSA_AMD" -> "y", "m" or "n"; only graphics, IOMMU, PCI and
  /// module options are kept. An option that the file does not name is absent here (that is "n").
  Result<std::map<std::string, std::string>> config;
  std::string config_source;                ///< "/boot/config-6.8.0-45-generic", "/proc/config.gz"
  Result<std::vector<std::string>> images;  ///< releases with a kernel image in /boot
  Result<std::string> initramfs_tool;       ///< /usr/sbin/update-initramfs, dracut or mkinitcpio
  Result<std::vector<std::string>> initramfs;  ///< file names of initial RAM disks in /boot
};

struct Distro {
  std::string id, version, codename, pretty;  ///< of os-release: ID VERSION_ID VERSION_CODENAME …
  std::vector<std::string> like;              ///< ID_LIKE
  std::string ubuntu_codename;                ///< UBUNTU_CODENAME: the base of Mint, Pop!_OS …
  std::string variant;                        ///< VARIANT_ID: "server", "silverblue" …
};

struct Iommu {
  Result<std::vector<std::string>> units;  ///< /sys/class/iommu: "ivhd0", "dmar0"; empty: off
  Result<std::map<std::string, std::string>> group_types;  ///< "14" -> "identity", "DMA-FQ" …
  /// iommu=pt, iommu.passthrough=1, or amd_iommu/intel_iommu=off on the command line.
  Result<bool> passthrough_asked;
};

enum class Environment {
  unknown,
  bare_metal,
  docker,
  podman,
  lxc,
  flatpak,
  snap,
  kubernetes,
  apptainer,
  wsl2,
  vm,
  sandbox,  ///< firejail
  container
};

/// Confines one program of the host, with the host's files or its own.
constexpr bool is_sandbox(Environment environment) {
  return environment == Environment::flatpak || environment == Environment::snap ||
         environment == Environment::sandbox;
}

/// What surrounds the process: the innermost kind in `environment`, what else was seen in the rest.
struct Surroundings {
  Environment environment = Environment::unknown;
  bool container = false;          ///< any kind of container or sandbox
  bool user_namespace = false;     ///< uid_map is not the initial one
  Result<bool> rootless;           ///< started without root (a user namespace, rootless=1)
  Result<bool> virtual_machine;    ///< hypervisor flag or DMI vendor
  Result<std::string> hypervisor;  ///< "kvm", "vmware", "microsoft", …
  std::string evidence;            ///< what told, e.g. "/.dockerenv"
  bool wsl = false;                ///< Microsoft's kernel, also below a container
  Result<std::vector<std::string>> wsl_libraries;  ///< names in /usr/lib/wsl/lib
  std::string engine;                              ///< "podman-4.9.3"; "" unknown
  std::string image;                               ///< of the container, where its marker names it
  std::string helper;       ///< "distrobox" or "toolbox" when one of them made it
  std::string application;  ///< flatpak or snap application id
  /// Flatpak: the devices it was granted ("dri", "all"); empty elsewhere.
  std::vector<std::string> flatpak_devices;
  /// Names in the folder of a node's kubelet where device plugins have their sockets; missing where
  /// no kubelet runs.
  Result<std::vector<std::string>> kubelet_plugins;
};

struct Dmi {
  Result<std::string> sys_vendor, product_name, board_vendor, board_name, bios_version,
      chassis_type;
};

struct Cpu {
  Result<std::string> vendor, model;  ///< "AuthenticAMD", "AMD EPYC 9654 96-Core Processor"
  Result<int> logical, sockets;
  Result<bool> hypervisor_flag;
  Result<std::vector<std::string>> flags;
};

/// One line of df, bytes.
struct FileSystemUse {
  std::string device, type, path;
  std::uint64_t size_bytes = 0, used_bytes = 0, available_bytes = 0;
  Result<std::uint64_t> free_inodes;
};

struct SystemMemory {
  Result<std::uint64_t> total_bytes, available_bytes, swap_total_bytes, swap_free_bytes;
  Result<std::uint64_t> hugepages, hugepage_bytes;
  Result<std::uint64_t> shm_bytes;  ///< capacity of /dev/shm: size= of its mount, or df
};

}  // namespace rocvet

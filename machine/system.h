// The operating system, the kernel driver, the user and the surroundings of the process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine/result.h"
#include "machine/source.h"

namespace rocvet {

struct Kernel {
  Result<std::string> release;  ///< uname -r
  Result<std::string> version;  ///< /proc/version
  Result<std::string> command_line;
  /// "amdgpu.runpm" -> "0"; a bare word has an empty value; a repeated key keeps its last.
  std::map<std::string, std::string> parameters;
  Result<std::string> lockdown;  ///< "none", "integrity", "confidentiality"
  Result<bool> secure_boot;
  std::map<std::string, Result<std::string>> sysctl;  ///< "kernel.numa_balancing" -> "0"
};

struct Distro {
  std::string id, version, codename, pretty;  ///< of os-release: ID VERSION_ID VERSION_CODENAME …
  std::vector<std::string> like;
};

enum class DriverOrigin { unknown, in_tree, dkms };

/// A line of modprobe.d or the like that speaks of a GPU module.
struct ModprobeLine {
  std::string file, text;
};

struct Module {
  bool loaded = false;
  Result<std::string> initstate, version, srcversion, taint;
  std::map<std::string, std::string> parameters;
};

struct DkmsState {
  std::string module, version, kernel, arch, state;  ///< state: added built installed …
};

/// The amdgpu kernel driver, loaded or not.
struct Driver {
  Result<Module> amdgpu;  ///< missing when the module is not loaded and not built in
  DriverOrigin origin = DriverOrigin::unknown;
  std::vector<std::string> module_files;     ///< amdgpu.ko* of the running kernel, absolute
  std::map<std::string, std::vector<std::string>> other_module_files;  ///< kernel -> files
  std::vector<ModprobeLine> modprobe;        ///< lines that name a GPU driver or vfio
  Result<std::vector<DkmsState>> dkms;
  std::vector<std::string> loaded_modules;   ///< /proc/modules
};

struct DeviceNode {
  std::string path;
  Result<FileStat> stat;
  Result<Done> open;  ///< opening it read-write as this user
};

struct Group {
  std::string name;
  std::uint32_t gid = 0;
  std::vector<std::string> members;
};

struct Account {
  std::string name, home;
  std::uint32_t uid = 0, gid = 0;
};

enum class Environment { unknown, bare_metal, docker, podman, lxc, flatpak, snap, kubernetes, apptainer, wsl2, vm, container };

struct Surroundings {
  Environment environment = Environment::unknown;
  bool container = false;                 ///< any kind of container
  bool user_namespace = false;            ///< uid_map is not the initial one
  Result<bool> virtual_machine;           ///< hypervisor flag or DMI vendor
  Result<std::string> hypervisor;         ///< "kvm", "vmware", "microsoft", …
  std::string evidence;                   ///< what told, e.g. "/.dockerenv"
};

struct Dmi {
  Result<std::string> sys_vendor, product_name, board_vendor, board_name, bios_version, chassis_type;
};

struct Mount {
  std::string device, path, type, options;
};

struct SystemMemory {
  Result<std::uint64_t> total_bytes, available_bytes;
};

}  // namespace rocvet

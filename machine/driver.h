// The amdgpu kernel driver: loaded or not, where it comes from, and what keeps it away.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/module_options.h"

namespace rocvet {

enum class DriverOrigin { unknown, in_tree, dkms };

/// A line of modprobe.d, modules-load.d or the like that speaks of a GPU module.
struct ModprobeLine {
  std::string file, text;
  std::string command;    ///< "blacklist", "options", "install", "softdep", "alias", "load"
  std::string module;     ///< "amdgpu"; dashes are underscores
  std::string argument;   ///< the rest: "ids=1002:744c", "/bin/false"
  bool shadowed = false;  ///< a file of the same name in a directory of higher rank hides this one
};

struct Module {
  bool loaded = false;
  bool built_in = false;
  Result<std::string> initstate, version, srcversion, taint;
  ModuleOptions options;
};

/// One line of `dkms status`.
struct DkmsState {
  std::string module, version, kernel, arch;  ///< kernel and arch are empty when only added
  std::string state;  ///< "added", "built", "installed", "broken" …, lower case
  std::string note;   ///< "(WARNING! Diff between built and installed module!)"
};

/// One version of a module in /var/lib/dkms.
struct DkmsTree {
  std::string module, version;
  std::string path;                    ///< /var/lib/dkms/amdgpu/6.8.5-2009582.24.04
  Result<std::string> source;          ///< target of its link `source`; missing when there is none
  Result<bool> source_exists;          ///< the target is there and has a dkms.conf
  std::vector<std::string> built_for;  ///< kernels with a folder that holds a module
};

/// A make.log or crash report of a DKMS build.
struct DkmsLog {
  std::string path, module, version;
  std::string kernel;               ///< "" when the path does not tell
  std::vector<std::string> errors;  ///< lines with compiler or make errors, at most 20
  std::string tail;                 ///< the last lines, at most 2 KiB
};

struct Driver {
  Result<Module> amdgpu;  ///< missing when the module is not loaded and not built in
  DriverOrigin origin = DriverOrigin::unknown;  ///< of the loaded one; else of the one to be loaded
  std::string origin_source;                    ///< what told: "taint", "amdkcl", "module path" …
  Result<std::string> version;  ///< of the DKMS module ("6.8.5"); in-tree ones have none
  /// amdgpu.ko* of the running kernel, absolute, the one modprobe takes first; missing: no such
  /// folder of modules (a container), so nothing is known.
  Result<std::vector<std::string>> module_files;
  Result<std::map<std::string, std::vector<std::string>>> other_module_files;  ///< by other kernels
  /// Modules that modules.dep of the running kernel wants for amdgpu and that are not there,
  /// absolute.
  Result<std::vector<std::string>> missing_dependencies;
  Result<std::string> headers;         ///< where build of the running kernel leads; missing: none
  std::vector<ModprobeLine> modprobe;  ///< lines that name a GPU driver or vfio
  Result<Done> modprobe_readable;      ///< error: not all modprobe.d folders were seen
  /// Modules that the kernel command line keeps out: "amdgpu" -> "modprobe.blacklist=amdgpu".
  std::map<std::string, std::string> blacklisted_on_command_line;
  Result<std::vector<DkmsState>> dkms;
  std::string dkms_source;                 ///< "dkms status" or "/var/lib/dkms"
  std::vector<std::string> dkms_messages;  ///< lines of dkms status that are no states (errors)
  Result<std::vector<DkmsTree>> dkms_trees;
  std::vector<DkmsLog> dkms_logs;
  std::vector<std::string> dkms_sources;  ///< folders of GPU drivers in /usr/src: "amdgpu-6.3.6-…"
  Result<std::vector<std::string>> loaded_modules;  ///< /proc/modules, else names in /sys/module
  /// Firmware in /lib/firmware/amdgpu without suffix (.bin, .bin.xz, .bin.zst): "gc_11_0_0_mec".
  Result<std::vector<std::string>> firmware;
  /// Release of linux-firmware by the folder it lies in, where no package manager tells (NixOS):
  /// "20251125"; "" when it does not.
  std::string firmware_release;
  Result<std::vector<std::string>> firmware_updates;  ///< the same below /lib/firmware/updates

  /// Of ttm, amdttm, vfio_pci, radeon and drm where they are loaded.
  std::map<std::string, ModuleOptions> other_options;

  bool is_loaded(std::string_view module) const;   ///< in `loaded_modules`
  bool has_firmware(std::string_view name) const;  ///< in either folder
};

}  // namespace rocvet

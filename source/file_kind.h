// What a file is, as far as it matters for what of it a snapshot may write down.
#pragma once

#include <string_view>

namespace rocvet {

enum class FileKind {
  other,             ///< nothing of it
  facts,             ///< all: what the kernel or a package says of the machine
  environ_block,     ///< NAME=VALUE ended by NULs: of init only which container it is in
  variables,         ///< NAME=VALUE lines: those that GPU software reads
  shell,             ///< of a shell: the same
  fish,              ///< of the shell fish: the same
  kernel_arguments,  ///< parameters that a check asks for; of others the name
  kernel_log,        ///< in a log of all programs only the kernel's lines
  audit_log,         ///< denials of GPU devices
  unit,              ///< of systemd: who runs what program with which devices and limits
  init_script,       ///< of System V: as whom it starts its program
  compose,           ///< images, devices and GPU variables of services
  docker_config,     ///< the name of the context
  docker_context,    ///< its name
  apt_list,          ///< AMD's repositories and pins, without logins
  apt_sources,
  apt_preferences,
  yum_repository,
  accounts,          ///< passwd, group: without password hashes
  module_options,    ///< modprobe.d: of modules that matter to a GPU
  module_list,       ///< modules-load.d
  udev_rules,        ///< of GPU nodes
  limits,            ///< lines of limits.conf
  lxc_config,        ///< devices
  loader_folders,    ///< ld.so.conf
  container_marker,  ///< /run/.containerenv
  flatpak_info,
  module_file,          ///< of environment modules: the folders it speaks of
  cmake_cache,          ///< which GPUs it was built for
  python_version,       ///< pyvenv.cfg
  first_line,           ///< a version, the library of an .icd file
  crash_report,         ///< the build log in it
  boot_time,            ///< /proc/stat: btime
  module_dependencies,  ///< modules.dep: what amdgpu wants
  package_files,        ///< of a package's list: libraries, programs, bitcode
};

/// What a file of this path is. Paths say it for all but what a configuration names at will: a
/// probe says so itself (Source::read_as).
FileKind kind_of_file(std::string_view path);

}  // namespace rocvet

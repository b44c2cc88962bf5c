// What of a file a snapshot may write down. Nothing is taken because it looks harmless: a file is
// one of these kinds, and of each only what the probe that reads it asks for. A file of no kind
// leaves no content at all.
#pragma once

#include <string>
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
  module_file,     ///< of environment modules: the folders it speaks of
  cmake_cache,     ///< which GPUs it was built for
  python_version,  ///< pyvenv.cfg
  first_line,      ///< a version, the library of an .icd file
  crash_report,    ///< the build log in it
};

/// What a file of this path is. Paths say it for all but what a configuration names at will: a
/// probe says so itself (Source::read_as).
FileKind kind_of_file(std::string_view path);

/// The part of `content` that may be written down; a probe reads the same facts from it as from the
/// whole. `path` is that of the file, for messages that name it.
std::string recordable(FileKind kind, std::string_view content, const std::string& path);

/// The kernel's command line with only the values that a check may ask for; of every other
/// parameter the name.
std::string recordable_arguments(std::string_view command_line);

/// A log, with kernel command lines in it cut down likewise.
std::string recordable_log(std::string_view log);

}  // namespace rocvet

#include "source/file_kind.h"

#include "base/text.h"

namespace rocvet {
namespace {

struct KindOfPath {
  std::string_view pattern;  ///< a * matches slashes too
  FileKind kind;
};
// The first that fits counts. Folders of the system are named whole, files below a home by their
// ends, since a home may lie anywhere.
constexpr KindOfPath kKinds[] = {
    {"/proc/cmdline", FileKind::kernel_arguments},
    {"/proc/*/environ", FileKind::environ_block},
    {"/proc/*/cmdline", FileKind::other},
    {"/proc/sys/*", FileKind::facts},
    {"/proc/stat", FileKind::boot_time},
    {"/proc/cpuinfo", FileKind::facts},
    {"/proc/meminfo", FileKind::facts},
    {"/proc/version", FileKind::facts},
    {"/proc/modules", FileKind::facts},
    {"/proc/config.gz", FileKind::facts},
    {"/proc/mounts", FileKind::facts},
    {"/proc/*/mounts", FileKind::facts},
    {"/proc/*/cgroup", FileKind::facts},
    {"/proc/*/attr/current", FileKind::facts},
    {"/sys/*", FileKind::facts},
    {"/boot/config-*", FileKind::facts},
    {"/lib/modules/*/modules.dep", FileKind::module_dependencies},
    {"/usr/lib/modules/*/modules.dep", FileKind::module_dependencies},
    {"/lib/modules/*", FileKind::facts},
    {"/usr/lib/modules/*", FileKind::facts},
    {"/etc/os-release", FileKind::facts},
    {"/usr/lib/os-release", FileKind::facts},
    {"/etc/hostname", FileKind::facts},
    {"/etc/passwd", FileKind::accounts},
    {"/etc/group", FileKind::accounts},
    {"/usr/lib/group", FileKind::accounts},
    {"/etc/subuid", FileKind::accounts},
    {"/etc/subgid", FileKind::accounts},
    {"/run/systemd/container", FileKind::facts},
    {"/run/.containerenv", FileKind::container_marker},
    {"/.flatpak-info", FileKind::flatpak_info},
    {"/var/lib/dpkg/info/*.list", FileKind::package_files},
    {"/var/lib/dpkg/*", FileKind::facts},
    {"/var/lib/pacman/local/*/files", FileKind::package_files},
    {"/var/lib/pacman/*", FileKind::facts},
    {"/lib/apk/db/*", FileKind::facts},
    {"/var/lib/dkms/*", FileKind::facts},
    {"/var/lib/shim-signed/mok/MOK.der", FileKind::facts},
    {"/var/crash/*", FileKind::crash_report},
    {"/var/log/audit/*", FileKind::audit_log},
    {"/var/log/*", FileKind::kernel_log},
    {"/etc/environment", FileKind::variables},
    {"*/environment.d/*.conf", FileKind::variables},
    {"/etc/profile", FileKind::shell},
    {"/etc/profile.d/*", FileKind::shell},
    {"/etc/bash.bashrc", FileKind::shell},
    {"/etc/bashrc", FileKind::shell},
    {"/etc/zsh/*", FileKind::shell},
    {"/etc/ld.so.cache", FileKind::facts},
    {"/etc/ld.so.conf", FileKind::loader_folders},
    {"/etc/ld.so.preload", FileKind::loader_folders},
    {"/etc/ld.so.conf.d/*", FileKind::loader_folders},
    {"/etc/modules", FileKind::module_list},
    {"*/modules-load.d/*.conf", FileKind::module_list},
    {"*/modprobe.d/*.conf", FileKind::module_options},
    {"*/udev/rules.d/*.rules", FileKind::udev_rules},
    {"/etc/security/limits.conf", FileKind::limits},
    {"/etc/security/limits.d/*", FileKind::limits},
    {"*/systemd/system/*.service", FileKind::unit},
    {"*/systemd/system/*.service.d/*.conf", FileKind::unit},
    {"/etc/init.d/*", FileKind::init_script},
    {"/etc/apt/sources.list", FileKind::apt_list},
    {"/etc/apt/sources.list.d/*.list", FileKind::apt_list},
    {"/etc/apt/sources.list.d/*.sources", FileKind::apt_sources},
    {"/etc/apt/preferences", FileKind::apt_preferences},
    {"/etc/apt/preferences.d/*", FileKind::apt_preferences},
    {"/etc/yum.repos.d/*.repo", FileKind::yum_repository},
    {"/etc/zypp/repos.d/*.repo", FileKind::yum_repository},
    {"/etc/pve/lxc/*.conf", FileKind::lxc_config},
    {"*/.profile", FileKind::shell},
    {"*/.bash_profile", FileKind::shell},
    {"*/.bash_login", FileKind::shell},
    {"*/.bashrc", FileKind::shell},
    {"*/.bash_aliases", FileKind::shell},
    {"*/.zshenv", FileKind::shell},
    {"*/.zprofile", FileKind::shell},
    {"*/.zshrc", FileKind::shell},
    {"*/.xprofile", FileKind::shell},
    {"*/.cshrc", FileKind::shell},
    {"*/.config/fish/fish_variables", FileKind::fish},
    {"*/.config/fish/*.fish", FileKind::fish},
    {"*/.docker/config.json", FileKind::docker_config},
    {"*/.docker/contexts/meta/*/meta.json", FileKind::docker_context},
    {"*/compose.yaml", FileKind::compose},
    {"*/compose.yml", FileKind::compose},
    {"*/docker-compose.yaml", FileKind::compose},
    {"*/docker-compose.yml", FileKind::compose},
    {"*/docker-compose.override.yml", FileKind::compose},
    {"*/CMakeCache.txt", FileKind::cmake_cache},
    {"*/pyvenv.cfg", FileKind::python_version},
    {"*/.info/version*", FileKind::first_line},
    {"*.icd", FileKind::first_line},
};

}  // namespace

FileKind kind_of_file(std::string_view path) {
  for (const KindOfPath& entry : kKinds) {
    if (glob_match(entry.pattern, path)) return entry.kind;
  }
  return FileKind::other;
}

}  // namespace rocvet

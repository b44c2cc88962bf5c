#include "checks/unread_areas.h"

#include <algorithm>

#include "base/text.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

/// One kind of place, by patterns in which * also takes slashes. Attributes that sound hardware
/// refuses at times (clocks, sensors, busy counters) are not among them: their readers say so.
struct Area {
  std::string_view name;
  std::vector<std::string_view> places;
};

const std::vector<Area>& areas() {
  static const std::vector<Area> kAreas = {
      {"software",
       {"/opt",
        "/opt/*",
        "/usr/lib",
        "/usr/lib/*",
        "/usr/lib64",
        "/usr/lib64/*",
        "/lib/*-linux-*",
        "/lib64",
        "/lib64/*",
        "/usr/local",
        "/usr/local/*",
        "/usr/share/amdgcn*",
        "/usr/bin/*",
        "/etc/alternatives*",
        "/etc/ld.so.c*",
        "/etc/OpenCL*",
        "/.singularity.d/*",
        "/run/current-system*",
        "/nix/*",
        "/home",
        "/home/*",
        "/root",
        "/root/*",
        "*/site-packages*",
        "*/dist-packages*",
        "*/conda-meta*",
        "/snap/*",
        "/var/lib/flatpak/*",
        "cmd:ldconfig-p",
        "process:environment"}},
      {"packages",
       {"/var/lib/dpkg*", "/var/lib/rpm*", "/usr/lib/sysimage/rpm*", "/var/lib/pacman*",
        "/lib/apk/*", "/var/db/pkg*", "/var/log/dpkg.log", "/var/log/dnf.rpm.log",
        "/var/log/pacman.log", "/etc/apt*", "/etc/yum.repos.d*", "/etc/zypp*", "/etc/dnf*",
        "/etc/os-release", "/usr/lib/os-release", "cmd:rpm-qa"}},
      {"settings",
       {"/etc/environment*", "/etc/profile*", "/etc/bash*", "/etc/security*", "/etc/default*",
        "/etc/systemd*", "/etc/init.d*", "/usr/lib/systemd*", "/lib/systemd*", "/etc/docker*",
        "/etc/passwd", "/etc/supergfxd.conf", "process:uid", "/home/*", "/root/*",
        "process:environment"}},
      {"modules",
       {"/lib/modules*", "/usr/lib/modules*", "/sys/module", "/sys/module/amdgpu*",
        "/etc/modprobe.d*", "/usr/lib/modprobe.d*", "/run/modprobe.d*", "/proc/modules",
        "/proc/cmdline", "/var/lib/dkms*", "/usr/src", "/proc/sys/kernel/*", "/proc/version",
        "cmd:dkms-status"}},
      {"firmware",
       {"/lib/firmware*", "/usr/lib/firmware*", "*/fw_version*", "*/vbios_version",
        "/run/current-system/firmware*", "/nix/*"}},
      {"cards", {"/sys/bus/pci*", "/sys/bus/platform*", "/sys/class/drm*", "/sys/devices/pci*"}},
      {"lists",
       {"/sys/bus/pci", "/sys/bus/pci/devices", "/sys/bus/pci/devices/*/vendor",
        "/sys/bus/pci/devices/*/device", "/sys/bus/pci/devices/*/class", "/sys/devices/pci*/vendor",
        "/sys/devices/pci*/device", "/sys/devices/pci*/class", "/sys/class/drm",
        "/sys/class/kfd/kfd/topology/nodes", "/sys/class/kfd/kfd/topology/nodes/*/properties",
        "/sys/class/kfd/kfd/topology/nodes/*/gpu_id"}},
      {"topology", {"/sys/class/kfd*", "/sys/devices/virtual/kfd*"}},
      {"nodes",
       {"/dev", "/dev/dri*", "/dev/kfd", "/dev/dxg", "process:cgroup", "process:uid",
        "process:groups"}},
      {"accounts", {"/etc/passwd", "/etc/group"}},
      {"container",
       {"/.dockerenv", "/.flatpak-info", "/run/.containerenv", "/run/systemd/container",
        "process:environment", "process:cgroup", "/proc/version", "/proc/sys/kernel/osrelease"}},
      {"kubelet", {"*/kubelet/device-plugins"}},
      {"log", {"cmd:dmesg"}},
      {"answers", {"cmd:rocminfo", "cmd:clinfo", "cmd:deep"}},
      {"lspci", {"cmd:lspci-vvnn"}},
      {"services", {"/etc/systemd*", "/usr/lib/systemd*", "/lib/systemd*", "/etc/init.d*"}},
      {"security", {"/proc/self/attr*", "/sys/fs/selinux*", "/etc/selinux*"}},
      {"host",
       {"/proc/meminfo", "/proc/cpuinfo", "/sys/devices/system*", "/proc/self/limits",
        "/sys/class/iommu*", "/sys/class/devcoredump*", "/sys/class/power_supply*",
        "/sys/kernel/mm*", "/sys/fs/cgroup*", "process:limits", "process:seccomp"}},
  };
  return kAreas;
}

struct Rests {
  std::string_view on;  ///< a topic, or the id of a check
  std::vector<std::string_view> areas;
};

/// What one check, or else those of its topic, rest on.
const std::vector<Rests>& all_rests() {
  static const std::vector<Rests> kAll = {
      {"kfd-not-accessible", {"nodes", "software"}},
      {"kfd-open-failed", {"nodes", "software"}},
      {"render-node-not-accessible", {"nodes", "software"}},
      {"gpu-generation-without-compute", {"cards", "topology", "software"}},
      {"gpu-without-kfd-node", {"cards", "topology", "nodes", "modules", "software"}},
      {"library-not-found", {"software", "answers"}},
      {"library-fails-when-run", {"software", "answers"}},
      {"discrete-gpu-switched-off", {"cards", "topology", "settings"}},
      {"miopen-cache-unusable", {"software", "settings"}},
      {"tools-want-a-module", {"software", "packages", "modules"}},
      {"known-defect", {"software", "packages", "modules", "cards", "log"}},
      {"driver-known-bad", {"modules", "packages", "cards", "firmware", "log"}},
      {"firmware-known-bad", {"cards", "firmware", "modules", "packages", "log"}},
      {"kernel-too-old", {"modules", "packages", "cards", "topology", "container", "log"}},
      {"power-cap-raised", {"cards", "modules", "log"}},
      {"kubelet-without-amd-gpu", {"kubelet", "cards", "topology"}},
      {"selinux-denies-device", {"nodes", "security", "log"}},
      {"access", {"nodes", "accounts", "services", "security", "container"}},
      {"container", {"nodes", "software", "settings", "host", "container", "answers"}},
      {"detection", {"cards", "topology", "nodes", "modules", "answers"}},
      {"driver", {"modules", "packages", "cards", "firmware", "topology", "container"}},
      {"environment",
       {"software", "settings", "nodes", "cards", "topology", "services", "answers"}},
      {"firmware", {"cards", "firmware", "modules", "packages", "container"}},
      {"framework", {"software", "settings", "topology", "answers"}},
      {"installation", {"software", "packages", "cards", "topology"}},
      {"memory", {"cards", "topology", "modules", "host"}},
      {"pcie", {"cards", "topology", "modules", "lspci"}},
      {"platform", {"cards", "topology", "modules", "host"}},
      {"power", {"cards", "modules", "host"}},
      {"runtime", {"software", "packages", "settings", "topology", "cards", "modules", "host"}},
      {"xgmi", {"cards", "topology"}},
  };
  return kAll;
}

/// What lists the GPUs.
constexpr std::string_view kGpuAreas[] = {"lists"};
/// What tells containers and WSL.
constexpr std::string_view kOfSurroundings[] = {"container"};

/// Checks whose pass is something that was seen to be there.
constexpr std::string_view kOfPresence[] = {"no-amd-gpu", "places-unread"};

/// Checks whose complaint is that something is not there, or unlike its equals: what could not be
/// seen looks so too.
constexpr std::string_view kOfAbsence[] = {"card-missing-from-board",
                                           "dkms-not-built-for-this-kernel",
                                           "driver-does-not-build-here",
                                           "driver-module-missing",
                                           "driver-update-not-booted",
                                           "equal-gpus-differ",
                                           "firmware-file-absent",
                                           "gpu-without-driver",
                                           "gpu-without-kfd-node",
                                           "hive-incomplete",
                                           "hive-link-missing",
                                           "kernel-lists-disagree",
                                           "kfd-missing",
                                           "library-not-found",
                                           "memory-smaller-than-part",
                                           "no-amd-gpu",
                                           "opencl-not-registered",
                                           "opt-rocm-link-missing",
                                           "render-node-missing",
                                           "rocm-path-wrong",
                                           "running-kernel-removed",
                                           "runtime-sees-other-gpus",
                                           "wsl-librocdxg-missing"};

/// Attributes that a sound card refuses at times: what reads them says so.
constexpr std::string_view kMoody[] = {
    "/sys/*/hwmon/hwmon*/*",
    "/sys/*busy_percent",
    "/sys/*/gpu_metrics",
    "/sys/*/pp_*",
    "/sys/*/pcie_bw",
    "/sys/*/ras/*",
    "/sys/*/rom",
    "/sys/*/serial_number",
    "/sys/*_link_*",
    "/sys/*/config",
    "/sys/*/power/autosuspend*",
    "/sys/*/thermal_*",
};

bool is_among(std::span<const std::string_view> patterns, std::string_view place) {
  return std::ranges::any_of(patterns,
                             [&](std::string_view pattern) { return glob_match(pattern, place); });
}

/// "/home/ada" of "/home/ada/.docker/config.json"; "" of what is in nobody's home.
std::string_view home_of(std::string_view place) {
  if (place == "/root" || place.starts_with("/root/")) return place.substr(0, 5);
  if (!place.starts_with("/home/")) return "";
  return place.substr(0, place.find('/', 6));
}

/// What this user is not meant to read says nothing of what this user runs: homes of others, a
/// vendor's folder, GPUs that a device cgroup keeps from this process (KFD closes all of a node).
bool is_of_others(const Machine& machine, const Unread& unread) {
  if (unread.error.kind != Error::Kind::denied) return false;
  const std::string_view place = unread.place;
  if (const std::string_view home = home_of(place); !home.empty()) {
    const bool by_name = machine.process.user && home == "/home/" + *machine.process.user;
    return !by_name && home != variable_or_empty(machine, "HOME");
  }
  if (place.starts_with("/opt/"))
    return !place.starts_with("/opt/rocm") && !place.starts_with("/opt/amdgpu");
  constexpr std::string_view kNodes = "/sys/class/kfd/kfd/topology/nodes/";
  if (!place.starts_with(kNodes)) return false;
  const bool given_a_part = machine.surroundings.container ||
                            !variable_or_empty(machine, "SLURM_JOB_ID").empty() ||
                            machine.access.cgroup_devices.has_value();
  if (!given_a_part) return false;
  const std::string node(place.substr(0, place.find('/', kNodes.size())));
  return std::ranges::any_of(machine.unread, [&](const Unread& one) {
    return one.place == node + "/properties" && one.error.kind == Error::Kind::denied;
  });
}

/// Of whoever runs this, wherever that home is.
bool is_in_own_home(const Machine& machine, std::string_view place) {
  const std::string home = variable_or_empty(machine, "HOME");
  return home.size() > 1 && place.starts_with(home) &&
         (place.size() == home.size() || place[home.size()] == '/');
}

bool is_in(const Machine& machine, const Unread& unread, std::span<const std::string_view> names) {
  // The log was had by another way.
  if (unread.place == "cmd:dmesg" && machine.kernel_log) return false;
  const bool of_a_home = std::ranges::find(names, "software") != names.end() ||
                         std::ranges::find(names, "settings") != names.end();
  if (of_a_home && is_in_own_home(machine, unread.place)) return true;
  return std::ranges::any_of(areas(), [&](const Area& area) {
    return std::ranges::find(names, area.name) != names.end() &&
           is_among(area.places, unread.place);
  });
}

const Rests* rests_of(const Check& check) {
  for (const Rests& rests : all_rests()) {
    if (rests.on == check.topic || rests.on == check.id) return &rests;
  }
  return nullptr;
}

template <std::size_t kSize>
bool is_named(const std::string_view (&names)[kSize], std::string_view id) {
  return std::ranges::find(names, id) != std::end(names);
}

/// The first place in these areas that was not seen. `any`: also what is closed to this user, and
/// what the card refuses at times.
const Unread* first_unread(const Machine& machine, std::span<const std::string_view> names,
                           bool any) {
  for (const Unread& unread : machine.unread) {
    if (is_in(machine, unread, names) &&
        (any || (!is_among(kMoody, unread.place) && !is_of_others(machine, unread))))
      return &unread;
  }
  return nullptr;
}

/// The place without which the finding is a guess, or nullptr.
const Unread* guessed_without(const Machine& machine, const Check& check, const Finding& finding,
                              std::span<const std::string_view> areas) {
  switch (finding.verdict) {
    case Verdict::pass:
      return is_named(kOfPresence, check.id) ? nullptr : first_unread(machine, areas, false);
    case Verdict::warn:
    case Verdict::fail:
      return is_named(kOfAbsence, check.id) ? first_unread(machine, areas, true) : nullptr;
    case Verdict::skip:
      if (finding.absence == Absence::gpu) return first_unread(machine, kGpuAreas, false);
      if (finding.absence == Absence::surroundings)
        return first_unread(machine, kOfSurroundings, false);
      return finding.absence == Absence::thing ? first_unread(machine, areas, false) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

std::vector<const Unread*> unread_that_matter(const Machine& machine) {
  std::vector<std::string_view> all;
  for (const Area& area : areas()) {
    if (area.name != "log" && area.name != "answers" && area.name != "lspci")
      all.push_back(area.name);
  }
  std::vector<const Unread*> out;
  for (const Unread& unread : machine.unread) {
    // Files of one's own home that root has made are closed to oneself on many a sound machine.
    const bool private_file =
        unread.error.kind == Error::Kind::denied &&
        (!home_of(unread.place).empty() || is_in_own_home(machine, unread.place));
    if (!private_file && !is_among(kMoody, unread.place) && !is_of_others(machine, unread) &&
        is_in(machine, unread, all))
      out.push_back(&unread);
  }
  return out;
}

std::vector<Finding> without_guesses(const Machine& machine, const Check& check,
                                     std::vector<Finding> findings) {
  if (machine.unread.empty()) return findings;
  const Rests* rests = rests_of(check);
  const std::span<const std::string_view> own =
      rests == nullptr ? std::span<const std::string_view>() : rests->areas;
  for (Finding& finding : findings) {
    if (const Unread* unseen = guessed_without(machine, check, finding, own))
      finding = unknown(unseen->error, std::move(finding.subject));
  }
  return findings;
}

}  // namespace rocvet

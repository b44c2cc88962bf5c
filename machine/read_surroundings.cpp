#include "machine/read_surroundings.h"

#include <optional>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

/// Everything that may tell, asked once.
struct Clues {
  std::map<std::string, std::string> environment;  ///< of the process
  std::string init_environment;                    ///< /proc/1/environ, NUL separated
  std::string cgroup;                              ///< of the process and of init
  std::string container_manager;                   ///< /run/systemd/container: "lxc", "podman" …

  bool has(const std::string& name) const { return environment.count(name) != 0; }
  std::string get(const std::string& name) const {
    const auto found = environment.find(name);
    return found == environment.end() ? "" : found->second;
  }
};

Clues read_clues(Source& source, const ProcessFacts& process) {
  Clues clues;
  if (process.environment) clues.environment = *process.environment;
  if (const Result<std::string> text = source.read("/proc/1/environ", 1u << 20)) {
    for (const std::string_view entry : split(*text, '\0')) {
      if (entry.starts_with("container=")) clues.init_environment = entry.substr(10);
    }
  }
  if (process.cgroup) clues.cgroup = *process.cgroup;
  if (const Result<std::string> text = read_value(source, "/proc/1/cgroup")) {
    clues.cgroup += "\n" + *text;
  }
  if (const Result<std::string> text = read_value(source, "/run/systemd/container")) {
    clues.container_manager = lower(*text);
  }
  return clues;
}

struct Found {
  Environment environment;
  std::string evidence;
};

Environment named_environment(const std::string& name) {
  if (name.starts_with("lxc")) return Environment::lxc;
  if (name == "podman") return Environment::podman;
  if (name == "docker") return Environment::docker;
  if (name == "flatpak") return Environment::flatpak;
  // Steam's runtime is one: programs see its own /usr, the host's lies below /run/host.
  if (name == "firejail" || name == "pressure-vessel") return Environment::sandbox;
  if (name == "apptainer" || name == "singularity") return Environment::apptainer;
  return Environment::container;
}

/// The innermost container first: a sandbox inside a container is what limits the process.
std::optional<Found> find_container(Source& source, const Clues& clues) {
  if (source.exists("/.flatpak-info")) return Found{Environment::flatpak, "/.flatpak-info"};
  if (clues.has("SNAP") &&
      (clues.has("SNAP_NAME") || clues.cgroup.find("snap.") != std::string::npos)) {
    return Found{Environment::snap, "SNAP=" + clues.get("SNAP")};
  }
  for (const char* name : {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"}) {
    if (clues.has(name)) return Found{Environment::apptainer, name};
  }
  if (source.exists("/.singularity.d")) return Found{Environment::apptainer, "/.singularity.d"};
  if (clues.has("KUBERNETES_SERVICE_HOST")) {
    return Found{Environment::kubernetes, "KUBERNETES_SERVICE_HOST"};
  }
  if (clues.cgroup.find("kubepods") != std::string::npos) {
    return Found{Environment::kubernetes, "/proc/self/cgroup"};
  }
  for (const char* folder : {"/var/run/secrets/kubernetes.io", "/run/secrets/kubernetes.io"}) {
    if (source.exists(folder)) return Found{Environment::kubernetes, folder};
  }
  if (source.exists("/run/.containerenv")) return Found{Environment::podman, "/run/.containerenv"};
  if (source.exists("/.dockerenv")) return Found{Environment::docker, "/.dockerenv"};
  if (!clues.init_environment.empty()) {
    return Found{named_environment(clues.init_environment), "/proc/1/environ"};
  }
  if (!clues.container_manager.empty()) {
    return Found{named_environment(clues.container_manager), "/run/systemd/container"};
  }
  if (const std::string named = clues.get("container"); !named.empty()) {
    return Found{named_environment(named), "container=" + named};
  }
  for (const auto& [pattern, environment] :
       {std::pair{"/docker/", Environment::docker}, std::pair{"/docker-", Environment::docker},
        std::pair{"/libpod-", Environment::podman}, std::pair{"/.lxc", Environment::lxc},
        std::pair{"/lxc/", Environment::lxc}, std::pair{"lxc.payload", Environment::lxc}}) {
    // docker-….scope is a container; docker.service is the daemon on the host.
    const std::size_t at = clues.cgroup.find(pattern);
    if (at != std::string::npos) return Found{environment, "/proc/self/cgroup"};
  }
  return std::nullopt;
}

/// Microsoft's own kernel. Azure machines run kernels named -azure: those are plain VMs.
bool is_wsl(Source& source, const Kernel& kernel) {
  const std::string release = lower(kernel.release.value_or(std::string()));
  const std::string version = lower(kernel.version.value_or(std::string()));
  if (release.find("microsoft") != std::string::npos) return true;
  if (version.find("microsoft-standard") != std::string::npos) return true;
  return source.exists("/dev/dxg") && source.exists("/usr/lib/wsl");
}

/// /run/.containerenv and /.flatpak-info say more than that they exist.
void read_details(Source& source, const Clues& clues, Surroundings& around) {
  if (const Result<std::string> text = source.read("/run/.containerenv")) {
    std::map<std::string, std::string> values = parse_containerenv(*text);
    around.engine = values["engine"];
    around.image = values["image"];
    if (values.count("rootless") != 0) around.rootless = values["rootless"] == "1";
    if (around.helper.empty() && values["name"].find("toolbox") != std::string::npos) {
      around.helper = "toolbox";
    }
  }
  if (source.exists("/run/.toolboxenv") || clues.has("TOOLBOX_PATH")) around.helper = "toolbox";
  if (source.exists("/run/.distroboxenv") || clues.has("DISTROBOX_ENTER_PATH")) {
    around.helper = "distrobox";
  }
  if (const Result<std::string> text = source.read("/.flatpak-info")) {
    for (const std::string_view line : lines_of(*text)) {
      if (line.starts_with("name=")) around.application = trim(line.substr(5));
      if (!line.starts_with("devices=")) continue;
      for (const std::string_view device : split(line.substr(8), ';')) {
        if (!trim(device).empty()) around.flatpak_devices.emplace_back(trim(device));
      }
    }
  }
  if (around.environment == Environment::snap) around.application = clues.get("SNAP_NAME");
  if (around.environment == Environment::apptainer) {
    around.image = clues.get("APPTAINER_CONTAINER");
    if (around.image.empty()) around.image = clues.get("SINGULARITY_CONTAINER");
  }
}

void read_hypervisor(Source& source, const Cpu& cpu, const Dmi& dmi, Surroundings& around) {
  const std::string named = hypervisor_of(dmi.sys_vendor.value_or(std::string()),
                                          dmi.product_name.value_or(std::string()));
  const Result<std::string> type = read_value(source, "/sys/hypervisor/type");
  if (around.wsl) {
    around.hypervisor = std::string("microsoft");
  } else if (!named.empty()) {
    around.hypervisor = named;
  } else if (type && !type->empty()) {
    around.hypervisor = *type;
  } else if (cpu.hypervisor_flag.value_or(false)) {
    around.hypervisor = std::string("unknown");
  } else if (cpu.hypervisor_flag || dmi.sys_vendor) {
    around.hypervisor = missing("/proc/cpuinfo", "no sign of a hypervisor");
  } else {
    around.hypervisor = cpu.hypervisor_flag.error();
  }
  if (around.hypervisor)
    around.virtual_machine = true;
  else if (around.hypervisor.is_missing() && (cpu.hypervisor_flag || dmi.sys_vendor)) {
    around.virtual_machine = false;
  } else {
    around.virtual_machine = around.hypervisor.error();
  }
}

}  // namespace

bool is_initial_id_map(std::string_view map) {
  const std::vector<std::string_view> parts = words(trim(map));
  return parts.size() == 3 && parts[0] == "0" && parts[1] == "0" && parts[2] == "4294967295";
}

std::map<std::string, std::string> parse_containerenv(std::string_view text) {
  std::map<std::string, std::string> values;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view value = trim(line.substr(equals + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    values[std::string(trim(line.substr(0, equals)))] = value;
  }
  return values;
}

std::string hypervisor_of(std::string_view vendor, std::string_view product) {
  const std::string maker = lower(vendor), model = lower(product);
  const auto any = [&](std::string_view word) {
    return maker.find(word) != std::string::npos || model.find(word) != std::string::npos;
  };
  if (any("vmware")) return "vmware";
  if (any("virtualbox") || any("innotek")) return "virtualbox";
  if (any("parallels")) return "parallels";
  if (any("bhyve")) return "bhyve";
  if (maker == "xen" || any("hvm domu")) return "xen";
  if (any("qemu") || any("kvm") || any("bochs") || any("openstack") || any("ovirt") ||
      any("rhev") || any("red hat enterprise virtualization")) {
    return "kvm";
  }
  if (maker.find("microsoft") != std::string::npos && any("virtual machine")) return "microsoft";
  if (any("google compute engine")) return "kvm";
  if (any("alibaba cloud")) return "kvm";
  // EC2 names its physical machines *.metal.
  if (any("amazon ec2") && model.find(".metal") == std::string::npos) return "kvm";
  return "";
}

/// A kubelet's own folder, of the distributions of Kubernetes that have another one too.
Result<std::vector<std::string>> kubelet_plugins(Source& source) {
  Result<std::vector<std::string>> found = missing("kubelet");
  for (const char* kubelet :
       {"/var/lib/kubelet", "/var/lib/k0s/kubelet", "/var/snap/microk8s/common/var/lib/kubelet"}) {
    found = source.list(std::string(kubelet) + "/device-plugins");
    if (found || !found.is_missing()) break;
  }
  return found;
}

Surroundings read_surroundings(Source& source, const ProcessFacts& process, const Kernel& kernel,
                               const Cpu& cpu, const Dmi& dmi) {
  Surroundings around;
  const Clues clues = read_clues(source, process);
  around.wsl = is_wsl(source, kernel);
  around.user_namespace = process.uid_map && !is_initial_id_map(*process.uid_map);
  read_hypervisor(source, cpu, dmi, around);
  around.wsl_libraries = source.list("/usr/lib/wsl/lib");
  around.kubelet_plugins = kubelet_plugins(source);

  if (const std::optional<Found> found = find_container(source, clues)) {
    around.container = true;
    around.environment = found->environment;
    around.evidence = found->evidence;
  } else if (around.wsl) {
    around.environment = Environment::wsl2;
    around.evidence = "kernel " + kernel.release.value_or(std::string("of Microsoft"));
  } else if (around.virtual_machine.value_or(false)) {
    around.environment = Environment::vm;
    around.evidence = "hypervisor " + *around.hypervisor;
  } else if (around.virtual_machine) {
    around.environment = Environment::bare_metal;
    around.evidence = "no sign of a container or hypervisor";
  }
  // A user may map only its own ids one by one, so a map with a line of count 1 was made without
  // root; an unprivileged container of a root daemon maps one long range.
  around.rootless = not_captured("/proc/self/uid_map");
  if (process.uid_map) {
    bool single = false;
    for (const std::string_view line : lines_of(*process.uid_map)) {
      const std::vector<std::string_view> parts = words(line);
      single = single || (parts.size() == 3 && parts[2] == "1");
    }
    around.rootless = around.container && around.user_namespace && single;
  }
  read_details(source, clues, around);
  return around;
}

}  // namespace rocvet

#include "unit/report/hostile_machine.h"

#include "machine/read_dead_paths.h"

namespace rocvet {
namespace {

using Text = const std::string&;

bool add(std::string& name, Text payload) {
  if (name.empty()) return false;
  name += payload;
  return true;
}
bool add(Result<std::string>& name, Text payload) {
  return name.has_value() && add(*name, payload);
}
bool add(Library& library, Text payload);
bool add(Framework& framework, Text payload);
template <typename T>
bool add(std::vector<T>& names, Text payload) {
  bool any = false;
  for (T& name : names) any |= add(name, payload);
  return any;
}
template <typename T>
bool add(Result<std::vector<T>>& names, Text payload) {
  return names.has_value() && add(*names, payload);
}
template <typename Key, typename T>
bool add(std::map<Key, T>& values, Text payload) {
  bool any = false;
  for (auto& [key, value] : values) any |= add(value, payload);
  return any;
}
template <typename T>
bool add(Result<std::map<std::string, T>>& values, Text payload) {
  return values.has_value() && add(*values, payload);
}
/// Names that are keys.
template <typename T>
bool add_to_keys(std::map<std::string, T>& values, Text payload) {
  std::map<std::string, T> spoilt;
  for (auto& [key, value] : values) spoilt.emplace(key + payload, std::move(value));
  values = std::move(spoilt);
  return !values.empty();
}

bool add(Library& library, Text payload) {
  const std::size_t slash = library.path.rfind('/');
  if (slash == library.path.npos) return false;
  library.path.insert(slash, payload);  // the folder; the file's name decides what it is
  library.real = library.path;
  return true;
}
bool add(Framework& framework, Text payload) {
  return add(framework.libraries, payload);
}
bool add(DeviceNode& node, Text payload) {
  if (!node.stat) return false;
  node.stat->group += payload;
  return true;
}

}  // namespace

const std::vector<HostileName>& hostile_names() {
  static const std::vector<HostileName> kNames = {
      {"user", [](Machine& m, Text p) { return add(m.process.user, p); }},
      {"group",
       [](Machine& m, Text p) {
         bool any = add(m.kfd, p);
         for (DeviceNode& node : m.render_nodes) any |= add(node, p);
         if (!m.groups) return any;
         for (Group& group : *m.groups) any |= add(group.name, p);
         return any;
       }},
      {"render node",
       [](Machine& m, Text p) {
         bool any = false;
         for (DeviceNode& node : m.render_nodes) any |= add(node.path, p);
         return any;
       }},
      {"kernel release", [](Machine& m, Text p) { return add(m.kernel.release, p); }},
      {"kernel image", [](Machine& m, Text p) { return add(m.kernel.images, p); }},
      {"kernel argument",
       [](Machine& m, Text p) {
         bool any = false;
         for (auto& [name, value] : m.kernel.arguments) any |= add(value, p);
         return any;
       }},
      {"module parameter",
       [](Machine& m, Text p) {
         if (!m.driver.amdgpu || !m.driver.amdgpu->options) return false;
         bool any = false;
         for (auto& [name, value] : *m.driver.amdgpu->options) any |= value && add(value->text, p);
         return any;
       }},
      {"blacklist argument",
       [](Machine& m, Text p) { return add(m.driver.blacklisted_on_command_line, p); }},
      {"setting below /sys", [](Machine& m, Text p) { return add(m.kernel.settings, p); }},
      {"path that leads nowhere",
       [](Machine& m, Text p) {
         std::vector<DeadPath> dead = dead_paths(m.kernel);
         if (p.find('\n') != p.npos || dead.empty()) return false;
         for (DeadPath& one : dead) one.path += p;
         m.kernel.settings["dead paths"] = dead_paths_text(dead);
         return true;
       }},
      {"name of what leads nowhere",
       [](Machine& m, Text p) {
         std::vector<DeadPath> dead = dead_paths(m.kernel);
         if (p.find('\n') != p.npos || dead.empty()) return false;
         for (DeadPath& one : dead) one.named_by += p;
         m.kernel.settings["dead paths"] = dead_paths_text(dead);
         return true;
       }},
      {"sysctl", [](Machine& m, Text p) { return add(m.kernel.sysctl, p); }},
      {"distribution",
       [](Machine& m, Text p) {
         return m.distro && (add(m.distro->version, p) | add(m.distro->codename, p) |
                             add(m.distro->ubuntu_codename, p));
       }},
      {"modprobe file",
       [](Machine& m, Text p) {
         bool any = false;
         for (ModprobeLine& line : m.driver.modprobe) any |= add(line.file, p);
         return any;
       }},
      {"DKMS version folder",
       [](Machine& m, Text p) {
         bool any = false;
         if (!m.driver.dkms_trees) return any;
         for (DkmsTree& tree : *m.driver.dkms_trees)
           any |= add(tree.path, p) | add(tree.version, p);
         return any;
       }},
      {"DKMS kernel",
       [](Machine& m, Text p) {
         bool any = false;
         if (m.driver.dkms) {
           for (DkmsState& state : *m.driver.dkms) any |= add(state.kernel, p);
         }
         if (m.driver.dkms_trees) {
           for (DkmsTree& tree : *m.driver.dkms_trees) any |= add(tree.built_for, p);
         }
         return any;
       }},
      {"other kernel",
       [](Machine& m, Text p) {
         return m.driver.other_module_files && add_to_keys(*m.driver.other_module_files, p);
       }},
      {"package",
       [](Machine& m, Text p) {
         bool any = false;
         if (!m.software.packages) return any;
         for (Package& package : *m.software.packages)
           any |= add(package.name, p) | add(package.version, p);
         return any;
       }},
      {"ROCm folder",
       [](Machine& m, Text p) {
         bool any = false;
         for (RocmInstall& install : m.software.rocm)
           any |= add(install.root, p) | add(install.libraries, p);
         return any;
       }},
      {"ROCm version",
       [](Machine& m, Text p) {
         bool any = false;
         for (RocmInstall& install : m.software.rocm) any |= add(install.version, p);
         return any;
       }},
      {"Python environment",
       [](Machine& m, Text p) {
         bool any = false;
         for (PythonEnvironment& python : m.software.python)
           any |= add(python.root, p) | add(python.frameworks, p);
         return any;
       }},
      {"Python package",
       [](Machine& m, Text p) {
         bool any = false;
         for (PythonEnvironment& python : m.software.python) {
           for (PythonPackage& package : python.packages) any |= add(package.version, p);
           for (Framework& framework : python.frameworks)
             any |= add(framework.name, p) | add(framework.version, p);
         }
         return any;
       }},
      {"application",
       [](Machine& m, Text p) {
         bool any = false;
         for (Application& application : m.software.applications) {
           application.path.insert(0, "/opt/x" + p);
           any = true;
         }
         return any;
       }},
      {"library that is not found",
       [](Machine& m, Text p) {
         bool any = false;
         for (UnresolvedLibrary& one : m.software.unresolved) {
           any |= add(one.needed, p);
           for (std::string& path : one.elsewhere) path.insert(path.rfind('/'), p);
         }
         return any;
       }},
      {"folder of the library",
       [](Machine& m, Text p) {
         bool any = false;
         for (UnresolvedLibrary& one : m.software.unresolved) {
           for (std::string& path : one.elsewhere) {
             path.insert(path.rfind('/'), p);
             any = true;
           }
         }
         return any;
       }},
      {"OpenCL library", [](Machine& m, Text p) { return add(m.software.opencl_libraries, p); }},
      {"kernel file", [](Machine& m, Text p) { return add(m.software.kernel_files, p); }},
      {"service",
       [](Machine& m, Text p) {
         bool any = false;
         if (!m.access.services) return any;
         for (Service& service : *m.access.services) any |= add(service.name, p);
         return any;
       }},
      {"user of a service",
       [](Machine& m, Text p) {
         bool any = false;
         if (!m.access.services) return any;
         for (Service& service : *m.access.services) any |= add(service.user, p);
         return any;
       }},
      {"sandboxed application",
       [](Machine& m, Text p) { return add(m.surroundings.application, p); }},
      {"docker context",
       [](Machine& m, Text p) { return add(m.settings.docker.current_context, p); }},
      {"compose service",
       [](Machine& m, Text p) {
         bool any = false;
         for (ComposeService& service : m.settings.compose) any |= add(service.name, p);
         return any;
       }},
      {"variable",
       [](Machine& m, Text p) { return m.process.environment && add(*m.process.environment, p); }},
      {"value in an rc file",
       [](Machine& m, Text p) {
         bool any = false;
         for (VariableSetting& setting : m.settings.variables) any |= add(setting.value, p);
         return any;
       }},
      {"name in an rc file",
       [](Machine& m, Text p) {
         bool any = false;
         for (VariableSetting& setting : m.settings.variables) any |= add(setting.name, p);
         return any;
       }},
      {"mount point",
       [](Machine& m, Text p) {
         bool any = false;
         if (!m.file_systems) return any;
         for (FileSystemUse& use : *m.file_systems) any |= add(use.path, p);
         return any;
       }},
      {"cache folder",
       [](Machine& m, Text p) {
         bool any = false;
         for (CachePlace& place : m.settings.caches) any |= add(place.path, p);
         return any;
       }},
      {"target of a GPU",
       [](Machine& m, Text p) {
         bool any = false;
         for (Gpu& gpu : m.gpus) any |= add(gpu.gfx, p);
         return any;
       }},
      {"partition mode",
       [](Machine& m, Text p) {
         bool any = false;
         for (Gpu& gpu : m.gpus)
           any |= add(gpu.partition.compute, p) | add(gpu.partition.memory, p);
         return any;
       }},
      {"address of a bridge",
       [](Machine& m, Text p) {
         const auto found = m.tool_outputs.find("lspci-vvnn");
         if (found == m.tool_outputs.end() || p.find(' ') != p.npos) return false;
         std::string out;
         bool first = true;
         for (const char c : found->second) {
           if (first && c == ' ') out += p;
           if (first && c == ' ') first = false;
           if (c == '\n') first = true;
           out += c;
         }
         found->second = out;
         return true;
       }},
  };
  return kNames;
}

}  // namespace rocvet

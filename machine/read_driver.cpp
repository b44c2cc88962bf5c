#include "machine/read_driver.h"

#include <algorithm>

#include "base/text.h"
#include "machine/read_dkms.h"
#include "machine/read_modprobe.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

/// amdgpu.ko, plain or compressed.
bool is_amdgpu_file(std::string_view name) {
  return name == "amdgpu.ko" || name == "amdgpu.ko.xz" || name == "amdgpu.ko.zst" ||
         name == "amdgpu.ko.gz";
}

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Looks for amdgpu.ko below `folder`. Out-of-tree folders are small, yet a bound keeps a strange
/// one from costing time.
void find_modules(Source& source, const std::string& folder, int depth, int& budget,
                  std::vector<std::string>& found) {
  if (depth < 0 || budget <= 0) return;
  const Result<std::vector<std::string>> names = source.list(folder);
  if (!names) return;
  --budget;
  for (const std::string& name : *names) {
    const std::string path = folder + "/" + name;
    if (is_amdgpu_file(name)) {
      found.push_back(path);
    } else if (name.find('.') == std::string::npos) {  // modules have a suffix, folders have none
      find_modules(source, path, depth - 1, budget, found);
    }
  }
}

/// In the order in which depmod ranks the folders.
std::vector<std::string> module_files(Source& source, const std::string& root) {
  std::vector<std::string> found;
  int budget = 200;
  for (const char* folder : {"/updates", "/extra"}) {
    find_modules(source, root + folder, 4, budget, found);
  }
  const std::string in_tree = root + "/kernel/drivers/gpu/drm/amd/amdgpu";
  for (const char* suffix : {"", ".xz", ".zst", ".gz"}) {
    const std::string path = in_tree + "/amdgpu.ko" + suffix;
    if (source.exists(path)) found.push_back(path);
  }
  find_modules(source, root + "/weak-updates", 4, budget, found);
  return found;
}

/// What modules.dep wants for amdgpu, as far as it is not there.
Result<std::vector<std::string>> missing_dependencies(Source& source, const std::string& root) {
  const Result<std::string> text = source.read(root + "/modules.dep", 8u << 20);
  if (!text) return text.error();
  const std::vector<std::string> wanted = amdgpu_dependencies(*text);
  std::vector<std::string> gone;
  for (const std::string& path : wanted) {
    const std::string file = path.starts_with('/') ? path : root + "/" + path;
    if (source.lstat(file).is_missing()) gone.push_back(file);
  }
  // Where not one of them is there, these are not the modules that the list speaks of.
  if (!gone.empty() && gone.size() == wanted.size())
    return missing(root, "holds none of the modules that its modules.dep names for amdgpu");
  return gone;
}

void read_module_files(Source& source, const Kernel& kernel, Driver& driver) {
  const Result<std::vector<std::string>> releases = source.list("/lib/modules");
  if (!releases) {
    driver.module_files = releases.error();
    driver.other_module_files = releases.error();
    driver.missing_dependencies = releases.error();
    driver.headers = releases.error();
    return;
  }
  std::map<std::string, std::vector<std::string>> others;
  for (const std::string& release : *releases) {
    const std::string root = "/lib/modules/" + release;
    if (kernel.release && release == *kernel.release) continue;
    others[release] = module_files(source, root);
  }
  driver.other_module_files = std::move(others);
  if (!kernel.release) {
    driver.module_files = kernel.release.error();
    driver.missing_dependencies = kernel.release.error();
    driver.headers = kernel.release.error();
    return;
  }
  const std::string root = "/lib/modules/" + *kernel.release;
  const Result<std::vector<std::string>> own = source.list(root);
  if (!own) {
    driver.module_files = own.error();
    driver.missing_dependencies = own.error();
    driver.headers = own.error();
    return;
  }
  driver.module_files = module_files(source, root);
  driver.missing_dependencies = missing_dependencies(source, root);
  // The link alone says nothing: it stays when the headers are removed.
  const Result<FileStat> headers = source.stat(root + "/build");
  driver.headers = headers ? source.resolve(root + "/build") : Result<std::string>(headers.error());
}

ModuleOptions read_options(Source& source, const std::string& module) {
  const std::string folder = "/sys/module/" + module + "/parameters";
  const Result<std::vector<std::string>> names = source.list(folder);
  if (!names) return names.error();
  OptionValues options;
  for (const std::string& name : *names)
    options[name] = read_value(source, folder + "/" + name).transform(parse_option);
  return options;
}

Result<std::vector<std::string>> read_loaded(Source& source) {
  if (const Result<std::string> text = source.read("/proc/modules")) {
    return parse_proc_modules(*text);
  }
  return source.list("/sys/module");
}

bool is_built_in(Source& source, const Kernel& kernel) {
  if (!kernel.release) return false;
  const Result<std::string> list =
      source.read("/lib/modules/" + *kernel.release + "/modules.builtin");
  return list && list->find("/amdgpu.ko") != std::string::npos;
}

/// Whether the kernel shows what only a loaded amdgpu makes: for captures that lack /sys/module.
bool drives_something(Source& source) {
  if (source.exists("/sys/class/kfd/kfd/topology/nodes")) return true;
  for (const std::string& card : matching_paths(source, "/sys/class/drm", "card*")) {
    const Result<std::string> event = source.read(card + "/device/uevent");
    if (event && event->find("DRIVER=amdgpu") != std::string::npos) return true;
  }
  return false;
}

/// The module as the kernel shows it. Tools that read lsmod miss a driver that is built in.
Result<Module> read_amdgpu(Source& source, const Kernel& kernel, const Driver& driver) {
  const std::string folder = "/sys/module/amdgpu";
  const Result<FileStat> stat = source.stat(folder);
  if (!stat) {
    const bool listed = driver.is_loaded("amdgpu");
    const bool registered = source.exists("/sys/bus/pci/drivers/amdgpu");
    const bool built_in = is_built_in(source, kernel);
    if (!listed && !registered && !built_in &&
        !(stat.is(Error::Kind::not_captured) && drives_something(source))) {
      // A list of modules that was read and lacks it is as good as the folder that is not there.
      if (!stat.is_missing() && driver.loaded_modules && !driver.loaded_modules->empty()) {
        return missing(folder, "amdgpu is not among the loaded modules");
      }
      return stat.error();
    }
    Module module;
    module.loaded = true;
    module.built_in = built_in;
    return module;
  }
  Module module;
  module.loaded = true;
  module.initstate = read_value(source, folder + "/initstate");
  module.version = read_value(source, folder + "/version");
  module.srcversion = read_value(source, folder + "/srcversion");
  module.taint = read_value(source, folder + "/taint");
  module.options = read_options(source, "amdgpu");
  // It has options in every kernel.
  if (module.options.is_missing()) module.options = not_captured(folder + "/parameters");
  if (module.initstate.is_missing()) module.built_in = true;
  if (!module.built_in && driver.loaded_modules && !driver.is_loaded("amdgpu")) {
    module.built_in = is_built_in(source, kernel);
  }
  return module;
}

/// The in-tree amdgpu has neither a version nor a taint; AMD's package brings amdkcl and amdttm.
void decide_origin(Driver& driver) {
  const auto decide = [&](DriverOrigin origin, std::string source) {
    driver.origin = origin;
    driver.origin_source = std::move(source);
  };
  if (driver.amdgpu && driver.amdgpu->loaded) {
    const Module& module = *driver.amdgpu;
    if (module.taint && module.taint->find('O') != std::string::npos) {
      return decide(DriverOrigin::dkms, "/sys/module/amdgpu/taint");
    }
    for (const char* helper : {"amdkcl", "amdttm"}) {
      if (driver.is_loaded(helper)) return decide(DriverOrigin::dkms, helper);
    }
    if (module.version && !module.version->empty()) {
      return decide(DriverOrigin::dkms, "/sys/module/amdgpu/version");
    }
    if (module.built_in) return decide(DriverOrigin::in_tree, "built in");
    if (module.taint) return decide(DriverOrigin::in_tree, "/sys/module/amdgpu/taint");
    if (module.version.is_missing()) {
      return decide(DriverOrigin::in_tree, "/sys/module/amdgpu/version");
    }
  }
  if (driver.module_files && !driver.module_files->empty()) {
    const std::string& first = driver.module_files->front();
    const bool in_tree = first.find("/kernel/drivers/gpu/") != std::string::npos;
    decide(in_tree ? DriverOrigin::in_tree : DriverOrigin::dkms, first);
  }
}

/// "6.8.5-2009582.24.04" -> "6.8.5": what AMD's compatibility tables call the driver's version.
void read_version(const Kernel& kernel, Driver& driver) {
  driver.version = driver.origin == DriverOrigin::in_tree
                       ? missing("/sys/module/amdgpu/version", "the in-tree driver has no version")
                   : driver.amdgpu ? missing("/sys/module/amdgpu/version")
                                   : driver.amdgpu.error();
  if (driver.amdgpu && driver.amdgpu->version && !driver.amdgpu->version->empty()) {
    driver.version = *driver.amdgpu->version;
  } else if (driver.origin == DriverOrigin::dkms && driver.dkms) {
    for (const DkmsState& state : *driver.dkms) {
      if (state.module != "amdgpu" && state.module != "rock") continue;
      if (kernel.release && state.kernel != *kernel.release) continue;
      driver.version = state.version.substr(0, state.version.find('-'));
    }
  }
}

Result<std::vector<std::string>> firmware_in(Source& source, const std::string& folder) {
  const Result<std::vector<std::string>> names = source.list(folder);
  if (!names) return names.error();
  std::vector<std::string> parts;
  for (const std::string& name : *names) {
    std::string part = firmware_name(name);
    if (!part.empty()) parts.push_back(std::move(part));
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

/// "20251125" of "/nix/store/HASH-linux-firmware-20251125-zstd/lib/firmware"; "" otherwise.
std::string release_in_path(std::string_view path) {
  constexpr std::string_view kMark = "-linux-firmware-";
  const std::size_t at = path.find(kMark);
  if (at == path.npos) return "";
  const std::string_view rest = path.substr(at + kMark.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789")));
}

/// NixOS joins its firmware out of packages by links, as a whole or file by file.
std::string firmware_release(Source& source) {
  const std::string folder = "/run/current-system/firmware";
  const auto whole = source.resolve(folder);
  if (!whole) return "";
  if (std::string release = release_in_path(*whole); !release.empty()) return release;
  const auto names = source.list(folder + "/amdgpu");
  if (!names || names->empty()) return "";
  const auto file = source.resolve(folder + "/amdgpu/" + names->front());
  return file ? release_in_path(*file) : "";
}

void read_firmware(Source& source, const Kernel& kernel, Driver& driver) {
  driver.firmware_release = firmware_release(source);
  driver.firmware = firmware_in(source, "/lib/firmware/amdgpu");
  if (!driver.firmware) {
    // NixOS and others keep it elsewhere and tell the kernel where.
    std::vector<std::string> places = {"/run/current-system/firmware"};
    const auto path = kernel.settings.find("firmware path");
    if (path != kernel.settings.end() && path->second && path->second->starts_with('/')) {
      places.insert(places.begin(), *path->second);
    }
    for (const std::string& place : places) {
      Result<std::vector<std::string>> found = firmware_in(source, place + "/amdgpu");
      if (found) driver.firmware = std::move(found);
    }
  }
  driver.firmware_updates = firmware_in(source, "/lib/firmware/updates/amdgpu");
}

}  // namespace

bool Driver::is_loaded(std::string_view module) const {
  return loaded_modules && has(*loaded_modules, module);
}

bool Driver::has_firmware(std::string_view name) const {
  return (firmware && std::binary_search(firmware->begin(), firmware->end(), name)) ||
         (firmware_updates &&
          std::binary_search(firmware_updates->begin(), firmware_updates->end(), name));
}

std::vector<std::string> parse_proc_modules(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> parts = words(line.substr(0, 200));
    if (!parts.empty()) names.emplace_back(parts.front());
  }
  return names;
}

std::string firmware_name(std::string_view file) {
  for (const std::string_view suffix : {".xz", ".zst"}) {
    if (file.ends_with(suffix)) file.remove_suffix(suffix.size());
  }
  if (!file.ends_with(".bin")) return "";
  return std::string(file.substr(0, file.size() - 4));
}

bool is_amdgpu_dependency_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view file = line.substr(0, colon);
  return colon != line.npos && is_amdgpu_file(file.substr(file.rfind('/') + 1));
}

std::vector<std::string> amdgpu_dependencies(std::string_view modules_dep) {
  std::vector<std::string> files;
  each_line(modules_dep, [&](std::string_view line) {
    if (!files.empty() || !is_amdgpu_dependency_line(line)) return;
    for (const std::string_view file : words(line.substr(line.find(':') + 1)))
      files.emplace_back(file);
  });
  return files;
}

Driver read_driver(Source& source, const Kernel& kernel) {
  Driver driver;
  driver.loaded_modules = read_loaded(source);
  driver.amdgpu = read_amdgpu(source, kernel, driver);
  for (const char* module : {"ttm", "amdttm", "vfio_pci", "radeon", "drm"}) {
    ModuleOptions options = read_options(source, module);
    if (!options.is_missing()) driver.other_options[module] = std::move(options);
  }
  read_module_files(source, kernel, driver);
  ModprobeFacts modprobe = read_modprobe(source);
  driver.modprobe = std::move(modprobe.lines);
  driver.modprobe_readable = std::move(modprobe.readable);
  driver.blacklisted_on_command_line = command_line_blacklist(kernel.arguments);
  read_dkms(source, driver);
  decide_origin(driver);
  read_version(kernel, driver);
  read_firmware(source, kernel, driver);
  return driver;
}

}  // namespace rocvet

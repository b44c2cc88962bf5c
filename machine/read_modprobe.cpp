#include "machine/read_modprobe.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::string_view kGpuModules[] = {
    "amdgpu",  "amdkfd", "amdttm",  "amdkcl",  "amd_sched",  "amdxcp",    "radeon",
    "ttm",     "drm",    "nouveau", "nvidia*", "vfio*",      "pci_stub",  "kvm*",
    "iommufd", "i915",   "xe",      "fglrx",   "amd_iommu*", "gpu_sched", "simpledrm",
};

// In the order of modprobe.d(5): a file hides those of the same name in later folders.
constexpr std::string_view kModprobeFolders[] = {"/etc/modprobe.d", "/run/modprobe.d",
                                                 "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d",
                                                 "/lib/modprobe.d"};
constexpr std::string_view kLoadFolders[] = {"/etc/modules-load.d", "/run/modules-load.d",
                                             "/usr/lib/modules-load.d"};

bool wanted_module(std::string_view module) {
  return std::any_of(std::begin(kGpuModules), std::end(kGpuModules),
                     [&](std::string_view pattern) { return glob_match(pattern, module); });
}

std::string module_name(std::string_view text) {
  std::string name(text);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

void read_load_lists(Source& source, ModprobeFacts& facts) {
  std::vector<std::string> files = {"/etc/modules"};
  for (std::string_view folder : kLoadFolders) {
    for (std::string& path : matching_paths(source, folder, "*.conf")) {
      files.push_back(std::move(path));
    }
  }
  for (const std::string& file : files) {
    const Result<std::string> text = source.read(file);
    if (!text) continue;
    for (const std::string_view raw : lines_of(*text)) {
      const std::string_view line = trim(raw);
      if (line.empty() || line.starts_with('#') || line.starts_with(';')) continue;
      const std::string module = module_name(words(line).front());
      if (!wanted_module(module)) continue;
      ModprobeLine entry;
      entry.file = file;
      entry.text = line;
      entry.command = "load";
      entry.module = module;
      facts.lines.push_back(std::move(entry));
    }
  }
}

}  // namespace

std::vector<ModprobeLine> parse_modprobe(std::string_view text, std::string_view file) {
  std::vector<ModprobeLine> found;
  std::string line;
  for (std::string_view raw : lines_of(text)) {
    raw = trim(raw);
    if (raw.ends_with('\\')) {  // continued on the next line
      line += std::string(raw.substr(0, raw.size() - 1)) + " ";
      continue;
    }
    line += raw;
    const std::vector<std::string_view> parts = words(line);
    if (parts.size() >= 2 && !parts[0].starts_with('#')) {
      ModprobeLine entry;
      entry.file = file;
      entry.text = trim(line);
      entry.command = parts[0];
      // alias PATTERN MODULE: what it speaks of is the module at the end.
      const std::size_t subject = parts[0] == "alias" && parts.size() > 2 ? 2 : 1;
      entry.module = module_name(parts[subject]);
      std::vector<std::string> rest;
      bool names_module = false;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        if (i == subject) continue;
        rest.emplace_back(parts[i]);
        names_module = names_module || wanted_module(module_name(parts[i]));
      }
      entry.argument = join(rest, " ");
      const bool about = wanted_module(entry.module) || (parts[0] == "softdep" && names_module);
      if (about) found.push_back(std::move(entry));
    }
    line.clear();
  }
  return found;
}

std::map<std::string, std::string> command_line_blacklist(
    const std::vector<std::pair<std::string, std::string>>& arguments) {
  std::map<std::string, std::string> kept_out;
  for (const auto& [key, value] : arguments) {
    if (key == "modprobe.blacklist" || key == "module_blacklist" || key == "rd.driver.blacklist" ||
        key == "rdblacklist") {
      for (const std::string_view module : split(value, ',')) {
        if (!trim(module).empty()) kept_out[module_name(trim(module))] = key + "=" + value;
      }
    } else if (key == "initcall_blacklist") {
      // Functions by which modules start, not modules: "amdgpu_init".
      for (const std::string_view function : split(value, ',')) {
        const std::string_view name = trim(function);
        if (name.ends_with("_init") && name.size() > 5)
          kept_out[module_name(name.substr(0, name.size() - 5))] = key + "=" + value;
      }
    } else if (key.ends_with(".blacklist") && (value == "1" || value == "yes" || value == "true")) {
      kept_out[module_name(key.substr(0, key.rfind('.')))] = key + "=" + value;
    }
  }
  return kept_out;
}

ModprobeFacts read_modprobe(Source& source) {
  ModprobeFacts facts;
  facts.readable = Done{};
  std::set<std::string> folders, names;
  for (const std::string_view folder : kModprobeFolders) {
    const Result<std::vector<std::string>> entries = source.list(folder);
    if (!entries) {
      // /run and /usr/local are seldom used: that nobody captured them does not matter.
      const bool usual = folder.starts_with("/etc/") || folder.starts_with("/usr/lib/");
      if (!entries.is_missing() && usual) facts.readable = entries.error();
      continue;
    }
    // /lib is /usr/lib on most systems: the same folder must not be read twice.
    if (!folders.insert(source.resolve(folder).value_or(std::string(folder))).second) continue;
    for (const std::string& name : *entries) {
      if (!name.ends_with(".conf")) continue;
      const bool shadowed = !names.insert(name).second;
      const std::string path = std::string(folder) + "/" + name;
      const Result<std::string> text = source.read(path);
      if (!text) {
        if (!text.is_missing()) facts.readable = text.error();
        continue;
      }
      for (ModprobeLine& line : parse_modprobe(*text, path)) {
        line.shadowed = shadowed;
        facts.lines.push_back(std::move(line));
      }
    }
  }
  read_load_lists(source, facts);
  return facts;
}

}  // namespace rocvet

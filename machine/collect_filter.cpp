#include "machine/collect_filter.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/kernel_head.h"
#include "machine/read_applications.h"
#include "machine/read_compose.h"
#include "machine/read_driver.h"
#include "machine/read_init_script.h"
#include "machine/read_modprobe.h"
#include "machine/read_package_files.h"
#include "machine/read_repositories.h"
#include "machine/read_rocm.h"
#include "machine/read_security.h"
#include "machine/read_services.h"
#include "machine/read_settings.h"
#include "machine/read_udev.h"
#include "source/read_value.h"
#include "source/secrets.h"

namespace rocvet {
namespace {

// What the checks ask for, and what says how the machine was booted. A dash is an underscore.
constexpr std::string_view kArguments[] = {"BOOT_IMAGE",
                                           "acpi",
                                           "acpi_enforce_resources",
                                           "amd_iommu",
                                           "amd_iommu_intr",
                                           "amd_pstate",
                                           "apic",
                                           "clocksource",
                                           "console",
                                           "cgroup_no_v1",
                                           "cgroup_disable",
                                           "debug",
                                           "default_hugepagesz",
                                           "earlymodules",
                                           "efi",
                                           "hugepages",
                                           "hugepagesz",
                                           "idle",
                                           "init_on_alloc",
                                           "initcall_blacklist",
                                           "intel_iommu",
                                           "intel_pstate",
                                           "intremap",
                                           "iomem",
                                           "iommu",
                                           "isolcpus",
                                           "loglevel",
                                           "maxcpus",
                                           "mce",
                                           "mem",
                                           "mem_encrypt",
                                           "mem_sleep_default",
                                           "memhp_default_state",
                                           "memmap",
                                           "mitigations",
                                           "module_blacklist",
                                           "nmi_watchdog",
                                           "nohz_full",
                                           "nr_cpus",
                                           "numa",
                                           "numa_balancing",
                                           "page_poison",
                                           "pci",
                                           "pcie_aspm",
                                           "pcie_port_pm",
                                           "pcie_ports",
                                           "preempt",
                                           "rd.driver.blacklist",
                                           "rdblacklist",
                                           "rootfstype",
                                           "rootflags",
                                           "selinux",
                                           "security",
                                           "apparmor",
                                           "audit",
                                           "spectre_v2",
                                           "swiotlb",
                                           "systemd.unified_cgroup_hierarchy",
                                           "transparent_hugepage",
                                           "tsc",
                                           "tsx",
                                           "ttm",
                                           "amdttm",
                                           "vga",
                                           "video",
                                           "x2apic_phys",
                                           "zswap.enabled",
                                           "module.sig_enforce",
                                           "lockdown",
                                           "modprobe.blacklist",
                                           "processor.max_cstate",
                                           "intel_idle.max_cstate"};
constexpr std::string_view kKeptModules[] = {
    "amdgpu",    "amdkfd",    "amdttm",         "amdkcl",  "amdxcp",     "radeon",
    "ttm",       "drm",       "drm_kms_helper", "nouveau", "nvidia*",    "vfio*",
    "pci_stub",  "pci-stub",  "kvm*",           "iommufd", "i915",       "xe",
    "gpu_sched", "simpledrm", "pcie_aspm",      "iommu",   "pcie_ports", "thunderbolt"};

/// The lines for which `wanted` holds, each ended.
template <typename Wanted>
std::string lines_where(std::string_view text, Wanted wanted) {
  std::string out;
  for (const std::string_view line : lines_of(text)) {
    if (wanted(line)) out += std::string(line) + "\n";
  }
  return out;
}

/// A value as a shell reads it back: in double quotes, but for those it has itself.
std::string shell_quoted(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"')
      out += "\"'\"'\"";
    else
      out += c;
  }
  return out + "\"";
}

std::string shell_lines(const std::vector<VariableSetting>& settings) {
  std::string out;
  for (const VariableSetting& setting : settings) {
    out += (setting.exported ? "export " : "") + setting.name + "=" + shell_quoted(setting.value) +
           "\n";
  }
  return out;
}

/// As fish_variables has it, which can hold every character.
std::string fish_lines(const std::vector<VariableSetting>& settings) {
  std::string out;
  for (const VariableSetting& setting : settings) {
    out += std::string("SETUVAR ") + (setting.exported ? "--export " : "") + setting.name + ":";
    for (const char c : setting.value) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '_' || c == '-';
      constexpr std::string_view kHex = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      if (plain)
        out += c;
      else
        out += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
    }
    out += "\n";
  }
  return out;
}

std::string variable_lines(const std::vector<VariableSetting>& settings) {
  std::string out;
  for (const VariableSetting& setting : settings) {
    out += setting.name + "=\"" + setting.value + "\"\n";
  }
  return out;
}

/// The program of ExecStart, without its arguments: tokens are given there.
std::string_view program_of(std::string_view command) {
  const std::size_t begin = std::min(command.find_first_not_of("-@:+!"), command.size());
  if (begin < command.size() && command[begin] == '"') {
    const std::size_t close = command.find('"', begin + 1);
    return command.substr(0, close == std::string_view::npos ? close : close + 1);
  }
  return command.substr(0, command.find_first_of(" \t"));
}

/// "key=value" as a line of its own: a backslash at its end would take the next one to it.
std::string assignment(std::string_view key, std::string_view value) {
  while (value.ends_with('\\')) value.remove_suffix(1);
  return std::string(key) + "=" + std::string(value) + "\n";
}

/// The line of one key of a unit, or nothing.
std::string unit_line(std::string_view key, std::string_view value) {
  static constexpr std::string_view kKept[] = {"User",
                                               "Group",
                                               "SupplementaryGroups",
                                               "EnvironmentFile",
                                               "DeviceAllow",
                                               "PrivateDevices",
                                               "DynamicUser",
                                               "ProtectHome",
                                               "DevicePolicy",
                                               "Limit*",
                                               "After",
                                               "Wants",
                                               "Requires",
                                               "BindsTo"};
  if (matches_any(key, kKept)) return assignment(key, value);
  if (key == "ExecStart") return assignment(key, program_of(value));
  if (key != "Environment") return "";
  std::string kept;
  for (const auto& [name, setting] : parse_environment_words(value)) {
    if (is_gpu_variable(name)) kept += " " + shell_quoted(name + "=" + setting);
  }
  if (kept.empty() && !value.empty()) return "";  // an empty one clears what was said before
  return assignment(key, trim(kept));
}

std::string unit_text(std::string_view text) {
  std::string out;
  // Why a unit that nobody knows by its name was looked at.
  for (const std::string_view word : gpu_words_of_unit(text))
    out += "# " + std::string(word) + "\n";
  for (const std::string& whole : unit_lines(text)) {
    const std::size_t equals = whole.find('=');
    if (whole.starts_with('[')) {
      // With more behind it a head is none: what stands below belongs to no section then.
      out += whole.find(']') + 1 == whole.size() ? whole + "\n" : "[]\n";
    } else if (equals != std::string::npos) {
      out += unit_line(trim(std::string_view(whole).substr(0, equals)),
                       trim(std::string_view(whole).substr(equals + 1)));
    }
  }
  return out;
}

/// A scalar as parse_compose unquotes it again.
std::string yaml_quoted(const std::string& text) {
  const char quote = text.find('"') == std::string::npos ? '"' : '\'';
  return quote + text + quote;
}

std::string compose_text(std::string_view text, const std::string& path) {
  std::string out = "services:\n";
  for (const ComposeService& service : parse_compose(text, path)) {
    out += "  " + service.name + ":\n";
    const auto scalar = [&](const char* key, const std::string& value) {
      if (!value.empty()) out += "    " + std::string(key) + ": " + yaml_quoted(value) + "\n";
    };
    const auto list = [&](const char* key, const std::vector<std::string>& items) {
      if (items.empty()) return;
      out += "    " + std::string(key) + ":\n";
      for (const std::string& item : items) out += "      - " + yaml_quoted(item) + "\n";
    };
    scalar("image", service.image);
    scalar("ipc", service.ipc);
    scalar("shm_size", service.shm_size);
    scalar("privileged", service.privileged);
    scalar("user", service.user);
    list("devices", service.devices);
    list("group_add", service.group_add);
    list("security_opt", service.security_opt);
    list("volumes", service.volumes);
    std::vector<std::string> variables;
    for (const auto& [name, value] : service.environment) {
      if (is_gpu_variable(name)) variables.push_back(name + "=" + value);
    }
    list("environment", variables);
    for (const std::string& device : service.commented_devices) out += "    # " + device + "\n";
  }
  return out;
}

std::string json_name(std::string_view text, const char* key) {
  const std::string name = json_string(text, key);
  return name.empty() ? "{}\n" : "{\"" + std::string(key) + "\": \"" + name + "\"}\n";
}

/// Paragraphs, split at empty lines, for which `wanted` holds.
template <typename Wanted>
std::string paragraphs_where(std::string_view text, Wanted wanted) {
  std::string out, now;
  const auto finish = [&] {
    if (!now.empty() && wanted(now)) out += now + "\n";
    now.clear();
  };
  for (const std::string_view line : lines_of(text)) {
    if (trim(line).empty())
      finish();
    else if (!trim(line).starts_with('#'))
      now += std::string(line) + "\n";
  }
  finish();
  return out;
}

std::string yum_text(std::string_view text, const std::string& path) {
  std::string out, section, kept;
  const auto finish = [&] {
    if (!parse_repo_file(section + "\n" + kept, path).empty()) out += section + "\n" + kept;
    kept.clear();
  };
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view line = trim(whole);
    if (line.starts_with('[')) {
      finish();
      section = line;
      continue;
    }
    const std::string key = lower(trim(line.substr(0, line.find('='))));
    if (key == "baseurl" || key == "mirrorlist" || key == "enabled" || key == "priority") {
      kept += std::string(line) + "\n";
    }
  }
  finish();
  return out;
}

/// What stands for a password is empty, "x", "*" or begins with "!": anything else is a hash.
std::string accounts_text(std::string_view text, const std::string& path) {
  if (!path.ends_with("passwd") && !path.ends_with("group")) return std::string(text);
  std::string out;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) {
      if (trim(line).empty() || line.starts_with('#')) out += std::string(line) + "\n";
      continue;
    }
    const std::string_view password = line.substr(first + 1, second - first - 1);
    out += std::string(line.substr(0, first + 1));
    out += password.empty() || password == "*" || password == "!" ? password : "x";
    out += std::string(line.substr(second)) + "\n";
  }
  return out;
}

std::string module_file_text(std::string_view text) {
  std::string out;
  for (const std::string& prefix : prefixes_of_modulefile(without_secrets(text))) {
    out += prefix + "\n";
  }
  return out;
}

std::string container_marker_text(std::string_view text) {
  std::string out;
  for (const std::string_view line : lines_of(text)) {
    const std::string_view key = trim(line.substr(0, line.find('=')));
    if (key == "engine" || key == "image" || key == "rootless") out += std::string(line) + "\n";
    if (key == "name" && line.find("toolbox") != line.npos) out += "name=\"toolbox\"\n";
  }
  return out;
}

std::string cmake_text(std::string_view text) {
  return lines_where(text, [](std::string_view line) {
    return line.starts_with("GPU_TARGETS:") || line.starts_with("AMDGPU_TARGETS:") ||
           line.starts_with("CMAKE_HIP_ARCHITECTURES:");
  });
}

/// Apport's fields begin at the left, their text is indented: only the build log is asked for.
std::string crash_text(std::string_view text) {
  bool build_log = false;
  return lines_where(text, [&](std::string_view line) {
    if (!line.starts_with(' ')) build_log = line.starts_with("DKMSBuildLog:");
    return build_log;
  });
}

std::string argument(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return std::string(word);
  std::string key(word.substr(0, equals));
  std::erase(key, '"');  // without the value that closes it, it would hold all that follows
  std::string name = key;
  std::replace(name.begin(), name.end(), '-', '_');
  const std::size_t dot = name.find('.');
  const std::string_view value = word.substr(equals + 1);
  const bool device = name == "root" && (value.starts_with("/dev/") || value.starts_with("UUID="));
  const bool kept =
      device ||
      std::find(std::begin(kArguments), std::end(kArguments), name) != std::end(kArguments) ||
      name.ends_with(".blacklist") ||
      (dot != std::string::npos && matches_any(name.substr(0, dot), kKeptModules));
  return kept ? std::string(word) : key;
}

/// Of words, quoted or not, what argument() keeps of each.
std::string kept_arguments(std::string_view text) {
  std::string out, word;
  bool quoted = false;
  const auto finish = [&] {
    // "=x" has no name to keep.
    const std::string kept = argument(std::exchange(word, ""));
    if (!kept.empty()) out += (out.empty() ? "" : " ") + kept;
  };
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ' ' || c == '\t' || c == '\n'))
      finish();
    else
      word += c;
  }
  finish();
  return out;
}

bool is_kernel_line(std::string_view line) {
  return take_syslog_head(line);
}

}  // namespace

std::string recordable_arguments(std::string_view command_line) {
  // What stands for a secret gives its word another name, whose value is not kept; and without a
  // quotation mark or a value, words look different once more.
  constexpr int kMostPasses = 8;
  std::string out(trim(command_line));
  for (int pass = 0; pass < kMostPasses; ++pass) {
    std::string next = without_secrets(kept_arguments(out));
    if (next == out) break;
    out = std::move(next);
  }
  return out + (command_line.ends_with('\n') ? "\n" : "");
}

std::string recordable_log(std::string_view log) {
  std::string out;
  out.reserve(log.size());
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, end - at);
    const auto behind = [&](std::string_view mark) {
      const std::size_t found = line.find(mark);
      return found == line.npos ? line.npos : found + mark.size();
    };
    // Of the audit: some program's command line. What begins first counts, since it goes on to the
    // end of the line.
    const std::size_t audit = std::min(behind(" proctitle="), behind(" argc="));
    std::size_t cut = behind("ommand line: ");
    std::string tail;
    if (cut < audit) {
      tail = recordable_arguments(line.substr(cut));
    } else if (const std::size_t unknown = behind("Unknown kernel command line parameters \"");
               unknown < audit) {
      cut = unknown;
      tail = recordable_arguments(line.substr(cut, line.find('"', cut) - cut)) + "\"";
    } else if (audit != line.npos) {
      cut = audit;
      tail = "redacted";
    } else if (const std::size_t init = behind("]     "); init != line.npos &&
                                                          line.find('=', init) != line.npos &&
                                                          line.find(' ', init) == line.npos) {
      cut = init;
      tail = argument(line.substr(cut));  // what init is given
    } else {
      cut = line.size();
    }
    out += line.substr(0, cut);
    out += tail;
    if (end < log.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string recordable(FileKind kind, std::string_view content, const std::string& path) {
  switch (kind) {
    case FileKind::other:
      return "";
    case FileKind::facts:
      return std::string(content);
    case FileKind::first_line:
      return std::string(content.substr(0, content.find('\n'))) + "\n";
    case FileKind::environ_block: {
      std::string out;
      for (const std::string_view entry : split(content, '\0')) {
        if (entry.starts_with("container=")) out += std::string(entry) + '\0';
      }
      return out;
    }
    case FileKind::variables:
      return variable_lines(parse_environment_file(content, path));
    case FileKind::shell:
      return shell_lines(parse_shell_variables(content, path, "shell"));
    case FileKind::fish:
      return fish_lines(parse_fish_variables(content, path));
    case FileKind::kernel_arguments:
      return recordable_arguments(content);
    case FileKind::kernel_log: {
      const bool syslog = content.find(" kernel: ") != std::string_view::npos;
      return recordable_log(syslog ? lines_where(content, is_kernel_line) : std::string(content));
    }
    case FileKind::audit_log:
      return join(find_denials(content), "\n") + "\n";
    case FileKind::unit:
      return unit_text(content);
    case FileKind::init_script: {
      const std::string account = account_of_init_script(content);
      return account.empty() ? "" : "USER=" + account + "\n";
    }
    case FileKind::compose:
      return compose_text(content, path);
    case FileKind::docker_config:
      return json_name(content, "currentContext");
    case FileKind::docker_context:
      return json_name(content, "Name");
    case FileKind::apt_list:
      return lines_where(
          content, [&](std::string_view line) { return !parse_apt_list(line, path).empty(); });
    case FileKind::apt_sources:
      return paragraphs_where(apt_source_fields(content), [&](const std::string& paragraph) {
        return !parse_apt_sources(paragraph, path).empty();
      });
    case FileKind::apt_preferences:
      return paragraphs_where(apt_preference_fields(content), [&](const std::string& paragraph) {
        return !parse_apt_preferences(paragraph, path).empty();
      });
    case FileKind::yum_repository:
      return yum_text(content, path);
    case FileKind::accounts:
      return accounts_text(content, path);
    case FileKind::module_options: {
      std::string out;
      for (const ModprobeLine& line : parse_modprobe(content, path)) out += line.text + "\n";
      return out;
    }
    case FileKind::module_list:
      return lines_where(content, [&](std::string_view line) {
        // As wanted as an option of it in modprobe.d.
        return !parse_modprobe("options " + std::string(trim(line)) + " -", path).empty();
      });
    case FileKind::udev_rules: {
      std::string out;
      for (const UdevRule& rule : parse_udev_rules(content, path)) out += rule.text + "\n";
      return out;
    }
    case FileKind::limits:
      return lines_where(content, [](std::string_view line) {
        return words(line.substr(0, line.find('#'))).size() >= 4;
      });
    case FileKind::lxc_config:
      return lines_where(content.substr(0, content.find("\n[")), [&](std::string_view line) {
        return !parse_lxc_devices(line, path).empty();
      });
    case FileKind::loader_folders:
      return lines_where(content, [](std::string_view line) {
        return trim(line).starts_with('/') || trim(line).starts_with("include");
      });
    case FileKind::container_marker:
      return container_marker_text(content);
    case FileKind::flatpak_info:
      return lines_where(content, [](std::string_view line) {
        return line.starts_with("name=") || line.starts_with("devices=");
      });
    case FileKind::module_file:
      return module_file_text(content);
    case FileKind::cmake_cache:
      return cmake_text(content);
    case FileKind::python_version:
      return lines_where(content, [](std::string_view line) {
        const std::string_view key = trim(line.substr(0, line.find('=')));
        return key == "version" || key == "version_info";
      });
    case FileKind::crash_report:
      return crash_text(content);
    case FileKind::boot_time:
      return lines_where(content, [](std::string_view line) { return line.starts_with("btime "); });
    case FileKind::module_dependencies:
      return lines_where(content, is_amdgpu_dependency_line);
    case FileKind::package_files:
      return lines_where(content, [](std::string_view line) {
        return line.starts_with('%') || is_working_file(line) || is_data_folder(line);
      });
  }
  return "";
}

}  // namespace rocvet

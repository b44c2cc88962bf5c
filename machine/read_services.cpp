#include "machine/read_services.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "machine/read_init_script.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

// Services that run GPU programs themselves, or start what does.
constexpr std::string_view kNames[] = {
    "*ollama*",
    "*llama*",
    "*vllm*",
    "*comfyui*",
    "*invoke*",
    "*localai*",
    "*local-ai*",
    "jan.service",
    "*jupyter*",
    "*textgen*",
    "*text-generation*",
    "*stable-diffusion*",
    "*sdnext*",
    "*automatic1111*",
    "*whisper*",
    "*triton*",
    "*lemonade*",
    "*kobold*",
    "*lmstudio*",
    "*lm-studio*",
    "*open-webui*",
    "*tabby*",
    "*sglang*",
    "docker.service",
    "podman.service",
    "containerd.service",
    "k3s*.service",
    "kubelet.service",
    "slurmd.service",
    "boinc*",
    "fah*",
    "FAH*",
    "foldingathome*",
    "*frigate*",
    "*immich*",
    "*jellyfin*",
    "*plexmediaserver*",
    "*rocm*",
    "*amdgpu*",
    // Fans, clocks, meters.
    "*amdfan*",
    "lactd.service",
    "*corectrl*",
    "coolercontrol*",
    "radeon-profile*",
    "*gpu-exporter*",
    "*device-metrics-exporter*",
};

constexpr std::size_t kMostServices = 1000;  // each account is looked up

constexpr std::string_view kUnitFolders[] = {"/etc/systemd/system", "/run/systemd/system",
                                             "/usr/local/lib/systemd/system",
                                             "/usr/lib/systemd/system", "/lib/systemd/system"};

bool wanted_name(std::string_view name) {
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view pattern) { return glob_match(pattern, name); });
}

bool is_yes(std::string_view value) {
  const std::string word = lower(value);
  return word == "yes" || word == "true" || word == "1" || word == "on";
}

/// systemd's lists: an empty assignment clears what earlier lines gave.
void add_words(std::string_view value, std::vector<std::string>& list) {
  if (trim(value).empty()) list.clear();
  for (const std::string_view word : words(value)) list.emplace_back(word);
}

}  // namespace

std::vector<std::string_view> gpu_words_of_unit(std::string_view text) {
  // Of HS"A_X=1" the variable is HSA_X.
  std::string unquoted(text);
  std::erase_if(unquoted, [](char c) { return c == '"' || c == '\''; });
  std::vector<std::string_view> found;
  for (const std::string_view word : {"/dev/kfd", "/dev/dri", "rocm", "ROCR_", "HSA_", "HIP_",
                                      "render", "ollama", "llama", "torch"}) {
    if (unquoted.find(word) != std::string::npos) found.push_back(word);
  }
  return found;
}

std::vector<std::pair<std::string, std::string>> parse_environment_words(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> found;
  std::string word;
  char quote = 0;
  bool started = false;
  const auto finish = [&] {
    const std::size_t equals = word.find('=');
    if (started && equals != std::string::npos && equals > 0) {
      found.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    word.clear();
    started = false;
  };
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      started = true;
    } else if (c == ' ' || c == '\t') {
      finish();
    } else {
      word += c;
      started = true;
    }
  }
  finish();
  return found;
}

std::vector<std::string> unit_lines(std::string_view text) {
  std::vector<std::string> lines;
  std::string line;
  for (std::string_view raw : lines_of(text)) {
    raw = trim(raw);
    if (line.empty() && (raw.starts_with('#') || raw.starts_with(';'))) continue;
    if (raw.ends_with('\\')) {
      line += std::string(raw.substr(0, raw.size() - 1)) + " ";
      continue;
    }
    line += raw;
    lines.push_back(std::exchange(line, ""));
  }
  return lines;
}

void apply_unit_file(std::string_view text, Service& service) {
  std::string section;
  for (const std::string& whole : unit_lines(text)) {
    if (whole.starts_with('[')) {
      section = whole;
      continue;
    }
    const std::size_t equals = whole.find('=');
    if (equals == std::string::npos) continue;
    const std::string key(trim(std::string_view(whole).substr(0, equals)));
    const std::string value(trim(std::string_view(whole).substr(equals + 1)));
    if (section == "[Unit]" && key == "Description") service.description = value;
    if (section == "[Unit]" &&
        (key == "After" || key == "Wants" || key == "Requires" || key == "BindsTo")) {
      for (const std::string_view unit : words(value)) service.after.emplace_back(unit);
    }
    if (section != "[Service]") continue;
    if (key == "User") service.user = value;
    if (key == "Group") service.group = value;
    if (key == "SupplementaryGroups") add_words(value, service.supplementary_groups);
    if (key == "EnvironmentFile") add_words(value, service.environment_files);
    if (key == "DeviceAllow") {
      if (value.empty())
        service.device_allow.clear();
      else
        service.device_allow.push_back(value);
    }
    if (key == "PrivateDevices") service.private_devices = is_yes(value);
    if (key == "DynamicUser") service.dynamic_user = is_yes(value);
    if (key == "ProtectHome") service.protect_home = value;
    if (key == "DevicePolicy") service.device_policy = value;
    if (key == "ExecStart" && !value.empty()) service.exec_start = value;
    if (key.starts_with("Limit")) service.limits[key.substr(5)] = value;
    if (key == "Environment") {
      if (value.empty()) service.environment.clear();
      for (const auto& [name, setting] : parse_environment_words(value)) {
        service.environment[name] = setting;
      }
    }
  }
}

std::map<std::string, double> parse_service_starts(std::string_view text) {
  std::map<std::string, double> starts;
  std::string name;
  double seconds = 0;
  bool runs = false;
  const auto finish = [&] {
    if (!name.empty() && runs && seconds > 0) starts[name] = seconds;
    name.clear();
    seconds = 0;
    runs = false;
  };
  each_line(text, [&](std::string_view line) {
    line = trim(line);
    if (line.empty()) return finish();
    const std::size_t equals = line.find('=');
    if (equals == line.npos) return;
    const std::string_view key = line.substr(0, equals), value = line.substr(equals + 1);
    if (key == "Id") name = value;
    if (key == "MainPID") runs = parse_number(value).value_or(0) != 0;
    if (key == "ExecMainStartTimestampMonotonic")
      seconds = static_cast<double>(parse_number(value).value_or(0)) / 1e6;
  });
  finish();
  return starts;
}

namespace {

/// Scripts of /etc/init.d without a unit of their name: systemd makes a unit of each that starts
/// it.
void add_init_scripts(Source& source, std::map<std::string, Service>& services) {
  const Result<std::vector<std::string>> names = source.list("/etc/init.d");
  if (!names) return;
  for (const std::string& script : *names) {
    const std::string name = script + ".service", path = "/etc/init.d/" + script;
    if (!wanted_name(name) || services.count(name) != 0) continue;
    const Result<std::string> text = source.read(path, 1u << 20);
    if (!text) continue;
    Service service;
    service.name = name;
    service.files = {path};
    service.user = account_of_init_script(*text);
    services.emplace(name, std::move(service));
  }
}

void note_starts(Source& source, std::map<std::string, Service>& services) {
  const Result<CommandOutput> shown = source.run("systemctl-show");
  const auto starts = shown ? parse_service_starts(shown->out) : std::map<std::string, double>{};
  for (auto& [name, service] : services) {
    const auto start = starts.find(name);
    if (start != starts.end())
      service.started = start->second;
    else
      service.started = shown ? missing("cmd/systemctl-show", name + " does not run")
                              : not_captured("cmd/systemctl-show");
  }
}

}  // namespace

Result<std::vector<Service>> read_services(Source& source) {
  std::map<std::string, Service> services;
  std::map<std::string, std::vector<std::string>> drop_ins;  // service -> files, in folder order
  std::optional<Error> unread;
  std::set<std::string> seen;
  bool any = false;
  for (const std::string_view folder : kUnitFolders) {
    const Result<std::vector<std::string>> names = source.list(folder);
    if (!names) {
      if (!names.is_missing() && !unread) unread = names.error();
      continue;
    }
    any = true;
    // /lib is /usr/lib on most systems: the same folder must not be read twice.
    if (!seen.insert(source.resolve(folder).value_or(std::string(folder))).second) continue;
    const bool local = folder == "/etc/systemd/system";
    for (const std::string& name : *names) {
      const std::string path = std::string(folder) + "/" + name;
      if (name.ends_with(".service.d")) {
        const std::string unit = name.substr(0, name.size() - 2);
        for (std::string& file : matching_paths(source, path, "*.conf")) {
          drop_ins[unit].push_back(std::move(file));
        }
        continue;
      }
      const bool named = wanted_name(name);
      if (!name.ends_with(".service") || services.count(name) != 0 || (!named && !local)) continue;
      if (!named) {  // links in /etc enable units that are looked at in their own folder
        const Result<FileStat> stat = source.lstat(path);
        if (!stat || stat->type != FileStat::Type::file) continue;
      }
      const Result<std::string> text = source.read(path, 1u << 20);
      if (!text || (!named && gpu_words_of_unit(*text).empty())) continue;
      if (services.size() >= kMostServices)
        return malformed(path, "there are more than " + std::to_string(kMostServices) +
                                   " services that use a GPU");
      Service service;
      service.name = name;
      service.files = {path};
      apply_unit_file(*text, service);
      services.emplace(name, std::move(service));
    }
  }
  if (any) add_init_scripts(source, services);
  if (!any) return unread ? *unread : missing("/etc/systemd/system");
  for (const auto& [unit, files] : drop_ins) {
    const auto found = services.find(unit);
    if (found == services.end()) continue;
    for (const std::string& file : files) {
      const Result<std::string> text = source.read(file, 1u << 20);
      if (!text) continue;
      found->second.files.push_back(file);
      apply_unit_file(*text, found->second);
    }
  }
  if (!services.empty()) note_starts(source, services);
  std::vector<Service> list;
  for (auto& [name, service] : services) list.push_back(std::move(service));
  return list;
}

}  // namespace rocvet

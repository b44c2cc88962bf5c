#include "machine/read_settings.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "base/text.h"
#include "machine/read_access.h"
#include "machine/read_compose.h"
#include "machine/read_platform.h"
#include "source/read_value.h"
#include "source/secret_names.h"

namespace rocvet {
namespace {

constexpr std::string_view kKeptVariables[] = {
    "ROCR_*",
    "ROCM_*",
    "HSA_*",
    "HSAKMT_*",
    "HIP_*",
    "HIPCC_*",
    "HIPBLAS*",
    "ROCBLAS_*",
    "GPU_*",
    "CUDA_*",
    "NVIDIA_*",
    "NCCL_*",
    "RCCL_*",
    "MIOPEN_*",
    "AMD_*",
    "AMDGPU_*",
    "PYTORCH_*",
    "TORCH_*",
    "OLLAMA_*",
    "GGML_*",
    "LLAMA_*",
    "VLLM_*",
    "SGLANG_*",
    "HCC_AMDGPU_TARGET",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LIBRARY_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "C_INCLUDE_PATH",
    "DEVICE_LIB_PATH",
    "OCL_ICD_*",
    "OPENCL_*",
    "RUSTICL_*",
    "TF_*",
    "XLA_*",
    "JAX_*",
    "FLASH_ATTENTION_*",
    "TENSILE_*",
    "CMAKE_PREFIX_PATH",
    "PYTHONPATH",
    "DOCKER_HOST",
    "DOCKER_CONTEXT",
};

bool is_variable_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// Words of a shell line: quotes keep blanks together and are removed, ; and # end it.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> found;
  std::string word;
  char quote = 0;
  bool started = false;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      started = true;
    } else if (c == ' ' || c == '\t') {
      if (started) found.push_back(std::exchange(word, ""));
      started = false;
    } else if (c == ';' || (c == '#' && !started)) {
      break;
    } else {
      word += c;
      started = true;
    }
  }
  if (started) found.push_back(word);
  return found;
}

VariableSetting make_setting(std::string name, std::string value, std::string_view file,
                             std::string_view kind, bool exported) {
  VariableSetting setting;
  setting.name = std::move(name);
  setting.value = std::move(value);
  setting.file = file;
  setting.kind = kind;
  setting.exported = exported;
  return setting;
}

/// fish writes 10.3.0 as 10\x2e3\x2e0.
std::string unescape_fish(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\\x" && i + 3 < text.size()) {
      if (const auto code = parse_number(text.substr(i + 2, 2), 16)) {
        out += static_cast<char>(*code);
        i += 3;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

void append(std::vector<VariableSetting>& all, std::vector<VariableSetting> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

using Parser = std::vector<VariableSetting> (*)(std::string_view, std::string_view);

void add_files(Source& source, const std::vector<std::string>& files, Parser parse,
               std::vector<VariableSetting>& all) {
  for (const std::string& file : files) {
    if (const Result<std::string> text = source.read(file, 1u << 20)) {
      append(all, parse(*text, file));
    }
  }
}

std::vector<VariableSetting> parse_shell_file(std::string_view text, std::string_view file) {
  const bool for_all = file.starts_with("/etc/");
  return parse_shell_variables(text, file, for_all ? "profile" : "shell");
}

/// ~/.pam_environment of pam_env(8): `NAME DEFAULT=value OVERRIDE=value`, or `NAME=value`. Its
/// newer versions do not read it unless they are told to.
std::vector<VariableSetting> parse_pam_environment(std::string_view text, std::string_view file) {
  std::vector<VariableSetting> all;
  for (const std::string_view raw : lines_of(text)) {
    const std::string_view line = trim(raw);
    const std::size_t blank = line.find_first_of(" \t"), sign = line.find("DEFAULT=");
    if (line.empty() || line.front() == '#') continue;
    if (sign == line.npos || blank == line.npos || blank > sign) {
      append(all, parse_environment_file(line, file));
      continue;
    }
    const std::string_view value = line.substr(sign + 8);
    const std::string name(line.substr(0, blank));
    if (is_gpu_variable(name))
      all.push_back(make_setting(name, std::string(value.substr(0, value.find_first_of(" \t"))),
                                 file, "shell", true));
  }
  return all;
}

/// A service of somebody else on this machine: it runs as an account with a home folder, from
/// there.
bool is_of_another_account(const Service& service, const std::string& home) {
  const std::string_view program = service.exec_start;
  return !service.user.empty() && service.user != "root" && program.starts_with("/home/") &&
         home.starts_with("/home/") && !program.starts_with(home + "/");
}

std::vector<VariableSetting> read_variables(Source& source, const std::string& home,
                                            const std::string& callers_home,
                                            const Result<std::vector<Service>>& services,
                                            const std::vector<ComposeService>& compose) {
  std::vector<VariableSetting> all;
  std::vector<std::string> environment = {"/etc/environment"};
  for (const std::string& folder :
       {std::string("/etc/environment.d"), home + "/.config/environment.d"}) {
    for (std::string& path : matching_paths(source, folder, "*.conf")) {
      environment.push_back(std::move(path));
    }
  }
  add_files(source, environment, parse_environment_file, all);
  add_files(source, {home + "/.pam_environment"}, parse_pam_environment, all);

  std::vector<std::string> shell = {"/etc/profile", "/etc/bash.bashrc", "/etc/bashrc",
                                    "/etc/zsh/zshenv"};
  for (std::string& path : matching_paths(source, "/etc/profile.d", "*.sh")) {
    shell.push_back(std::move(path));
  }
  for (const char* name : {".profile", ".bash_profile", ".bash_login", ".bashrc", ".bash_aliases",
                           ".zshenv", ".zprofile", ".zshrc", ".xprofile", ".cshrc"}) {
    shell.push_back(home + "/" + name);
    // Under sudo the files of who called it were not read for this process.
    if (!callers_home.empty()) shell.push_back(callers_home + "/" + name);
  }
  add_files(source, shell, parse_shell_file, all);

  std::vector<std::string> fish = {home + "/.config/fish/config.fish",
                                   home + "/.config/fish/fish_variables"};
  for (std::string& path : matching_paths(source, home + "/.config/fish/conf.d", "*.fish")) {
    fish.push_back(std::move(path));
  }
  add_files(source, fish, parse_fish_variables, all);

  const auto add = [&](const std::map<std::string, std::string>& variables, const std::string& file,
                       const char* kind, const std::string& where) {
    for (const auto& [name, value] : variables) {
      if (!is_gpu_variable(name)) continue;
      all.push_back(make_setting(name, value, file, kind, true));
      all.back().where = where;
    }
  };
  for (const Service& service : services.value_or(std::vector<Service>{})) {
    if (is_of_another_account(service, home)) continue;
    add(service.environment, service.files.back(), "service", service.name);
    for (std::string file : service.environment_files) {
      if (file.starts_with('-')) file.erase(0, 1);  // "-": it need not exist
      const Result<std::string> text = source.read_as(FileKind::variables, file, 1u << 20);
      if (!text) continue;
      for (VariableSetting& setting : parse_environment_file(*text, file)) {
        setting.kind = "service";
        setting.where = service.name;
        all.push_back(std::move(setting));
      }
    }
  }
  for (const ComposeService& service : compose) {
    add(service.environment, service.file, "compose", service.name);
  }
  return all;
}

DockerClient read_docker(Source& source, const std::string& home, const ProcessFacts& process) {
  DockerClient docker;
  const std::string folder = home + "/.docker";
  const Result<std::string> config = source.read(folder + "/config.json", 1u << 20);
  if (config) {
    const std::string name = json_string(*config, "currentContext");
    docker.current_context = name.empty() ? std::string("default") : name;
  } else if (config.is_missing()) {
    docker.current_context = std::string("default");
  } else {
    docker.current_context = config.error();
  }
  for (const std::string& path : matching_paths(source, folder + "/contexts/meta", "*")) {
    const Result<std::string> meta = source.read(path + "/meta.json", 1u << 20);
    if (!meta) continue;
    const std::string name = json_string(*meta, "Name");
    if (!name.empty()) docker.contexts.push_back(name);
  }
  if (process.environment) {
    const auto host = process.environment->find("DOCKER_HOST");
    if (host != process.environment->end()) docker.host = host->second;
    const auto context = process.environment->find("DOCKER_CONTEXT");
    if (context != process.environment->end()) docker.current_context = context->second;
  }
  docker.desktop_folder = source.exists(folder + "/desktop");
  docker.native_socket = source.exists("/var/run/docker.sock") || source.exists("/run/docker.sock");
  return docker;
}

/// Whether the mode bits let this process write. Root may write whatever is not mounted read-only.
Result<bool> may_write(const FileStat& stat, const ProcessFacts& process) {
  if (!process.uid) return process.uid.error();
  if (*process.uid == 0) return true;
  if (stat.uid && *stat.uid == *process.uid) return (stat.mode & 0200) != 0;
  if (!stat.uid || !stat.gid) return not_captured("owner");
  bool member = process.gid && *process.gid == *stat.gid;
  for (const std::uint32_t gid : process.groups.value_or(std::vector<std::uint32_t>{})) {
    member = member || gid == *stat.gid;
  }
  return (stat.mode & (member ? 0020 : 0002)) != 0;
}

CachePlace read_place(Source& source, std::string purpose, std::string path,
                      const ProcessFacts& process, const std::vector<Mount>& mounts) {
  CachePlace place;
  place.purpose = std::move(purpose);
  place.path = path;
  place.stat = source.stat(path);
  Result<FileStat> stat = place.stat;
  while (!stat && stat.is_missing() && path.size() > 1) {
    path = parent_path(path);
    stat = source.stat(path);
  }
  if (stat) place.existing_parent = path;
  place.writable = stat.and_then([&](const FileStat& found) { return may_write(found, process); });
  if (const Mount* mount = mount_of(mounts, path)) {
    place.file_system = mount->type;
    const std::vector<std::string_view> options = split(mount->options, ',');
    if (std::find(options.begin(), options.end(), "ro") != options.end()) place.writable = false;
  }
  return place;
}

std::vector<CachePlace> read_caches(Source& source, const std::string& home,
                                    const ProcessFacts& process, const std::vector<Mount>& mounts) {
  const auto variable = [&](const char* name) -> std::string {
    if (!process.environment) return "";
    const auto found = process.environment->find(name);
    return found == process.environment->end() ? "" : found->second;
  };
  std::vector<std::pair<std::string, std::string>> places;
  if (!home.empty()) places.emplace_back("home", home);
  const std::string db = variable("MIOPEN_USER_DB_PATH");
  if (!db.empty() || !home.empty()) {
    places.emplace_back("miopen user db", db.empty() ? home + "/.config/miopen" : db);
  }
  const std::string cache = variable("MIOPEN_CUSTOM_CACHE_DIR");
  if (!cache.empty() || !home.empty()) {
    places.emplace_back("miopen cache", cache.empty() ? home + "/.cache/miopen" : cache);
  }
  const std::string tmp = variable("TMPDIR");
  places.emplace_back("tmp", tmp.empty() ? "/tmp" : tmp);
  std::vector<CachePlace> found;
  for (auto& [purpose, path] : places) {
    if (!path.starts_with('/')) continue;
    found.push_back(read_place(source, purpose, path, process, mounts));
  }
  return found;
}

}  // namespace

std::string json_string(std::string_view text, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\"";
  std::size_t at = text.find(quoted);
  if (at == std::string_view::npos) return "";
  at = text.find(':', at + quoted.size());
  const std::size_t open = at == std::string_view::npos ? at : text.find('"', at);
  const std::size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
  if (close == std::string_view::npos) return "";
  return std::string(text.substr(open + 1, close - open - 1));
}

bool is_gpu_variable(std::string_view name) {
  // Never shown: tokens live beside the settings.
  return is_variable_name(name) && matches_any(name, kKeptVariables) && !is_secret_name(name) &&
         !glob_match("*AUTH*", name);
}

std::vector<VariableSetting> parse_shell_variables(std::string_view text, std::string_view file,
                                                   std::string_view kind) {
  std::vector<VariableSetting> found;
  for (const std::string_view raw : lines_of(text)) {
    const std::string_view line = trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    // if …; then export A=B; fi: each command on its own.
    for (const std::string_view part : split(line, ';')) {
      std::vector<std::string> parts = shell_words(trim(part));
      if (parts.empty()) continue;
      std::size_t at = 0;
      if (parts[0] == "then" || parts[0] == "else" || parts[0] == "do") ++at;
      if (at >= parts.size()) continue;
      if (parts[at] == "setenv" && parts.size() > at + 1) {
        const std::string value = parts.size() > at + 2 ? parts[at + 2] : "";
        if (is_gpu_variable(parts[at + 1])) {
          found.push_back(make_setting(parts[at + 1], value, file, kind, true));
        }
        continue;
      }
      bool exported = false;
      if (parts[at] == "export" || parts[at] == "declare" || parts[at] == "typeset") {
        exported = parts[at] == "export";
        ++at;
        while (at < parts.size() && parts[at].starts_with('-')) {
          exported = exported || parts[at].find('x') != std::string::npos;
          ++at;
        }
      }
      for (; at < parts.size(); ++at) {
        const std::size_t equals = parts[at].find('=');
        const std::string name = parts[at].substr(0, equals);
        if (!is_variable_name(name)) break;
        if (equals == std::string::npos) {
          if (!exported) break;  // a command, not an assignment
          for (VariableSetting& setting : found) {
            if (setting.name == name) setting.exported = true;
          }
        } else if (is_gpu_variable(name)) {
          found.push_back(make_setting(name, parts[at].substr(equals + 1), file, kind, exported));
        }
      }
      // NAME=VALUE command …: for that command only, so it is no setting of the shell.
      if (!exported && at < parts.size()) {
        while (!found.empty() && found.back().file == file && !found.back().exported &&
               line.find(found.back().name + "=") != std::string_view::npos) {
          found.pop_back();
        }
      }
    }
  }
  return found;
}

std::vector<VariableSetting> parse_fish_variables(std::string_view text, std::string_view file) {
  std::vector<VariableSetting> found;
  for (const std::string_view raw : lines_of(text)) {
    const std::string_view line = trim(raw);
    if (line.starts_with("SETUVAR ") || line.starts_with("SET ")) {
      // SETUVAR --export NAME:VALUE
      const std::vector<std::string_view> parts = words(line);
      const bool exported = std::find(parts.begin(), parts.end(), "--export") != parts.end();
      const std::string_view last = parts.back();
      const std::size_t colon = last.find(':');
      if (colon == std::string_view::npos || !is_gpu_variable(last.substr(0, colon))) continue;
      found.push_back(make_setting(std::string(last.substr(0, colon)),
                                   unescape_fish(last.substr(colon + 1)), file, "fish", exported));
      continue;
    }
    const std::vector<std::string> parts = shell_words(line);
    if (parts.size() < 2 || parts[0] != "set") continue;
    bool exported = false;
    std::size_t at = 1;
    for (; at < parts.size() && parts[at].starts_with('-'); ++at) {
      exported = exported || parts[at] == "--export" ||
                 (!parts[at].starts_with("--") && parts[at].find('x') != std::string::npos);
    }
    if (at >= parts.size() || !is_gpu_variable(parts[at])) continue;
    const std::vector<std::string> values(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                          parts.end());
    found.push_back(make_setting(parts[at], join(values, ":"), file, "fish", exported));
  }
  return found;
}

std::vector<VariableSetting> parse_environment_file(std::string_view text, std::string_view file) {
  std::vector<VariableSetting> found;
  for (const std::string_view raw : lines_of(text)) {
    std::string_view line = trim(raw);
    if (line.starts_with('#') || line.starts_with(';')) continue;
    if (line.starts_with("export ")) line = trim(line.substr(7));  // pam_env takes it too
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = trim(line.substr(0, equals));
    std::string_view value = trim(line.substr(equals + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    }
    if (is_gpu_variable(name)) {
      found.push_back(
          make_setting(std::string(name), std::string(value), file, "environment", true));
    }
  }
  return found;
}

std::vector<LxcDevice> parse_lxc_devices(std::string_view text, std::string_view file) {
  std::vector<LxcDevice> devices;
  for (const std::string_view raw : lines_of(text)) {
    const std::string_view line = trim(raw);
    if (line.starts_with('[')) break;  // snapshots of older configurations follow
    const std::size_t colon = line.find(':');
    const std::string_view key = line.substr(0, colon);
    if (colon == std::string_view::npos || !glob_match("dev?*", key) ||
        !parse_number(key.substr(3))) {
      continue;
    }
    LxcDevice device;
    device.file = file;
    for (const std::string_view part : split(trim(line.substr(colon + 1)), ',')) {
      const std::size_t equals = part.find('=');
      const std::string_view name = part.substr(0, equals);
      const std::string value(equals == std::string_view::npos ? "" : part.substr(equals + 1));
      if (equals == std::string_view::npos) device.path = trim(part);
      if (name == "path") device.path = value;
      if (name == "gid") device.gid = value;
      if (name == "uid") device.uid = value;
      if (name == "mode") device.mode = value;
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

/// The home folder of who called sudo, by /etc/passwd; "" when nobody did.
std::string callers_home(Source& source, const ProcessFacts& process) {
  if (!process.environment) return "";
  const std::string caller = value_of(*process.environment, "SUDO_USER");
  if (caller.empty() || caller == "root") return "";
  const Result<std::vector<Account>> accounts = read_accounts(source);
  if (!accounts) return "";
  const auto found = std::ranges::find(*accounts, caller, &Account::name);
  return found != accounts->end() && found->home.starts_with('/') ? found->home : "";
}

Settings read_settings(Source& source, const ProcessFacts& process,
                       const std::vector<Mount>& mounts,
                       const Result<std::vector<Service>>& services) {
  std::string home;
  if (process.environment) {
    const auto found = process.environment->find("HOME");
    if (found != process.environment->end()) home = found->second;
  }
  while (home.size() > 1 && home.ends_with('/')) home.pop_back();
  Settings settings;
  if (home.starts_with('/')) {
    const Mount* mount = mount_of(mounts, home);
    // A home on a network may be slow or hang: nothing below it is searched.
    const bool local =
        mount == nullptr || (!mount->type.starts_with("nfs") && mount->type != "lustre" &&
                             mount->type != "cifs" && mount->type != "autofs");
    settings.compose = read_compose(source, home, local && home != "/");
  }
  settings.variables =
      read_variables(source, home, callers_home(source, process), services, settings.compose);
  settings.docker = read_docker(source, home, process);
  for (const std::string& path : matching_paths(source, "/etc/pve/lxc", "*.conf")) {
    const Result<std::string> text = source.read(path, 1u << 20);
    if (!text) continue;
    for (LxcDevice& device : parse_lxc_devices(*text, path)) settings.lxc.push_back(device);
  }
  settings.nvidia_smi = missing("/usr/bin/nvidia-smi");
  for (const char* path : {"/usr/bin/nvidia-smi", "/usr/local/bin/nvidia-smi"}) {
    const Result<FileStat> tool = source.stat(path);
    if (tool)
      settings.nvidia_smi = std::string(path);
    else if (!tool.is_missing() && !settings.nvidia_smi)
      settings.nvidia_smi = tool.error();
  }
  settings.caches = read_caches(source, home, process, mounts);
  return settings;
}

}  // namespace rocvet

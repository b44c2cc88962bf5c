#include "source/proper_names.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "source/characters.h"
#include "source/word_lists.h"

namespace rocvet {
namespace {

// A user may be called like a distribution or a group; replacing such a word everywhere would
// destroy facts.
constexpr std::string_view kEverydayWords[] = {
    "root",    "user",     "users",         "admin",      "ubuntu",     "debian",
    "fedora",  "centos",   "rocky",         "arch",       "video",      "render",
    "amd",     "amdgpu",   "rocm",          "gpu",        "linux",      "kernel",
    "test",    "docker",   "podman",        "ollama",     "jupyter",    "conda",
    "python",  "python3",  "torch",         "vagrant",    "azure",      "nobody",
    "guest",   "sudo",     "home",          "host",       "system",     "daemon",
    "build",   "ci",       "runner",        "oem",        "pi",         "steam",
    "deck",    "data",     "tmp",           "work",       "shared",     "public",
    "default", "all",      "wheel",         "adm",        "bin",        "lib",
    "local",   "opt",      "usr",           "var",        "etc",        "dev",
    "run",     "proc",     "sys",           "mnt",        "media",      "srv",
    "boot",    "app",      "apps",          "model",      "models",     "cache",
    "src",     "project",  "projects",      "scratch",    "name",       "username",
    "you",     "your",     "yourname",      "me",         "myuser",     "foo",
    "bar",     "nixbld",   "linuxbrew",     "git",        "http",       "https",
    "www",     "nginx",    "apache",        "mysql",      "postgres",   "redis",
    "true",    "false",    "none",          "null",       "yes",        "no",
    "unknown", "group",    "processes",     "space",      "mode",       "memory",
    "buffer",  "code",     "error",         "program",    "account",    "accounts",
    "owner",   "service",  "session",       "login",      "plugdev",    "dialout",
    "disk",    "input",    "kvm",           "lxd",        "games",      "nogroup",
    "systemd", "sshd",     "polkitd",       "gdm",        "sddm",       "lightdm",
    "avahi",   "colord",   "rtkit",         "pulse",      "messagebus", "dbus",
    "chrony",  "munge",    "slurm",         "vllm",       "comfyui",    "mambauser",
    "jovyan",  "node",     "server",        "client",     "worker",     "localhost",
    "appuser", "coder",    "gitlab-runner", "www-data",   "buildd",     "buildbot",
    "jenkins", "core",     "ec2-user",      "cloud-user", "opc",        "vscode",
    "syslog",  "cups",     "postfix",       "nagios",     "zabbix",     "prometheus",
    "grafana", "jellyfin", "tomcat",        "minio",      "hadoop",     "spark",
    "oracle",  "arn",      "seat"};

std::string trim_dash(std::string word) {
  if (word.starts_with('-')) word.erase(0, 1);
  return word;
}

}  // namespace

bool is_name_char(char c) {
  return is_word(c) || c == '-' || c == '.';
}

std::size_t name_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_name_char(text[at])) ++at;
  while (at > 0 && (text[at - 1] == '.' || text[at - 1] == '-')) --at;  // the end of a sentence
  return at;
}

bool is_name(std::string_view name) {
  return name.size() >= 2 && name.size() <= 64 && is_alpha(name[0]);
}

bool has_number(std::string_view word) {
  return std::any_of(word.begin(), word.end(), is_digit);
}
bool is_digit_word(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

bool is_technical(std::string_view word) {
  static constexpr std::string_view kBegins[] = {
      "gfx",  "sm_",    "cuda", "hip", "rocm", "rocr",     "hsa",       "amd",     "kfd",
      "nvme", "eth",    "enp",  "eno", "ens",  "connectx", "bluefield", "geforce", "radeon",
      "navi", "quadro", "rtx",  "gtx", "mlx",  "lib",      "pci",       "usb",     "tty",
      "mi2",  "mi3",    "rx",   "w7",  "v6",   "v5",       "fp",        "bf16",    "int",
      "x86",  "ipv",    "utf",  "ssh", "tcp",  "udp",      "torch",     "http"};
  // With a number alone behind it: "gpu-1", "node-2"; "node07" is a machine.
  static constexpr std::string_view kNumbered[] = {"gpu",  "cpu",   "nic",   "card",    "numa",
                                                   "rank", "node-", "index", "renderd", "worker"};
  static constexpr std::string_view kEnds[] = {
      ".so",  ".py",  ".json", ".service", ".conf", ".txt", ".c",   ".cpp",
      ".h",   ".cc",  ".md",   ".yaml",    ".sh",   ".yml", ".log", ".slice",
      ".rpm", ".deb", ".whl",  ".toml",    ".bin",  ".cu"};
  const std::string small = lower(word);
  const auto begins = [&](std::string_view begin) { return small.starts_with(begin); };
  const auto numbered = [&](std::string_view begin) {
    return small.starts_with(begin) && is_digit_word(trim_dash(small.substr(begin.size())));
  };
  return std::any_of(std::begin(kBegins), std::end(kBegins), begins) ||
         std::any_of(std::begin(kNumbered), std::end(kNumbered), numbered) ||
         std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return small.ends_with(end); }) ||
         small.find(".so.") != small.npos;
}
bool is_module_or_file(std::string_view name) {
  static constexpr std::string_view kBegins[] = {"google.protobuf.", "com.google.protobuf.",
                                                 "threading.local",  "org.apache.",
                                                 "org.freedesktop.", "io.netty.",
                                                 "io.grpc.",         "torch.distributed.",
                                                 "torch.testing.",   "rd.lvm."};
  const std::string small = lower(name);
  if (std::any_of(std::begin(kBegins), std::end(kBegins),
                  [&](std::string_view begin) { return small.starts_with(begin); }))
    return true;
  const std::string_view file = std::string_view(small).substr(0, small.rfind('.'));
  return (small.ends_with(".example") || small.ends_with(".local")) && is_technical(file);
}
bool looks_like_host(std::string_view word) {
  return word.size() >= 4 && word.find_first_of("0123456789-") != word.npos && !is_technical(word);
}

bool is_distinctive(std::string_view name) {
  return name.size() >= 5 && has_number(name) && !is_technical(name) &&
         name.find_first_of("._") == name.npos;
}

bool is_everyday_name(std::string_view name) {
  if (name.size() < 3) return true;
  const std::string small = lower(name);
  if (is_in(kEverydayWords, small)) return true;
  // Stand-ins of ours: "user2", "host3".
  for (const std::string_view word : {"user", "host"}) {
    if (small.starts_with(word) && std::all_of(small.begin() + 4, small.end(), is_digit))
      return true;
  }
  return false;
}

bool names_a_domain(std::string_view host) {
  // Of no owner: what inner networks and clouds are called, and the upper levels of countries.
  static constexpr std::string_view kCommon[] = {
      "local",   "localdomain", "internal", "intranet", "intra",     "lan",     "corp",   "home",
      "lab",     "site",        "domain",   "cluster",  "hpc",       "priv",    "office", "private",
      "company", "svc",         "compute",  "ec2",      "example",   "invalid", "info",   "cloud",
      "tech",    "arpa",        "onion",    "pod",      "amazonaws", "co",      "ac",     "or",
      "ne",      "go",          "js",       "eu",       "us"};
  const std::string small = lower(host);
  const std::vector<std::string_view> labels = split(std::string_view(small), '.');
  for (std::size_t i = 1; i < labels.size(); ++i) {
    const bool is_top = i + 1 == labels.size();
    if ((is_top && labels[i].size() < 4) || labels[i].size() < 2) continue;
    if (!is_in(kCommon, labels[i]) && !is_in(kEverydayWords, labels[i]) &&
        std::any_of(labels[i].begin(), labels[i].end(), is_alpha))
      return true;
  }
  return false;
}

}  // namespace rocvet

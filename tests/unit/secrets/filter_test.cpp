// A probe reads from what a snapshot keeps of a file what it reads from the whole.
#include <doctest/doctest.h>

#include <iterator>
#include <random>

#include "base/text.h"
#include "machine/collect_filter.h"
#include "machine/read_compose.h"
#include "machine/read_modprobe.h"
#include "machine/read_repositories.h"
#include "machine/read_rocm.h"
#include "machine/read_services.h"
#include "machine/read_settings.h"
#include "machine/read_udev.h"

using namespace rocvet;

namespace {

std::string show(const std::vector<VariableSetting>& v) {
  std::string o;
  for (auto& s : v) o += s.name + "=" + s.value + (s.exported ? " x|" : " |");
  return o;
}
std::string show(const std::vector<ComposeService>& v) {
  std::string o;
  for (auto& s : v) {
    o +=
        s.name + "," + s.image + "," + s.ipc + "," + s.shm_size + "," + s.privileged + "," + s.user;
    for (auto* l : {&s.devices, &s.group_add, &s.security_opt, &s.volumes, &s.commented_devices}) {
      o += "[";
      for (auto& i : *l) o += i + ";";
      o += "]";
    }
    for (auto& [k, x] : s.environment)
      if (is_gpu_variable(k)) o += k + "=" + x + ";";
    o += "|";
  }
  return o;
}
std::string show(const Service& s) {
  std::string o = s.user + "," + s.group + "," + s.protect_home + "," + s.device_policy;
  for (auto* l : {&s.supplementary_groups, &s.environment_files, &s.device_allow}) {
    o += "[";
    for (auto& i : *l) o += i + ";";
    o += "]";
  }
  for (auto& [k, x] : s.environment)
    if (is_gpu_variable(k)) o += k + "=" + x + ";";
  for (auto& [k, x] : s.limits) o += k + ":" + x + ";";
  return o;
}
std::string show(const std::vector<RepositoryLine>& v) {
  std::string o;
  for (auto& s : v)
    o += s.url + "," + s.codename + "," + s.product + "," + s.release + (s.enabled ? "+" : "-") +
         std::to_string(s.priority) + "|";
  return o;
}
std::string show(const std::vector<AptPin>& v) {
  std::string o;
  for (auto& s : v) o += s.text + (s.well_formed ? "+" : "-") + std::to_string(s.priority) + "|";
  return o;
}
std::string show(const std::vector<ModprobeLine>& v) {
  std::string o;
  for (auto& s : v) o += s.text + "," + s.command + "," + s.module + "," + s.argument + "|";
  return o;
}
std::string show(const std::vector<UdevRule>& v) {
  std::string o;
  for (auto& s : v)
    o += s.text + "," + s.kernel + "," + s.subsystem + "," + s.group + "," + s.mode + "|";
  return o;
}
std::string show(const std::vector<std::string>& v) {
  return join(v, "|");
}
void same(const std::string& whole, const std::string& kept, const std::string& of_whole,
          const std::string& of_kept) {
  if (of_whole == of_kept) return;
  FAIL_CHECK("of\n"
             << whole << "\nonly this is kept:\n"
             << kept << "\nread: " << of_whole << "\nthen: " << of_kept);
}

}  // namespace

TEST_CASE("probes read the same from what is kept of a file") {
  std::mt19937 r(7);  // fixed: the same cases every time
  const char* const kShell[] = {"export ",
                                "HSA_X",
                                "ROCM_PATH",
                                "=",
                                "\"",
                                "'",
                                " ",
                                "\n",
                                "\n",
                                ";",
                                "# ",
                                "a",
                                "/opt/rocm",
                                "$HOME",
                                "set -gx ",
                                "set -x ",
                                "set ",
                                "setenv ",
                                "SETUVAR --export ",
                                "SETUVAR ",
                                ":",
                                "\\x2e",
                                "if true; then ",
                                "fi",
                                "typeset -x ",
                                "SECRET",
                                "declare ",
                                "\\",
                                "HIP_VISIBLE_DEVICES"};
  const char* const kCompose[] = {"services:\n",
                                  "  a:\n",
                                  "  b:\n",
                                  "    image: x\n",
                                  "    devices:\n",
                                  "      - /dev/kfd\n",
                                  "      - \"/dev/dri:/dev/dri\"\n",
                                  "    environment:\n",
                                  "      HSA_X: \"1\"\n",
                                  "      - HIP_Y=2\n",
                                  "      SECRET: x\n",
                                  "    environment: [\"HSA_A=1\", 'B=2']\n",
                                  "    # - /dev/kfd\n",
                                  "    # devices: [/dev/dri]\n",
                                  "    user: \"1000\"\n",
                                  "    privileged: true\n",
                                  "    ipc: host # c\n",
                                  "    command: x\n",
                                  "volumes:\n",
                                  "    volumes:\n",
                                  "      - a:/b\n",
                                  "    deploy:\n",
                                  "      resources:\n",
                                  "        x: y\n",
                                  "\n"};
  const char* const kUnit[] = {"[Service]\n",
                               "[Unit]\n",
                               "User=a\n",
                               "Group=\n",
                               "SupplementaryGroups=render video\n",
                               "SupplementaryGroups=\n",
                               "DeviceAllow=/dev/kfd rw\n",
                               "DeviceAllow=\n",
                               "Environment=HSA_X=1 \"B=2 3\" 'HIP_Y=4 5'\n",
                               "Environment=\n",
                               "Environment=SECRET=1\n",
                               "EnvironmentFile=-/x /y\n",
                               "EnvironmentFile=\n",
                               "ExecStart=/usr/bin/ollama serve --x\n",
                               "ExecStart=\n",
                               "LimitMEMLOCK=infinity\n",
                               "PrivateDevices=yes\n",
                               "ProtectHome=read-only\n",
                               "Environment=HSA_Z=1 \\\n",
                               "  HIP_Q=2\n",
                               "# c\n",
                               "Foo=bar\n",
                               "DynamicUser=true\n"};
  const char* const kOthers[] = {
      "deb https://repo.radeon.com/rocm/apt/6.2 noble main\n",
      "# deb [arch=amd64] https://repo.radeon.com/amdgpu/6.2/ubuntu noble main\n",
      "deb https://x.y/z a b\n",
      "Types: deb\n",
      "URIs: https://repo.radeon.com/rocm/apt/6.2\n",
      " https://repo.radeon.com/amdgpu/6.3/ubuntu\n",
      "Suites: noble\n",
      "Enabled: no\n",
      "X-Foo: bar\n",
      "\n",
      "[rocm]\n",
      "[b]\n",
      "baseurl=https://repo.radeon.com/rocm/el9/6.2/main\n",
      "mirrorlist=https://repo.radeon.com/x\n",
      "enabled=0\n",
      "priority=50\n",
      "password=x\n",
      "Package: *\n",
      "Pin: release o=repo.radeon.com\n",
      "Pin-Priority: 600\n",
      "Explanation: foo\n",
      "junk\n",
      "options amdgpu x=1\n",
      "blacklist amdgpu\n",
      "alias pci:x amdgpu\n",
      "softdep foo pre: amdgpu\n",
      "options amdgpu \\\n",
      "KERNEL==\"kfd\", GROUP=\"render\"\n",
      "SUBSYSTEM==\"drm\", \\\n",
      "MODE=\"0666\"\n",
      "prepend-path PATH /opt/rocm-6.2/bin\n",
      "setenv X \"/opt/a/lib64:/b\"\n",
      "# /c/d\n"};
  for (int i = 0; i < 3000; i++) {
    const auto text_of = [&](const auto& pieces, unsigned most) {
      std::string s;
      for (unsigned left = static_cast<unsigned>(r() % most); left > 0; --left)
        s += pieces[r() % std::size(pieces)];
      return s;
    };
    std::string s = text_of(kShell, 16), f;
    f = recordable(FileKind::shell, s, "/etc/profile");
    same(s, f, show(parse_shell_variables(s, "f", "k")), show(parse_shell_variables(f, "f", "k")));
    f = recordable(FileKind::fish, s, "x");
    same(s, f, show(parse_fish_variables(s, "f")), show(parse_fish_variables(f, "f")));
    f = recordable(FileKind::variables, s, "x");
    same(s, f, show(parse_environment_file(s, "f")), show(parse_environment_file(f, "f")));
    s = text_of(kCompose, 16);
    f = recordable(FileKind::compose, s, "x");
    same(s, f, show(parse_compose(s, "f")), show(parse_compose(f, "f")));
    s = text_of(kUnit, 14);
    f = recordable(FileKind::unit, s, "x");
    Service a, b;
    apply_unit_file(s, a);
    apply_unit_file(f, b);
    same(s, f, show(a), show(b));
    same(s, f, std::to_string(gpu_words_of_unit(s).empty()),
         std::to_string(gpu_words_of_unit(f).empty()));
    s = text_of(kOthers, 14);
    f = recordable(FileKind::apt_list, s, "x.list");
    same(s, f, show(parse_apt_list(s, "x.list")), show(parse_apt_list(f, "x.list")));
    f = recordable(FileKind::apt_sources, s, "x");
    same(s, f, show(parse_apt_sources(s, "x")), show(parse_apt_sources(f, "x")));
    f = recordable(FileKind::yum_repository, s, "x.repo");
    same(s, f, show(parse_repo_file(s, "x.repo")), show(parse_repo_file(f, "x.repo")));
    f = recordable(FileKind::apt_preferences, s, "rocm");
    same(s, f, show(parse_apt_preferences(s, "rocm")), show(parse_apt_preferences(f, "rocm")));
    f = recordable(FileKind::module_options, s, "x");
    same(s, f, show(parse_modprobe(s, "x")), show(parse_modprobe(f, "x")));
    f = recordable(FileKind::udev_rules, s, "x");
    same(s, f, show(parse_udev_rules(s, "x")), show(parse_udev_rules(f, "x")));
    f = recordable(FileKind::module_file, s, "x");
    same(s, f, show(prefixes_of_modulefile(s)), show(prefixes_of_modulefile(f)));
  }
}

// What a snapshot keeps of a file: of every kind, to keep of it again changes nothing, and a probe
// reads from it what it reads from the whole (tests/unit/secrets/filter_test.cpp does the same with
// texts put together of known pieces).
//
// The first byte is the kind, the rest the file.
#include <string>
#include <vector>

#include "base/text.h"
#include "fuzz/target.h"
#include "machine/collect_filter.h"
#include "machine/read_access.h"
#include "machine/read_applications.h"
#include "machine/read_compose.h"
#include "machine/read_driver.h"
#include "machine/read_init_script.h"
#include "machine/read_kernel.h"
#include "machine/read_modprobe.h"
#include "machine/read_package_files.h"
#include "machine/read_repositories.h"
#include "machine/read_rocm.h"
#include "machine/read_security.h"
#include "machine/read_services.h"
#include "machine/read_settings.h"
#include "machine/read_surroundings.h"
#include "machine/read_udev.h"
#include "source/secrets.h"

using namespace rocvet;

namespace {

constexpr int kKinds = static_cast<int>(FileKind::package_files) + 1;

/// One text of all that a probe read, so that two readings can be compared.
class Shown {
 public:
  template <typename... Texts>
  void line(const Texts&... texts) {
    ((text_ += texts, text_ += '\x1f'), ...);
    text_ += '\n';
  }
  void list(const std::vector<std::string>& items) {
    for (const std::string& item : items) line(item);
    line("end");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

Shown shown(const std::vector<VariableSetting>& settings) {
  Shown out;
  for (const VariableSetting& each : settings)
    out.line(each.name, each.value, each.exported ? "x" : "");
  return out;
}

Shown shown(const std::vector<ComposeService>& services) {
  Shown out;
  for (const ComposeService& each : services) {
    out.line(each.name, each.image, each.ipc, each.shm_size, each.privileged, each.user);
    for (const auto* items : {&each.devices, &each.group_add, &each.security_opt, &each.volumes,
                              &each.commented_devices})
      out.list(*items);
    for (const auto& [name, value] : each.environment) {
      if (is_gpu_variable(name)) out.line(name, value);
    }
  }
  return out;
}

Shown shown_unit(std::string_view text) {
  Service unit;
  apply_unit_file(text, unit);
  Shown out;
  out.line(unit.user, unit.group, unit.protect_home, unit.device_policy,
           unit.private_devices ? "private" : "", unit.dynamic_user ? "dynamic" : "",
           gpu_words_of_unit(text).empty() ? "" : "gpu");
  for (const auto* items :
       {&unit.supplementary_groups, &unit.environment_files, &unit.device_allow, &unit.after})
    out.list(*items);
  for (const auto& [name, value] : unit.environment) {
    if (is_gpu_variable(name)) out.line(name, value);
  }
  for (const auto& [name, value] : unit.limits) out.line(name, value);
  return out;
}

Shown shown(const std::vector<RepositoryLine>& lines) {
  Shown out;
  for (const RepositoryLine& each : lines)
    out.line(each.url, each.codename, each.product, each.release, each.enabled ? "on" : "off",
             std::to_string(each.priority));
  return out;
}

Shown shown(const std::vector<AptPin>& pins) {
  Shown out;
  for (const AptPin& each : pins)
    out.line(each.text, each.well_formed ? "" : "broken", std::to_string(each.priority));
  return out;
}

Shown shown(const std::vector<ModprobeLine>& lines) {
  Shown out;
  for (const ModprobeLine& each : lines)
    out.line(each.text, each.command, each.module, each.argument);
  return out;
}

Shown shown(const std::vector<UdevRule>& rules) {
  Shown out;
  for (const UdevRule& each : rules)
    out.line(each.text, each.kernel, each.subsystem, each.group, each.mode);
  return out;
}

Shown shown(const std::vector<LxcDevice>& devices) {
  Shown out;
  for (const LxcDevice& each : devices) out.line(each.path, each.gid, each.uid, each.mode);
  return out;
}

Shown shown(const std::vector<std::string>& items) {
  Shown out;
  out.list(items);
  return out;
}

Shown shown_accounts(std::string_view text) {
  Shown out;
  for (const Account& each : parse_accounts(text))
    out.line(each.name, each.home, each.shell, std::to_string(each.uid), std::to_string(each.gid));
  for (const Group& each : parse_groups(text)) {
    out.line(each.name, std::to_string(each.gid));
    out.list(each.members);
  }
  return out;
}

Shown shown(const BuildTargets& found) {
  Shown out;
  out.line(found.variable);
  out.list(found.targets);
  return out;
}

Shown shown(const Result<double>& value) {
  Shown out;
  out.line(value ? fixed(*value, 6) : "none");
  return out;
}

Shown shown_value(const std::string& value) {
  Shown out;
  out.line(value);
  return out;
}

/// What the probe of this kind reads of a file.
std::string read_by_probe(FileKind kind, std::string_view text) {
  switch (kind) {
    case FileKind::variables:
      return shown(parse_environment_file(text, "x")).text();
    case FileKind::shell:
      return shown(parse_shell_variables(text, "x", "shell")).text();
    case FileKind::fish:
      return shown(parse_fish_variables(text, "x")).text();
    case FileKind::audit_log:
      return shown(find_denials(text)).text();
    case FileKind::unit:
      return shown_unit(text).text();
    case FileKind::init_script:
      return shown_value(account_of_init_script(text)).text();
    case FileKind::compose:
      return shown(parse_compose(text, "x")).text();
    case FileKind::docker_config:
      return shown_value(json_string(text, "currentContext")).text();
    case FileKind::docker_context:
      return shown_value(json_string(text, "Name")).text();
    case FileKind::apt_list:
      return shown(parse_apt_list(text, "x.list")).text();
    case FileKind::apt_sources:
      return shown(parse_apt_sources(text, "x.sources")).text();
    case FileKind::apt_preferences:
      return shown(parse_apt_preferences(text, "rocm")).text();
    case FileKind::yum_repository:
      return shown(parse_repo_file(text, "x.repo")).text();
    case FileKind::accounts:
      return shown_accounts(text).text();
    case FileKind::module_options:
      return shown(parse_modprobe(text, "x")).text();
    case FileKind::udev_rules:
      return shown(parse_udev_rules(text, "x")).text();
    case FileKind::limits:
      return shown(parse_limit_lines(text)).text();
    case FileKind::lxc_config:
      return shown(parse_lxc_devices(text, "x")).text();
    case FileKind::module_file:
      return shown(prefixes_of_modulefile(text)).text();
    case FileKind::cmake_cache:
      return shown(parse_cmake_cache(text, "x")).text();
    case FileKind::boot_time:
      return shown(parse_boot_time(text)).text();
    case FileKind::module_dependencies:
      return shown(amdgpu_dependencies(text)).text();
    default:
      // Kinds whose probe looks at lines without a parser of its own, or (a command line) of which
      // only names are kept, and these without secrets.
      return "";
  }
}

/// But for blanks and what trim() takes for one: of a parameter without a name none is left, and
/// the two around it.
void must_be_kept(std::string_view again, std::string_view kept, const char* what) {
  const auto without_blanks = [](std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (static_cast<unsigned char>(c) > ' ') out += c;
    }
    return out;
  };
  fuzz::must_equal(without_blanks(again), without_blanks(kept), what);
}

}  // namespace

FUZZ_TARGET(recordable) {
  if (bytes.empty()) return;
  const auto kind = static_cast<FileKind>(static_cast<unsigned char>(bytes[0]) % kKinds);
  const std::string_view first_line = bytes.substr(1, bytes.find('\n', 1) - 1);
  const std::string_view file = kind == FileKind::kernel_arguments ? first_line : bytes.substr(1);
  // Of a path that ends in what is a blank at the end of a line, the rest is kept.
  constexpr std::string_view kOddBlanks("\0\f\v\r", 4);
  if (kind == FileKind::module_file && file.find_first_of(kOddBlanks) != file.npos) return;
  const std::string path = kind == FileKind::apt_preferences ? "rocm" : "/etc/passwd";
  const std::string kept = recordable(kind, file, path);
  // What stands for a secret of a command line is no parameter that is asked for.
  const bool secrets = without_secrets(bytes) != bytes;
  const bool cut_words = kind == FileKind::kernel_arguments || kind == FileKind::kernel_log;
  if (!cut_words || !secrets)
    must_be_kept(recordable(kind, kept, path), kept, "what is kept is kept");
  // A module's file may hold any word: of it what is no secret.
  const std::string whole =
      kind == FileKind::module_file ? without_secrets(file) : std::string(file);
  fuzz::must_equal(read_by_probe(kind, kept), read_by_probe(kind, whole),
                   "a probe reads the same of what is kept");
  if (secrets) return;
  const std::string log = recordable_log(file), arguments = recordable_arguments(first_line);
  must_be_kept(recordable_log(log), log, "of a log too");
  must_be_kept(recordable_arguments(arguments), arguments, "and of a command line");
}

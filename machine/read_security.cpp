#include "machine/read_security.h"

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

Result<std::string> read_selinux(Source& source) {
  const Result<std::string> enforce = read_value(source, "/sys/fs/selinux/enforce");
  if (enforce) return std::string(*enforce == "1" ? "enforcing" : "permissive");
  if (!enforce.is_missing()) return enforce.error();
  return std::string("disabled");
}

/// "1 1": the value in force, then the pending one.
Result<bool> read_boolean(Source& source, const std::string& name) {
  return read_value(source, "/sys/fs/selinux/booleans/" + name)
      .transform([](const std::string& text) { return text.starts_with('1'); });
}

}  // namespace

std::vector<std::string> find_denials(std::string_view log) {
  constexpr std::size_t kMost = 50, kLongest = 600;
  std::vector<std::string> found;
  for (const std::string_view line : lines_of(log)) {
    const bool denial = line.find("avc:  denied") != std::string_view::npos ||
                        line.find("avc: denied") != std::string_view::npos ||
                        line.find("apparmor=\"DENIED\"") != std::string_view::npos;
    if (!denial) continue;
    for (const std::string_view word :
         {"kfd", "renderD", "dri/", "\"card", "hsa_device", "dri_device", "amdgpu", "map_dri"}) {
      if (line.find(word) == std::string_view::npos) continue;
      found.emplace_back(line.substr(0, kLongest));
      break;
    }
  }
  if (found.size() > kMost) found.erase(found.begin(), found.end() - kMost);
  return found;
}

SecurityModules read_security(Source& source) {
  SecurityModules security;
  security.selinux = read_selinux(source);
  security.container_use_devices = read_boolean(source, "container_use_devices");
  security.process_label = read_value(source, "/proc/self/attr/current");
  security.apparmor = read_value(source, "/sys/module/apparmor/parameters/enabled")
                          .transform([](const std::string& text) { return text == "Y"; });
  if (security.apparmor.is_missing()) security.apparmor = false;
  // The audit log is long and only root reads it: looked at only where something can deny.
  const bool can_deny =
      (security.selinux && *security.selinux != "disabled") || security.apparmor.value_or(false);
  if (can_deny) {
    if (const Result<std::string> log = source.read("/var/log/audit/audit.log", 64u << 20)) {
      security.denials = find_denials(*log);
    }
  }
  return security;
}

}  // namespace rocvet

#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/node_access.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kServiceAccountWithoutAccessDoc = R"(
## What it looks for
Services that serve models or compute on GPUs (User=, SupplementaryGroups=, DynamicUser=; of a script
in /etc/init.d the account that it changes to) against the group that owns /dev/kfd.

## Why it matters
The interactive user may have access while the service has none: it finds no GPU, falls back to
the CPU or dies.

## How to mend it
`sudo usermod -aG render,video ACCOUNT`, or SupplementaryGroups=render video in the unit, then
restart it.

## Not this
The user's own access: RV102. A unit with PrivateDevices=: RV113. A service whose own log lists a GPU
has access, by whatever means.

## References
- https://github.com/ollama/ollama/blob/main/docs/linux.md
- https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html
)";

bool in_group(const Machine& machine, const Service& service, std::uint32_t gid) {
  const std::string name = group_name(machine, gid);
  const auto& extra = service.supplementary_groups;
  if (service.group == name || std::find(extra.begin(), extra.end(), name) != extra.end() ||
      std::find(extra.begin(), extra.end(), std::to_string(gid)) != extra.end())
    return true;
  if (machine.accounts) {
    for (const Account& account : *machine.accounts) {
      if (account.name == service.user && account.gid == gid) return true;
    }
  }
  for (const Group& group : *machine.groups) {
    if (group.gid == gid &&
        std::find(group.members.begin(), group.members.end(), service.user) != group.members.end())
      return true;
  }
  return false;
}

/// Accounts may come from elsewhere (LDAP, sysusers at the next boot), with groups that nobody here
/// can read.
bool is_listed(const Machine& machine, const std::string& name) {
  return !machine.accounts || parse_number(name).has_value() ||
         std::ranges::any_of(*machine.accounts,
                             [&](const Account& account) { return account.name == name; });
}

/// Whether the service's own log, as it was given, shows that it saw a GPU.
bool saw_gpu(const Context& context, const Service& service) {
  const bool ollama = service.name.find("ollama") != service.name.npos;
  if (ollama && (app_log_has(context, "inference compute\"*library=rocm") ||
                 app_log_has(context, "msg=\"dropping integrated GPU")))
    return true;
  return service.name.find("llama") != service.name.npos &&
         app_log_has(context, "ggml_cuda_init: found * ROCm devices") &&
         !app_log_has(context, "ggml_cuda_init: found 0 ROCm devices");
}

std::vector<Finding> run_service_account_without_access(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (!machine.access.services)
    return {unread(machine.access.services.error(), "there is no systemd here")};
  if (machine.access.services->empty()) return {pass("no service here uses the GPU")};
  if (!machine.kfd.stat) return {unread(machine.kfd.stat.error(), "there is no /dev/kfd")};
  if (!machine.kfd.stat->gid) return {unknown(not_captured("group of /dev/kfd"))};
  if (!machine.groups) return {unknown(machine.groups.error())};
  if ((machine.kfd.stat->mode & 06) == 06) return {pass("/dev/kfd is open to all")};
  const std::uint32_t gid = *machine.kfd.stat->gid;
  std::vector<Finding> findings;
  for (const Service& service : *machine.access.services) {
    const bool rootly = service.user.empty() && !service.dynamic_user;
    if (rootly || service.user == "root" || service.user == "0" || in_group(machine, service, gid))
      continue;
    if (saw_gpu(context, service)) {
      findings.push_back(passing(service.name + " says itself that it saw the GPU")
                             .about(service.name)
                             .sees("service-saw-the-gpu"));
      continue;
    }
    if (!service.user.empty() && !is_listed(machine, service.user)) {
      findings.push_back(
          unknown(missing("/etc/passwd", "does not list " + service.user + ", the account of " +
                                             service.name + ": its groups are not known")));
      continue;
    }
    const std::string who = service.user.empty() ? "a dynamic user" : service.user;
    const std::string group =
        group_name(machine, gid).empty() ? std::to_string(gid) : group_name(machine, gid);
    findings.push_back(
        failing(service.name + " runs as " + who + ", which may not open /dev/kfd")
            .about(service.name)
            .saw("/dev/kfd is " + owner_and_mode(machine.kfd))
            .saw(who + " is not in group " + group +
                 ", and the unit has no SupplementaryGroups= for it")
            .fix({service.user.empty()
                      ? Step("printf '[Service]\\nSupplementaryGroups=render video\\n' | sudo "
                             "install "
                             "-D -m 644 /dev/stdin /etc/systemd/system/{}.d/gpu-groups.conf",
                             service.name)
                      : Step("sudo usermod -aG {} {}", group, service.user),
                  "sudo systemctl daemon-reload", Step("sudo systemctl restart {}", service.name)})
            .verify("rocvet check --only service-account-without-access")
            .root());
  }
  return or_pass(std::move(findings), "the services' accounts may open /dev/kfd");
}

}  // namespace

extern const Check kServiceAccountWithoutAccess;
constinit const Check kServiceAccountWithoutAccess{
    .code = "RV107",
    .id = "service-account-without-access",
    .topic = "access",
    .title = "The account of a service may not open the GPU",
    .doc = kServiceAccountWithoutAccessDoc,
    .run = run_service_account_without_access};

}  // namespace rocvet

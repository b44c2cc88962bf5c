#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kSeccompRefusesCallsDoc = R"(
## What it looks for
A seccomp filter on the process (Seccomp: 2 in /proc/self/status) and, in what the application
said, system calls of memory placement or tracing that were not permitted: set_mempolicy, mbind,
move_pages, ptrace.

## Why it matters
The default profiles of docker and podman refuse these calls. Host memory is then not placed near
the GPU, and rocgdb and the profilers cannot attach. Plain compute works under the default profile.

## How to mend it
`--security-opt seccomp=unconfined`; for rocgdb `--cap-add=SYS_PTRACE` is enough. Kubernetes:
securityContext: { seccompProfile: { type: Unconfined } }.

## Not this
EPERM of opening a device node: RV105, RV720.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
- https://docs.docker.com/engine/security/seccomp/
)";

std::vector<Finding> run_seccomp_refuses_calls(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.seccomp)
    return {unread(machine.process.seccomp.error(), "the kernel has no seccomp")};
  if (*machine.process.seccomp != 2) return {pass("no seccomp filter")};
  std::string call;
  for (const char* name : {"set_mempolicy", "get_mempolicy", "mbind", "move_pages", "ptrace"}) {
    const std::string refused = std::string(name) + "*peration not permitted";
    if (call.empty() && app_log_has(context, refused)) call = name;
  }
  if (call.empty()) return {pass("a seccomp filter is in force, and nobody complained")};
  const bool pod = machine.surroundings.environment == Environment::kubernetes;
  return warning("the seccomp filter of " + engine_name(machine) + " refuses " + call)
      .saw("Seccomp: 2 in /proc/self/status")
      .saw("the application was refused " + call)
      .fix(
          {pod ? Step("in the container: securityContext: { seccompProfile: { type: Unconfined } }")
           : call == "ptrace"
               ? Step("start the container with --cap-add=SYS_PTRACE")
               : Step("start the container with --security-opt seccomp=unconfined")});
}

}  // namespace

extern const Check kSeccompRefusesCalls;
constinit const Check kSeccompRefusesCalls{.code = "RV722",
                                           .id = "seccomp-refuses-calls",
                                           .topic = "container",
                                           .title = "A seccomp filter refuses calls of ROCm",
                                           .doc = kSeccompRefusesCallsDoc,
                                           .run = run_seccomp_refuses_calls};

}  // namespace rocvet

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
The link /opt/rocm, where a versioned tree exists.

## Why it matters
Much software has /opt/rocm built in: "/opt/rocm/lib/libamdhip64.so: No such file".

## How to mend it
`sudo ln -s /opt/rocm-X.Y.Z /opt/rocm`, or ROCM_PATH where it is honoured.

## Not this
A machine without a ROCm below /opt.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/post-install.html
- https://man7.org/linux/man-pages/man1/update-alternatives.1.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  std::string versioned;
  bool standard = false;
  for (const RocmInstall& install : machine.software.rocm) {
    standard |=
        install.is_default || install.root == "/opt/rocm" || install.root.starts_with("/opt/rocm/");
    if (install.root.starts_with("/opt/rocm-")) versioned = install.root;
  }
  if (versioned.empty()) return {skip("there is no versioned ROCm below /opt")};
  if (standard) return {pass("/opt/rocm leads to a release")};
  const bool complaint = app_log_has(context, "/opt/rocm/") || app_log_has(context, "/opt/rocm:") ||
                         app_log_has(context, "/opt/rocm'") ||
                         app_log_has(context, "cannot find ROCm") ||
                         app_log_has(context, "HIP runtime");
  return (complaint ? failing("/opt/rocm does not exist, and something looks for it")
                    : warning("/opt/rocm does not exist"))
      .saw(versioned + " exists, /opt/rocm does not")
      .fix({Step("sudo ln -s {} /opt/rocm", versioned)})
      .verify("ls -l /opt/rocm")
      .undo("sudo rm /opt/rocm")
      .root();
}

}  // namespace

extern const Check kOptRocmLinkMissing;
constinit const Check kOptRocmLinkMissing{
    .code = "RV407",
    .id = "opt-rocm-link-missing",
    .topic = "installation",
    .title = "/opt/rocm does not exist beside /opt/rocm-X.Y.Z",
    .doc = kDoc,
    .run = run};

}  // namespace rocvet

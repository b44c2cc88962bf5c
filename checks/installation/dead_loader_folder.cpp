#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "machine/read_dead_paths.h"

namespace rocvet {
namespace {

constexpr std::string_view kDeadLoaderFolderDoc = R"(
## What it looks for
Folders of ROCm in ld.so.conf that do not exist.

## Why it matters
A removal or an upgrade left the line. If it was the only one, programs no longer find ROCm's
libraries although a newer release is installed.

## How to mend it
Correct or remove the file in /etc/ld.so.conf.d, then `sudo ldconfig`.

## Not this
A dead line beside one that leads to the ROCm that is installed: shown, not warned of.

## References
- https://man7.org/linux/man-pages/man8/ldconfig.8.html
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/post-install.html
)";

std::vector<Finding> run_dead_loader_folder(const Context& context) {
  const Software& software = context.machine.software;
  std::vector<std::string> gone;
  for (const DeadPath& dead : dead_paths(context.machine.kernel)) {
    if (dead.named_by == "ld.so.conf") gone.push_back(dead.path);
  }
  if (gone.empty()) return {pass("the loader is sent to no ROCm that is gone")};
  std::string installed, living;
  for (const RocmInstall& install : software.rocm) {
    if (install.owner == RocmOwner::wheel || install.owner == RocmOwner::app_bundle ||
        install.libraries.empty())
      continue;
    if (installed.empty() || install.is_default) installed = install.root;
    if (std::count(install.pointed_by.begin(), install.pointed_by.end(), "ld.so.conf") > 0 ||
        install.root == "/usr")
      living = install.root;
  }
  const bool lost = !installed.empty() && living.empty();
  return (lost ? warning("the loader is sent to a ROCm that is gone, and not to the one installed")
               : passing("the loader is sent to a ROCm that is gone"))
      .saw(gone)
      .saw(installed.empty() ? "" : "installed: " + installed)
      .fix({"grep -l rocm /etc/ld.so.conf.d/*",
            installed.empty()
                ? Step("sudo ldconfig")
                : Step("echo {}/lib | sudo tee /etc/ld.so.conf.d/rocm.conf", installed),
            "sudo ldconfig"})
      .verify("ldconfig -p | grep libamdhip64")
      .root();
}

}  // namespace

extern const Check kDeadLoaderFolder;
constinit const Check kDeadLoaderFolder{.code = "RV414",
                                        .id = "dead-loader-folder",
                                        .topic = "installation",
                                        .title = "The loader is sent to a ROCm that is gone",
                                        .doc = kDeadLoaderFolderDoc,
                                        .run = run_dead_loader_folder};

}  // namespace rocvet

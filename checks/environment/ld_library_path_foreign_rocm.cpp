#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Folders of a ROCm release in LD_LIBRARY_PATH against the release that /opt/rocm and ROCM_PATH
name.

## Why it matters
A program then loads libraries of two releases: undefined symbols, or code objects that do not
fit.

## How to mend it
Take the other release out of LD_LIBRARY_PATH.

## Not this
The only ROCm that is installed.

## References
- https://man7.org/linux/man-pages/man8/ld.so.8.html
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/install-methods/multi-version-install-index.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  const std::string path = variable_or_empty(machine, "LD_LIBRARY_PATH");
  if (path.empty()) {
    Finding said = passing("LD_LIBRARY_PATH is not set");
    if (variable_or_empty(machine, "LD_PRELOAD").empty())
      said.seen.push_back("no-foreign-library-path");
    return {said};
  }
  const RocmInstall* named = nullptr;
  const RocmInstall* standard = nullptr;
  for (const RocmInstall& install : machine.software.rocm) {
    if (install.is_default) standard = &install;
    for (const std::string_view folder : split(path, ':')) {
      if (!install.root.empty() && install.root != "/usr" &&
          folder.starts_with(install.root + "/") && named == nullptr)
        named = &install;
    }
  }
  if (named == nullptr || standard == nullptr || named == standard || !named->version ||
      !standard->version || *named->version == *standard->version)
    return {pass("LD_LIBRARY_PATH leads to no other ROCm")};
  return passing("LD_LIBRARY_PATH leads to ROCm " + *named->version + ", /opt/rocm to " +
                 *standard->version)
      .saw("LD_LIBRARY_PATH=" + path)
      .sees("ld-library-path-of-another-rocm")
      .fix({"unset LD_LIBRARY_PATH"});
}

}  // namespace

extern const Check kLdLibraryPathForeignRocm;
constinit const Check kLdLibraryPathForeignRocm{.code = "RV605",
                                                .id = "ld-library-path-foreign-rocm",
                                                .topic = "environment",
                                                .title = "LD_LIBRARY_PATH leads to another ROCm",
                                                .doc = kDoc,
                                                .run = run};

}  // namespace rocvet

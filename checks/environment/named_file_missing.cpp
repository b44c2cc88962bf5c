#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "machine/read_dead_paths.h"

namespace rocvet {
namespace {

constexpr std::string_view kNamedFileMissingDoc = R"(
## What it looks for
LD_PRELOAD, HSA_TOOLS_LIB, ROCP_TOOL_LIBRARIES, ROCBLAS_TENSILE_LIBPATH and
HIPBLASLT_TENSILE_LIBPATH: paths that do not exist.

## Why it matters
The loader ignores a missing preload with a line for each program; ROCr goes on without the tool;
rocBLAS and hipBLASLt find no kernels at all in a folder that is gone.

## How to mend it
Unset the variable or correct the path.

## Not this
ROCM_PATH and its like: RV403.

## References
- https://man7.org/linux/man-pages/man8/ld.so.8.html
- https://rocm.docs.amd.com/projects/rocBLAS/en/latest/reference/env-variables.html
)";

constexpr std::string_view kNamesOneFile[] = {"LD_PRELOAD", "HSA_TOOLS_LIB", "ROCP_TOOL_LIBRARIES",
                                              "ROCBLAS_TENSILE_LIBPATH",
                                              "HIPBLASLT_TENSILE_LIBPATH"};

std::vector<Finding> run_named_file_missing(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.process.environment) return {unknown(machine.process.environment.error())};
  std::vector<Finding> findings;
  for (const DeadPath& dead : dead_paths(machine.kernel)) {
    // Folders that are searched are other checks' business.
    if (std::ranges::find(kNamesOneFile, dead.named_by) == std::end(kNamesOneFile)) continue;
    const bool kernels = dead.named_by.ends_with("_TENSILE_LIBPATH");
    Finding finding =
        (kernels ? failing(dead.named_by + " leads nowhere: the library has no kernels")
                 : warning(dead.named_by + " names a file that is not there"))
            .saw(dead.named_by + ": " + dead.path + " does not exist")
            .fix({Step("unset {}", dead.named_by)});
    if (kernels) finding.seen.push_back("tensile-path-leads-nowhere");
    findings.push_back(std::move(finding));
  }
  return or_pass(std::move(findings), "the files that variables name are there");
}

}  // namespace

extern const Check kNamedFileMissing;
constinit const Check kNamedFileMissing{.code = "RV614",
                                        .id = "named-file-missing",
                                        .topic = "environment",
                                        .title = "A variable names a file that is not there",
                                        .doc = kNamedFileMissingDoc,
                                        .run = run_named_file_missing};

}  // namespace rocvet

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Symbol versions (GLIBCXX, CXXABI, GLIBC, hip) that files need, against the library that the loader
takes first.

## Why it matters
conda and other environments bring a libstdc++ of their own. It comes first and lacks what a ROCm
library needs: "version `GLIBCXX_3.4.30' not found".

## How to mend it
`conda install -c conda-forge 'libstdcxx-ng>=12'`, or leave the environment.

## Not this
A library that is not there at all: RV501.

## References
- https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html
- https://docs.conda.io/projects/conda-build/en/stable/resources/use-shared-libraries.html
)";

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  const bool complaint =
      app_log_has(context, "version `GLIBCXX_") || app_log_has(context, "version `CXXABI_");
  std::vector<Finding> findings;
  for (const UnmetVersion& unmet : machine.software.unmet_versions) {
    const bool cxx = unmet.version.starts_with("GLIBCXX") || unmet.version.starts_with("CXXABI");
    // Without a complaint nobody may ever load the file that needs it.
    findings.push_back((complaint ? failing(unmet.provider + " lacks " + unmet.version)
                                  : passing(unmet.provider + " lacks " + unmet.version))
                           .saw(unmet.by + " needs " + unmet.version)
                           .saw(unmet.others.empty() ? "" : unmet.others.front() + " has it")
                           .sees(cxx ? ObservationName("libstdcxx-lacks-a-version")
                                     : ObservationName("library-lacks-a-version"))
                           .fix({"conda install -c conda-forge 'libstdcxx-ng>=12'"}));
    if (findings.size() >= 3) break;
  }
  if (findings.empty() && complaint)
    return failing("the libstdc++ that is loaded is too old")
        .sees("program-misses-libstdcxx-version")
        .fix({"conda install -c conda-forge 'libstdcxx-ng>=12'"});
  return or_pass(std::move(findings), "every symbol version that is needed is there");
}

}  // namespace

extern const Check kSymbolVersionMissing;
constinit const Check kSymbolVersionMissing{.code = "RV502",
                                            .id = "symbol-version-missing",
                                            .topic = "runtime",
                                            .title = "A library is older than another one needs",
                                            .doc = kDoc,
                                            .run = run};

}  // namespace rocvet

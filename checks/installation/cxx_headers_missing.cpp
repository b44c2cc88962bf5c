#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kCxxHeadersMissingDoc = R"(
## What it looks for
The newest GCC folder in /usr/lib/gcc/x86_64-linux-gnu and /usr/include/c++ of the same number.

## Why it matters
ROCm's clang and hipRTC take the newest GCC folder; without its libstdc++-N-dev <cmath> and
<limits> are not found.

## How to mend it
`sudo apt install libstdc++-N-dev`.

## Not this
A missing HIP header.

## References
- https://clang.llvm.org/docs/ClangCommandLineReference.html
- https://packages.debian.org/search?keywords=libstdc%2B%2B-dev
)";

std::vector<Finding> run_cxx_headers_missing(const Context& context) {
  const Machine& machine = context.machine;
  const bool complaint = app_log_has(context, "'cmath' file not found") ||
                         app_log_has(context, "'limits' file not found") ||
                         app_log_has(context, "cannot find -lstdc++") ||
                         app_log_has(context, "HIPRTC") || app_log_has(context, "' file not found");
  const GccFolder* newest = nullptr;
  for (const GccFolder& folder : machine.software.gcc) {
    if (newest == nullptr || folder.version > newest->version) newest = &folder;
  }
  if (newest != nullptr && !newest->cxx_headers.is_missing())
    return {pass("the newest GCC has its C++ headers")};
  if (newest == nullptr && !complaint) return {none_here("there is no GCC here")};
  if (newest == nullptr && !software_was_read(machine))
    return {{Verdict::unknown, "not known: which GCC is on this machine"}};
  const std::string number = newest == nullptr ? "" : std::to_string(newest->version);
  const std::string package = number.empty() ? "g++" : "libstdc++-" + number + "-dev";
  return (complaint ? failing("clang picks a GCC whose C++ headers are not installed")
                    : passing("the newest GCC has no C++ headers"))
      .saw(newest == nullptr ? "no GCC folder below /usr/lib/gcc"
                             : newest->path + " exists, /usr/include/c++/" + number + " does not")
      .saw(package_absent(machine, package) ? package + " is not installed" : "")
      .sees(newest == nullptr ? ObservationName("no-gcc-folder")
                              : ObservationName("newest-gcc-without-cxx-headers"))
      .fix({install_command(machine, package, "libstdc++-devel", "libstdc++-devel", "gcc")})
      .root();
}

}  // namespace

extern const Check kCxxHeadersMissing;
constinit const Check kCxxHeadersMissing{
    .code = "RV410",
    .id = "cxx-headers-missing",
    .topic = "installation",
    .title = "clang picks a GCC whose C++ headers are not installed",
    .doc = kCxxHeadersMissingDoc,
    .run = run_cxx_headers_missing};

}  // namespace rocvet

#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kDriverAndRocmDoNotFitDoc = R"(
## What it looks for
The kernel driver that is loaded (AMD's module by its release, else the kernel's own) against each
ROCm here, a framework's own included: the pairs that AMD publishes, calls that an older KFD lacks,
and ROCr's own word for it.

## Why it matters
ROCr refuses a driver that lacks what it needs ("Incompatible kernel and userspace … disabled.
Upgrade amdgpu."), or a call fails: hipMemGetInfo gives "invalid argument" where KFD's interface is
older than 1.9 (Linux 6.0).

## How to mend it
Bring the two to one supported pair: `rocvet advise`. In a container the driver is the host's, and
the ROCm that of the image.

## Not this
A driver that is not loaded at all: RV201. Distant releases alone: many such pairs work.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/user-kernel-space-compat-matrix.html
- https://github.com/ROCm/rocm-systems/blob/develop/projects/rocr-runtime/libhsakmt/src/memory.c
)";

/// The releases whose user space runs here: the installation's and those that frameworks bring
/// along ("6.4" of HIP 6.4.43482), each once.
std::vector<std::string> releases_here(const Machine& machine) {
  std::vector<std::string> found;
  const auto add = [&](const std::string& release) {
    if (!release.empty() && std::ranges::find(found, release) == found.end())
      found.push_back(release);
  };
  add(rocm_version(machine));
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (!framework.hip_version) continue;
      const auto parts = split(*framework.hip_version, '.');
      if (parts.size() < 2) continue;
      const std::string series = std::string(parts[0]) + "." + std::string(parts[1]);
      const bool told = std::ranges::any_of(found, [&](const std::string& other) {
        return other == series || other.starts_with(series + ".");
      });
      if (!told) add(series);
    }
  }
  return found;
}

/// Whether the driver's KFD is older than 1.9, which Linux 6.0 brought. AMD's module is numbered by
/// the Linux that it is taken from; of the kernel's own the database tells.
bool lacks_memory_query(const Situation& here) {
  if (here.dkms_driver.empty() && here.dkms_package.empty()) return true;
  const auto module = Version::parse(here.dkms_driver);
  return module && *module < Version{{6, 0}};
}

/// What is left when KFD has no ioctl for the memory that is free: hsaKmtAvailableMemory wants
/// KFD 1.9, ROCr makes an error of it, and hipMemGetInfo hipErrorInvalidValue.
bool memory_query_failed(const Context& context) {
  return app_log_has(context, "HSA_AMD_AGENT_INFO_MEMORY_AVAIL query failed") ||
         app_log_has(context, "failed to query device memory info") ||
         app_log_has(context, "HIP error: invalid argument") ||
         app_log_has(context, "hipMemGetInfo*invalid argument") ||
         (app_log_has(context, "error:*invalid argument") &&
          app_log_has(context, "backend_cuda_device_get_memory")) ||
         app_log_has(context, "hipErrorInvalidValue");
}

std::vector<Finding> run_driver_and_rocm_do_not_fit(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  Situation here = situation_of_loaded_driver(context);
  if (app_log_has(context, "Incompatible kernel and userspace"))
    return failing("ROCr refuses the kernel driver")
        .saw("ROCm " + here.rocm + ", kernel " + here.kernel + ", " +
             (here.dkms_driver.empty() ? "in-tree driver" : "DKMS driver " + here.dkms_driver))
        .fix({"bring driver and ROCm to one supported pair: rocvet advise"});
  const std::vector<std::string> releases = releases_here(context.machine);
  if (releases.empty()) return {none_here("there is no ROCm here")};
  const bool query_failed = memory_query_failed(context) && lacks_memory_query(here);
  std::vector<Finding> findings;
  for (const std::string& release : releases) {
    here.rocm = release;
    for (const KnownIssue& issue : issues_about(context, "driver-window", here)) {
      if (!issue.certain) continue;
      const bool at_work = query_failed || shows(context, issue);
      findings.push_back((at_work ? failing(issue.because) : passing(issue.because))
                             .about("ROCm " + release)
                             .saw("source: " + issue.source)
                             .sees("driver-outside-rocm-window")
                             .fix({Step::of_database(issue.remedy)}));
      if (query_failed) findings.back().seen.push_back("driver-refuses-memory-query");
    }
  }
  return or_pass(std::move(findings),
                 "driver and ROCm are near each other, or nothing is published");
}

}  // namespace

extern const Check kDriverAndRocmDoNotFit;
constinit const Check kDriverAndRocmDoNotFit{
    .code = "RV503",
    .id = "driver-and-rocm-do-not-fit",
    .topic = "runtime",
    .title = "ROCm and the kernel driver are of distant releases",
    .doc = kDriverAndRocmDoNotFitDoc,
    .run = run_driver_and_rocm_do_not_fit};

}  // namespace rocvet

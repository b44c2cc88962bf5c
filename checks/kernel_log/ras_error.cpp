#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
RAS reports: uncorrectable and deferred errors, poison, bad pages over the threshold,
ERREVENT_ATHUB_INTERRUPT.

## Why it matters
Results may be wrong, programs are killed, and the part may have to be replaced.

## How to mend it
Power the machine off and on; if it comes back, have the GPU replaced.

## Not this
Errors that ECC corrected: a warning only, watch their number.

## References
- https://docs.kernel.org/gpu/amdgpu/ras.html
- https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/
)";

std::vector<Finding> run(const Context& context) {
  return findings_of_topic(context, "ras", "hardware errors of a GPU");
}

}  // namespace

extern const Check kRasError;
constinit const Check kRasError{.code = "RV907",
                                .id = "ras-error",
                                .topic = "kernel_log",
                                .title = "The kernel log tells of a hardware error of the GPU",
                                .doc = kDoc,
                                .run = run};

}  // namespace rocvet

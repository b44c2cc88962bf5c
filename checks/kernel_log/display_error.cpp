#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
Timeouts of page flips and reports of the display firmware.

## Why it matters
The desktop may freeze while compute still works; it is named so that nobody looks for it
elsewhere.

## How to mend it
A newer kernel and firmware; for a headless machine it does not matter.

## Not this
Harmless register timeouts when a screen is switched off.

## References
- https://docs.kernel.org/gpu/amdgpu/display/index.html
)";

std::vector<Finding> run(const Context& context) {
  return findings_of_topic(context, "display", "errors of the display part");
}

}  // namespace

extern const Check kDisplayError;
constinit const Check kDisplayError{.code = "RV911",
                                    .id = "display-error",
                                    .topic = "kernel_log",
                                    .title = "The kernel log tells of trouble in the display part",
                                    .doc = kDoc,
                                    .run = run};

}  // namespace rocvet

#include <algorithm>
#include <ranges>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/unread_areas.h"

namespace rocvet {
namespace {

constexpr std::string_view kPlacesUnreadDoc = R"(
## What it looks for
Files, folders and commands that checks rest on and that gave no answer: an input/output error, a
stale handle, a mount or a driver that does not answer within some seconds, a folder of ROCm that
this user may not read. What is not there is an answer, and so is what only root is meant to read.

## Why it matters
What could not be looked at cannot be called sound. Each check that rests on such a place says
"could not tell" instead of passing, and the machine as a whole is not called healthy.

## How to mend it
An input/output error or a read-only remount is the disk's: `dmesg`, `smartctl -a`. A mount that
does not answer is its server's: `findmnt`, then restart the server or unmount it with `umount -l`.
Attributes below /sys that do not answer belong to a GPU whose driver waits for it: only a reset or
a reboot brings it back. What is only closed to this user: run rocvet as the one who owns it, or as
root.

## Not this
A place that a snapshot does not have: that it is not captured is said by each check.

## References
- https://man7.org/linux/man-pages/man3/errno.3.html
- https://man7.org/linux/man-pages/man8/umount.8.html
)";

bool is_error_of_a_disk(const Unread* unread) {
  constexpr std::string_view kKernels[] = {"/sys/", "/proc/", "/dev/", "cmd:", "process:"};
  return unread->error.what.starts_with("EIO") &&
         std::ranges::none_of(
             kKernels, [&](std::string_view place) { return unread->place.starts_with(place); });
}

std::vector<Finding> run_places_unread(const Context& context) {
  const std::vector<const Unread*> unread = unread_that_matter(context.machine);
  if (unread.empty()) return {pass("every place that checks rest on gave an answer")};
  const std::size_t more = unread.size() - 1;
  Finding said = unknown(unread.front()->error);
  if (more > 0)
    said.summary += ", and " + std::to_string(more) + " more place" + (more == 1 ? "" : "s");
  constexpr std::size_t kMostShown = 8;
  for (const Unread* one : unread | std::views::take(kMostShown))
    said.evidence.push_back(one->error.text());
  if (std::ranges::any_of(unread, is_error_of_a_disk)) said.seen.push_back("place-gives-io-error");
  const bool all_denied = std::ranges::all_of(
      unread, [](const Unread* one) { return one->error.kind == Error::Kind::denied; });
  said.remedy.steps = {all_denied ? Step("sudo rocvet check") : Step("dmesg | tail -n 50")};
  return {said};
}

}  // namespace

extern const Check kPlacesUnread;
constinit const Check kPlacesUnread{.code = "RV1320",
                                    .id = "places-unread",
                                    .topic = "platform",
                                    .title = "Places of the machine could not be looked at",
                                    .doc = kPlacesUnreadDoc,
                                    .run = run_places_unread,
                                    .decisive = true};

}  // namespace rocvet

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kShmTooSmallDoc = R"(
## What it looks for
The capacity of /dev/shm in a container; docker gives 64 MiB.

## Why it matters
RCCL keeps its segments there and data loaders their batches: "Error while creating shared memory
segment", bus errors in workers.

## How to mend it
Start the container with --ipc=host or --shm-size=8g.

## Not this
A host, where /dev/shm is half of the memory.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html
- https://docs.docker.com/reference/cli/docker/container/run/
)";

std::vector<Finding> run_shm_too_small(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.surroundings.container)
    return {none_here("this is no container", Absence::surroundings)};
  if (!machine.memory.shm_bytes)
    return {unread(machine.memory.shm_bytes.error(), "there is no /dev/shm")};
  const std::uint64_t mib = *machine.memory.shm_bytes >> 20;
  if (mib > 64) return {pass("/dev/shm has " + std::to_string(mib) + " MiB")};
  const bool stated =
      app_log_has(context, "shared memory segment") || app_log_has(context, "bus error");
  return Say(stated ? Verdict::fail : Verdict::pass,
             stated ? "/dev/shm is too small for this job"
                    : "/dev/shm has docker's default of " + std::to_string(mib) + " MiB")
      .saw("/dev/shm: " + std::to_string(mib) + " MiB")
      .sees("shm-has-64-mib")
      .fix({"start the container with --ipc=host (or --shm-size=8g)"});
}

}  // namespace

extern const Check kShmTooSmall;
constinit const Check kShmTooSmall{.code = "RV701",
                                   .id = "shm-too-small",
                                   .topic = "container",
                                   .title = "/dev/shm of the container is small",
                                   .doc = kShmTooSmallDoc,
                                   .run = run_shm_too_small};

}  // namespace rocvet

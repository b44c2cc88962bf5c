#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/limits.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kMemlockLimitDoc = R"(
## What it looks for
RLIMIT_MEMLOCK of the process on machines with several GPUs or an RDMA network.

## Why it matters
Registered and pinned memory counts against it; RCCL over RDMA fails with ibv_reg_mr or "Cannot
allocate memory".

## How to mend it
limits.conf: "* - memlock unlimited"; services: LimitMEMLOCK=infinity; containers: --ulimit
memlock=-1.

## Not this
A desktop with one GPU, which needs no more than the default.

## References
- https://rocm.docs.amd.com/projects/rccl/en/latest/how-to/troubleshooting-rccl.html
- https://man7.org/linux/man-pages/man2/getrlimit.2.html
)";

std::vector<Finding> run_memlock_limit(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const auto limit = soft_limit(machine, "memlock", "limit of locked memory");
  if (!limit) return {unknown(limit.error())};
  const std::uint64_t soft = *limit;
  if (soft >= (std::uint64_t{1} << 30)) return {pass("memory may be locked freely")};
  // That the GPU's memory is full is said far more often than that none may be locked.
  const bool gpu_is_full = has_app_error(context, "torch-hip-out-of-memory-plain");
  const bool stated = app_log_has(context, "ibv_reg_mr") ||
                      app_log_has(context, "hipHostRegister") ||
                      (!gpu_is_full && said(context, "memlock-limit-too-low") >= 0.3);
  if (gpu_is_full && !stated)
    return {pass("only " + std::to_string(soft >> 10) + " KiB may be locked, which fills no GPU")};
  return Say(stated ? Verdict::fail : Verdict::pass,
             stated ? "too little memory may be locked"
                    : "only " + std::to_string(soft >> 10) + " KiB may be locked")
      .saw("RLIMIT_MEMLOCK: " + std::to_string(soft >> 10) + " KiB")
      .sees("little-memory-may-be-locked")
      .fix({"echo '* - memlock unlimited' | sudo tee /etc/security/limits.d/99-rocm.conf   # "
            "container: --ulimit memlock=-1"})
      .root()
      .login();
}

}  // namespace

extern const Check kMemlockLimit;
constinit const Check kMemlockLimit{.code = "RV705",
                                    .id = "memlock-limit",
                                    .topic = "container",
                                    .title = "Little memory may be locked",
                                    .doc = kMemlockLimitDoc,
                                    .run = run_memlock_limit};

}  // namespace rocvet

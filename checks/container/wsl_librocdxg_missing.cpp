#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/packages.h"
#include "checks/facts/wsl.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kWslLibrocdxgMissingDoc = R"(
## What it looks for
librocdxg among ROCm's libraries and in the loader cache, and what the application says of it.

## Why it matters
From ROCm 7.2 on librocdxg is the way to the GPU under WSL; without it hsaKmtOpenKFD is an
undefined symbol.

## How to mend it
Install rocdxg-roct, then `sudo ldconfig` with its folder in /etc/ld.so.conf.d.

## Not this
A librocdxg that is found and too old.

## References
- https://github.com/ROCm/librocdxg
- https://man7.org/linux/man-pages/man8/ldconfig.8.html
)";

std::vector<Finding> run_wsl_librocdxg_missing(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.surroundings.wsl) return {none_here("this is not WSL", Absence::surroundings)};
  const WslRocm wsl = wsl_rocm(machine);
  const bool asked = app_log_has(context, "librocdxg.so*cannot open shared object");
  const bool no_symbol = app_log_has(context, "undefined symbol: hsaKmtOpenKFD");
  const bool other_symbol = app_log_has(context, "librocdxg*undefined symbol: hsaKmt") ||
                            app_log_has(context, "dlsym failed*librocdxg");
  if (other_symbol && !asked)
    return failing("librocdxg is older than this ROCm needs")
        .saw(wsl.package)
        .sees("librocdxg-lacks-symbols")
        .fix({"sudo apt update && sudo apt install --only-upgrade rocdxg-roct"})
        .root();
  if (!wsl.uses_librocdxg) return {none_here("this ROCm does not use librocdxg")};
  if (wsl.in_loader_cache && !asked && !no_symbol) return {pass("the loader finds librocdxg")};
  const bool complaint = asked || no_symbol;
  const bool absent = wsl.librocdxg_files.empty();
  // Not beside ROCm's libraries; elsewhere the loader's cache or a package would tell.
  const bool nobody_has_it = absent && wsl.package.empty() && machine.software.packages.has_value();
  if (!complaint && absent && !wsl.cache_known && !nobody_has_it)
    return {unknown(not_captured("the loader's cache (ldconfig -p)"))};
  if (!complaint && !absent && (!wsl.cache_known || wsl.in_loader_path))
    return {pass("librocdxg is where the loader looks")};
  const bool not_cached = wsl.cache_known && !wsl.in_loader_cache;
  Finding said =
      (complaint || absent ? failing("the loader does not find librocdxg")
                           : passing("librocdxg is not in the loader's cache"))
          .saw(absent ? "there is no librocdxg.so here" : wsl.librocdxg_files.front() + " exists")
          .saw(not_cached ? "ldconfig -p does not list it" : "")
          .fix({absent ? Step("sudo apt install rocdxg-roct")
                       : Step("echo /opt/rocm/lib | sudo tee /etc/ld.so.conf.d/rocm.conf"),
                "sudo ldconfig"})
          .root();
  if (absent) said.seen.push_back("librocdxg-absent");
  if (!absent && not_cached) said.seen.push_back("librocdxg-not-in-loader-cache");
  return {said};
}

}  // namespace

extern const Check kWslLibrocdxgMissing;
constinit const Check kWslLibrocdxgMissing{.code = "RV711",
                                           .id = "wsl-librocdxg-missing",
                                           .topic = "container",
                                           .title = "WSL: librocdxg is not found",
                                           .doc = kWslLibrocdxgMissingDoc,
                                           .run = run_wsl_librocdxg_missing};

}  // namespace rocvet

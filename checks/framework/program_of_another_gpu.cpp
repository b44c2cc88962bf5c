#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/targets.h"
#include "checks/logs/app_errors.h"
#include "formats/gfx_target.h"

namespace rocvet {
namespace {

constexpr std::string_view kProgramOfAnotherGpuDoc = R"(
## What it looks for
"The program ISA X is not compatible with the device ISA Y", where this machine has GPUs of both, and
libraries with code for Y.

## Why it matters
There is code for both GPUs, and the one's was given to the other: rocBLAS keeps one set of kernels
for all GPUs of a process, that of the first which is asked. Building anew for X or Y changes
nothing.

## How to mend it
Show each process GPUs of one architecture (HIP_VISIBLE_DEVICES), or a rocBLAS that keeps a set for
each.

## Not this
A program ISA that no GPU here has: the program was built for other GPUs.

## References
- https://github.com/ROCm/rocm-libraries/issues/3413
- https://github.com/ROCm/rocm-libraries/pull/4781
)";

/// "gfx908" of "… program ISA amdgcn-amd-amdhsa--gfx908:xnack- is not …".
std::string target_behind(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == line.npos) return "";
  const std::string_view rest = line.substr(at + words.size());
  const std::string target = gfx_of_bundle_id(rest.substr(0, rest.find_first_of(" \t\r\n")));
  return std::string(gfx_without_features(target));
}

std::vector<Finding> run_program_of_another_gpu(const Context& context) {
  if (auto none = skip_without_gpu(context)) return {*none};
  const std::vector<std::string> here = gfx_present(context.machine);
  const auto is_here = [&](const std::string& gfx) {
    return std::ranges::find(here, gfx) != here.end();
  };
  for (const AppError& error : app_errors(context)) {
    const std::string program = target_behind(error.line, "program ISA ");
    const std::string device = target_behind(error.line, "device ISA ");
    if (program == device || !is_here(program) || !is_here(device)) continue;
    if (libraries_with(context.machine, device).empty()) continue;
    return warning("code for " + program + " was given to the " + device + ": both are here")
        .saw("application: " + error.line)
        .sees("program-of-another-gpu-here")
        .fix({"HIP_VISIBLE_DEVICES=N PROGRAM   # GPUs of one architecture for each process"});
  }
  return {pass("no program was given the code of another GPU here")};
}

}  // namespace

extern const Check kProgramOfAnotherGpu;
constinit const Check kProgramOfAnotherGpu{.code = "RV822",
                                           .id = "program-of-another-gpu",
                                           .topic = "framework",
                                           .title = "One GPU was given the code of another",
                                           .doc = kProgramOfAnotherGpuDoc,
                                           .run = run_program_of_another_gpu};

}  // namespace rocvet

// The device code that was built into this program.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rocvet::gpu {

/// Where the Error of a target that was not built says it is from.
inline constexpr std::string_view kDeviceCode = "device code";

/// The code of `module` ("gemm") for `arch` as a runtime names it ("gfx942:sramecc+:xnack-",
/// "sm_90", "host"). For the host it is empty: its kernels are part of the program.
/// Error::missing at kDeviceCode: this build has none for that target, or no such module.
Result<std::vector<std::byte>> code_object(std::string_view arch, std::string_view module);

/// In the order of the build: "gfx803", …, "sm_90".
std::vector<std::string> built_targets();
/// Modules of a target; empty: the target was not built.
std::vector<std::string> built_modules(std::string_view target);

}  // namespace rocvet::gpu

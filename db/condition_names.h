// The words that `needs` of causes and checks may use, without "!". checks/facts/conditions.cpp
// judges them, and does not compile when it lacks one.
#pragma once

#include <string_view>

namespace rocvet {

inline constexpr std::string_view kConditionNames[] = {
    "amd-gpu",
    "wsl",
    "container",
    "vm",
    "apu",
    "dgpu",
    "igpu-and-dgpu",
    "several-gpus",
    "hive",
    "rocm",
    "dkms-driver",
    "amdgpu-loaded",
    "wheel",
    "torch",
    "gpu-framework",
    "override-set",
    "service",
    "complaint",
    "visibility-set",
    "variable-elsewhere",
    "code-that-lacks-the-gpu",
    "instinct",
    "mi300a",
    "laptop",
    "equal-cards",
    "gpu-in-kfd",
    "container-in-play",
    "target-dropped",
    "sandbox-in-play",
    "runtime-brought-along",
    "compute-in-play",
    "rocm-of-distribution",
    "libclc-absent",
};

}  // namespace rocvet

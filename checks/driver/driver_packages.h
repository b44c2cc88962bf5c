// The packages that bring the kernel driver, and what DKMS says of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// "amdgpu" and its older name "rock".
bool is_gpu_module(std::string_view dkms_module);
/// amdgpu-dkms, rock-dkms, amdgpu-pro-dkms (the metapackage rocm-dkms and firmware are none).
bool is_dkms_package(std::string_view name);
std::vector<const Package*> dkms_packages(const Machine& machine);
/// "amdgpu/6.8.5-2009582.24.04 is only added": versions that are built for no kernel.
std::vector<std::string> dkms_only_added(const Machine& machine);
/// Whether module and firmware package carry the same build number.
bool same_driver_release(const Package& module, const Package& firmware);
/// "6.8.5" of the DKMS driver that is installed as package, in dkms or loaded; "" when there is
/// none.
std::string dkms_driver_version(const Machine& machine);

}  // namespace rocvet

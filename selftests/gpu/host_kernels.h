// The kernels of selftests/kernels as the host device runs them, by name.
#pragma once

#include <string_view>

namespace rocvet::gpu {

/// Calls the kernel as the current thread of the current block; `arguments` points to each
/// argument.
using HostKernel = void (*)(void* const* arguments);

/// nullptr: there is no kernel of that name.
HostKernel find_host_kernel(std::string_view name);

}  // namespace rocvet::gpu

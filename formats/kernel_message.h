// A line of the kernel's log: whose it is, and what it says.
#pragma once

#include <string_view>

namespace rocvet {

/// The device that a driver speaks of at the head of a line: "amdgpu 0000:03:00.0: …".
struct KernelDevice {
  std::string_view driver, bdf;  ///< "" where the line has no such head
};
KernelDevice device_of(std::string_view line);

/// A line without what stands before the driver's own words: "[drm:f [amdgpu]] *ERROR* ", "amdgpu
/// 0000:03:00.0: amdgpu: " …
std::string_view message_of(std::string_view line);

}  // namespace rocvet

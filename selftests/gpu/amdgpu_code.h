// What a code object of AMD's says of itself: what lies where in memory, and what each of its
// kernels needs. For runtimes below HIP.
// Source: https://llvm.org/docs/AMDGPUUsage.html (code objects of version 4 and 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace rocvet::gpu {

/// What the compiler expects of an argument that nobody gives.
enum class Hidden {
  none,  ///< it is given
  block_count_x,
  block_count_y,
  block_count_z,
  group_size_x,
  group_size_y,
  group_size_z,
  dimensions,
  dynamic_lds,
  zero,  ///< what is zero in a grid of whole groups without services of a host
};

struct KernelArgument {
  std::uint32_t offset = 0, bytes = 0;
  Hidden hidden = Hidden::none;
};

struct KernelCode {
  std::uint64_t descriptor = 0;  ///< offset of its descriptor in the image
  std::uint32_t argument_bytes = 0, group_bytes = 0, private_bytes = 0;
  bool dynamic_stack = false, preloads = false;  ///< arguments that come in registers
  std::vector<KernelArgument> arguments;
};

/// A word of the image that is to hold the image's address, plus what is added.
struct CodeRelocation {
  std::uint64_t offset = 0, addend = 0;
};

struct CodeImage {
  std::string target;            ///< "gfx942", without features
  std::vector<std::byte> bytes;  ///< as loaded at address 0
  std::vector<CodeRelocation> relocations;
  std::map<std::string, KernelCode, std::less<>> kernels;
};

/// Every offset is checked. Error::unsupported: it needs what these runtimes do not do, which is
/// named.
Result<CodeImage> read_amdgpu_code(std::span<const std::byte> object);

/// The memory that a kernel reads its arguments from: `given` are pointers to those that are not
/// hidden, in order.
Result<std::vector<std::byte>> kernel_arguments(const KernelCode& kernel, std::span<void*> given,
                                                std::uint32_t blocks, std::uint32_t threads,
                                                std::uint32_t dynamic_lds);

}  // namespace rocvet::gpu

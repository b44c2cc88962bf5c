// What an AMD code object says of its kernels, read from the ELF file's notes and code: the
// compiler's own account of registers, memory and arguments, and how often each family of matrix
// instructions stands in the code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace rocvet::code {

struct Argument {
  std::string kind;  ///< "global_buffer", "by_value", "hidden_…"
  std::uint64_t offset = 0, size = 0;
};

/// One kernel; sizes in bytes. Names as in AMD's code object metadata (LLVM's AMDGPUUsage).
struct Kernel {
  std::string name;
  std::uint64_t vgprs = 0, agprs = 0, sgprs = 0;
  std::uint64_t vgpr_spills = 0, sgpr_spills = 0;
  std::uint64_t scratch = 0, lds = 0;
  std::uint64_t kernarg = 0, kernarg_align = 0;
  std::uint64_t max_threads = 0, wave_size = 0;
  std::vector<Argument> arguments;
  int mfma = 0, wmma = 0;  ///< words of the code that begin such an instruction
  int hasty_loads = 0;     ///< loads to LDS right after the instruction that writes their M0
};

/// All kernels of a code object of any version from 3 on.
Result<std::vector<Kernel>> read_kernels(std::span<const std::byte> code_object);

/// What is wrong with a kernel on a target ("gfx942"), one sentence each: spills, scratch memory,
/// more LDS than a block may have, arguments that do not fit their segment, matrix instructions
/// that its name (gemm_fp16, attention_bf16_d64) and the target call for but that are not there.
std::vector<std::string> complaints(const std::string& target, const Kernel& kernel);

/// What a kernel of this name should do its products with: "mfma", "wmma", "dot", or "" when the
/// target has nothing for it.
std::string matrix_family(const std::string& target, const std::string& kernel);

}  // namespace rocvet::code

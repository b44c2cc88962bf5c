// Names of AMD GPU targets as compilers write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rocvet {

/// The target of an AMD code object from its ELF header: `flags` is e_flags, `abi_version`
/// e_ident[EI_ABIVERSION] (0 is code object version 2, … 4 is version 6). "" when the processor is
/// none we know. E.g. "gfx90a:sramecc+:xnack-", "gfx11-generic".
/// Source: https://llvm.org/docs/AMDGPUUsage.html#header (EF_AMDGPU_MACH, feature bits).
std::string gfx_of_elf_flags(std::uint32_t flags, std::uint8_t abi_version);

/// The target in a bundle entry's name: "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-" gives
/// "gfx90a:xnack-", SPIR-V gives "amdgcnspirv"; "" for the host and for anything else.
std::string gfx_of_bundle_id(std::string_view id);

/// "gfx90a:xnack-" -> "gfx90a".
std::string_view gfx_without_features(std::string_view target);

/// True for "gfx" + letters, digits and dashes, with features like ":xnack+" behind.
bool is_gfx_target(std::string_view text);

/// The target that a file name carries, "" when none: "TensileLibrary_lazy_gfx1100.dat",
/// "Kernels.so-000-gfx90a-xnack+.hsaco" (gives "gfx90a:xnack+"), "gfx942_304.kdb".
std::string gfx_of_file_name(std::string_view name);

/// The target at the start of a MIOpen database's name, whose compute units may follow without a
/// gap, in hexadecimal: "gfx90a68.kdb" -> "gfx90a", "gfx1030_36.HIP.fdb.txt" -> "gfx1030".
std::string gfx_of_miopen_file(std::string_view name);

}  // namespace rocvet

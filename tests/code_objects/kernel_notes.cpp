#include "tests/code_objects/kernel_notes.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

namespace rocvet::code {
namespace {

constexpr std::uint32_t kMetadataNote = 32;  // NT_AMDGPU_METADATA: a MessagePack map

using Bytes = std::span<const std::byte>;

Error bad(std::string what) {
  return Error{Error::Kind::malformed, "code object", std::move(what)};
}

template <typename T>
bool read_at(Bytes from, std::uint64_t offset, T& to) {
  if (offset > from.size() || from.size() - offset < sizeof(T)) return false;
  std::memcpy(&to, from.data() + offset, sizeof(T));
  return true;
}
Bytes part(Bytes from, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > from.size() || bytes > from.size() - offset) return {};
  return from.subspan(offset, bytes);
}

std::vector<Elf64_Shdr> sections_of(Bytes file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> all(header.e_shnum);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!read_at(file, header.e_shoff + i * sizeof(Elf64_Shdr), all[i])) return {};
  }
  return all;
}

/// The note's description, empty if there is none.
Bytes metadata_of(Bytes notes) {
  for (std::uint64_t at = 0;;) {
    Elf64_Nhdr note;
    if (!read_at(notes, at, note)) return {};
    const std::uint64_t name = at + sizeof note, data = name + (note.n_namesz + 3) / 4 * 4;
    if (note.n_type == kMetadataNote) return part(notes, data, note.n_descsz);
    at = data + (note.n_descsz + std::uint64_t{3}) / 4 * 4;
  }
}

bool is_mfma(std::uint32_t word) {
  if (word >> 23 != 0x1a7) return false;  // VOP3P of gfx9
  const std::uint32_t op = word >> 16 & 0x7f;
  // 0x2c is the first half of a v_mfma_scale. Packed fp32 is 0x30 to 0x33, other packed operations
  // end before; 0x58 and 0x59 move to and from the accumulators.
  return op >= 0x2d && (op < 0x30 || op > 0x33) && op != 0x58 && op != 0x59;
}
bool is_wmma(std::uint32_t word) {
  const std::uint32_t op = word >> 16 & 0x7f;
  return word >> 24 == 0xcc && op >= 0x40 && op <= 0x5f;  // VOP3P from gfx11 on
}
/// Bytes of an s_add_u32 of gfx9 that writes M0, which is how our assembly does it; else 0.
std::uint64_t bytes_of_m0_write(std::uint32_t word) {
  constexpr std::uint32_t kOpcode = 0x100, kM0 = 124, kLiteral = 255;
  if (word >> 23 != kOpcode || (word >> 16 & 0x7f) != kM0) return 0;
  return (word >> 8 & 0xff) == kLiteral ? 8 : 4;
}
bool is_load_to_lds(std::uint32_t word) {
  return word >> 26 == 0x38 && (word >> 16 & 1) != 0;  // MUBUF of gfx9, LDS
}

std::uint64_t number(const nlohmann::json& map, const char* key) {
  const auto found = map.find(key);
  return found != map.end() && found->is_number() ? found->get<std::uint64_t>() : 0;
}

Kernel kernel_of(const nlohmann::json& entry) {
  Kernel kernel;
  kernel.name = entry.value(".name", std::string());
  kernel.vgprs = number(entry, ".vgpr_count");
  kernel.agprs = number(entry, ".agpr_count");
  kernel.sgprs = number(entry, ".sgpr_count");
  kernel.vgpr_spills = number(entry, ".vgpr_spill_count");
  kernel.sgpr_spills = number(entry, ".sgpr_spill_count");
  kernel.scratch = number(entry, ".private_segment_fixed_size");
  kernel.lds = number(entry, ".group_segment_fixed_size");
  kernel.kernarg = number(entry, ".kernarg_segment_size");
  kernel.kernarg_align = number(entry, ".kernarg_segment_align");
  kernel.max_threads = number(entry, ".max_flat_workgroup_size");
  kernel.wave_size = number(entry, ".wavefront_size");
  const auto list = entry.find(".args");
  if (list == entry.end()) return kernel;
  for (const nlohmann::json& argument : *list) {
    kernel.arguments.push_back({argument.value(".value_kind", std::string()),
                                number(argument, ".offset"), number(argument, ".size")});
  }
  return kernel;
}

/// Counts in the function that each symbol names.
void count_instructions(Bytes file, const std::vector<Elf64_Shdr>& sections,
                        std::vector<Kernel>& kernels) {
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
    if (table.sh_link >= sections.size()) continue;
    const Bytes names =
        part(file, sections[table.sh_link].sh_offset, sections[table.sh_link].sh_size);
    for (std::uint64_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!read_at(file, table.sh_offset + at, symbol)) break;
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx >= sections.size()) continue;
      const char* start = reinterpret_cast<const char*>(names.data()) + symbol.st_name;
      if (symbol.st_name >= names.size()) continue;
      const std::string name(start, strnlen(start, names.size() - symbol.st_name));
      const Elf64_Shdr& text = sections[symbol.st_shndx];
      const Bytes code =
          part(file, symbol.st_value - text.sh_addr + text.sh_offset, symbol.st_size);
      for (Kernel& kernel : kernels) {
        if (kernel.name != name) continue;
        kernel.mfma = kernel.wmma = kernel.hasty_loads = 0;
        std::uint32_t word = 0;
        for (std::uint64_t i = 0; read_at(code, i, word); i += sizeof word) {
          kernel.mfma += is_mfma(word);
          kernel.wmma += is_wmma(word);
          std::uint32_t next = 0;
          const std::uint64_t bytes = bytes_of_m0_write(word);
          if (bytes != 0 && read_at(code, i + bytes, next)) {
            kernel.hasty_loads += is_load_to_lds(next);
          }
        }
      }
    }
  }
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

Result<std::vector<Kernel>> read_kernels(Bytes file) {
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr)) {
    return bad("not a 64-bit ELF file");
  }
  const std::vector<Elf64_Shdr> sections = sections_of(file, header);
  if (sections.empty()) return bad("no section headers");
  Bytes metadata;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_NOTE) continue;
    const Bytes found = metadata_of(part(file, section.sh_offset, section.sh_size));
    if (!found.empty()) metadata = found;
  }
  if (metadata.empty()) return bad("no AMDGPU metadata note");
  const auto* first = reinterpret_cast<const std::uint8_t*>(metadata.data());
  const nlohmann::json all =
      nlohmann::json::from_msgpack(first, first + metadata.size(), true, /*exceptions=*/false);
  if (!all.is_object() || !all.contains("amdhsa.kernels")) {
    return bad("the metadata note is not a map with amdhsa.kernels");
  }
  std::vector<Kernel> kernels;
  for (const nlohmann::json& entry : all["amdhsa.kernels"]) kernels.push_back(kernel_of(entry));
  count_instructions(file, sections, kernels);
  return kernels;
}

std::string matrix_family(const std::string& target, const std::string& kernel) {
  const bool attention = kernel.starts_with("attention_fp16") || kernel.starts_with("attention_bf");
  const bool half = attention || one_of(kernel, {"gemm_fp16", "gemm_bf16"});
  const bool half_or_int8 = half || kernel == "gemm_int8";
  if (one_of(target, {"gfx908", "gfx90a", "gfx942", "gfx950"})) {
    const bool has = half_or_int8 || kernel == "gemm_fp32" ||
                     (kernel == "gemm_fp64" && target != "gfx908") ||
                     (kernel == "gemm_fp8" && one_of(target, {"gfx942", "gfx950"})) ||
                     (kernel.starts_with("gemm_mx_e") && target == "gfx950");
    return has ? "mfma" : "";
  }
  if (target.starts_with("gfx11")) return half_or_int8 ? "wmma" : "";
  if (target == "gfx1250") return "";  // multiplies lane by lane so far
  if (target.starts_with("gfx12")) return half_or_int8 || kernel == "gemm_fp8" ? "wmma" : "";
  const bool dot = target.starts_with("gfx103") || one_of(target, {"gfx906", "gfx1011", "gfx1012"});
  return dot && one_of(kernel, {"gemm_fp16", "gemm_int8"}) ? "dot" : "";
}

std::vector<std::string> complaints(const std::string& target, const Kernel& kernel) {
  std::vector<std::string> words;
  const auto say = [&](const std::string& what, std::uint64_t value) {
    words.push_back(target + " " + kernel.name + ": " + what + " " + std::to_string(value));
  };
  if (kernel.vgpr_spills != 0) say("vector registers spilled:", kernel.vgpr_spills);
  if (kernel.sgpr_spills != 0) say("scalar registers spilled:", kernel.sgpr_spills);
  if (kernel.scratch != 0) say("bytes of scratch memory of a thread:", kernel.scratch);
  // gfx1250 has 320 KiB (LLVM), AMD's simulator gives it the 160 of gfx950: no kernel needs more.
  const bool large = target == "gfx950" || target == "gfx1250";
  const std::uint64_t lds = (large ? 160 : 64) * 1024;
  if (kernel.lds > lds) say("bytes of LDS, more than a block may have:", kernel.lds);
  if (kernel.kernarg > 4096) say("bytes of arguments:", kernel.kernarg);
  if (kernel.kernarg_align > 16) say("the arguments want an alignment of", kernel.kernarg_align);
  if (kernel.arguments.empty()) say("arguments:", 0);
  const auto hasty = static_cast<std::uint64_t>(kernel.hasty_loads);
  if (hasty != 0) say("loads to LDS too soon after M0 is written:", hasty);
  std::uint64_t end = 0;
  for (const Argument& argument : kernel.arguments) {
    if (argument.offset < end) say("an argument overlaps the one before, at", argument.offset);
    if (argument.size == 0) say("an argument without size, at", argument.offset);
    end = argument.offset + argument.size;
    // We launch with what a kernel declares; a hidden one asks for more of the runtime.
    if (argument.kind.starts_with("hidden_")) say("hidden argument at", argument.offset);
  }
  if (end > kernel.kernarg) say("arguments past the end of their segment, at", end);
  if (kernel.max_threads == 0 || kernel.max_threads > 1024) say("threads:", kernel.max_threads);
  const bool wave64 = target.starts_with("gfx8") || target.starts_with("gfx9");
  if (kernel.wave_size != (wave64 ? 64 : 32)) say("wave size", kernel.wave_size);
  const std::string family = matrix_family(target, kernel.name);
  if (family == "mfma" && kernel.mfma < 8) say("MFMA instructions:", kernel.mfma);
  if (family == "wmma" && kernel.wmma < 8) say("WMMA instructions:", kernel.wmma);
  return words;
}

}  // namespace rocvet::code

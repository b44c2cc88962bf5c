// Writes small but true ELF files and offload bundles, for tests of what reads them.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace rocvet {

template <typename T>
void put(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A plain bundle as clang writes it: each entry's code is `code_size` bytes at a page of its own.
inline std::string plain_bundle(const std::vector<std::string>& ids, std::uint64_t code_size = 64) {
  std::string out = "__CLANG_OFFLOAD_BUNDLE__";
  put(out, static_cast<std::uint64_t>(ids.size()));
  std::uint64_t offset = 4096;
  for (const std::string& id : ids) {
    const std::uint64_t size = id.starts_with("host") ? 0 : code_size;
    put(out, offset);
    put(out, size);
    put(out, static_cast<std::uint64_t>(id.size()));
    out += id;
    offset += size;
  }
  out.resize(4096);
  out.resize(offset);
  return out;
}

struct ElfSpec {
  std::string soname;
  std::vector<std::string> needed;
  std::string rpath, runpath;
  std::vector<std::string> needs_versions;    ///< all of one file, the first needed
  std::vector<std::string> defines_versions;  ///< behind the base definition
  std::string fatbin;                         ///< content of .hip_fatbin
  bool cuda = false;                          ///< an empty-handed .nv_fatbin
  std::string kpack_reference;                ///< content of .rocm_kpack_ref instead of .nv_fatbin
};

// MessagePack, as small as kernel archives need it.
inline std::string pack_text(const std::string& text) {
  return text.size() < 32 ? std::string(1, static_cast<char>(0xa0 | text.size())) + text
                          : std::string{'\xd9', static_cast<char>(text.size())} + text;
}
inline std::string pack_list(const std::vector<std::string>& texts) {
  std::string out(1, static_cast<char>(0x90 | texts.size()));
  for (const std::string& text : texts) out += pack_text(text);
  return out;
}
/// Keys, each with a value that is packed already.
inline std::string pack_map(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string out(1, static_cast<char>(0x80 | members.size()));
  for (const auto& [key, value] : members) out += pack_text(key) + value;
  return out;
}

/// A kernel archive of ROCm 7: header, padding, `blob_size` bytes of kernels, table of contents.
inline std::string kernel_archive(
    const std::vector<std::string>& targets,
    const std::vector<std::pair<std::string, std::vector<std::string>>>& binaries,
    std::uint64_t blob_size = 512) {
  std::string out = "KPAK";
  put(out, std::uint32_t{1});
  put(out, std::uint64_t{64 + blob_size});
  out.resize(64 + blob_size);
  std::vector<std::pair<std::string, std::string>> toc;
  for (const auto& [binary, list] : binaries) {
    std::vector<std::pair<std::string, std::string>> kernels;
    for (const std::string& target : list) {
      kernels.emplace_back(target, pack_map({{"type", pack_text("hsaco")},
                                             {"ordinal", std::string(1, '\0')},
                                             {"original_size", std::string("\xcd\x01\x92", 3)}}));
    }
    toc.emplace_back(binary, pack_map(kernels));
  }
  return out + pack_map({{"format_version", std::string(1, '\1')},
                         {"group_name", pack_text("blas_lib")},
                         {"gfx_arch_family", pack_text(targets.at(0))},
                         {"gfx_arches", pack_list(targets)},
                         {"compression_scheme", pack_text("zstd-per-kernel")},
                         {"zstd_offset", std::string(1, '\x40')},
                         {"zstd_size", std::string("\xcc\xdb", 2)},
                         {"toc", pack_map(toc)}});
}

/// A 64-bit shared object with PT_LOAD, PT_DYNAMIC, version tables and section headers.
inline std::string write_elf(const ElfSpec& spec) {
  std::string strings(1, '\0');
  const auto text = [&](const std::string& value) {
    const std::uint64_t at = strings.size();
    strings += value + '\0';
    return at;
  };
  std::vector<Elf64_Dyn> dynamic;
  const auto entry = [&](std::int64_t tag, std::uint64_t value) {
    Elf64_Dyn one{};
    one.d_tag = tag;
    one.d_un.d_val = value;
    dynamic.push_back(one);
  };
  for (const std::string& name : spec.needed) entry(DT_NEEDED, text(name));
  if (!spec.soname.empty()) entry(DT_SONAME, text(spec.soname));
  if (!spec.rpath.empty()) entry(DT_RPATH, text(spec.rpath));
  if (!spec.runpath.empty()) entry(DT_RUNPATH, text(spec.runpath));
  std::string verneed, verdef;
  if (!spec.needs_versions.empty()) {
    Elf64_Verneed file{1, static_cast<Elf64_Half>(spec.needs_versions.size()),
                       static_cast<Elf64_Word>(text(spec.needed.at(0))), sizeof file, 0};
    put(verneed, file);
    for (std::size_t i = 0; i < spec.needs_versions.size(); ++i) {
      const bool last = i + 1 == spec.needs_versions.size();
      Elf64_Vernaux aux{0, 0, static_cast<Elf64_Half>(i + 2),
                        static_cast<Elf64_Word>(text(spec.needs_versions[i])),
                        last ? 0 : static_cast<Elf64_Word>(sizeof aux)};
      put(verneed, aux);
    }
  }
  std::vector<std::string> definitions{spec.soname};
  definitions.insert(definitions.end(), spec.defines_versions.begin(), spec.defines_versions.end());
  if (spec.defines_versions.empty()) definitions.clear();
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    const std::uint32_t step = sizeof(Elf64_Verdef) + sizeof(Elf64_Verdaux);
    Elf64_Verdef one{1,
                     static_cast<Elf64_Half>(i == 0 ? VER_FLG_BASE : 0),
                     static_cast<Elf64_Half>(i + 1),
                     1,
                     0,
                     sizeof one,
                     i + 1 == definitions.size() ? 0 : step};
    put(verdef, one);
    put(verdef, Elf64_Verdaux{static_cast<Elf64_Word>(text(definitions[i])), 0});
  }
  // Layout: header, three program headers, strings, tables, dynamic, sections' data, their headers.
  const std::uint64_t strings_at = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
  const auto aligned = [](std::uint64_t at, std::uint64_t to) { return (at + to - 1) / to * to; };
  const std::uint64_t verneed_at = aligned(strings_at + strings.size(), 8);
  const std::uint64_t verdef_at = aligned(verneed_at + verneed.size(), 8);
  const std::uint64_t dynamic_at = aligned(verdef_at + verdef.size(), 8);
  entry(DT_STRTAB, 0x10000 + strings_at);
  entry(DT_STRSZ, strings.size());
  if (!verneed.empty()) {
    entry(DT_VERNEED, 0x10000 + verneed_at);
    entry(DT_VERNEEDNUM, 1);
  }
  if (!verdef.empty()) {
    entry(DT_VERDEF, 0x10000 + verdef_at);
    entry(DT_VERDEFNUM, definitions.size());
  }
  entry(DT_NULL, 0);
  const std::uint64_t dynamic_size = dynamic.size() * sizeof(Elf64_Dyn);
  const std::uint64_t fatbin_at = aligned(dynamic_at + dynamic_size, 4096);
  const std::uint64_t reference_at = fatbin_at + spec.fatbin.size();
  const std::uint64_t names_at = reference_at + spec.kpack_reference.size();
  const std::string second = spec.kpack_reference.empty() ? ".nv_fatbin" : ".rocm_kpack_ref";
  std::string names("\0.hip_fatbin\0", 13);
  names += second + '\0';
  const std::uint64_t table_name = names.size();
  names += std::string(".shstrtab") + '\0';
  const std::uint64_t sections_at = aligned(names_at + names.size(), 8);

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof header;
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  header.e_shoff = sections_at;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 4;
  header.e_shstrndx = 3;
  Elf64_Phdr load{PT_LOAD, PF_R, 0, 0x10000, 0x10000, names_at, names_at, 4096};
  Elf64_Phdr dyn{PT_DYNAMIC, PF_R,         dynamic_at,   0x10000 + dynamic_at,
                 0,          dynamic_size, dynamic_size, 8};
  std::string out;
  put(out, header);
  put(out, load);
  put(out, dyn);
  out += strings;
  out.resize(verneed_at);
  out += verneed;
  out.resize(verdef_at);
  out += verdef;
  out.resize(dynamic_at);
  for (const Elf64_Dyn& one : dynamic) put(out, one);
  out.resize(fatbin_at);
  out += spec.fatbin;
  out += spec.kpack_reference;
  out += names;
  out.resize(sections_at);
  Elf64_Shdr none{}, fatbin{}, cuda{}, table{};
  fatbin.sh_name = 1;
  fatbin.sh_type = spec.fatbin.empty() ? SHT_NULL : SHT_PROGBITS;
  fatbin.sh_offset = fatbin_at;
  fatbin.sh_size = spec.fatbin.size();
  cuda.sh_name = 13;
  cuda.sh_type = SHT_PROGBITS;
  cuda.sh_offset = spec.kpack_reference.empty() ? names_at : reference_at;
  cuda.sh_size = spec.cuda ? 16 : spec.kpack_reference.size();
  table.sh_name = static_cast<Elf64_Word>(table_name);
  table.sh_type = SHT_STRTAB;
  table.sh_offset = names_at;
  table.sh_size = names.size();
  for (const Elf64_Shdr& one : {none, fatbin, cuda, table}) put(out, one);
  return out;
}

}  // namespace rocvet

#include "formats/elf.h"

#include <elf.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/bytes.h"
#include "base/text.h"
#include "formats/gfx_target.h"
#include "formats/kpack.h"
#include "formats/offload_bundle.h"

namespace rocvet {
namespace {

constexpr std::uint64_t kMaxHeaders = 4096;   // program or section headers
constexpr std::uint64_t kMaxDynamic = 8192;   // entries of PT_DYNAMIC
constexpr std::uint64_t kMaxVersions = 8192;  // verneed and verdef records
constexpr std::size_t kMaxName = 1024;        // of a soname or a version
constexpr std::size_t kMaxPath = 16384;       // of an RPATH
constexpr std::size_t kMaxReference = 65536;  // of a section that names kernel archives
constexpr std::uint16_t kAmdGpu = 224;        // EM_AMDGPU, missing in older <elf.h>

/// A field of the 64-bit headers with its 32-bit brother, so that one reader serves both.
struct Segment {
  std::uint32_t type = 0;
  std::uint64_t offset = 0, address = 0, file_size = 0;
};
struct Section {
  std::uint32_t name = 0, type = 0;
  std::uint64_t offset = 0, size = 0;
};

class ElfReader {
 public:
  /// `file`: the path on this machine, "" for bytes in memory; archives lie relative to it.
  ElfReader(Bytes& bytes, std::string where, std::string file)
      : bytes_(bytes), where_(std::move(where)), file_(std::move(file)) {}

  Result<ElfSummary> read() {
    unsigned char ident[EI_NIDENT];
    if (!bytes_.read(0, ident, sizeof ident)) return malformed(where_, "too short for an ELF file");
    if (std::string_view(reinterpret_cast<char*>(ident), 4) !=
        "\x7f"
        "ELF") {
      return read_plain_bundle();
    }
    if (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32) {
      return malformed(where_, "an ELF file of unknown class");
    }
    if (ident[EI_DATA] != ELFDATA2LSB) {
      return Error{Error::Kind::unsupported, where_, "a big-endian ELF file"};
    }
    out_.is_64_bit = ident[EI_CLASS] == ELFCLASS64;
    const bool headers = out_.is_64_bit ? read_header<Elf64_Ehdr, Elf64_Phdr, Elf64_Shdr>()
                                        : read_header<Elf32_Ehdr, Elf32_Phdr, Elf32_Shdr>();
    if (!headers) return malformed(where_, "the ELF header is damaged");
    if (is_of_another_processor())
      return malformed(where_,
                       "for another processor (ELF machine " + std::to_string(machine_) + ")");
    if (is_cut_short()) return malformed(where_, "cut short: its segments go on behind its end");
    if (machine_ == kAmdGpu) {
      const std::string gfx = gfx_of_elf_flags(flags_, ident[EI_ABIVERSION]);
      if (!gfx.empty()) targets_.insert(gfx);
    } else {
      out_.is_64_bit ? read_dynamic<Elf64_Dyn>() : read_dynamic<Elf32_Dyn>();
      read_offload_sections();
    }
    finish();
    return out_;
  }

 private:
  /// rocBLAS and hipBLASLt keep bundles as files of their own (.co); ROCm 7 has kernel archives.
  Result<ElfSummary> read_plain_bundle() {
    if (is_kpack(bytes_.some(0, 4))) {
      add_kpack_targets(bytes_, "", targets_);
      finish();
      return out_;
    }
    if (!is_bundle(bytes_.some(0, 24))) return malformed(where_, "not an ELF file");
    add_bundle_targets(bytes_, 0, bytes_.size(), targets_);
    finish();
    return out_;
  }

  template <typename Ehdr, typename Phdr, typename Shdr>
  bool read_header() {
    Ehdr header;
    if (!bytes_.get(0, header)) return false;
    machine_ = header.e_machine;
    flags_ = header.e_flags;
    if (header.e_phentsize == sizeof(Phdr)) {
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(header.e_phnum, kMaxHeaders); ++i) {
        Phdr segment;
        if (!bytes_.get(header.e_phoff + i * sizeof segment, segment)) break;
        segments_.push_back({segment.p_type, segment.p_offset, segment.p_vaddr, segment.p_filesz});
      }
    }
    if (header.e_shentsize == sizeof(Shdr) && header.e_shoff != 0) {
      Shdr first;
      std::uint64_t count = header.e_shnum, names = header.e_shstrndx;
      if (!bytes_.get(header.e_shoff, first)) return true;  // stripped or cut: still has segments
      if (count == 0) count = first.sh_size;                // more than 0xff00 sections
      if (names == SHN_XINDEX) names = first.sh_link;
      for (std::uint64_t i = 0; i < std::min(count, kMaxHeaders); ++i) {
        Shdr section;
        if (!bytes_.get(header.e_shoff + i * sizeof section, section)) break;
        sections_.push_back({section.sh_name, section.sh_type, section.sh_offset, section.sh_size});
      }
      if (names < sections_.size()) section_names_ = sections_[names];
    }
    return true;
  }

  /// Of the files that programs load; code objects are of the GPU's machine.
  bool is_of_another_processor() const {
#ifdef __x86_64__
    return machine_ != kAmdGpu && machine_ != EM_NONE && machine_ != EM_X86_64 &&
           machine_ != EM_386 && machine_ != EM_IAMCU && out_.is_64_bit;
#else
    return false;
#endif
  }

  /// The loader maps what segments say, and a read behind the file's end is a bus error.
  bool is_cut_short() const {
    return std::ranges::any_of(segments_, [&](const Segment& segment) {
      return segment.type == PT_LOAD && segment.file_size > 0 &&
             (segment.offset > bytes_.size() || segment.file_size > bytes_.size() - segment.offset);
    });
  }

  /// Where an address of the loaded image lies in the file.
  bool to_offset(std::uint64_t address, std::uint64_t& offset) const {
    for (const Segment& segment : segments_) {
      if (segment.type != PT_LOAD || address < segment.address) continue;
      if (address - segment.address >= segment.file_size) continue;
      offset = segment.offset + (address - segment.address);
      return offset >= segment.offset;
    }
    return false;
  }

  std::string dynamic_text(std::uint64_t at, std::size_t limit) {
    std::string out;
    if (at >= strings_size_) return out;
    if (!bytes_.text(strings_ + at, strings_ + strings_size_, limit, out)) out.clear();
    return out;
  }

  template <typename Dyn>
  void read_dynamic() {
    std::vector<std::uint64_t> needed;
    std::uint64_t soname = 0, rpath = 0, runpath = 0, verneed = 0, verdef = 0;
    std::uint64_t verneed_count = 0, verdef_count = 0, strings = 0;
    for (const Segment& segment : segments_) {
      if (segment.type == PT_INTERP) {
        bytes_.text(segment.offset, bytes_.size(), kMaxName, out_.interpreter);
      }
      if (segment.type != PT_DYNAMIC) continue;
      const std::uint64_t count =
          std::min<std::uint64_t>(segment.file_size / sizeof(Dyn), kMaxDynamic);
      for (std::uint64_t i = 0; i < count; ++i) {
        Dyn entry;
        if (!bytes_.get(segment.offset + i * sizeof entry, entry) || entry.d_tag == DT_NULL) break;
        const std::uint64_t value = entry.d_un.d_val;
        switch (static_cast<std::int64_t>(entry.d_tag)) {
          case DT_NEEDED:
            needed.push_back(value);
            break;
          case DT_SONAME:
            soname = value;
            break;
          case DT_RPATH:
            rpath = value;
            break;
          case DT_RUNPATH:
            runpath = value;
            break;
          case DT_STRTAB:
            strings = value;
            break;
          case DT_STRSZ:
            strings_size_ = value;
            break;
          case DT_VERNEED:
            verneed = value;
            break;
          case DT_VERNEEDNUM:
            verneed_count = value;
            break;
          case DT_VERDEF:
            verdef = value;
            break;
          case DT_VERDEFNUM:
            verdef_count = value;
            break;
          default:
            break;
        }
      }
    }
    if (strings == 0 || !to_offset(strings, strings_)) return;
    strings_size_ = std::min(strings_size_, bytes_.size() - std::min(strings_, bytes_.size()));
    for (const std::uint64_t at : needed) {
      if (std::string name = dynamic_text(at, kMaxName); !name.empty()) out_.needed.push_back(name);
    }
    if (soname != 0) out_.soname = dynamic_text(soname, kMaxName);
    if (rpath != 0) out_.rpath = paths(dynamic_text(rpath, kMaxPath));
    if (runpath != 0) out_.runpath = paths(dynamic_text(runpath, kMaxPath));
    read_verneed(verneed, verneed_count);
    read_verdef(verdef, verdef_count);
  }

  static std::vector<std::string> paths(const std::string& text) {
    std::vector<std::string> out;
    if (text.empty()) return out;
    for (const std::string_view part : split(text, ':')) out.emplace_back(part);
    return out;
  }

  /// The records are the same in both classes. The chains go forward only, so they end.
  void read_verneed(std::uint64_t address, std::uint64_t count) {
    std::uint64_t at = 0, budget = kMaxVersions;
    if (address == 0 || !to_offset(address, at)) return;
    for (; count > 0 && budget > 0; --count, --budget) {
      Elf64_Verneed file;
      if (!bytes_.get(at, file)) return;
      std::uint64_t aux_at = at + file.vn_aux;
      for (unsigned i = 0; i < file.vn_cnt && budget > 0; ++i, --budget) {
        Elf64_Vernaux version;
        if (!bytes_.get(aux_at, version)) break;
        needs_.insert(dynamic_text(version.vna_name, kMaxName));
        if (version.vna_next == 0) break;
        aux_at += version.vna_next;
      }
      if (file.vn_next == 0) return;
      at += file.vn_next;
    }
  }

  void read_verdef(std::uint64_t address, std::uint64_t count) {
    std::uint64_t at = 0, budget = kMaxVersions;
    if (address == 0 || !to_offset(address, at)) return;
    for (; count > 0 && budget > 0; --count, --budget) {
      Elf64_Verdef definition;
      Elf64_Verdaux name;
      if (!bytes_.get(at, definition)) return;
      // The base definition is the soname itself.
      if ((definition.vd_flags & VER_FLG_BASE) == 0 && bytes_.get(at + definition.vd_aux, name)) {
        defines_.insert(dynamic_text(name.vda_name, kMaxName));
      }
      if (definition.vd_next == 0) return;
      at += definition.vd_next;
    }
  }

  void read_offload_sections() {
    BundleReader bundles(bytes_, targets_);
    bool referenced = false;
    for (const Section& section : sections_) {
      if (section.type == SHT_NOBITS || section.size == 0) continue;
      std::string name;
      const std::uint64_t names_end = section_names_.offset + section_names_.size;
      if (!bytes_.text(section_names_.offset + section.name, names_end, kMaxName, name)) continue;
      if (name == ".hip_fatbin" || name.starts_with(".llvm.offloading")) {
        bundles.add(section.offset, section.offset + section.size);
      } else if (name.starts_with("__CLANG_OFFLOAD_BUNDLE__")) {  // of an object file
        const std::string gfx = gfx_of_bundle_id(std::string_view(name).substr(24));
        if (!gfx.empty()) targets_.insert(gfx);
      } else if (name == ".rocm_kpack_ref" && !file_.empty() && !referenced) {
        referenced = true;  // a library has one
        const std::string text =
            bytes_.some(section.offset, std::min<std::uint64_t>(section.size, kMaxReference));
        if (const auto reference = parse_kpack_reference(text))
          add_referenced_targets(*reference, file_, targets_);
      } else if (name == ".nv_fatbin" || name == "__nv_relfatbin") {
        out_.has_cuda = true;
      }
    }
  }

  void finish() {
    needs_.erase("");
    defines_.erase("");
    out_.gfx.assign(targets_.begin(), targets_.end());
    out_.needs_versions.assign(needs_.begin(), needs_.end());
    out_.defines_versions.assign(defines_.begin(), defines_.end());
  }

  Bytes& bytes_;
  std::string where_, file_;
  ElfSummary out_;
  std::uint16_t machine_ = 0;
  std::uint32_t flags_ = 0;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  Section section_names_;
  std::uint64_t strings_ = 0, strings_size_ = 0;
  std::set<std::string> targets_, needs_, defines_;
};

}  // namespace

Result<ElfSummary> read_elf_file(const std::string& path) {
  const auto bytes = FileBytes::open(path);
  if (!bytes) return bytes.error();
  return ElfReader(**bytes, path, path).read();
}

Result<ElfSummary> read_elf(std::string_view text, std::string_view where) {
  MemoryBytes bytes(text);
  return ElfReader(bytes, std::string(where), "").read();
}

}  // namespace rocvet

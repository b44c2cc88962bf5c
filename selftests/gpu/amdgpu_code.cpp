#include "selftests/gpu/amdgpu_code.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "formats/gfx_target.h"

namespace rocvet::gpu {
namespace {

constexpr char kWhere[] = "code object";
constexpr std::uint64_t kMostBytes = 256 << 20;

Error unsupported(std::string what) {
  return {Error::Kind::unsupported, kWhere, std::move(what)};
}

/// Bytes of the object, read only where they are.
class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> all) : all_(all) {}
  bool has(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= all_.size() && bytes <= all_.size() - offset;
  }
  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    if (!has(offset, sizeof(T))) return std::nullopt;
    T value;
    std::memcpy(&value, all_.data() + offset, sizeof value);
    return value;
  }
  std::span<const std::byte> part(std::uint64_t offset, std::uint64_t bytes) const {
    return has(offset, bytes) ? all_.subspan(offset, bytes) : std::span<const std::byte>{};
  }
  std::string_view text(std::uint64_t offset) const {
    if (offset >= all_.size()) return {};
    const char* const begin = reinterpret_cast<const char*>(all_.data()) + offset;
    return {begin, strnlen(begin, all_.size() - offset)};
  }

 private:
  std::span<const std::byte> all_;
};

/// DT_SYMTAB and the like; 0 where absent.
struct Dynamic {
  std::uint64_t symbols = 0, names = 0, relocations = 0, relocation_bytes = 0, hash = 0;
};

Hidden hidden_of(std::string_view kind) {
  constexpr std::pair<std::string_view, Hidden> kKinds[] = {
      {"hidden_block_count_x", Hidden::block_count_x},
      {"hidden_block_count_y", Hidden::block_count_y},
      {"hidden_block_count_z", Hidden::block_count_z},
      {"hidden_group_size_x", Hidden::group_size_x},
      {"hidden_group_size_y", Hidden::group_size_y},
      {"hidden_group_size_z", Hidden::group_size_z},
      {"hidden_grid_dims", Hidden::dimensions},
      {"hidden_dynamic_lds_size", Hidden::dynamic_lds},
  };
  for (const auto& [name, hidden] : kKinds) {
    if (kind == name) return hidden;
  }
  return kind.starts_with("hidden_") ? Hidden::zero : Hidden::none;
}

std::uint32_t number(const nlohmann::json& of, const char* key) {
  const auto found = of.find(key);
  return found != of.end() && found->is_number_unsigned() ? found->get<std::uint32_t>() : 0;
}

std::string text(const nlohmann::json& of, const char* key) {
  const auto found = of.find(key);
  return found != of.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The descriptor's name -> what the metadata say of the kernel.
std::map<std::string, KernelCode, std::less<>> kernels_of_metadata(std::span<const std::byte> raw) {
  std::map<std::string, KernelCode, std::less<>> kernels;
  const auto metadata = nlohmann::json::from_msgpack(raw.begin(), raw.end(), false, false);
  if (!metadata.is_object() || !metadata.contains("amdhsa.kernels")) return kernels;
  for (const nlohmann::json& entry : metadata["amdhsa.kernels"]) {
    if (!entry.is_object()) continue;
    KernelCode kernel;
    kernel.argument_bytes = number(entry, ".kernarg_segment_size");
    kernel.group_bytes = number(entry, ".group_segment_fixed_size");
    kernel.private_bytes = number(entry, ".private_segment_fixed_size");
    const auto stack = entry.find(".uses_dynamic_stack");
    kernel.dynamic_stack = stack != entry.end() && stack->is_boolean() && stack->get<bool>();
    const auto arguments = entry.find(".args");
    if (arguments != entry.end() && arguments->is_array()) {
      for (const nlohmann::json& argument : *arguments) {
        if (!argument.is_object()) continue;
        kernel.arguments.push_back({number(argument, ".offset"), number(argument, ".size"),
                                    hidden_of(text(argument, ".value_kind"))});
      }
    }
    kernels.emplace(text(entry, ".symbol"), std::move(kernel));
  }
  return kernels;
}

/// The metadata among the notes of a segment; empty: none.
std::span<const std::byte> metadata_of_notes(const Bytes& object, std::uint64_t at,
                                             std::uint64_t end) {
  constexpr std::uint32_t kMetadata = 32;
  const auto whole = [](std::uint64_t bytes) { return (bytes + 3) / 4 * 4; };
  while (at < end) {
    const auto head = object.at<Elf64_Nhdr>(at);
    if (!head) break;
    const std::uint64_t name = at + sizeof *head, content = name + whole(head->n_namesz);
    if (head->n_type == kMetadata && object.text(name) == "AMDGPU")
      return object.part(content, head->n_descsz);
    at = content + whole(head->n_descsz);
  }
  return {};
}

Dynamic read_dynamic(const Bytes& image, std::uint64_t at, std::uint64_t bytes) {
  Dynamic dynamic;
  for (const std::uint64_t end = at + bytes; at < end; at += sizeof(Elf64_Dyn)) {
    const auto entry = image.at<Elf64_Dyn>(at);
    if (!entry || entry->d_tag == DT_NULL) break;
    const std::uint64_t value = entry->d_un.d_val;
    switch (entry->d_tag) {
      case DT_SYMTAB:
        dynamic.symbols = value;
        break;
      case DT_STRTAB:
        dynamic.names = value;
        break;
      case DT_HASH:
        dynamic.hash = value;
        break;
      case DT_RELA:
        dynamic.relocations = value;
        break;
      case DT_RELASZ:
        dynamic.relocation_bytes = value;
        break;
      default:
        break;
    }
  }
  return dynamic;
}

Result<Done> read_relocations(const Bytes& image, const Dynamic& dynamic, CodeImage& out) {
  constexpr std::uint32_t kRelative64 = 13;
  for (std::uint64_t done = 0; done < dynamic.relocation_bytes; done += sizeof(Elf64_Rela)) {
    const auto entry = image.at<Elf64_Rela>(dynamic.relocations + done);
    if (!entry || !image.has(entry->r_offset, 8))
      return malformed(kWhere, "a relocation lies outside of it");
    const auto kind = static_cast<std::uint32_t>(ELF64_R_TYPE(entry->r_info));
    if (kind != kRelative64)
      return unsupported("it has relocations of type " + std::to_string(kind));
    out.relocations.push_back({entry->r_offset, static_cast<std::uint64_t>(entry->r_addend)});
  }
  return Done{};
}

/// Where each kernel's descriptor is.
Result<Done> read_symbols(const Bytes& image, const Dynamic& dynamic, CodeImage& out) {
  // DT_HASH: the number of buckets, then that of symbols.
  const auto count = image.at<std::uint32_t>(dynamic.hash + 4);
  if (dynamic.hash == 0 || !count) return malformed(kWhere, "it has no table of symbols");
  for (std::uint32_t i = 0; i < *count; ++i) {
    const auto symbol = image.at<Elf64_Sym>(dynamic.symbols + std::uint64_t{i} * sizeof(Elf64_Sym));
    if (!symbol) return malformed(kWhere, "its table of symbols is cut off");
    const auto kernel = out.kernels.find(image.text(dynamic.names + symbol->st_name));
    if (kernel == out.kernels.end()) continue;
    constexpr std::uint64_t kDescriptor = 64;
    if (!image.has(symbol->st_value, kDescriptor))
      return malformed(kWhere, "a kernel's descriptor lies outside of it");
    KernelCode& code = kernel->second;
    code.descriptor = symbol->st_value;
    // What the hardware reads has the last word.
    constexpr std::uint64_t kPrivate = 4, kProperties = 56, kPreload = 58;
    constexpr std::uint16_t kDynamicStack = 1u << 11;
    code.private_bytes =
        std::max(code.private_bytes, *image.at<std::uint32_t>(code.descriptor + kPrivate));
    code.dynamic_stack |=
        (*image.at<std::uint16_t>(code.descriptor + kProperties) & kDynamicStack) != 0;
    code.preloads = *image.at<std::uint16_t>(code.descriptor + kPreload) != 0;
  }
  return Done{};
}

}  // namespace

Result<CodeImage> read_amdgpu_code(std::span<const std::byte> object) {
  constexpr unsigned char kAmdHsa = 64, kOldestAbi = 2, kNewestAbi = 4;
  constexpr std::uint16_t kAmdGpu = 224;
  const Bytes file(object);
  const auto head = file.at<Elf64_Ehdr>(0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != kAmdGpu)
    return malformed(kWhere, "it is none for an AMD GPU");
  const unsigned char abi = head->e_ident[EI_ABIVERSION];
  if (head->e_ident[EI_OSABI] != kAmdHsa || abi < kOldestAbi || abi > kNewestAbi)
    return unsupported("it is of version " + std::to_string(abi + 2) + ", not 4, 5 or 6");

  CodeImage out;
  out.target = gfx_without_features(gfx_of_elf_flags(head->e_flags, abi));
  std::span<const std::byte> metadata;
  std::uint64_t dynamic_at = 0, dynamic_bytes = 0;
  std::vector<Elf64_Phdr> segments;
  std::uint64_t size = 0;
  for (std::uint16_t i = 0; i < head->e_phnum; ++i) {
    const auto segment = file.at<Elf64_Phdr>(head->e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr));
    if (!segment) return malformed(kWhere, "its segments are cut off");
    if (segment->p_type == PT_NOTE && metadata.empty())
      metadata = metadata_of_notes(file, segment->p_offset, segment->p_offset + segment->p_filesz);
    if (segment->p_type == PT_DYNAMIC) {
      dynamic_at = segment->p_vaddr;
      dynamic_bytes = segment->p_memsz;
    }
    if (segment->p_type != PT_LOAD) continue;
    if (!file.has(segment->p_offset, segment->p_filesz) || segment->p_filesz > segment->p_memsz ||
        segment->p_vaddr > kMostBytes || segment->p_memsz > kMostBytes)
      return malformed(kWhere, "a segment lies outside of it");
    segments.push_back(*segment);
    size = std::max(size, segment->p_vaddr + segment->p_memsz);
  }
  if (segments.empty()) return malformed(kWhere, "it has no segment to load");
  out.bytes.resize(size);
  for (const Elf64_Phdr& segment : segments)
    std::ranges::copy(object.subspan(segment.p_offset, segment.p_filesz),
                      out.bytes.begin() + static_cast<std::ptrdiff_t>(segment.p_vaddr));
  for (auto& [symbol, kernel] : kernels_of_metadata(metadata))
    out.kernels.emplace(symbol, std::move(kernel));
  const Bytes image(out.bytes);
  const Dynamic dynamic = read_dynamic(image, dynamic_at, dynamic_bytes);
  if (auto done = read_relocations(image, dynamic, out); !done) return done.error();
  if (auto done = read_symbols(image, dynamic, out); !done) return done.error();
  // "NAME.kd" in the metadata; without its descriptor a kernel cannot be run.
  std::map<std::string, KernelCode, std::less<>> by_name;
  for (auto& [symbol, kernel] : out.kernels) {
    if (kernel.descriptor == 0 || !symbol.ends_with(".kd")) continue;
    by_name.emplace(symbol.substr(0, symbol.size() - 3), std::move(kernel));
  }
  out.kernels = std::move(by_name);
  if (out.kernels.empty()) return malformed(kWhere, "it has no kernel");
  return out;
}

Result<std::vector<std::byte>> kernel_arguments(const KernelCode& kernel, std::span<void*> given,
                                                std::uint32_t blocks, std::uint32_t threads,
                                                std::uint32_t dynamic_lds) {
  std::vector<std::byte> memory(kernel.argument_bytes);
  const auto put = [&](const KernelArgument& argument, const void* value) {
    std::memcpy(memory.data() + argument.offset, value, argument.bytes);
  };
  std::size_t next = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (std::uint64_t{argument.offset} + argument.bytes > memory.size())
      return malformed(kWhere, "an argument lies outside of a kernel's arguments");
    if (argument.hidden == Hidden::none) {
      if (next == given.size()) return malformed(kWhere, "a kernel wants more arguments");
      put(argument, given[next++]);
      continue;
    }
    std::uint64_t value = 0;
    switch (argument.hidden) {
      case Hidden::block_count_x:
        value = blocks;
        break;
      case Hidden::group_size_x:
        value = threads;
        break;
      case Hidden::dynamic_lds:
        value = dynamic_lds;
        break;
      case Hidden::zero:
      case Hidden::none:
        break;
      default:  // the other dimensions, and how many there are
        value = 1;
        break;
    }
    if (argument.bytes > sizeof value) continue;
    put(argument, &value);
  }
  if (next != given.size()) return malformed(kWhere, "a kernel wants fewer arguments");
  return memory;
}

}  // namespace rocvet::gpu

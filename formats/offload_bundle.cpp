#include "formats/offload_bundle.h"

#define ZSTD_STATIC_LINKING_ONLY
#define ZSTD_DISABLE_DEPRECATE_WARNINGS
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "formats/gfx_target.h"

namespace rocvet {
namespace {

constexpr std::string_view kPlain = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressed = "CCOB";
constexpr std::string_view kBinary = "\x10\xFF\x10\xAD";
constexpr std::string_view kElf =
    "\x7f"
    "ELF";
constexpr std::uint64_t kPage = 4096;        // bundles of one file are aligned to it
constexpr std::uint64_t kMaxEntries = 1024;  // of one bundle; real ones have below 100
// Records of one file: bundles, their entries and strings, pages looked at in vain, blocks. The
// largest libraries have some thousand bundles of some twenty entries each. None takes fewer than
// eight bytes, so a file that asks for more than its size allows has them lie over each other, and
// reading it would take a time of its own choice.
constexpr std::uint64_t kMaxRecords = 2000000, kFewestRecords = 4096, kBytesOfRecord = 8;
constexpr std::uint64_t kUnpackingCost = 64;  // in records: one that is unpacked takes that time
// Pages of one section that are looked at in vain: below 1 MiB where the bundles say how long they
// are (the next one begins at the next page), more behind those that do not.
constexpr std::uint64_t kMaxPages = 255, kMaxPagesUnsized = 1024;
constexpr std::size_t kBlock = 128u << 10;  // the largest block of zstd
// Bytes of a zlib stream that hold the names: nearly always, and surely.
constexpr std::size_t kZlibFirst = 8u << 10, kZlib = 32u << 10;

/// Takes from what is left of a file's records; false when that is not enough.
bool take(std::uint64_t& left, std::uint64_t records = 1) {
  if (left < records) left = 0;
  if (left == 0) return false;
  left -= records;
  return true;
}

/// Entries of a plain bundle at `at`; how many bytes it covers, or nothing when it is damaged.
std::optional<std::uint64_t> read_plain(Bytes& bytes, std::uint64_t at,
                                        std::set<std::string>& targets, std::uint64_t& left) {
  std::uint64_t count = 0, place = at + kPlain.size();
  if (!bytes.get(place, count) || count > kMaxEntries) return std::nullopt;
  place += 8;
  std::uint64_t extent = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t entry[3];  // offset, size, length of the name
    if (!take(left) || !bytes.read(place, entry, sizeof entry) || entry[2] > 1024)
      return std::nullopt;
    const std::string id = bytes.some(place + sizeof entry, entry[2]);
    if (id.size() != entry[2]) return std::nullopt;
    place += sizeof entry + id.size();
    const std::uint64_t stop = entry[0] + entry[1];
    if (stop >= entry[0]) extent = std::max(extent, stop);
    // An empty entry holds no code: hipcc leaves one for a target that was dropped later.
    if (const std::string gfx = gfx_of_bundle_id(id); !gfx.empty() && entry[1] > 0) {
      targets.insert(gfx);
    }
  }
  return std::max(extent, place - at);
}

/// The first block of the zstd frame at `at`. Nothing before it is needed, so no window is
/// allocated, and only as much is read as the block is long.
std::string unpack_zstd_block(Bytes& bytes, std::uint64_t at, std::uint64_t end) {
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                  &ZSTD_freeDCtx);
  if (!context || ZSTD_isError(ZSTD_decompressBegin(context.get()))) return "";
  std::string out(kBlock, '\0');
  for (int step = 0; step < 8; ++step) {  // frame header, block header, block
    const std::size_t next = ZSTD_nextSrcSizeToDecompress(context.get());
    if (next == 0 || next > kBlock + 64 || at > end || next > end - at) return "";
    const std::string packed = bytes.some(at, next);
    const std::size_t got = ZSTD_decompressContinue(context.get(), out.data(), out.size(),
                                                    packed.data(), packed.size());
    if (ZSTD_isError(got)) return "";
    at += next;
    if (got == 0) continue;
    out.resize(got);
    return out;
  }
  return "";
}

/// At most twice as many bytes as there are packed ones.
std::string unpack_zlib_start(std::string_view packed) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return "";
  std::string out(2 * packed.size(), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  inflate(&stream, Z_SYNC_FLUSH);  // whatever came out before an error is checked by the reader
  out.resize(out.size() - stream.avail_out);
  inflateEnd(&stream);
  return out;
}

/// Where a zstd frame at `at` ends, by its block headers alone.
std::optional<std::uint64_t> zstd_frame_end(Bytes& bytes, std::uint64_t at, std::uint64_t end,
                                            std::uint64_t& left) {
  const std::string head = bytes.some(at, ZSTD_FRAMEHEADERSIZE_MAX);
  const std::size_t header = ZSTD_frameHeaderSize(head.data(), head.size());
  if (head.size() < 6 || ZSTD_isError(header)) return std::nullopt;
  const bool checksum = (static_cast<unsigned char>(head[4]) & 4) != 0;
  std::uint64_t place = at + header;
  while (place + 3 <= end) {
    unsigned char raw[3];
    if (!take(left) || !bytes.read(place, raw, 3)) return std::nullopt;
    const std::uint32_t block = raw[0] | raw[1] << 8 | static_cast<std::uint32_t>(raw[2]) << 16;
    const std::uint32_t type = block >> 1 & 3;
    place += 3 + (type == 1 ? 1 : block >> 3);
    if ((block & 1) != 0) return place + (checksum ? 4 : 0);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> read_compressed(Bytes& bytes, std::uint64_t at, std::uint64_t end,
                                             std::set<std::string>& targets, std::uint64_t& left) {
  std::uint16_t version = 0, method = 0;
  if (!bytes.get(at + 4, version) || !bytes.get(at + 6, method)) return std::nullopt;
  std::uint64_t header = 0, total = 0;
  if (version == 1) {  // magic, version, method, size when unpacked, hash
    header = 20;
  } else if (version == 2) {  // … version, method, size of all, size when unpacked, hash
    std::uint32_t size = 0;
    if (!bytes.get(at + 8, size)) return std::nullopt;
    header = 24;
    total = size;
  } else if (version == 3) {  // the same with 64-bit sizes
    if (!bytes.get(at + 8, total)) return std::nullopt;
    header = 32;
  } else {
    return std::nullopt;
  }
  if (at + header > end) return std::nullopt;
  const std::uint64_t stop = total > header && total <= end - at ? at + total : end;
  const std::uint64_t frame = at + header;
  const auto names_of = [&](const std::string& start) {
    if (!start.starts_with(kPlain)) return false;
    MemoryBytes unpacked(start);
    return read_plain(unpacked, 0, targets, left).has_value();
  };
  if (!take(left, kUnpackingCost)) return std::nullopt;
  if (method == 1) {
    names_of(unpack_zstd_block(bytes, frame, stop));
  } else {
    for (const std::size_t size : {kZlibFirst, kZlib}) {
      const std::string packed =
          bytes.some(frame, static_cast<std::size_t>(std::min<std::uint64_t>(size, stop - frame)));
      if (names_of(unpack_zlib_start(packed))) break;
    }
  }
  if (version > 1) return total > header ? std::optional(total) : std::nullopt;
  if (method != 1) return std::nullopt;
  const auto frame_end = zstd_frame_end(bytes, frame, end, left);
  return frame_end ? std::optional(*frame_end - at) : std::nullopt;
}

/// LLVM's own container: entries with a string table whose "arch" names the target.
std::optional<std::uint64_t> read_binary(Bytes& bytes, std::uint64_t at,
                                         std::set<std::string>& targets, std::uint64_t& left) {
  std::uint32_t version = 0;
  std::uint64_t head[3];  // size, offset of the entries, their size (1) or number (2)
  if (!bytes.get(at + 4, version) || !bytes.read(at + 8, head, sizeof head)) return std::nullopt;
  if (version == 0 || version > 2) return std::nullopt;
  const std::uint64_t count = version == 1 ? 1 : std::min(head[2], kMaxEntries);
  const std::uint64_t step = version == 1 ? 16 : 24;  // bytes of a string's record
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t place = at + head[1] + i * 40;
    std::uint64_t strings[2];  // offset and number
    if (!take(left) || !bytes.read(place + 8, strings, sizeof strings)) break;
    std::string triple, arch;
    for (std::uint64_t s = 0; s < std::min<std::uint64_t>(strings[1], 64); ++s) {
      std::uint64_t pair[2];  // offsets of key and value
      if (!take(left) || !bytes.read(at + strings[0] + s * step, pair, sizeof pair)) break;
      std::string key, value;
      if (!bytes.text(at + pair[0], bytes.size(), 64, key)) break;
      if (!bytes.text(at + pair[1], bytes.size(), 256, value)) break;
      if (key == "triple") triple = value;
      if (key == "arch") arch = value;
    }
    if (triple.find("amdgcn") != std::string::npos && is_gfx_target(arch)) targets.insert(arch);
  }
  return head[0] >= 8 ? std::optional(head[0]) : std::nullopt;
}

/// A code object without a bundle around it; its length by its section table.
std::optional<std::uint64_t> read_code_object(Bytes& bytes, std::uint64_t at,
                                              std::set<std::string>& targets) {
  unsigned char head[64];
  if (!bytes.read(at, head, sizeof head)) return std::nullopt;
  const auto number = [&](std::size_t offset, std::size_t width) {
    std::uint64_t value = 0;
    std::memcpy(&value, head + offset, width);
    return value;
  };
  constexpr std::uint64_t kAmdGpu = 224;  // EM_AMDGPU
  if (head[4] != 2 || number(18, 2) != kAmdGpu) return std::nullopt;
  const std::string gfx = gfx_of_elf_flags(static_cast<std::uint32_t>(number(48, 4)), head[8]);
  if (!gfx.empty()) targets.insert(gfx);
  return number(40, 8) + number(58, 2) * number(60, 2);
}

}  // namespace

bool is_bundle(std::string_view head) {
  return head.starts_with(kPlain) || head.starts_with(kCompressed) || head.starts_with(kBinary);
}

BundleReader::BundleReader(Bytes& bytes, std::set<std::string>& targets)
    : bytes_(bytes),
      targets_(targets),
      records_left_(std::min(kMaxRecords, kFewestRecords + bytes.size() / kBytesOfRecord)) {}

void BundleReader::add(std::uint64_t begin, std::uint64_t end) {
  end = std::min(end, bytes_.size());
  while (begin < end) {
    const auto next = done_.upper_bound(begin);
    if (next != done_.begin() && std::prev(next)->second > begin) {
      begin = std::prev(next)->second;
      continue;
    }
    const std::uint64_t stop = next == done_.end() ? end : std::min(end, next->first);
    add_part(begin, stop);
    done_.emplace(begin, stop);
    begin = stop;
  }
}

void BundleReader::add_part(std::uint64_t begin, std::uint64_t end) {
  std::uint64_t at = begin, empty_pages = 0, allowed = kMaxPages;
  std::uint64_t& left = records_left_;
  while (at < end && take(left)) {
    const std::string head =
        bytes_.some(at, static_cast<std::size_t>(std::min<std::uint64_t>(kPlain.size(), end - at)));
    std::optional<std::uint64_t> extent;
    if (head.starts_with(kPlain)) extent = read_plain(bytes_, at, targets_, left);
    if (head.starts_with(kCompressed)) extent = read_compressed(bytes_, at, end, targets_, left);
    if (head.starts_with(kBinary)) extent = read_binary(bytes_, at, targets_, left);
    if (head.starts_with(kElf)) extent = read_code_object(bytes_, at, targets_);
    if (extent && *extent > 0 && *extent < end - at) {
      at += *extent;
      // A linker pads to the alignment of the next object, which is 8 or a page.
      const std::uint64_t near = (at - begin + 7) / 8 * 8 + begin;
      if (is_bundle(bytes_.some(near, kPlain.size()))) {
        at = near;
      } else {
        at = (at - begin + kPage - 1) / kPage * kPage + begin;
      }
      continue;
    }
    if (extent && *extent >= end - at) return;
    if (!extent && is_bundle(head)) allowed = kMaxPagesUnsized;
    if (++empty_pages > allowed) return;
    at = (at - begin) / kPage * kPage + kPage + begin;
  }
}

void add_bundle_targets(Bytes& bytes, std::uint64_t begin, std::uint64_t end,
                        std::set<std::string>& targets) {
  BundleReader(bytes, targets).add(begin, end);
}

}  // namespace rocvet

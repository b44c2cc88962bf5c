#include "formats/kpack.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "formats/gfx_target.h"

namespace rocvet {
namespace {

constexpr std::uint64_t kMaxTable = 8u << 20;  // bytes of a table of contents
constexpr std::size_t kMaxItems = 200000;      // values in it
constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxArchives = 64;  // opened for one library

/// MessagePack, as far as these files use it: every length is checked, what is not asked is
/// skipped.
class Pack {
 public:
  explicit Pack(std::string_view text) : rest_(text) {}

  bool bad() const { return bad_; }

  /// Members of a map, or items of an array; 0 for anything else, which is skipped.
  std::size_t map() { return container(0x80, 0xf0, 0xde); }
  std::size_t array() { return container(0x90, 0xf0, 0xdc); }

  /// A string; "" for anything else, which is skipped.
  std::string_view text() {
    const std::uint8_t head = peek();
    std::size_t size = 0;
    if ((head & 0xe0) == 0xa0) {
      take(1);
      size = head & 0x1f;
    } else if (head >= 0xd9 && head <= 0xdb) {
      take(1);
      size = number(std::size_t{1} << (head - 0xd9));
    } else {
      skip();
      return {};
    }
    return take(size);
  }

  void skip(int depth = 0) {
    if (depth > kMaxDepth || ++items_ > kMaxItems) bad_ = true;
    if (bad_) return;
    const std::uint8_t head = peek();
    if (head <= 0x7f || head >= 0xe0 || (head >= 0xc0 && head <= 0xc3)) {
      take(1);
    } else if ((head & 0xf0) == 0x80 || head == 0xde || head == 0xdf) {
      for (std::size_t i = map(); i > 0 && !bad_; --i) skip(depth + 1), skip(depth + 1);
    } else if ((head & 0xf0) == 0x90 || head == 0xdc || head == 0xdd) {
      for (std::size_t i = array(); i > 0 && !bad_; --i) skip(depth + 1);
    } else if ((head & 0xe0) == 0xa0 || (head >= 0xd9 && head <= 0xdb)) {
      text();
    } else if (head >= 0xc4 && head <= 0xc6) {  // bytes
      take(1);
      take(number(std::size_t{1} << (head - 0xc4)));
    } else if (head == 0xca || head == 0xcb) {  // float, double
      take(head == 0xca ? 5 : 9);
    } else if (head >= 0xcc && head <= 0xcf) {  // unsigned
      take(1 + (std::size_t{1} << (head - 0xcc)));
    } else if (head >= 0xd0 && head <= 0xd3) {  // signed
      take(1 + (std::size_t{1} << (head - 0xd0)));
    } else {
      bad_ = true;  // extension types are not in these files
    }
  }

 private:
  std::uint8_t peek() {
    if (rest_.empty()) bad_ = true;
    return bad_ ? 0xc0 : static_cast<std::uint8_t>(rest_[0]);
  }
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) bad_ = true;
    if (bad_) return {};
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  /// Big-endian, of 1, 2 or 4 bytes.
  std::size_t number(std::size_t size) {
    std::size_t value = 0;
    for (const char c : take(size)) value = value << 8 | static_cast<std::uint8_t>(c);
    return value;
  }
  std::size_t container(std::uint8_t small, std::uint8_t mask, std::uint8_t large) {
    const std::uint8_t head = peek();
    std::size_t size = 0;
    if ((head & mask) == small) {
      take(1);
      size = head & 0x0f;
    } else if (head == large || head == large + 1) {
      take(1);
      size = number(head == large ? 2 : 4);
    } else {
      skip();
      return 0;
    }
    if (size > kMaxItems) bad_ = true;
    return bad_ ? 0 : size;
  }

  std::string_view rest_;
  std::size_t items_ = 0;
  bool bad_ = false;
};

void add_target(std::string_view name, std::set<std::string>& targets) {
  if (is_gfx_target(name)) targets.emplace(name);
}

/// "../.kpack/blas_lib_@GFXARCH@.kpack": the files of the folder that fit.
std::vector<std::string> archives_of(const std::string& path) {
  constexpr std::string_view kMark = "@GFXARCH@";
  const std::size_t at = path.find(kMark);
  if (at == std::string::npos) return {path};
  const std::filesystem::path whole(path);
  const std::string name = whole.filename().string();
  const std::size_t in_name = name.find(kMark);
  if (in_name == std::string::npos) return {};
  const std::string before = name.substr(0, in_name), after = name.substr(in_name + kMark.size());
  std::vector<std::string> out;
  std::error_code problem;
  for (auto it = std::filesystem::directory_iterator(whole.parent_path(), problem);
       !problem && it != std::filesystem::directory_iterator(); it.increment(problem)) {
    const std::string file = it->path().filename().string();
    if (file.size() > before.size() + after.size() && file.starts_with(before) &&
        file.ends_with(after))
      out.push_back(it->path().string());
    if (out.size() >= kMaxArchives) break;
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool is_kpack(std::string_view head) {
  return head.starts_with("KPAK");
}

void add_kpack_targets(Bytes& bytes, std::string_view binary, std::set<std::string>& targets) {
  std::uint64_t table = 0;
  if (!is_kpack(bytes.some(0, 4)) || !bytes.get(8, table)) return;
  if (table >= bytes.size() || bytes.size() - table > kMaxTable) return;
  std::string text(static_cast<std::size_t>(bytes.size() - table), '\0');
  if (!bytes.read(table, text.data(), text.size())) return;
  Pack pack(text);
  std::set<std::string> found;
  for (std::size_t members = pack.map(); members > 0 && !pack.bad(); --members) {
    const std::string_view key = pack.text();
    if (key == "gfx_arches" && binary.empty()) {
      for (std::size_t i = pack.array(); i > 0 && !pack.bad(); --i) add_target(pack.text(), found);
    } else if (key == "toc" && !binary.empty()) {
      for (std::size_t i = pack.map(); i > 0 && !pack.bad(); --i) {
        if (pack.text() != binary) {
          pack.skip();
          continue;
        }
        for (std::size_t j = pack.map(); j > 0 && !pack.bad(); --j) {
          add_target(pack.text(), found);
          pack.skip();
        }
      }
    } else {
      pack.skip();
    }
  }
  if (!pack.bad()) targets.insert(found.begin(), found.end());
}

Result<KpackReference> parse_kpack_reference(std::string_view section) {
  KpackReference out;
  Pack pack(section);
  for (std::size_t members = pack.map(); members > 0 && !pack.bad(); --members) {
    const std::string_view key = pack.text();
    if (key == "kernel_name") {
      out.binary = pack.text();
    } else if (key == "kpack_search_paths") {
      for (std::size_t i = pack.array(); i > 0 && !pack.bad(); --i)
        out.paths.emplace_back(pack.text());
    } else {
      pack.skip();
    }
  }
  if (pack.bad() || out.binary.empty())
    return malformed(".rocm_kpack_ref", "is no reference to a kernel archive");
  return out;
}

namespace {

/// A library says where its archives are; a foreign one could say anything. They lie beside it, or
/// in a folder of the same tree: "../.kpack", "../../.kpack".
bool stays_near(const std::string& path) {
  constexpr int kMostUp = 3;
  if (path.starts_with('/')) return false;
  int up = 0;
  for (const auto& part : std::filesystem::path(path).lexically_normal()) up += part == "..";
  return up <= kMostUp;
}

}  // namespace

void add_referenced_targets(const KpackReference& reference, const std::string& library,
                            std::set<std::string>& targets) {
  const std::filesystem::path folder = std::filesystem::path(library).parent_path();
  std::size_t opened = 0;
  for (const std::string& path : reference.paths) {
    if (!stays_near(path)) continue;
    for (const std::string& archive : archives_of((folder / path).lexically_normal().string())) {
      if (++opened > kMaxArchives) return;
      const auto bytes = FileBytes::open(archive);
      if (bytes) add_kpack_targets(**bytes, reference.binary, targets);
    }
  }
}

}  // namespace rocvet

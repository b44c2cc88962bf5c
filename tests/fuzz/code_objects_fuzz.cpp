// Device code in every form it is kept in: bundles, .kpack archives with their table in
// MessagePack, ELF notes; and what a library says of where its archives are.
#include <algorithm>
#include <set>
#include <string>

#include "base/bytes.h"
#include "formats/elf.h"
#include "formats/gfx_target.h"
#include "formats/kpack.h"
#include "formats/offload_bundle.h"
#include "fuzz/target.h"

using namespace rocvet;

FUZZ_TARGET(code_objects) {
  MemoryBytes file(bytes);
  std::set<std::string> targets;
  add_bundle_targets(file, 0, bytes.size(), targets);
  // Of a section that says it is longer than the file.
  add_bundle_targets(file, bytes.size() / 2, ~std::uint64_t{0}, targets);
  add_kpack_targets(file, "", targets);
  add_kpack_targets(file, "lib/x.so.1", targets);
  fuzz::use(is_kpack(bytes));
  fuzz::use(is_bundle(bytes));
  if (const auto reference = parse_kpack_reference(bytes))
    fuzz::must(reference->paths.size() <= bytes.size(), "no more paths than bytes");
  if (const auto elf = read_elf(bytes, "x"))
    fuzz::must(std::is_sorted(elf->gfx.begin(), elf->gfx.end()), "targets are sorted");
  std::string text;
  fuzz::use(file.text(0, bytes.size(), 64, text));
  if (bytes.size() >= 5) {
    std::uint32_t flags = 0;
    file.get(0, flags);
    fuzz::use(gfx_of_elf_flags(flags, static_cast<std::uint8_t>(bytes[4])));
  }
}

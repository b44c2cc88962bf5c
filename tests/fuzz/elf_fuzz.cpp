// Any bytes as an ELF file or an offload bundle; and as a cache of the dynamic loader.
#include "formats/elf.h"
#include "formats/loader_cache.h"
#include "fuzz/target.h"
#include "source/snapshot_facts.h"

using namespace rocvet;

FUZZ_TARGET(elf) {
  if (const auto elf = read_elf(bytes, "input")) {
    const auto again = parse_elf_json(write_elf_json(elf), "input");
    // Names in it may be no UTF-8, which no JSON can hold.
    if (again) fuzz::must(again->gfx == elf->gfx, "targets are read back from an index");
  }
  fuzz::use(parse_loader_cache(bytes, "input"));
  fuzz::use(parse_ldconfig(bytes));
}

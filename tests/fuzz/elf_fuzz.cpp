// libFuzzer: any bytes as an ELF file or an offload bundle; and as a cache of the dynamic loader.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/elf.h"
#include "formats/loader_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(rocvet::read_elf(bytes, "input"));
  static_cast<void>(rocvet::parse_loader_cache(bytes, "input"));
  return 0;
}

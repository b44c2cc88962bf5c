#include "selftests/deep/symbols.h"

#include <cstdio>

namespace rocvet::deep {

std::optional<gpu::Library> load(const std::string& stem, std::span<const int> majors) {
  tell_calling("dlopen(" + stem + ")");
  auto library = gpu::open_rocm_library(stem, majors);
  if (library) {
    tell_library(library->path, "");
    return *library;
  }
  tell_failure(library.is_missing()              ? DeepProbe::Outcome::absent
               : library.is(Error::Kind::denied) ? DeepProbe::Outcome::withheld
                                                 : DeepProbe::Outcome::unloadable,
               library.error().text());
  return std::nullopt;
}

std::string bdf_text(std::uint64_t domain, unsigned bus, unsigned device, unsigned function) {
  char text[48];
  std::snprintf(text, sizeof text, "%04llx:%02x:%02x.%x", static_cast<unsigned long long>(domain),
                bus & 0xff, device & 0x1f, function & 7);
  return text;
}

}  // namespace rocvet::deep

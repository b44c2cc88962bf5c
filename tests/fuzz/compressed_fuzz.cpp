// gzip and zstd around what others wrote: as it is, and around bytes that we packed ourselves, so
// that what lies behind the compression is reached.
#include <string>

#include "formats/gzip.h"
#include "fuzz/target.h"
#include "source/snapshot_store.h"
#include "source/tar_writer.h"

using namespace rocvet;

namespace {

void look_into(std::string_view archive) {
  const auto store = archive_store_from_memory(archive, "x");
  if (!store) return;
  const auto names = (*store)->list("");
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    fuzz::use((*store)->look(name));
    fuzz::use((*store)->read(name, 1 << 16));
    fuzz::use((*store)->list(name));
  }
}

}  // namespace

FUZZ_TARGET(compressed) {
  const std::string text(bytes);
  if (const auto unpacked = gunzip(text, "x"))
    fuzz::must(unpacked->size() <= (16u << 20), "no more than 16 MiB");
  look_into(bytes);
  const auto gzipped = gzip_compressed(bytes);
  const auto again =
      gzipped.and_then([](const std::string& packed) { return gunzip(packed, "x"); });
  fuzz::must_equal(again ? *again : again.error().text(), bytes, "gzip: what we pack we unpack");
  if (gzipped) look_into(*gzipped);
  if (const auto packed = zstd_compressed(bytes)) look_into(*packed);
}

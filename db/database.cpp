// The database in the binary, and the one with a site's own facts laid over it.
#include "db/database.h"

#include <cstdio>
#include <cstdlib>

#include "db/blob_database.h"
#include "db/check_knowledge.h"
#include "db/load.h"

// The blob that rocvet_dbc made from db/*.toml, 4-byte aligned.
__asm__(
    ".section .rodata\n"
    ".balign 4\n"
    ".hidden rocvet_database_begin\n"
    ".hidden rocvet_database_end\n"
    ".globl rocvet_database_begin\n"
    "rocvet_database_begin:\n"
    ".incbin \"" ROCVET_DATABASE_BLOB
    "\"\n"
    ".globl rocvet_database_end\n"
    "rocvet_database_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const char rocvet_database_begin[];
extern "C" const char rocvet_database_end[];

namespace rocvet {
namespace {

const db::BlobDatabase& in_binary() {
  static const db::BlobDatabase* database = [] {
    const std::string_view bytes(
        rocvet_database_begin,
        static_cast<std::size_t>(rocvet_database_end - rocvet_database_begin));
    auto blob = db::Blob::open(bytes);
    if (!blob) {  // only a broken build can do this
      std::fprintf(stderr, "rocvet: %s\n", blob.error().text().c_str());
      std::abort();
    }
    return new db::BlobDatabase(*blob);
  }();
  return *database;
}

}  // namespace

std::string_view to_string(Support support) {
  switch (support) {
    case Support::supported:
      return "supported";
    case Support::deprecated:
      return "deprecated";
    case Support::enabled:
      return "enabled";
    case Support::unsupported:
      return "unsupported";
    case Support::unlisted:
      return "unlisted";
    case Support::unknown:
      return "unknown";
  }
  return "unknown";
}

Support support_of(std::string_view word) {
  for (const Support support : {Support::supported, Support::deprecated, Support::enabled,
                                Support::unsupported, Support::unlisted}) {
    if (to_string(support) == word) return support;
  }
  return Support::unknown;
}

const Database& Database::embedded() {
  return in_binary();
}

Result<std::shared_ptr<const Database>> Database::with_overlay(const std::string& directory) {
  auto overlay = db::load_directory(directory);
  if (!overlay) return overlay.error();
  const db::Tables merged = db::merge(in_binary().blob().decode(), *overlay);
  if (const auto ok = db::check_overlay(*overlay, merged); !ok) return ok.error();
  auto database = db::BlobDatabase::own(db::encode(merged));
  if (!database) return database.error();
  return std::shared_ptr<const Database>(std::move(*database));
}

}  // namespace rocvet

// Whatever bytes a database file holds, loading it neither crashes nor hangs, and every
// mistake has a position (file:line:column).
#include <string_view>

#include "base/text.h"
#include "db/load.h"
#include "db/performance.h"
#include "fuzz/target.h"

using namespace rocvet;

namespace {

/// "x.toml:12:8"
void must_have_position(const Error& error) {
  const auto parts = split(error.where, ':');
  const bool placed =
      parts.size() == 3 && parts[0] == "x.toml" && parse_number(parts[1]) && parse_number(parts[2]);
  fuzz::must(placed, "a mistake has a place");
}

}  // namespace

FUZZ_TARGET(db) {
  db::Tables tables;
  if (const auto loaded = db::load_text(bytes, "x.toml", tables); !loaded)
    must_have_position(loaded.error());
  if (const auto loaded = PerformanceData::parse(bytes, "x.toml"); !loaded)
    must_have_position(loaded.error());
}

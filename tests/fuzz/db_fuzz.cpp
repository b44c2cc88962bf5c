// libFuzzer: whatever bytes a database file holds, loading it neither crashes nor hangs, and every
// mistake has a position (file:line:column).
//
// Built with clang and -DROCVET_FUZZ=ON; run as `db_fuzz -max_total_time=600 -timeout=5`.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "db/load.h"
#include "db/performance.h"

using namespace rocvet;

namespace {

/// "x.toml:12:8"
void must_have_position(const Error& error) {
  const auto parts = split(error.where, ':');
  const bool placed =
      parts.size() == 3 && parts[0] == "x.toml" && parse_number(parts[1]) && parse_number(parts[2]);
  if (!placed) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  db::Tables tables;
  if (const auto loaded = db::load_text(text, "x.toml", tables); !loaded)
    must_have_position(loaded.error());
  if (const auto loaded = PerformanceData::parse(text, "x.toml"); !loaded)
    must_have_position(loaded.error());
  return 0;
}

// The texts of a GPU's files in sysfs. `where` is named in errors; a text that makes no sense is
// malformed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/gpu_readings.h"

namespace rocvet {

/// "0: 500Mhz \n1: 2482Mhz *\n"; an empty text is missing: the GPU has no steps.
Result<std::vector<ClockStep>> parse_clock_steps(std::string_view text, std::string_view where);
/// "ue: 0\nce: 3\nde: 1\n".
Result<RasErrors> parse_ras_errors(std::string_view text, std::string_view where);
/// "0x00000001 : 0x00001000 : R" for each page (R retired, P pending, F stuck).
Result<BadPages> parse_bad_pages(std::string_view text, std::string_view where);
/// "RxErr 0\nBadTLP 1\nTOTAL_ERR_COR 1\n".
Result<AerCounts> parse_aer_counts(std::string_view text, std::string_view where);
/// "0x00000000f0000000 0x00000000ffffffff 0x000000000014220c" for each region.
Result<std::vector<PciRegion>> parse_pci_regions(std::string_view text, std::string_view where);
/// "removable" and "fixed"; "unknown" is missing.
Result<bool> parse_removable(std::string_view text, std::string_view where);
/// "-4000": hwmon's numbers have a sign.
Result<std::int64_t> parse_signed(std::string_view text, std::string_view where);

}  // namespace rocvet

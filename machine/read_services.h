// systemd services that start GPU work: which account they run as and what they are given.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/access.h"
#include "source/source.h"

namespace rocvet {

/// Services of model servers, scripts of System V init among them, container engines and job
/// launchers, and local units that mention ROCm; drop-ins merged.
Result<std::vector<Service>> read_services(Source& source);
/// Words of a unit that tell of GPU work: a local unit is looked at when it has one.
std::vector<std::string_view> gpu_words_of_unit(std::string_view text);
/// Lines of a unit file without comments, continued ones put together.
std::vector<std::string> unit_lines(std::string_view text);
/// Applies one unit file or drop-in to `service`; later files override or, for lists, add.
void apply_unit_file(std::string_view text, Service& service);
/// Of `systemctl show` (blocks of Id=, MainPID= and ExecMainStartTimestampMonotonic=, µs): when the
/// process that runs now was started, seconds since the boot, by the name of its service.
std::map<std::string, double> parse_service_starts(std::string_view text);
/// NAME=VALUE words of an Environment= line, quotes removed.
std::vector<std::pair<std::string, std::string>> parse_environment_words(std::string_view text);

}  // namespace rocvet

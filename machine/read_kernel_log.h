// The kernel's messages of this boot, from dmesg, the journal or a log file.
#pragma once

#include <string>
#include <string_view>

#include "machine/kernel_log.h"
#include "source/source.h"

namespace rocvet {

/// The first of dmesg, `journalctl -k -b`, /var/log/dmesg, /var/log/kern.log and /var/log/messages
/// that can be read. At most 20,000 lines are kept: the first 5,000 of the boot and the last ones;
/// of more than 4 MiB the first MiB and the last three.
Result<KernelLog> read_kernel_log(Source& source);

/// Lines of dmesg (plain, -T, -x or raw), journalctl -k or syslog. Syslog lines of other programs
/// are left out, and so is everything before the last boot.
KernelLog parse_kernel_log(std::string_view text, std::string origin);

/// Whether a line has the stamp of dmesg or the head "host kernel: " of a syslog.
bool is_kernel_line(std::string_view line);

}  // namespace rocvet

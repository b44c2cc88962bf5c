// The kernel's message buffer, asked by system call: what dmesg prints, without starting dmesg.
#pragma once

#include <string>
#include <string_view>

#include "source/source.h"

namespace rocvet {

/// The whole buffer as dmesg prints it ("[    1.234567] text"); denied where the kernel lets only
/// root see it.
Result<CommandOutput> read_kernel_ring();
/// "<6>[    1.2] text" lines without their levels.
std::string drop_message_levels(std::string_view raw);

}  // namespace rocvet

// SELinux and AppArmor: whether they are on, and which GPU access they have denied.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/access.h"
#include "source/source.h"

namespace rocvet {

/// `denials` holds those of the audit log; read_machine adds those of the kernel log.
SecurityModules read_security(Source& source);
/// Lines that deny access to a GPU node or to a process that uses one, the last 50.
std::vector<std::string> find_denials(std::string_view log);

}  // namespace rocvet

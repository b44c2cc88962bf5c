// What the process runs in: bare metal, a virtual machine, WSL, a container or a sandbox.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "machine/system.h"
#include "source/source.h"

namespace rocvet {

Surroundings read_surroundings(Source& source, const ProcessFacts& process, const Kernel& kernel,
                               const Cpu& cpu, const Dmi& dmi);

/// Whether a uid_map is that of the machine's first user namespace ("0 0 4294967295").
bool is_initial_id_map(std::string_view map);
/// key=value lines of /run/.containerenv, quotes removed.
std::map<std::string, std::string> parse_containerenv(std::string_view text);
/// The hypervisor that board strings name: "kvm", "vmware", "virtualbox", "xen", "microsoft" …; ""
/// for a physical machine.
std::string hypervisor_of(std::string_view vendor, std::string_view product);

}  // namespace rocvet

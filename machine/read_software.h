// The software probe: packages, every ROCm, every Python environment, applications, and what the
// dynamic loader would make of them.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"
#include "source/source.h"

namespace rocvet {

/// Fills machine.software; machine.process, machine.app_log and machine.access.services have been
/// read before.
/// `python` are environments that the user names.
void read_software(Source& source, Machine& machine, const std::vector<std::string>& python = {});

/// True when a version symbol ("GLIBCXX_3.4.30") is newer than every one of its family that
/// `defined` holds; false when the family is not in it at all.
bool is_version_unmet(const std::string& version, const std::vector<std::string>& defined);

}  // namespace rocvet

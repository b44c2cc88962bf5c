// Compose files: the devices, groups and variables that a container is started with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/settings.h"
#include "source/source.h"

namespace rocvet {

/// docker-compose.yml and the like in the home folder and in the folders right below it.
std::vector<ComposeService> read_compose(Source& source, const std::string& home, bool look_below);
/// The services of one file. Reads the plain subset of YAML that compose files are written in:
/// mappings and lists by indentation, "key: value", "- item", [a, b], quotes, comments.
std::vector<ComposeService> parse_compose(std::string_view text, std::string_view file);

}  // namespace rocvet

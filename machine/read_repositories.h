// Where packages come from: AMD's lines among the sources of apt, dnf and zypper, pins, offers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// One-line style (sources.list, *.list). Lines of others than AMD are left out; a commented-out
/// line comes with enabled = false.
std::vector<RepositoryLine> parse_apt_list(std::string_view text, const std::string& file);
/// The fields that are read of *.sources and of preferences, line by line: what else is in such a
/// file is nobody's business. A line that is no field stays in preferences: it is why they fail.
std::string apt_source_fields(std::string_view text);
std::string apt_preference_fields(std::string_view text);
/// deb822 style (*.sources), one entry per URI and suite.
std::vector<RepositoryLine> parse_apt_sources(std::string_view text, const std::string& file);
/// Sections of dnf's and zypper's .repo files.
std::vector<RepositoryLine> parse_repo_file(std::string_view text, const std::string& file);

/// Paragraphs that name AMD's repository or ROCm's packages, and any paragraph that apt would not
/// take. A priority only counts on a well-formed one.
std::vector<AptPin> parse_apt_preferences(std::string_view text, const std::string& file);

/// Version tables of `apt-cache policy PACKAGE…`.
std::vector<PackageOffer> parse_apt_policy(std::string_view text);

/// Fills repositories, apt_pins and offers.
void read_repositories(Source& source, Software& software);

}  // namespace rocvet

#include "formats/package_log.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::size_t kDate = 10;  // "2026-05-27"

std::string_view date_of(std::string_view line) {
  if (line.starts_with('[')) line.remove_prefix(1);
  const std::string_view date = line.substr(0, kDate);
  const bool right = date.size() == kDate && date[4] == '-' && date[7] == '-' &&
                     std::ranges::count_if(date, is_digit) == 8;
  return right ? date : "";
}

/// "linux-firmware" of "linux-firmware:all".
std::string_view without_arch(std::string_view package) {
  return package.substr(0, package.find(':'));
}

/// 2026-05-27 09:41:03 upgrade linux-firmware:all 1.0 1.1
std::optional<PackageChange> of_dpkg(const std::vector<std::string_view>& line) {
  if (line.size() < 6 || (line[2] != "upgrade" && line[2] != "install")) return std::nullopt;
  const bool fresh = line[2] == "install" || line[4] == "<none>";
  return PackageChange{"", std::string(without_arch(line[3])), fresh ? "" : std::string(line[4]),
                       std::string(line[5]), fresh};
}

/// [2026-05-27T09:41:03+0000] [ALPM] upgraded linux-firmware (20260410-1 -> 20260519-1)
std::optional<PackageChange> of_pacman(const std::vector<std::string_view>& line) {
  const auto alpm = std::ranges::find(line, "[ALPM]");
  if (line.end() - alpm < 4) return std::nullopt;
  if (alpm[1] == "installed" && alpm[3].starts_with('(') && alpm[3].ends_with(')'))
    return PackageChange{"", std::string(alpm[2]), "",
                         std::string(alpm[3].substr(1, alpm[3].size() - 2)), true};
  const bool upgraded = alpm[1] == "upgraded" || alpm[1] == "downgraded";
  if (!upgraded || line.end() - alpm < 6 || !alpm[3].starts_with('(') || !alpm[5].ends_with(')'))
    return std::nullopt;
  return PackageChange{"", std::string(alpm[2]), std::string(alpm[3].substr(1)),
                       std::string(alpm[5].substr(0, alpm[5].size() - 1)), false};
}

/// 2024-09-01T10:00:00+0200 SUBDEBUG Upgrade: linux-firmware-20240811-1.fc40.noarch
std::optional<PackageChange> of_dnf(const std::vector<std::string_view>& line) {
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] != "Upgrade:" && line[i] != "Installed:") continue;
    std::string_view name = line[i + 1].substr(0, line[i + 1].rfind('.'));
    const std::size_t release = name.rfind('-');
    if (release == name.npos || release == 0) return std::nullopt;
    const std::size_t version = name.rfind('-', release - 1);
    if (version == name.npos || version == 0) return std::nullopt;
    return PackageChange{"", std::string(name.substr(0, version)), "",
                         std::string(name.substr(version + 1)), line[i] == "Installed:"};
  }
  return std::nullopt;
}

}  // namespace

std::vector<PackageChange> package_changes(std::string_view log) {
  std::vector<PackageChange> changes;
  each_line(log, [&](std::string_view raw) {
    const std::string_view line = trim(raw), date = date_of(line);
    if (date.empty()) return;
    const std::vector<std::string_view> list = words(line);
    for (const auto parse : {of_dpkg, of_pacman, of_dnf}) {
      auto change = parse(list);
      if (!change) continue;
      change->date = date;
      changes.push_back(*std::move(change));
      return;
    }
  });
  return changes;
}

}  // namespace rocvet

#include "db/driver_releases.h"

#include <algorithm>

#include "base/text.h"
#include "db/blob_database.h"

namespace rocvet {
namespace {

std::string without_zero(const Version& version) {
  std::string text = version.text();
  if (text.ends_with(".0") && version.parts.size() == 3) text.resize(text.size() - 2);
  return text;
}

}  // namespace

std::optional<Version> driver_release_in(std::string_view package) {
  if (const std::size_t colon = package.find(':'); colon != std::string_view::npos)
    package.remove_prefix(colon + 1);
  package = package.substr(0, package.find('-'));
  const std::size_t dot = package.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto digits = package.substr(dot + 1);
  const auto number = parse_number(digits);
  if (!number || digits.size() < 5) return std::nullopt;
  const int value = static_cast<int>(*number);
  if (digits.size() >= 7) return Version{{value / 1000000, value / 10000 % 100, value / 100 % 100}};
  return Version{{value / 10000, value / 100 % 100, value % 100}};
}

std::string driver_release_for(const Database& database, const Version& rocm) {
  if (rocm < Version{{7, 0}}) return without_zero(rocm);
  const db::Published* published = db::published_of(database);
  if (published == nullptr) return {};
  for (const db::ReleaseRow& release : published->releases()) {
    if (release.rocm == rocm) return std::string(release.driver);
  }
  return {};
}

std::string rocm_of_driver(const Database& database, const std::string& release) {
  const db::Published* published = db::published_of(database);
  const auto wanted = Version::parse(release);
  if (published == nullptr || !wanted) return {};
  std::optional<Version> newest;
  for (const db::ReleaseRow& row : published->releases()) {
    const auto driver = Version::parse(driver_release_for(database, row.rocm));
    if (driver && *driver == *wanted && (!newest || *newest < row.rocm)) newest = row.rocm;
  }
  return newest ? newest->text() : "";
}

std::string module_of_driver(const Database& database, const std::string& release) {
  const db::Published* published = db::published_of(database);
  if (published == nullptr) return {};
  for (const db::ModuleRow& row : published->modules()) {
    if (!release.starts_with(row.driver)) continue;
    std::string_view range = row.module.text();
    range.remove_prefix(std::min(range.find_first_of("0123456789"), range.size()));
    return std::string(range.substr(0, range.find(',')));
  }
  return {};
}

std::string package_of_driver(const Database& database, const std::string& release) {
  const std::string module = module_of_driver(database, release);
  auto version = Version::parse(release);
  if (module.empty() || !version || version->parts.empty()) return {};
  version->parts.resize(3);
  const int major = version->parts[0], minor = version->parts[1], patch = version->parts[2];
  const int number = major < 10 ? major * 10000 + minor * 100 + patch
                                : major * 1000000 + minor * 10000 + patch * 100;
  return module + "." + std::to_string(number);
}

std::string driver_release_of(const Database& database, const Situation& here) {
  if (const auto release = driver_release_in(here.dkms_package)) return without_zero(*release);
  const auto* blob = dynamic_cast<const db::BlobDatabase*>(&database);
  const auto module = Version::parse(here.dkms_driver);
  return blob != nullptr && module ? blob->driver_of_module(*module) : std::string();
}

}  // namespace rocvet

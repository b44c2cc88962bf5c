// The words of --to.
#include <algorithm>

#include "base/text.h"
#include "db/driver_releases.h"
#include "db/listing.h"
#include "db/names.h"
#include "plan/plan.h"

namespace rocvet {
namespace {

constexpr std::pair<std::string_view, std::string Upgrade::*> kParts[] = {
    {"rocm", &Upgrade::rocm},
    {"kernel", &Upgrade::kernel},
    {"os", &Upgrade::os},
    {"driver", &Upgrade::driver},
    {"python", &Upgrade::python}};

/// The database's name of a framework that somebody may have called as pip does; "" when nothing is
/// known of it. `known` gets all names, for "did you mean".
std::string known_framework(const Database& database, std::string_view name,
                            std::vector<std::string>& known) {
  std::string wanted = db::framework_name(name);
  for (const WheelInfo& wheel : database.wheels("")) known.push_back(wheel.framework);
  if (std::ranges::find(known, wanted) != known.end()) return wanted;
  return database.ask({.framework = wanted}) ? wanted : "";
}

/// The system as a machine's own name is put together: "ubuntu-24.04".
Result<std::string> system_named(const std::string& option, const std::string& value) {
  const auto os = db::parse_os(value);
  if (!os) return malformed(option, os.error().what);
  if (!os->variant.empty()) return malformed(option, "'" + value + "' is no system's name");
  return os->version.empty() ? os->id : os->id + "-" + os->version;
}

/// The driver's release; not the version of its module, which looks the same.
Result<std::string> driver_named(const Database& database, const std::string& option,
                                 const std::string& value) {
  if (!rocm_of_driver(database, value).empty()) return value;
  return malformed(option, "'" + value +
                               "' is no release of AMD's driver that is known (6.4.1, 30.10; "
                               "`rocvet list releases` has them)");
}

/// The value as it is compared and shown: "6.2" is the newest release of that series.
Result<std::string> understood(const Database& database, std::string_view name,
                               const std::string& value) {
  const std::string option = "--to " + std::string(name);
  // What steps and titles show is of these alone.
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+- ";
  const std::size_t taken = kPlain.size() - (name == "os" ? 0 : 1);  // systems have blanks
  if (value.find_first_not_of(kPlain.substr(0, taken)) != value.npos)
    return malformed(option, "'" + value + "' has a character that no version has");
  if (name == "os") return system_named(option, value);
  if (name == "rocm") {
    auto release = named_release(database, option, value);
    if (!release) return release.error();
    return std::move(release->rocm);
  }
  const auto version = db::parse_version(option, value);
  if (!version) return version.error();
  if (name == "driver") return driver_named(database, option, value);
  if (name == "python" && version->parts.size() < 2)
    return malformed(option, "'" + value + "' names no Python, such as 3.12");
  return value;
}

/// "2.12.0+rocm7.14.1": a wheel's version may say which ROCm it is built for.
Result<Upgrade::Wheel> parse_wheel(const std::string& framework, std::string_view value) {
  const std::size_t plus = value.find('+');
  if (value.substr(0, plus).find_first_not_of("0123456789.") != value.npos)
    return malformed("--to", "'" + std::string(value) + "' is not a version");
  Upgrade::Wheel wheel{framework, std::string(value.substr(0, plus)), ""};
  if (const auto version = db::parse_version("--to", wheel.version); !version)
    return version.error();
  if (plus == std::string_view::npos) return wheel;
  std::string_view local = value.substr(plus + 1);
  if (!local.starts_with("rocm"))
    return malformed("--to", "'" + std::string(value) + "' is no build for ROCm (+rocm6.4)");
  local.remove_prefix(4);
  if (const auto version = db::parse_version("--to", local); !version) return version.error();
  wheel.rocm = local;
  return wheel;
}

}  // namespace

Result<Upgrade> parse_upgrade(const Database& database, std::string_view text) {
  Upgrade upgrade;
  if (trim(text).empty()) return malformed("--to", "say what is to be upgraded: rocm=7.0");
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string name = lower(trim(part.substr(0, equals)));
    const std::string value(equals == std::string_view::npos ? std::string_view{}
                                                             : trim(part.substr(equals + 1)));
    if (value.empty())
      return malformed("--to", "'" + std::string(trim(part)) + "' names no version (rocm=7.0)");
    const auto known = std::ranges::find(kParts, name, [](const auto& each) { return each.first; });
    if (known != std::end(kParts)) {
      std::string& target = upgrade.*known->second;
      if (!target.empty()) return malformed("--to", "'" + name + "' is named twice");
      auto meant = understood(database, name, value);
      if (!meant) return meant.error();
      target = *std::move(meant);
      continue;
    }
    std::vector<std::string> names;
    for (const auto& [each, member] : kParts) names.emplace_back(each);
    const std::string framework = known_framework(database, name, names);
    if (framework.empty())
      return malformed("--to", "nothing is known of '" + name + "'" + did_you_mean(name, names));
    for (const Upgrade::Wheel& each : upgrade.frameworks) {
      if (each.framework == framework) return malformed("--to", "'" + name + "' is named twice");
    }
    auto wheel = parse_wheel(framework, value);
    if (!wheel) return wheel.error();
    upgrade.frameworks.push_back(*std::move(wheel));
  }
  return upgrade;
}

}  // namespace rocvet

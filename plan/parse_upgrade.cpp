// The words of --to.
#include <algorithm>

#include "base/text.h"
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
  const std::string wanted = db::framework_name(name);
  for (const WheelInfo& wheel : database.wheels("")) known.push_back(wheel.framework);
  if (std::ranges::find(known, wanted) != known.end()) return wanted;
  return database.ask({.framework = wanted}) ? wanted : "";
}

/// Whether the value can be understood as what it stands for.
Result<Done> check_part(const Database& database, std::string_view name, const std::string& value) {
  const std::string option = "--to " + std::string(name);
  // What steps and titles show is of these alone.
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+- ";
  const std::size_t taken = kPlain.size() - (name == "os" ? 0 : 1);  // systems have blanks
  if (value.find_first_not_of(kPlain.substr(0, taken)) != value.npos)
    return malformed(option, "'" + value + "' has a character that no version has");
  Question question;
  if (name == "os") question.os = value;
  if (name == "kernel") question = {.rocm = "6.0", .kernel = value};
  if (name == "rocm" || name == "driver" || name == "python") {
    if (const auto version = db::parse_version(option, value); !version) return version.error();
    question = {.rocm = name == "rocm" ? value : "6.0",
                .driver = name == "driver" ? value : "",
                .python = name == "python" ? value : ""};
  }
  const auto answer = database.ask(question);
  if (!answer) return malformed(option, answer.error().what);
  return Done{};
}

/// "2.12.0+rocm7.14.1": a wheel's version may say which ROCm it is built for.
Result<Upgrade::Wheel> parse_wheel(const std::string& framework, std::string_view value) {
  const std::size_t plus = value.find('+');
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
      if (const auto ok = check_part(database, name, value); !ok) return ok.error();
      target = value;
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

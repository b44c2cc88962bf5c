// How a wheel is installed: into an environment of its own, by its document's commands.
#include "base/text.h"
#include "db/advice/planner.h"

namespace rocvet {
namespace {

/// The commands of a document's line.
std::vector<std::string> commands_of(std::string_view line) {
  constexpr std::string_view kAnd = " && ";
  std::vector<std::string> commands;
  for (std::size_t at = line.find(kAnd); at != std::string_view::npos; at = line.find(kAnd)) {
    commands.emplace_back(line.substr(0, at));
    line.remove_prefix(at + kAnd.size());
  }
  commands.emplace_back(line);
  return commands;
}

/// Pages have one command a target, or one for all of them.
std::string for_target(std::string command, const std::string& gfx) {
  constexpr std::string_view kAll = "device-all";
  for (std::size_t at = command.find(kAll); at != std::string::npos; at = command.find(kAll, at))
    command.replace(at, kAll.size(), "device-" + gfx);
  return command;
}

}  // namespace

namespace db {

std::vector<Step> Planner::environment_commands() const {
  const Version any = db.newest_release().value_or(Version{});
  const auto step = install_step("venv", any, "", "");
  return step ? step->commands : std::vector<Step>{};
}

}  // namespace db

std::vector<Step> wheel_commands(const Database& database, const WheelInfo& wheel,
                                 const WheelRequest& request) {
  const auto* blob = dynamic_cast<const db::BlobDatabase*>(&database);
  if (blob == nullptr || !wheel.installable) return {};
  db::Planner planner{*blob, {}, request.gfx, std::nullopt, {}, {}, {}, {}};
  planner.request.python = request.python;
  planner.environment = request.environment;
  if (const auto os = db::parse_os(request.os); os && !request.os.empty()) planner.os = *os;
  std::vector<Step> commands = planner.environment_commands();
  if (!wheel.install.empty()) {
    for (std::string& command : commands_of(wheel.install))
      commands.push_back(Step::of_database(for_target(std::move(command), request.gfx)));
    return commands;
  }
  const auto version = Version::parse(request.version);
  const bool whole = version && version->parts.size() > 2;
  commands.push_back(Step("pip install {} torchvision torchaudio --index-url {}",
                          "torch==" + request.version + (whole ? "" : ".*"), wheel.index));
  return commands;
}

}  // namespace rocvet

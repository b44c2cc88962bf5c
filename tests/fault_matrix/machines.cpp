#include "tests/fault_matrix/machines.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/read_whole_file.h"
#include "tests/fault_matrix/case_source.h"

namespace rocvet {
namespace {

namespace fs = std::filesystem;

const fs::path kTests = fs::path(ROCVET_SOURCE_DIR) / "tests";
const fs::path kCapture =
    fs::path(ROCVET_SOURCE_DIR) / ".." / "shared" / "captures" / "strixpoint__lact";
constexpr std::string_view kSick = "sick-", kCase = "case:";

Result<TomlNode> read_case(const fs::path& path) {
  const auto text = read_whole_file(path.string(), 8u << 20);
  if (!text) return text.error();
  return parse_toml(*text, path.string());
}

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kTests / "cases")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

bool expects_complaint(const TomlNode& tables) {
  const std::string expected = tables.string_or("expect");
  return expected == "fail" || expected == "warn";
}

/// What a case changes, as targets are named; "limits" and "env" are of the process.
std::vector<std::string> changed_by(const TomlNode& tables) {
  std::vector<std::string> out;
  for (const auto& [key, node] : tables.members) {
    for (const TomlNode& path : node.items) {
      if (key == "remove" || key == "denied" || key == "unknown") out.push_back(path.text);
    }
    for (const auto& [name, value] : node.members) {
      if (key == "files" || key == "links" || key == "devices" || key == "elf") out.push_back(name);
      if (key == "commands") out.push_back("cmd:" + name);
      if (key == "process") out.push_back("process:" + name);
    }
    if (key == "env") out.push_back("process:environment");
    if (key == "limits") out.push_back("process:limits");
  }
  return out;
}

/// Cases that no other disturbs: each thing is changed by one of them, and nothing is taken away.
Result<FaultyMachine> sick_machine(const std::string& base) {
  std::vector<TomlNode> kept;
  std::set<std::string> taken;
  for (const fs::path& file : case_files()) {
    auto tables = read_case(file);
    if (!tables) return tables.error();
    if (tables->string_or("base", "desktop") != base || !expects_complaint(*tables)) continue;
    if (tables->find("remove") || tables->find("denied") || tables->find("unknown")) continue;
    const auto changed = changed_by(*tables);
    const auto disturbs = [&](const std::string& name) {
      return name != "process:environment" && name != "process:limits" && taken.contains(name);
    };
    if (std::ranges::any_of(changed, disturbs)) continue;
    taken.insert(changed.begin(), changed.end());
    kept.push_back(std::move(*tables));
  }
  std::vector<const TomlNode*> overlays;
  for (const TomlNode& tables : kept) overlays.push_back(&tables);
  auto source = case_source(base, overlays);
  if (!source) return source.error();
  return FaultyMachine{std::move(*source), {}, {}};
}

Result<FaultyMachine> case_of(const std::string& name) {
  const auto tables = read_case(kTests / "cases" / (name + ".toml"));
  if (!tables) return tables.error();
  auto source = case_source(tables->string_or("base", "desktop"), {&*tables});
  if (!source) return source.error();
  FaultyMachine machine{std::move(*source), {}, changed_by(*tables)};
  if (const TomlNode* log = tables->find("log")) machine.app_log = log->string_or("app");
  if (machine.about.empty()) machine.about = {"cmd:dmesg"};
  return machine;
}

}  // namespace

std::vector<std::string> whole_machines() {
  std::vector<std::string> names = {"rx7900xtx-desktop", "mi300x-8gpu", "sick-desktop", "sick-hive",
                                    "sick-docker",       "sick-apu",    "sick-wsl"};
  if (fs::exists(kCapture)) names.push_back(kCapture.filename());
  return names;
}

std::vector<std::string> case_machines() {
  std::vector<std::string> names;
  for (const fs::path& file : case_files()) {
    const auto tables = read_case(file);
    if (!tables || !expects_complaint(*tables)) continue;
    names.push_back(std::string(kCase) +
                    fs::relative(file, kTests / "cases").replace_extension().string());
  }
  return names;
}

Result<FaultyMachine> faulty_machine(const std::string& name) {
  if (name.starts_with(kCase)) return case_of(name.substr(kCase.size()));
  if (name.starts_with(kSick)) return sick_machine(name.substr(kSick.size()));
  const fs::path path = name == kCapture.filename() ? kCapture : kTests / "machines" / name;
  auto source = snapshot_source(path.string());
  if (!source) return source.error();
  return FaultyMachine{std::move(*source), {}, {}};
}

}  // namespace rocvet

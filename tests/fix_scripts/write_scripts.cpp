// write_fix_scripts FOLDER [--every | --causes]: what `rocvet fix` prints on each kind of
// distribution, as FOLDER/SYSTEM/CAUSE/any.sh for the general remedy of a cause and
// FOLDER/SYSTEM/CAUSE/CASE.sh for each case of tests/cases: on one of the systems in turn, on each,
// or none.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "checks/check.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/remedy.h"
#include "report/report.h"
#include "unit/checks/case_machine.h"
#include "unit/checks/cases.h"

namespace rocvet {
namespace {

namespace fs = std::filesystem;

struct System {
  const char* name;
  Distro distro;
};

const System kSystems[] = {
    {"apt-debian", {.id = "debian", .version = "13", .codename = "trixie", .like = {}}},
    {"apt-ubuntu", {.id = "ubuntu", .version = "24.04", .codename = "noble", .like = {"debian"}}},
    {"dnf-rhel", {.id = "rhel", .version = "9.6", .like = {"fedora"}}},
    {"dnf-fedora", {.id = "fedora", .version = "43"}},
    {"zypper-sles", {.id = "sles", .version = "15.7", .like = {"suse"}}},
    {"zypper-opensuse", {.id = "opensuse-tumbleweed", .like = {"opensuse", "suse"}}},
    {"pacman-arch", {.id = "arch"}},
};

void write(const fs::path& path, const Report& report) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << write_fix_script(report);
}

Machine on(Machine machine, const System& system) {
  machine.distro = system.distro;
  machine.software.package_manager = std::string(system.name).starts_with("pacman") ? "pacman"
                                     : std::string(system.name).starts_with("apt")  ? "dpkg"
                                                                                    : "rpm";
  return machine;
}

/// The script of a machine on which nothing but the cause itself was found.
Report general(const Cause& cause, const Machine& machine) {
  RootCause root;
  root.id = std::string(cause.id);
  root.summary = std::string(cause.title);
  root.remedy = remedy_for(cause, machine);
  for (Step& step : root.remedy.steps) step = fill_in(std::move(step), machine);
  Report report;
  report.diagnosis.root_causes = {root};
  return report;
}

/// With the first cause alone: what else is named has scripts of its own.
Report of_case(const Machine& machine, const Database& db) {
  const Context context{machine, db};
  Report report;
  report.diagnosis = diagnose(context, run_checks(context, all_checks(db)));
  if (report.diagnosis.root_causes.size() > 1) report.diagnosis.root_causes.resize(1);
  return report;
}

int write_all(const fs::path& folder, std::string_view mode, const Database& db) {
  const auto cases = read_cases();
  if (!cases) {
    std::cerr << "write_scripts: " << cases.error().text() << "\n";
    return 3;
  }
  const auto base = parse_toml("base = \"desktop\"\n", "desktop");
  const Machine plain = *case_machine(*base);
  for (const System& system : kSystems) {
    const fs::path here = folder / system.name;
    const Machine machine = on(plain, system);
    for (const Cause& cause : db.knowledge().causes())
      write(here / cause.id / "any.sh", general(cause, machine));
  }
  if (mode == "--causes") return 0;
  std::size_t turn = 0;
  for (const Case& one : *cases) {
    for (std::size_t at = 0; at < std::size(kSystems); ++at) {
      if (mode != "--every" && at != turn % std::size(kSystems)) continue;
      const System& system = kSystems[at];
      const Report report = of_case(on(one.machine, system), db);
      if (report.diagnosis.root_causes.empty()) continue;
      std::string name = one.path.substr(0, one.path.rfind(".toml"));
      std::replace(name.begin(), name.end(), '/', '.');
      write(folder / system.name / report.diagnosis.root_causes.front().id / (name + ".sh"),
            report);
    }
    ++turn;
  }
  return 0;
}

}  // namespace
}  // namespace rocvet

int main(int argc, char** argv) {
  const std::string_view mode = argc == 3 ? argv[2] : "";
  if ((argc != 2 && argc != 3) || (argc == 3 && mode != "--every" && mode != "--causes")) {
    std::cerr << "usage: write_fix_scripts FOLDER [--every | --causes]\n";
    return 3;
  }
  return rocvet::write_all(argv[1], mode, rocvet::Database::embedded());
}

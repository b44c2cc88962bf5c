// Every case machine with hostile names, and every step that follows, given to a shell that has no
// programs: only what a name brought along could leave the canary file.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "checks/diagnosis.h"
#include "report/report.h"
#include "unit/checks/case_machine.h"
#include "unit/report/hostile_machine.h"

namespace rocvet {
namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(ROCVET_SOURCE_DIR) / "tests" / "cases";

// The shell's own words: `:` and a redirection make the file, with no program to be found.
const std::string kPayloads[] = {"$(:>CANARY)",   "`:>CANARY`",     ";:>CANARY;",
                                 "';:>CANARY;'",  "\";:>CANARY;\"", "'$(:>CANARY)\"`:>CANARY`",
                                 "\n:>CANARY\n",  " & :>CANARY & ", "\\';:>CANARY;#",
                                 "/;:>CANARY;/e", "a[$(:>CANARY)]"};

class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "rocvet_canary_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Scratch() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string slurp(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

int in_shell(const fs::path& folder, const std::string& command) {
  return std::system(("cd '" + folder.string() + "' && " + command).c_str());
}

/// The steps (with what they came of) of which one line leaves the canary.
std::string that_sing(const std::map<std::string, std::string>& steps) {
  const Scratch scratch;
  std::string lines;
  for (const auto& [step, origin] : steps) lines += step + "\n";
  write(scratch.path() / "steps", lines);
  write(scratch.path() / "run.sh",
        "PATH=/nonexistent\nset -f +H\nn=0\nwhile IFS= read -r step; do\n"
        "  (eval \"$step\") >/dev/null 2>&1 </dev/null\n"
        "  if [ -e CANARY ]; then echo \"$step\" >>SANG; n=$((n+1)); command -p rm -f CANARY; fi\n"
        "done <steps\n");
  REQUIRE(in_shell(scratch.path(), "env -i HOME=/nonexistent /bin/bash run.sh") == 0);
  return slurp(scratch.path() / "SANG");
}

class Collector {
 public:
  void take(const std::vector<Finding>& findings, const std::string& origin) {
    for (const Finding& finding : findings) take(finding.remedy, origin);
  }
  void take(const Remedy& remedy, const std::string& origin) {
    for (const Step& step : remedy.steps) take(step, origin);
    take(remedy.verify, origin);
    take(remedy.undo, origin);
  }
  void take(const Step& step, const std::string& origin) {
    CAPTURE(origin);
    CAPTURE(step.text());
    if (step.text().find('\n') != std::string::npos) FAIL_CHECK("a step of two lines");
    steps[step.text()] = origin;
    if (step.is_command()) commands.insert(step.text());
  }
  std::map<std::string, std::string> steps;
  std::set<std::string> commands;
};

template <typename Do>
void for_each_case(Do&& act) {
  for (const auto& folder : fs::directory_iterator(kCases)) {
    if (!folder.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      const auto tables = parse_toml(slurp(entry.path()), entry.path().string());
      REQUIRE(tables.has_value());
      const auto machine = case_machine(*tables);
      REQUIRE(machine.has_value());
      act(folder.path().filename().string(), entry.path().filename().string(), *machine);
    }
  }
}

const Check* find_check(const std::string& id) {
  for (const Check* check : all_checks()) {
    if (check->id == id) return check;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the canary: no hostile name in a machine runs with a step") {
  Collector seen;
  std::set<std::string> spoilt;
  for_each_case([&](const std::string& id, const std::string& name, const Machine& machine) {
    const Check* check = find_check(id);
    REQUIRE(check != nullptr);
    for (const HostileName& hostile : hostile_names()) {
      for (const std::string& payload : kPayloads) {
        Machine changed = machine;
        if (!hostile.spoil(changed, payload)) break;
        const Context context{changed, Database::embedded()};
        const std::size_t before = seen.steps.size();
        seen.take(check->run(context), id + "/" + name + ", " + hostile.what);
        if (seen.steps.size() > before) spoilt.insert(hostile.what);
      }
    }
  });
  MESSAGE(seen.steps.size(), " steps, ", spoilt.size(), " kinds of names reach one");
  CHECK(seen.steps.size() > 500);
  CHECK(that_sing(seen.steps) == "");
  // What is called a command is one that a shell can read.
  const Scratch scratch;
  std::string lines;
  for (const std::string& command : seen.commands) lines += command + "\n";
  write(scratch.path() / "commands", lines);
  CHECK(in_shell(scratch.path(), "/bin/bash -n commands") == 0);
}

TEST_CASE("the canary: nor with the fix script of a machine on which every name is hostile") {
  for (const std::string& payload : {kPayloads[0], kPayloads[3], kPayloads[6]}) {
    CAPTURE(payload);
    const Scratch scratch;
    std::string all;
    for_each_case([&](const std::string&, const std::string&, const Machine& machine) {
      for (const HostileName& hostile : hostile_names()) {
        Report report;
        report.machine = machine;
        if (!hostile.spoil(report.machine, payload)) continue;
        const Context context{report.machine, Database::embedded()};
        report.checks = run_checks(context, all_checks());
        report.diagnosis = diagnose(context, report.checks);
        all += write_fix_script(report);
        break;
      }
    });
    std::string lines;
    std::istringstream in(all);
    for (std::string line; std::getline(in, line);) {
      if (line != "set -e") lines += line + "\n";
    }
    write(scratch.path() / "fix.sh", "PATH=/nonexistent\nset -f\n" + lines);
    CHECK(in_shell(scratch.path(), "/bin/bash -n fix.sh") == 0);
    CHECK(in_shell(scratch.path(),
                   "env -i HOME=/nonexistent /bin/bash fix.sh >/dev/null 2>&1 </dev/null") >= 0);
    CHECK_FALSE(fs::exists(scratch.path() / "CANARY"));
  }
}

TEST_CASE("the canary sings for a name that stands bare") {
  CHECK(that_sing({{"sudo usermod -aG render ada$(:>CANARY)", ""}}) != "");
  CHECK(that_sing({{"sudo usermod -aG render 'ada$(:>CANARY)'", ""}}) == "");
}

}  // namespace rocvet

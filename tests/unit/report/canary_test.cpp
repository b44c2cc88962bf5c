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

#include "checks/row_check.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/remedy.h"
#include "report/report.h"
#include "report/share.h"
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

/// Whether the text, as one script, leaves the canary; it must be one that bash can read.
bool sings_as_a_whole(const std::string& text) {
  const Scratch scratch;
  write(scratch.path() / "script", "PATH=/nonexistent\nset -f\n" + text);
  CHECK(in_shell(scratch.path(), "/bin/bash -n script") == 0);
  // Its own status is that of its last command, which is not there.
  in_shell(scratch.path(), "env -i HOME=/nonexistent /bin/bash script >/dev/null 2>&1 </dev/null");
  return fs::exists(scratch.path() / "CANARY");
}

/// What `rocvet fix` prints of a cause that has this finding's words and remedy.
std::string script_of(const Finding& finding) {
  Report report;
  RootCause cause;
  cause.id = "canary";
  cause.summary = finding.summary;
  cause.evidence = finding.evidence;
  cause.remedy = finding.remedy;
  report.diagnosis.root_causes = {cause};
  std::string out;
  std::istringstream script(write_fix_script(report));
  for (std::string line; std::getline(script, line);) {
    if (line != "set -e") out += line + "\n";  // it would end at the first program
  }
  return out;
}

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
  for (const Check* check : all_checks(Database::embedded())) {
    if (check->id == id) return check;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the canary: no hostile name in a machine runs with a step, or with the fix script") {
  Collector seen;
  std::set<std::string> spoilt, told;
  std::string scripts;
  for_each_case([&](const std::string& id, const std::string& name, const Machine& machine) {
    const Check* check = find_check(id);
    REQUIRE(check != nullptr);
    for (const HostileName& hostile : hostile_names()) {
      for (const std::string& payload : kPayloads) {
        Machine changed = machine;
        if (!hostile.spoil(changed, payload)) break;
        const auto findings = findings_of({changed, Database::embedded()}, *check);
        const std::size_t before = seen.steps.size();
        seen.take(findings, id + "/" + name + ", " + hostile.what);
        if (seen.steps.size() > before) spoilt.insert(hostile.what);
        for (const Finding& finding : findings) {
          const std::string script = finding.remedy.empty() ? "" : script_of(finding);
          if (told.insert(script).second) scripts += script;
        }
      }
    }
  });
  MESSAGE(seen.steps.size(), " steps, ", spoilt.size(), " kinds of names reach one");
  CHECK(seen.steps.size() > 500);
  CHECK(that_sing(seen.steps) == "");
  // What is called a command is one that a shell can read.
  std::string lines;
  for (const std::string& command : seen.commands) lines += command + "\n";
  CHECK_FALSE(sings_as_a_whole(lines));
  CHECK_FALSE(sings_as_a_whole(scripts));
}

TEST_CASE("the canary: nor with a general remedy whose gaps the machine fills") {
  Collector seen;
  for_each_case([&](const std::string&, const std::string& name, const Machine& machine) {
    for (const HostileName& hostile : hostile_names()) {
      const std::string_view what = hostile.what;
      if (what != "ROCm folder" && what != "ROCm version" && what != "target of a GPU") continue;
      for (const std::string& payload : kPayloads) {
        Machine changed = machine;
        if (!hostile.spoil(changed, payload)) break;
        for (const Cause& cause : Database::embedded().knowledge().causes()) {
          std::string text;
          for (const std::string_view line : cause.remedy) text += std::string(line) + "\n";
          if (text.find("X.Y") == text.npos && text.find("gfxN") == text.npos) continue;
          Remedy remedy = remedy_for(cause, changed);
          for (Step& step : remedy.steps) {
            step = fill_in(std::move(step), changed);
            if (step.text().find("CANARY") != std::string::npos) seen.take(step, name);
          }
        }
      }
    }
  });
  CHECK(that_sing(seen.steps) == "");
}

TEST_CASE("the canary: nor when a secret is taken out of a step") {
  Collector seen;
  int changed = 0;
  for (const char* secret :
       {"https://u:pass%20word@h/", "https://u:pa;ss@h/", "hf_abcdefghijklmnopqrstuvwxyz012345",
        "--token abcdefghijklmnop", "HF_TOKEN=abcdefgh", "HF_TOKEN='abcdefgh", "password: abcdefgh",
        "Authorization: Bearer abcdefgh", "AWS_SECRET_ACCESS_KEY=\"abcdefgh"}) {
    for (const std::string& payload : kPayloads) {
      for (const std::string& value :
           {secret + payload, payload + secret, secret + (" " + payload)}) {
        Report report;
        report.diagnosis.root_causes.resize(1);
        report.diagnosis.root_causes[0].remedy.steps = {Step("export ROCM_PATH={}", value),
                                                        Step("sudo ln -s {} {}", value, value)};
        for (const Report& passed : {for_its_owner(report), shareable(report)}) {
          for (const Step& step : passed.diagnosis.root_causes[0].remedy.steps) {
            seen.take(step, value);
            changed += step.text().find(secret) == std::string::npos;
          }
        }
      }
    }
  }
  MESSAGE(changed, " steps without their secret");
  CHECK(changed > 100);
  CHECK(that_sing(seen.steps) == "");
}

TEST_CASE("the canary sings for a name that stands bare") {
  CHECK(that_sing({{"sudo usermod -aG render ada$(:>CANARY)", ""}}) != "");
  CHECK(that_sing({{"sudo usermod -aG render 'ada$(:>CANARY)'", ""}}) == "");
  CHECK(sings_as_a_whole("sudo true\nsudo usermod -aG render ada;:>CANARY;\n"));
  CHECK_FALSE(sings_as_a_whole("# ada;:>CANARY;\n"));
}

}  // namespace rocvet

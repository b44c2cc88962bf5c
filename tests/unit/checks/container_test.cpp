// What a container or job may not open, and the commands that mend it for each engine.
#include <doctest/doctest.h>

#include "checks/check.h"
#include "checks/common/container_remedy.h"
#include "checks/facts/conditions.h"
#include "checks/row_check.h"
#include "made_machine.h"

namespace rocvet {
namespace {

std::vector<Finding> run(const std::string& id, const Machine& machine) {
  const auto checks = select_checks({{id}, {}}, Database::embedded());
  REQUIRE(checks);
  const Context context{machine, Database::embedded()};
  return findings_of(context, *checks->front());
}

}  // namespace

TEST_CASE("device-cgroup-refuses reads the list of a version 1 cgroup") {
  Machine machine =
      made_machine("base = \"docker\"\n[devices]\n\"/dev/kfd\" = \"0660 0 109 EACCES\"\n");
  machine.kfd.stat->major = 236;
  const auto verdict = [&](const char* list) {
    machine.access.cgroup_devices = std::string(list);
    return run("device-cgroup-refuses", machine).front().verdict;
  };
  CHECK(verdict("a *:* rwm") == Verdict::pass);
  CHECK(verdict("c 1:3 rwm\nc 236:0 rwm") == Verdict::pass);
  CHECK(verdict("c 236:* rw") == Verdict::pass);
  CHECK(verdict("c 1:3 rwm\nc 226:* rwm") == Verdict::fail);
  CHECK(verdict("c 236:0 r") == Verdict::fail);
  CHECK(verdict("b 236:0 rwm") == Verdict::fail);
}

TEST_CASE("a group that the user namespace does not map is mended by the engine that made it") {
  Machine machine = made_machine("base = \"docker\"\n");
  CHECK(map_group(machine).front().text().find("--userns=host") != std::string::npos);
  machine.surroundings.environment = Environment::lxc;
  CHECK(map_group(machine).front().text().find("pct set") != std::string::npos);
  machine.surroundings.environment = Environment::podman;
  CHECK(map_group(machine).front().text().find("--group-add keep-groups") != std::string::npos);
}

TEST_CASE("the remedy speaks the language of the engine") {
  Machine machine = made_machine("base = \"docker\"\n");
  Surroundings& around = machine.surroundings;
  const auto all = [&] {
    std::string text;
    for (const Step& step : pass_devices(machine)) text += step.text() + "\n";
    for (const Step& step : join_group(machine, 992)) text += step.text() + "\n";
    return text;
  };
  const auto says = [&](const char* words) { return all().find(words) != std::string::npos; };
  CHECK(says("docker run --device=/dev/kfd --device=/dev/dri --group-add 109"));
  CHECK(says("--group-add 992"));
  around.environment = Environment::podman;
  CHECK(engine_name(machine) == "podman");
  CHECK(says("podman run --device=/dev/kfd --device=/dev/dri --group-add 109"));
  around.rootless = true;
  CHECK(engine_name(machine) == "rootless podman");
  CHECK(says("--group-add keep-groups"));
  CHECK_FALSE(says("992"));
  around.helper = "distrobox";
  CHECK(says("distrobox create --additional-flags"));
  around.helper = "toolbox";
  CHECK(says("toolbox create"));
  around.helper.clear();
  around.environment = Environment::kubernetes;
  CHECK(says("amd.com/gpu: 1"));
  CHECK(says("supplementalGroups: [992]"));
  around.environment = Environment::apptainer;
  CHECK(says("apptainer exec --rocm"));
  around.environment = Environment::lxc;
  CHECK(says("pct set"));
  CHECK(says("incus config device"));
  around.environment = Environment::flatpak;
  around.application = "org.example.App";
  CHECK(says("flatpak override --user --device=all org.example.App"));
  around.environment = Environment::snap;
  CHECK(says("outside the snap"));
}

TEST_CASE("of a machine that nobody looked at, nothing is denied") {
  const auto source = no_source();
  const Machine machine = read_machine(*source, {});
  const Context context{machine, Database::embedded()};
  for (const char* word : {"wsl", "container", "vm", "igpu-and-dgpu", "visibility-set",
                           "override-set", "variable-elsewhere", "target-dropped"}) {
    CAPTURE(word);
    CHECK(condition(context, word) == Truth::unknown);
  }
  CHECK(condition(Context{made_machine("base = \"desktop\"\n"), Database::embedded()},
                  "visibility-set") == Truth::no);
}

TEST_CASE("a container is in play where one is, is defined or is spoken of, and nowhere else") {
  const auto in_play = [](const Machine& machine) {
    return condition(Context{machine, Database::embedded()}, "container-in-play");
  };
  const std::string desktop = "base = \"desktop\"\n";
  CHECK(in_play(made_machine(desktop)) == Truth::no);
  CHECK(in_play(made_machine(desktop + "[log]\napp = \"hipErrorNoDevice\"\n")) == Truth::no);
  CHECK(in_play(made_machine("base = \"docker\"\n")) == Truth::yes);
  CHECK(in_play(made_machine(desktop + "[log]\napp = \"$ podman run --rm rocm rocminfo\"\n")) ==
        Truth::yes);
  CHECK(in_play(made_machine(desktop + "[env]\nSLURM_JOB_ID = \"7\"\n")) == Truth::yes);
  CHECK(
      in_play(made_machine(desktop + "[files]\n\"/home/ada/compose.yml\" = \"services:\\n  llm:\\n"
                                     "    image: ollama/ollama:rocm\\n\"\n")) == Truth::yes);
  // The node is here, and the program did not find it: it ran elsewhere.
  const std::string absent =
      "[log]\napp = \"Unable to open /dev/kfd read-write: No such file or directory\"\n";
  CHECK(in_play(made_machine(desktop + absent)) == Truth::yes);
  CHECK(in_play(made_machine(desktop + "remove = [\"/dev/kfd\"]\n" + absent)) == Truth::no);
  Machine unseen = made_machine(desktop);
  unseen.surroundings.environment = Environment::unknown;
  unseen.process.cgroup = not_captured("/proc/self/cgroup");
  CHECK(in_play(unseen) == Truth::unknown);
}

}  // namespace rocvet

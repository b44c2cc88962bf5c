// The decoders of kernel and application logs, and how the diagnosis weighs.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "case_machine.h"
#include "checks/facts/gpus.h"
#include "checks/facts/visibility.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_parts.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/weigh.h"
#include "made_machine.h"

namespace rocvet {

TEST_CASE("repeats collapse and a line belongs to the GPU it names") {
  KernelLog log;
  log.lines = {{1.0, "amdgpu 0000:03:00.0: amdgpu: GPU reset begin!"},
               {2.0, "amdgpu 0000:03:00.0: amdgpu: GPU reset begin!"},
               {3.0, "amdgpu 0000:83:00.0: amdgpu: GPU reset begin!"},
               {4.0, "usb 1-1: new high-speed USB device"}};
  const auto events = decode_log(log, Database::embedded().knowledge());
  REQUIRE(events.size() == 2);
  CHECK(events[0].bdf == "0000:03:00.0");
  CHECK(events[0].count == 2);
  CHECK(events[1].bdf == "0000:83:00.0");
}

TEST_CASE("a step of a start that fails is a line of that failure") {
  const Machine machine = made_machine(
      "base = \"desktop\"\n[commands]\ndmesg = '''[   10.0] amdgpu 0000:03:00.0: amdgpu: rlc "
      "autoload: gc ucode autoload timeout\n[   10.1] amdgpu 0000:03:00.0: amdgpu: resume of IP "
      "block <gfx_v10_0> failed -110\n'''\n");
  const Context context{machine, Database::embedded()};
  const auto& events = kernel_events(context);
  REQUIRE(events.size() == 2);
  CHECK(events[0].step_of == "power");
  CHECK(events[1].step_of.empty());
  CHECK(findings_of_topic(context, "firmware", "missing firmware").front().verdict ==
        Verdict::pass);
  const auto told = findings_of_topic(context, "power", "failures to wake up");
  REQUIRE(told.size() == 1);
  CHECK(told.front().verdict == Verdict::fail);
  CHECK(told.front().evidence.size() == 2);
}

TEST_CASE("who says how it ended may quote why") {
  const Knowledge& knowledge = Database::embedded().knowledge();
  const auto errors = decode_app_log(
      "MIOpen Error: /src/hipoc_kernel.cpp:131: Failed to launch kernel: invalid device ordinal\n",
      knowledge);
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].text->id == "miopen-launch-failed");
  CHECK(errors[1].text->id == "invalid-device-ordinal");
}

TEST_CASE("what a failed self-test's library said is a program's, and nobody's complaint") {
  const Machine machine = made_machine("base = \"desktop\"\n");
  const Context context{machine, Database::embedded(),
                        "rocBLAS has no kernels for gfx1100\nrocBLAS error: Cannot read "
                        "/opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file or "
                        "directory for GPU arch : gfx1100\n"};
  CHECK(has_app_error(context, "tensile-library-missing"));
  CHECK(program_complains(context));
  CHECK_FALSE(person_speaks(context));
  const Context nothing{machine, Database::embedded()};
  CHECK_FALSE(someone_complains(nothing));
}

TEST_CASE("a program that begins with the version of PyTorch is not collect_env") {
  CHECK(log_parts("PyTorch version: 2.5.1+rocm6.1\nROCm available: False\n").environment.empty());
  const LogParts parts =
      log_parts("PyTorch version: 2.5.1+rocm6.1\nIs debug build: False\nOS: Ubuntu\n");
  CHECK(parts.rest.empty());
}

TEST_CASE("words of a defect stand in one sentence, not in one long line of settings") {
  const auto speaks = [](const std::string& log) {
    const Machine machine = made_machine("base = \"desktop\"\n[log]\napp = \"" + log + "\"\n");
    return speaks_of({machine, Database::embedded()}, "second gpu crash");
  };
  CHECK(speaks("My second GPU crashes under load."));
  CHECK_FALSE(speaks("args=(second=1, " + std::string(900, 'x') + ", gpu=2, " +
                     std::string(900, 'y') + ", crash_dump=None)"));
}

TEST_CASE("all that people say is found in itself") {
  const Knowledge& knowledge = Database::embedded().knowledge();
  for (const ErrorText& text : knowledge.texts()) {
    if (!text.prose) continue;
    CAPTURE(text.id);
    // Of people's own words ("&a|b&c") the first alternative of each group.
    std::string line;
    bool skipping = false;
    for (const char letter : text.text.front()) {
      skipping = (skipping || letter == '|') && letter != '&';
      if (!skipping) line += letter == '*' || letter == '&' ? ' ' : letter;
    }
    bool found = false;
    for (const AppError& error : decode_app_log(line, knowledge)) found |= error.text == &text;
    CHECK(found);
  }
}

TEST_CASE("gfx names, overrides and generic targets") {
  CHECK(gfx_of_override("10.3.0") == "gfx1030");
  CHECK(gfx_of_override("9.0.10") == "gfx90a");
  CHECK(gfx_of_override("gfx1030").empty());
  CHECK(gfx_of_override("10.3").empty());
  CHECK(override_of_gfx("gfx90a") == "9.0.10");
  CHECK(gfx_major("gfx1100") == 11);
  CHECK(gfx_major("gfx90a") == 9);
  CHECK(target_fits("gfx90a:xnack-", "gfx90a"));
  CHECK(target_fits("gfx11-generic", "gfx1103"));
  CHECK(!target_fits("gfx1030", "gfx1031"));
  CHECK(!target_fits("gfx9-generic", "gfx942"));
}

TEST_CASE("a second visibility mask counts what the first one left") {
  const auto left = [](const std::string& env) {
    const auto tables = parse_toml("base = \"pair\"\n[env]\n" + env, "env");
    const auto machine = case_machine(*tables);
    REQUIRE(machine.has_value());
    return visibility(*machine);
  };
  CHECK(left("ROCR_VISIBLE_DEVICES = \"1\"\n").left == 1);
  CHECK(left("ROCR_VISIBLE_DEVICES = \"1\"\n").problems.empty());
  CHECK(left("ROCR_VISIBLE_DEVICES = \"1\"\nHIP_VISIBLE_DEVICES = \"1\"\n").left == 0);
  CHECK(left("ROCR_VISIBLE_DEVICES = \"1\"\nHIP_VISIBLE_DEVICES = \"0\"\n").left == 1);
  CHECK(left("CUDA_VISIBLE_DEVICES = \"-1\"\n").left == 0);
  CHECK(left("HIP_VISIBLE_DEVICES = \"0,2\"\n").problems.size() == 1);
}

TEST_CASE(
    "the rule: one voice a group, nothing for the impossible, shares that do not exceed one") {
  const auto tables = parse_toml(
      "base = \"desktop\"\n[devices]\n\"/dev/kfd\" = \"0660 0 993 EACCES\"\n"
      "\"/dev/dri/renderD128\" = \"0660 0 993 EACCES\"\n"
      "[log]\napp = \"Unable to open /dev/kfd read-write: Permission denied\"\n",
      "case");
  const auto machine = case_machine(*tables);
  REQUIRE(machine.has_value());
  const Context context{*machine, Database::embedded()};
  const Observations observations(context, run_checks(context, all_checks(Database::embedded())));
  const std::vector<Candidate> all =
      weigh(context.db.knowledge(), observations, impossible_causes(context, observations), {});
  CHECK(all.size() == context.db.knowledge().causes().size());
  double sum = 0;
  bool several_seen = false;
  for (const Candidate& one : all) {
    CAPTURE(one.cause->id);
    sum += one.probability;
    CHECK(one.probability >= 0);
    if (!one.impossible.empty()) CHECK(one.probability == 0);
    std::map<std::string_view, int> voices, seen;
    for (const WeighedSign& sign : one.signs) {
      voices[sign.sign->group] += sign.share != 0;
      seen[sign.sign->group] += sign.seen == Truth::yes;
    }
    for (const auto& [group, count] : voices) CHECK(count <= 1);
    for (const auto& [group, count] : seen) several_seen |= count > 1;
  }
  CHECK(several_seen);
  CHECK(sum < 1);
  CHECK(sum > 0.5);
  CHECK(all.front().cause->id == "user-not-in-render-group");
  // What a named cause shows speaks for no other.
  const std::vector<Candidate> rest =
      weigh(context.db.knowledge(), observations, impossible_causes(context, observations),
            {all.front().cause});
  for (const Candidate& one : rest) {
    if (one.cause->id == "container-render-gid-mismatch") CHECK(!one.supported);
  }
  // Under WSL there are no device nodes to be refused.
  Machine wsl = *machine;
  wsl.surroundings.wsl = true;
  const Context under{wsl, Database::embedded()};
  for (const Candidate& one :
       weigh(under.db.knowledge(), observations, impossible_causes(under, observations), {})) {
    if (one.cause->id == "user-not-in-render-group") CHECK(one.impossible == "!wsl");
  }
}

TEST_CASE("messages decide between suspicions, and people's words bring none in") {
  const auto named = [](const std::string& text) {
    const auto tables = parse_toml(text, "case");
    const auto machine = case_machine(*tables);
    REQUIRE(machine.has_value());
    const Context context{*machine, Database::embedded()};
    return diagnose(context, run_checks(context, all_checks(Database::embedded()))).root_causes;
  };
  SUBCASE("an integrated GPU is a suspicion that a crash makes a cause") {
    CHECK(named("base = \"igpu\"\n").empty());
    const auto causes = named(
        "base = \"igpu\"\n[log]\napp = \"llama_kv_cache: ROCm1 KV buffer\\nSegmentation fault\"\n");
    REQUIRE(!causes.empty());
    CHECK(causes.front().id == "igpu-enumerated-with-dgpu");
  }
  SUBCASE("a message without any other finding is not sure") {
    const auto causes = named(
        "[log]\napp = \"Memory access fault by GPU node-1 (Agent handle: 0x5581e8a3c2f0) on "
        "address "
        "0x7f2b4c000000. Reason: Page not present or supervisor privilege.\"\n");
    REQUIRE(!causes.empty());
    CHECK(causes.front().confidence < 0.8);
  }
  SUBCASE("a message without any finding does not tell anybody to open the machine") {
    for (const RootCause& cause : named("[log]\napp = \"HW Exception by GPU node-1 (Agent handle: "
                                        "0x55d0c1a2b3c0) reason :GPU Hang\"\n"))
      CHECK(cause.id != "gpu-hardware-fault");
  }
  SUBCASE("people's own words name nothing, raise nothing and replace nothing") {
    for (const char* text :
         {"training hangs as soon as I use two GPUs", "job 12 failed",
          "it got slow after an update",
          "the card is dead, gpu not detected after moving it to another slot",
          "secure boot is on and above 4g decoding is off", "my temperature is 100 C, overheat"}) {
      for (const char* base : {"desktop", "pair", "igpu", "hive"}) {
        const std::string which = std::string(base) + ": " + text;
        CAPTURE(which);
        const std::string healthy = "base = \"" + std::string(base) + "\"\n";
        CHECK(named(healthy).empty());
        // States that healthy machines have too (an integrated GPU, no ROCm at all) may be
        // suspicions then, and no more.
        const auto causes = named(healthy + "[log]\napp = \"" + text + "\"\n");
        CHECK(causes.size() <= 2);
        for (const RootCause& cause : causes) {
          CHECK(cause.severity == Verdict::warn);
          CHECK(cause.confidence < 0.5);
          CHECK(!Database::embedded().knowledge().cause(cause.id)->hardware());
        }
      }
    }
  }
  SUBCASE("people's words weigh among the causes that a message has") {
    const std::string message = "base = \"pair\"\n[log]\napp = \"unhandled cuda error";
    const auto share = [](const std::vector<RootCause>& causes, std::string_view id) {
      for (const RootCause& cause : causes) {
        if (cause.id == id) return cause.confidence;
      }
      return 0.0;
    };
    CHECK(share(named(message + "\\nwith NCCL_P2P_DISABLE=1 it runs\"\n"), "p2p-broken") >
          share(named(message + "\"\n"), "p2p-broken"));
  }
  SUBCASE("a node that is closed comes behind what was told, unless it is told of") {
    const std::string closed =
        "base = \"desktop\"\n[devices]\n\"/dev/kfd\" = \"0660 0 992 EACCES\"\n"
        "[files]\n\"/opt/rocm-6.2.0/.info/version\" = \"6.2.0-66\"\n[log]\napp = \"";
    const auto installing = named(closed +
                                  "E: The repository 'https://repo.radeon.com/rocm/apt/9.9 jammy "
                                  "Release' does not have a Release file.\"\n");
    REQUIRE(installing.size() >= 2);
    CHECK(installing.front().id != "user-not-in-render-group");
    CHECK(std::ranges::count(installing, "user-not-in-render-group", &RootCause::id) == 1);
    const auto opening =
        named(closed + "Unable to open /dev/kfd read-write: Permission denied\"\n");
    REQUIRE(!opening.empty());
    CHECK(opening.front().id == "user-not-in-render-group");
  }
  SUBCASE("the likeliest cause of a missing node has it, not the symptom") {
    const auto causes = named(
        "remove = [\"/sys/class/kfd/kfd/topology/nodes/1\"]\n[files]\n"
        "\"/sys/devices/pci0000:00/0000:03:00.0/device\" = \"0x67df\\n\"\n");
    REQUIRE(!causes.empty());
    CHECK(causes.front().id == "pcie-atomics-unsupported");
  }
  SUBCASE("a cause swallows its consequences, and explains the finding that tells of its line") {
    const auto causes = named(
        "remove = [\"/sys/class/kfd/kfd/topology/nodes/1\"]\n[commands]\ndmesg = \"[ 3.7] kfd kfd: "
        "amdgpu: "
        "skipped device 1002:67df, PCI rejects atomics 730<0\"\n");
    REQUIRE(!causes.empty());
    CHECK(causes.front().id == "pcie-atomics-unsupported");
    CHECK(std::ranges::count(causes.front().explains, "gpu-initialisation-failed") == 1);
    for (const RootCause& cause : causes) CHECK(cause.id != "gpu-node-absent-from-kfd-topology");
  }
}

}  // namespace rocvet

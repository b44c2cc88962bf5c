#include <doctest/doctest.h>

#include <algorithm>

#include "db/advise.h"
#include "db/database.h"
#include "db/names.h"

using namespace rocvet;

namespace {

std::string verdict(const Question& question) {
  const auto answer = Database::embedded().ask(question);
  return answer ? std::string(to_string(answer->verdict)) : "error: " + answer.error().text();
}

bool has_issue(const Situation& situation, const std::string& topic, bool certain = true) {
  for (const auto& issue : Database::embedded().known_issues(situation)) {
    if (issue.topic == topic && issue.certain == certain) return true;
  }
  return false;
}

bool has_row(const Situation& situation, std::string_view id, bool certain = true) {
  for (const KnownIssue& issue : Database::embedded().known_issues(situation)) {
    if (issue.id == id && issue.certain == certain) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("gpu × rocm: what AMD published") {
  CHECK(verdict({.gpu = "Instinct MI300X", .rocm = "6.2.4"}) == "supported");
  CHECK(verdict({.gpu = "MI50", .rocm = "6.1"}) == "deprecated");
  CHECK(verdict({.gpu = "MI50", .rocm = "7.0"}) == "unsupported");
  CHECK(verdict({.gpu = "MI50", .rocm = "5.7.1"}) == "supported");
  CHECK(verdict({.gpu = "gfx906", .rocm = "7.0.1"}) == "enabled");
  CHECK(verdict({.gpu = "RX 6700 XT", .rocm = "6.2"}) == "unlisted");
  CHECK(verdict({.gpu = "RX 9070 XT", .rocm = "6.3"}) == "enabled");
  CHECK(verdict({.gpu = "RX 9070 XT", .rocm = "7.2"}) == "supported");
  CHECK(verdict({.gpu = "1002:744c rev c8", .rocm = "6.2"}) == "supported");
  CHECK(verdict({.gpu = "Ryzen AI Max+ 395", .rocm = "10.0"}) == "supported");
}

// What is expected stands in AMD's system requirements of these releases and their footnotes.
TEST_CASE("gpu × os: a system may be listed for some GPUs alone") {
  const auto on = [](const char* gpu, const char* os, const char* rocm, const char* kernel = "") {
    return verdict({.gpu = gpu, .rocm = rocm, .os = os, .kernel = kernel});
  };
  CHECK(on("Instinct MI300X", "Oracle Linux 8.9", "6.2.4") == "supported");
  CHECK(on("Instinct MI250", "Oracle Linux 8.9", "6.2.4") == "unsupported");
  CHECK(on("Radeon RX 7900 XTX", "ubuntu-22.04", "5.7.1") == "supported");
  CHECK(on("Radeon RX 7900 XTX", "rhel-9.2", "5.7.1") == "unsupported");
  CHECK(on("Instinct MI300X", "ubuntu-22.04.5", "6.2.4", "5.15.0-125-generic") == "supported");
  CHECK(on("Instinct MI300X", "ubuntu-22.04.5", "6.2.4", "6.8.0-45-generic") == "unsupported");
  CHECK(on("Instinct MI210", "ubuntu-22.04.5", "6.2.4", "6.8.0-45-generic") == "supported");
  CHECK(on("Radeon PRO V620", "rhel-9.6", "7.0.2") == "unsupported");
  CHECK(on("Radeon PRO W6800", "rhel-9.6", "7.0.2") == "supported");
  // A whole target is as good as its best product.
  CHECK(on("gfx942", "azurelinux 3.0", "7.0.2") == "supported");
  CHECK(on("gfx90a", "azurelinux 3.0", "7.0.2") == "unsupported");
  // Radeon wants the newer kernel of the same Ubuntu.
  CHECK(on("Radeon RX 9070 XT", "ubuntu-24.04", "10.1", "7.0.0-12-generic") == "supported");
  CHECK(on("Radeon RX 9070 XT", "ubuntu-24.04", "10.1", "6.8.0-45-generic") == "unsupported");
  CHECK(on("Instinct MI300X", "ubuntu-24.04", "10.1", "6.8.0-45-generic") == "supported");
  // A system that is given and not asked about decides only what depends on it.
  CHECK(verdict({.gpu = "gfx1100", .rocm = "6.2.4", .os = "arch", .system_is_given = true}) ==
        "supported");
  CHECK(verdict({.gpu = "MI250", .rocm = "6.2.4", .os = "oracle 8.9", .system_is_given = true}) ==
        "unsupported");
  // What no GPU is supported on is not listed; that is not the GPU's doing.
  CHECK(on("Radeon RX 7900 XTX", "arch", "6.2.4") == "unlisted");
}

TEST_CASE("what an answer depends on and was not said is a condition") {
  const auto conditions = [](const Question& question) {
    const auto answer = Database::embedded().ask(question);
    REQUIRE(answer.has_value());
    CHECK(answer->verdict == Support::supported);
    std::string all;
    for (const std::string& each : answer->conditions) all += each + "\n";
    return all;
  };
  CHECK(conditions({.gpu = "Radeon PRO V620", .rocm = "7.0.2"}).find("Ubuntu 24.04.3") !=
        std::string::npos);
  CHECK(conditions({.rocm = "6.2.4", .os = "Oracle Linux 8.9"}).find("Instinct MI300X") !=
        std::string::npos);
  CHECK(conditions({.rocm = "10.1", .driver = "31.40.1"}).find("instinct") != std::string::npos);
}

TEST_CASE("driver × gpu: ROCm 10.1 lists older drivers for Instinct alone, and none for a Ryzen") {
  const auto with = [](const char* gpu, const char* driver) {
    return verdict({.gpu = gpu, .rocm = "10.1.0", .driver = driver});
  };
  CHECK(with("Instinct MI300X", "31.60.0") == "supported");
  CHECK(with("Instinct MI300X", "30.10.2") == "supported");
  CHECK(with("Instinct MI300X", "30.10.1") == "unlisted");
  CHECK(with("Radeon RX 9070 XT", "31.50.0") == "supported");
  CHECK(with("Radeon RX 9070 XT", "31.40.1") == "unlisted");
  CHECK(with("Ryzen AI Max+ 395", "31.60.0") == "unlisted");
}

TEST_CASE("a patch release that the database has not heard of is like the one before it") {
  CHECK(verdict({.gpu = "RX 7900 XTX", .rocm = "6.4.9"}) == "supported");
  // As people write them.
  for (const char* name : {"rx7900xtx", "7900xtx", "RX7900 XTX"})
    CHECK(verdict({.gpu = name, .rocm = "6.4.9"}) == "supported");
  CHECK(verdict({.gpu = "Strix Halo", .rocm = "6.2"}) ==
        verdict({.gpu = "gfx1151", .rocm = "6.2"}));
  const auto answer = Database::embedded().ask({.gpu = "RX 7900 XTX", .rocm = "6.4.9"});
  REQUIRE(answer);
  REQUIRE(!answer->conditions.empty());
  CHECK(answer->conditions[0].find("6.4.3") != std::string::npos);
}

TEST_CASE("a release newer than the database is unknown, with the database's date") {
  const auto answer = Database::embedded().ask({.gpu = "MI300X", .rocm = "11.0"});
  REQUIRE(answer);
  CHECK(answer->verdict == Support::unknown);
  CHECK(answer->because.find(Database::embedded().version()) != std::string::npos);
  CHECK(verdict({.gpu = "MI300X", .rocm = "6.9"}) == "unlisted");  // there was none
}

TEST_CASE(
    "a release older than what the tables begin with is unknown, one that never was is unlisted") {
  const auto old = Database::embedded().ask({.gpu = "Instinct MI100", .rocm = "4.3.0"});
  REQUIRE(old);
  CHECK(old->verdict == Support::unknown);
  CHECK(old->because == "ROCm 4.3.0 is older than what the tables begin with");
  CHECK(verdict({.gpu = "Instinct MI100", .rocm = "5.9.0"}) == "unlisted");
}

TEST_CASE("a name that fits several targets asks back with the candidates") {
  CHECK(verdict({.gpu = "Radeon R7 Graphics", .rocm = "6.2"}).find("say which") !=
        std::string::npos);
  CHECK(verdict({.gpu = "RX 7900 XTZ", .rocm = "6.2"}).find("did you mean") != std::string::npos);
  CHECK(verdict({.gpu = "MI300X", .rocm = "six"}).find("not a version") != std::string::npos);
}

TEST_CASE("os × rocm: point releases, service packs, series and kernels") {
  CHECK(verdict({.rocm = "6.2.4", .os = "ubuntu-24.04"}) == "supported");
  CHECK(verdict({.rocm = "7.0.0", .os = "Ubuntu 24.04.2"}) == "unlisted");
  CHECK(verdict({.rocm = "7.0.0", .os = "Ubuntu 24.04.3"}) == "supported");
  CHECK(verdict({.rocm = "6.2", .os = "SLES 15 SP6"}) == "supported");
  CHECK(verdict({.rocm = "6.2", .os = "sles-15.6"}) == "supported");
  CHECK(verdict({.rocm = "6.4.0", .os = "RHEL 9.6"}) == "unlisted");
  CHECK(verdict({.rocm = "6.4.1", .os = "RHEL 9.6"}) == "supported");
  CHECK(verdict({.rocm = "7.0", .os = "debian 12.8"}) == "supported");
  CHECK(verdict({.rocm = "5.5.1", .os = "RHEL 9.0"}) == "unsupported");
  CHECK(verdict({.rocm = "6.2.4", .os = "fedora 41"}) == "unlisted");
  CHECK(verdict({.rocm = "6.2.4", .os = "ubuntu-24.04", .kernel = "6.8.0-45-generic"}) ==
        "supported");
  CHECK(verdict({.rocm = "6.2.4", .os = "ubuntu-24.04", .kernel = "6.17.0-5-generic"}) ==
        "unlisted");
  CHECK(verdict({.rocm = "6.2", .os = "ubunut-24.04"}).find("did you mean") != std::string::npos);
}

TEST_CASE("gpu × kernel: the kernel's own driver, unless AMD's takes its place") {
  CHECK(verdict({.gpu = "gfx1151", .kernel = "6.8.0"}) == "unsupported");
  CHECK(verdict({.gpu = "MI300X", .kernel = "5.15.0-131-generic"}) == "unsupported");
  const Question listed{
      .gpu = "MI300X", .rocm = "6.4.1", .os = "ubuntu-22.04", .kernel = "5.15.0-131-generic"};
  const auto answer = Database::embedded().ask(listed);
  REQUIRE(answer);
  CHECK(answer->verdict == Support::supported);  // AMD lists this kernel, for its own driver
  REQUIRE(!answer->conditions.empty());
  CHECK(answer->conditions.back().find("amdgpu-dkms") != std::string::npos);
  // No driver of AMD's is published for APUs.
  CHECK(verdict({.gpu = "gfx1151", .rocm = "7.2.1", .os = "ubuntu-24.04", .kernel = "6.8.0-45"}) ==
        "unsupported");
}

TEST_CASE("driver × rocm: releases and module versions") {
  CHECK(verdict({.rocm = "6.3.1", .driver = "6.3.x"}) == "supported");
  CHECK(verdict({.rocm = "6.3.1", .driver = "6.10.5"}) == "supported");
  CHECK(verdict({.rocm = "7.2.1", .driver = "6.2.x"}) == "unlisted");
  CHECK(verdict({.rocm = "7.2.1", .driver = "30.30.1"}) == "supported");
  CHECK(verdict({.rocm = "5.7", .driver = "6.3.x"}) == "unlisted");
}

TEST_CASE("framework × rocm, and what its wheels hold") {
  CHECK(verdict({.rocm = "6.4.2", .framework = "pytorch=2.6"}) == "supported");
  CHECK(verdict({.rocm = "6.4.2", .framework = "torch=2.6.0"}) == "supported");
  CHECK(verdict({.rocm = "6.4.2", .framework = "pytorch=1.9"}) == "unlisted");
  CHECK(verdict({.rocm = "6.2", .framework = "pytroch=2.3"}).find("did you mean 'pytorch'") !=
        std::string::npos);
  const auto answer =
      Database::embedded().ask({.gpu = "gfx1031", .rocm = "6.1", .framework = "pytorch=2.4"});
  REQUIRE(answer);
  bool wheel = false;
  for (const auto& fact : answer->facts)
    wheel |= fact.subject == "wheel × gpu" && fact.verdict == Support::unsupported;
  CHECK(wheel);
}

TEST_CASE("every fact has a source and a date") {
  for (const Question& question : {Question{.gpu = "gfx942"},
                                   Question{.gpu = "MI300X",
                                   .rocm = "6.2",
                                   .os = "rhel 9.4",
                                   .driver = "6.2",
                                   .framework = "jax=0.4.26"},
                                   Question{.gpu = "RX 580", .rocm = "6.2"},
                                   Question{.rocm = "6.2"}, Question{.os = "ubuntu-22.04"}}) {
    const auto answer = Database::embedded().ask(question);
    REQUIRE(answer);
    CHECK(!answer->facts.empty());
    for (const auto& fact : answer->facts) {
      CAPTURE(fact.because);
      CHECK(!fact.source.empty());
      CHECK(!fact.checked.empty());
    }
  }
  CHECK(!Database::embedded().ask({}));
}

TEST_CASE("known issues: a driver that does not build on a kernel") {
  CHECK(has_issue({.kernel = "6.14.0-24-generic",
                   .dkms_driver = "6.12.12",
                   .dkms_package = "1:6.12.12.60401-2164967.24.04"},
                  "dkms-build"));
  CHECK(!has_issue({.kernel = "6.14.0-24-generic",
                    .dkms_driver = "6.12.12",
                    .dkms_package = "1:6.12.12.60402-2187269.24.04"},
                   "dkms-build"));
  CHECK(
      has_issue({.kernel = "7.0.0-22-generic", .dkms_package = "1:6.16.13.30300400-2341068.24.04"},
                "dkms-build"));
  CHECK(has_issue({.kernel = "6.8.0-45-generic", .dkms_package = "1:6.8.5.60200-2009582.24.04"},
                  "dkms-build"));
  CHECK(!has_issue({.kernel = "6.8.0-41-generic", .dkms_package = "1:6.8.5.60200-2009582.24.04"},
                   "dkms-build"));
  CHECK(!has_issue({.kernel = "6.8.0-45-generic"}, "dkms-build"));  // the kernel's own driver
}

// First releases as AMD announced them: MI350 with 7.0, MI300 with 6.0 (built for in 5.7), RDNA4
// with 6.4.1 (built for in 6.3).
TEST_CASE("the release that a GPU needs at least") {
  const Database& db = Database::embedded();
  const auto needed = [&](const char* gfx, const char* rocm) {
    return db.rocm_needed_for(gfx, rocm);
  };
  CHECK(needed("gfx950", "6.2.4") == "7.0.0");
  CHECK(needed("gfx950", "6.4.3") == "7.0.0");
  CHECK(needed("gfx950", "7.0") == "");
  CHECK(needed("gfx950", "7.0.0") == "");
  CHECK(needed("gfx950", "7.2.1") == "");
  CHECK(needed("gfx942", "6.2.4") == "");
  CHECK(needed("gfx942", "5.6.0").rfind("5.7", 0) == 0);
  CHECK(needed("gfx1201", "6.2.4").rfind("6.3", 0) == 0);
  CHECK(needed("gfx1201", "6.4.1") == "");
  CHECK(needed("gfx1201", "6.4.0") == "");  // not listed there; rocBLAS is built for it
  CHECK(needed("gfx1100", "5.3").rfind("5.4", 0) == 0);
  CHECK(needed("gfx1100", "6.2") == "");
  // An older part of a generation that the release knows is left out, not too new for it.
  CHECK(needed("gfx90c", "6.4.3") == "");
  // Dropped is not too new, and silence denies nothing.
  CHECK(needed("gfx803", "6.2.4") == "");
  CHECK(needed("gfx1100", "3.0") == "");
  CHECK(needed("gfx9999", "6.2.4") == "");
  CHECK(needed("gfx950", "") == "");
  CHECK(needed("gfx950", "x") == "");
}

TEST_CASE("known issues: kernels, firmware, overrides, dropped targets") {
  CHECK(has_issue({.gfx = "gfx1201", .kernel = "6.8.0-45-generic"}, "kernel-min"));
  CHECK(!has_issue({.gfx = "gfx1201", .kernel = "6.14.0-24-generic"}, "kernel-min"));
  CHECK(!has_issue({.gfx = "gfx1201", .kernel = "6.8.0-45-generic", .dkms_driver = "6.12.12"},
                   "kernel-min"));
  CHECK(has_issue({.gfx = "gfx1151", .linux_firmware = "20251125-1.fc43"}, "firmware-bad"));
  CHECK(!has_issue({.gfx = "gfx1151", .linux_firmware = "20260110-1.fc43"}, "firmware-bad"));
  CHECK(has_issue({.gfx = "gfx1151", .firmware = {{"mes", "0x00000083"}}}, "firmware-bad"));
  // What is installed and not loaded yet is loaded with the next initial RAM disk.
  CHECK(has_issue(
      {.gfx = "gfx1151", .linux_firmware = "20251125", .firmware = {{"mes", "0x00000080"}}},
      "firmware-bad"));
  CHECK(!has_issue(
      {.gfx = "gfx1151", .linux_firmware = "20260110", .firmware = {{"mes", "0x00000080"}}},
      "firmware-bad"));
  CHECK(has_issue({.gfx = "gfx1151"}, "firmware-bad", false));  // not known: never absent
  CHECK(has_issue({.gfx = "gfx1031", .rocm = "6.2"}, "override-works"));
  CHECK(has_issue({.gfx = "gfx1103", .rocm = "7.2", .gfx_override = "11.0.0"}, "override-harms"));
  CHECK(!has_issue({.gfx = "gfx1103", .rocm = "7.2"}, "override-harms"));
  CHECK(has_issue({.gfx = "gfx803", .rocm = "6.2"}, "gfx-dropped"));
  CHECK(!has_issue({.gfx = "gfx1100", .rocm = "6.2"}, "gfx-dropped"));
  CHECK(has_issue({.rocm = "6.4.0", .wsl = true}, "wsl-unsupported"));
  CHECK(!has_issue({.rocm = "6.4.0"}, "wsl-unsupported"));
  CHECK(Database::embedded().last_rocm_for("gfx1100") == "");
  CHECK(Database::embedded().last_rocm_for("gfx803").rfind("4.5", 0) == 0);
  // That a later release builds a target without promise is no support.
  CHECK(Database::embedded().last_rocm_for("gfx900").rfind("4.5", 0) == 0);
  CHECK(Database::embedded().last_rocm_for("gfx906").rfind("6.3", 0) == 0);
}

// 6.12.21 has "drm/amdkfd: Fix user queue validation on Gfx7/8" (stable review of 2025-03-25).
TEST_CASE("known issues: defects of a kernel's own driver, by the numbers of the stable tree") {
  const auto listed = [](const std::string& kernel, bool certain = true) {
    return has_row({.gfx = "gfx803", .kernel = kernel}, "K-GFX8-QUEUE-6.12.21", certain);
  };
  CHECK(listed("6.12.20-arch1-1"));
  CHECK(!listed("6.12.21-arch1-1"));
  CHECK(listed("6.12.9-200.fc41.x86_64"));
  CHECK(!listed("6.11.11-arch1-1"));
  // Nobody can tell which fixes are in these.
  CHECK(!listed("6.12.0-15-generic"));
  CHECK(listed("6.12.0-15-generic", false));
  CHECK(!listed("6.12.0-55.9.1.el10_0.x86_64"));
  CHECK(listed("6.12.0-55.9.1.el10_0.x86_64", false));
  // The whole series has it.
  CHECK(has_row({.gfx = "gfx1100", .kernel = "6.18.0-5-generic"}, "K-RDNA3-6.18"));
  CHECK(!has_row({.gfx = "gfx1100", .kernel = "6.17.0-8-generic"}, "K-RDNA3-6.18"));
  // Another driver than the kernel's.
  CHECK(!has_issue({.gfx = "gfx803", .kernel = "6.12.20-arch1-1", .dkms_driver = "6.3.6"},
                   "kernel-bad"));
  CHECK(!has_issue({.gfx = "gfx1100", .kernel = "6.18.5-WSL2", .wsl = true}, "kernel-bad"));
}

TEST_CASE("known issues: defects of a framework") {
  const auto listed = [](std::map<std::string, std::string> frameworks) {
    return has_row({.gfx = "gfx900", .frameworks = std::move(frameworks)}, "R7.x-GFX900-TENSILE");
  };
  CHECK(listed({{"torch", "2.12.0+rocm7.2"}}));
  CHECK(!listed({{"torch", "2.11.0+rocm7.2"}}));
  CHECK(!listed({{"vllm", "2.12.0"}}));
  CHECK(!listed({}));
}

TEST_CASE("advise: the newest stack, one elsewhere, one that is not official, none") {
  const Database& db = Database::embedded();
  const auto listed = advise(db, {.gpu = "RX 7900 XTX",
                                  .os = "ubuntu-22.04",
                                  .installed = "6.2.0",
                                  .kernel = "5.15.0-91-generic"});
  REQUIRE(listed);
  CHECK(!listed->newest.rocm.empty());
  CHECK(listed->nearest.rocm.rfind("6.2", 0) == 0);
  CHECK(listed->kept.rocm == "6.2.0");
  bool commands = false;
  const auto bare = advise(db, {.gpu = "RX 7900 XTX", .os = "ubuntu-22.04"});
  REQUIRE(bare);
  for (const auto& step : bare->steps) {
    for (const Step& step_command : step.commands) {
      const std::string& command = step_command.text();
      CHECK(command.find('{') == command.find("{{"));  // every word in braces was filled in
      commands |= command.find("apt install") != std::string::npos;
    }
  }
  CHECK(commands);
  // The release that os-release names is a text of the machine.
  const auto hostile = advise(db, {.gpu = "RX 7900 XTX", .os = "rhel-9.4';touch${IFS}x;'"});
  for (const auto& step : hostile ? hostile->steps : std::vector<AdviceStep>{}) {
    for (const Step& command : step.commands)
      CHECK(command.text().find("touch") == std::string::npos);
  }
  const auto elsewhere = advise(db, {.gpu = "RX 7900 XTX", .os = "debian-12"});
  REQUIRE(elsewhere);
  const auto fedora = advise(db, {.gpu = "MI300X", .os = "fedora-41"});
  REQUIRE(fedora);
  CHECK(fedora->newest.rocm.empty());
  CHECK(!fedora->elsewhere.rocm.empty());
  const auto unofficial = advise(db, {.gpu = "RX 6700 XT", .os = "ubuntu-24.04"});
  REQUIRE(unofficial);
  CHECK(unofficial->newest.rocm.empty());
  CHECK(!unofficial->unofficial.rocm.empty());
  const auto none = advise(db, {.gpu = "gfx601", .os = "ubuntu-24.04"});
  REQUIRE(none);
  CHECK(none->steps.empty());
  CHECK(none->summary.find("none is known to work") != std::string::npos);
  CHECK(!advise(db, {.gpu = ""}));
  CHECK(!advise(db, {.gpu = "no such card"}));
}

TEST_CASE("names of systems and kernels") {
  CHECK(db::parse_os("Oracle Linux 8.9")->id == "oracle");
  CHECK(db::parse_os("ol9")->version == "9");
  CHECK(db::parse_os("SLES 15 SP6")->version == "15.6");
  CHECK(db::parse_os("Ubuntu 24.04.3 (Ryzen)")->variant == "ryzen");
  CHECK(db::parse_os("noble")->version == "24.04");
  CHECK(!db::parse_os("beos 5"));
  CHECK(db::kernel_matches("5.15 [GA]", "5.15.0-91-generic").value());
  CHECK(!db::kernel_matches("6.5 [HWE]", "6.8.0-45").value());
  CHECK(!db::kernel_matches("UEK 8.1", "6.12.0").has_value());
  CHECK(db::kernel_version("6.14.0-1018-oem")->text() == "6.14.0.1018");
}

TEST_CASE("which kernel's KFD knows which chip") {
  const auto too_old = [](const Situation& situation) {
    const std::string id = "kernel-" + situation.gfx + "-driver";
    const auto issues = Database::embedded().known_issues(situation);
    return std::any_of(issues.begin(), issues.end(),
                       [&](const KnownIssue& issue) { return issue.id == id; });
  };
  // Polaris 10 and Polaris 12 are one target and not of one age.
  const Situation polaris10{.gfx = "gfx803", .device = "1002:67df", .kernel = "4.19.0-27-amd64"};
  const Situation polaris12{.gfx = "gfx803", .device = "1002:699f", .kernel = "4.19.0-27-amd64"};
  CHECK_FALSE(too_old(polaris10));
  CHECK(too_old(polaris12));
  Situation newer = polaris12;
  newer.kernel = "5.10.0-28-amd64";
  CHECK_FALSE(too_old(newer));
  // The number of an enterprise kernel says nothing of its drivers.
  const std::string enterprise[] = {"4.18.0-553.el8_10.x86_64", "4.12.14-150100.197.148-default"};
  for (const std::string& kernel : enterprise) {
    CAPTURE(kernel);
    CHECK_FALSE(too_old({.gfx = "gfx1030", .kernel = kernel}));
  }
  CHECK(too_old({.gfx = "gfx1030", .kernel = "4.18.0-25-generic"}));
}

// amdgpu_drv.c of drm_v5.9 to drm_v5.15 (freebsd/drm-kmod): W6800 (1002:73a3) from 5.9 on, V620
// (1002:73a1) from 5.12, RX 6950 XT (1002:73a5) from 5.15.
TEST_CASE("a kernel's list of chips: what is said of some is not said of their target") {
  const auto facts = [](const char* gpu, const char* kernel) {
    const auto answer = Database::embedded().ask({.gpu = gpu, .kernel = kernel});
    std::string found;
    for (const Fact& fact : answer->facts) found += fact.because + "\n";
    return found;
  };
  CHECK(verdict({.gpu = "Radeon PRO W6800", .kernel = "5.11.0"}) == "supported");
  CHECK(facts("Radeon PRO W6800", "5.11.0").find("too old") == std::string::npos);
  CHECK(verdict({.gpu = "Radeon RX 6950 XT", .kernel = "5.14.0"}) == "unsupported");
  CHECK(verdict({.gpu = "gfx1030", .kernel = "5.11.0"}) != "unsupported");
  CHECK(facts("gfx1030", "5.11.0").find("too old for some of its chips") != std::string::npos);
  CHECK(facts("gfx1030", "5.15.0").find("too old") == std::string::npos);
}

TEST_CASE("ROCm 10.1 and its driver, and a GPU older or newer than a release") {
  // ROCm/rocm-docs: os-support.yaml, driver-firmware-support.yaml of 10.1.0.
  CHECK(verdict({.gpu = "MI300X", .rocm = "10.1.0", .os = "ubuntu-24.04", .driver = "31.60.0"}) ==
        "supported");
  CHECK(verdict({.gpu = "MI300X", .rocm = "10.1.0", .os = "ubuntu-20.04"}) == "unlisted");
  CHECK(verdict({.gpu = "MI300X", .rocm = "10.1.0", .driver = "6.4"}) == "unlisted");
  // gfx950 came with 7.0.
  CHECK(verdict({.gpu = "MI355X", .rocm = "6.2.4"}) == "unlisted");
  CHECK(verdict({.gpu = "MI355X", .rocm = "7.0.0"}) == "supported");
}

TEST_CASE("python: which wheels are published for it") {
  // ROCm/rocm-docs, ai-ecosystem.rst of 10.1.0: JAX 0.11.1 for Python 3.14, 3.13 and 3.12.
  CHECK(verdict({.rocm = "10.1.0", .framework = "jax=0.11.1", .python = "3.11"}) == "unsupported");
  CHECK(verdict({.rocm = "10.1.0", .framework = "jax=0.11.1", .python = "3.12"}) == "supported");
  CHECK(verdict({.rocm = "10.1.0", .framework = "jax=0.11.1", .python = "3.14.2"}) == "supported");
  // vLLM's installation page: wheels for ROCm for Python 3.12 alone.
  CHECK(verdict({.framework = "vllm=0.18.0", .python = "3.11"}) == "unsupported");
  // Nothing is published of Pythons for it.
  CHECK(verdict({.rocm = "6.4.1", .framework = "ray", .python = "3.12"}) == "unlisted");
}

TEST_CASE("platform: guests of a hypervisor, and WSL") {
  // ROCm/rocm-docs, os-support.yaml and virtualization-support.yaml of 10.1.0.
  const auto in = [](const char* gpu, const char* platform, const char* os) {
    return verdict({.gpu = gpu, .rocm = "10.1.0", .os = os, .platform = platform});
  };
  CHECK(in("RX 7800 XT", "wsl", "ubuntu-24.04") == "supported");
  CHECK(in("RX 7700 XT", "wsl", "ubuntu-24.04") == "unlisted");
  CHECK(in("MI355X", "kvm-sr-iov", "rhel-9.6") == "supported");
  CHECK(in("MI355X", "kvm-passthrough", "rhel-9.6") == "unlisted");
  CHECK(in("MI350P", "esxi", "ubuntu-24.04") == "supported");
  CHECK(in("MI355X", "bare-metal", "rhel-9.6") == "supported");
  // Without a system the answer depends on it.
  const auto answer =
      Database::embedded().ask({.gpu = "MI355X", .rocm = "10.1.0", .platform = "kvm"});
  REQUIRE(answer);
  CHECK(std::ranges::any_of(answer->conditions, [](const std::string& condition) {
    return condition.find("say --os") != std::string::npos;
  }));
}

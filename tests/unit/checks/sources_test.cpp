// ROCr, HIP and the SMI libraries laid beside KFD on recorded machines: partitions, many cards.
#include <doctest/doctest.h>

#include <filesystem>

#include "case_machine.h"
#include "checks/check.h"
#include "checks/facts/accounts.h"
#include "checks/facts/gpus.h"
#include "checks/row_check.h"
#include "diagnosis/diagnosis.h"

namespace rocvet {
namespace {

const std::string kCaptures = ROCVET_SHARED_DIR "/captures/";

Machine recorded(const std::string& name) {
  auto source = snapshot_source(kCaptures + name);
  REQUIRE_MESSAGE(source.has_value(), (source ? "" : source.error().text()));
  Machine machine = read_machine(**source);
  identify_gpus(machine, Database::embedded());
  return machine;
}

DeepProbe asked(const std::string& id) {
  DeepProbe probe{.id = id, .outcome = DeepProbe::Outcome::works};
  return probe;
}

/// What a healthy ROCr, HIP and AMD SMI tell of this machine.
Deep healthy(const Machine& machine) {
  DeepProbe hsa = asked("hsa"), hip = asked("hip"), smi = asked("amd-smi");
  for (const Gpu* gpu : kfd_gpus(machine)) {
    DeepDevice device{.index = static_cast<int>(hsa.devices.size()), .gfx = gpu->gfx.optional()};
    device.bdf = gpu->bdf.optional();
    device.kfd_node = gpu->kfd_node.optional();
    hsa.devices.push_back(device);
    device.kfd_node.reset();
    if (device.bdf) device.bdf->back() = '0';  // HIP has no function for a partition
    hip.devices.push_back(device);
    device.gfx.reset();
    smi.devices.push_back(device);
  }
  return {{hsa, hip, smi}};
}

std::vector<std::string> complaints(const Machine& machine) {
  std::vector<std::string> found;
  const Context context{machine, Database::embedded()};
  for (const char* id : {"runtime-sees-other-gpus", "smi-sees-other-gpus", "gfx-target-disagrees",
                         "kernel-lists-disagree", "library-fails-when-run"}) {
    const auto checks = select_checks({{id}, {}}, Database::embedded());
    REQUIRE(checks);
    for (const Finding& finding : findings_of(context, *checks->front())) {
      if (finding.verdict == Verdict::fail || finding.verdict == Verdict::warn)
        found.push_back(std::string(id) + ": " + finding.summary);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a runtime that tells what KFD tells raises nothing, partitioned or not" *
          doctest::skip(!std::filesystem::exists(kCaptures))) {
  int machines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kCaptures)) {
    if (!entry.is_directory()) continue;
    CAPTURE(entry.path().string());
    Machine machine = recorded(entry.path().filename().string());
    CHECK(complaints(machine).empty());
    if (kfd_gpus(machine).empty()) continue;
    ++machines;
    machine.deep = healthy(machine);
    const auto found = complaints(machine);
    CAPTURE((found.empty() ? "" : found.front()));
    CHECK(found.empty());
  }
  CHECK(machines >= 15);
}

TEST_CASE("one partition that ROCr does not list is missed by its node" *
          doctest::skip(!std::filesystem::exists(kCaptures))) {
  Machine machine = recorded("mi300x-8gpu-cpx__k8s-device-plugin");
  machine.deep = healthy(machine);
  const std::size_t all = kfd_gpus(machine).size();
  REQUIRE(all > 32);
  const int lost = *machine.deep->probes[0].devices[17].kfd_node;
  machine.deep->probes[0].devices.erase(machine.deep->probes[0].devices.begin() + 17);
  const auto hsa = hsa_account(machine);
  REQUIRE(hsa);
  const auto kfd = kfd_account(machine);
  const auto missing = not_in(kfd, *hsa);
  REQUIRE(missing.size() == 1);
  CHECK(missing[0]->node == lost);
  const auto found = complaints(machine);
  REQUIRE(!found.empty());
  CHECK(found.front().find("lacks 1 of the GPUs that KFD's topology offers") != std::string::npos);
}

TEST_CASE("the variables explain as many GPUs as they hide, and no more" *
          doctest::skip(!std::filesystem::exists(kCaptures))) {
  Machine machine = recorded("mi300x-8gpu-cpx__k8s-device-plugin");
  machine.deep = healthy(machine);
  for (DeepProbe& probe : machine.deep->probes) {
    if (probe.id != "amd-smi") probe.devices.resize(4);
  }
  CHECK_FALSE(complaints(machine).empty());
  machine.process.environment =
      std::map<std::string, std::string>{{"ROCR_VISIBLE_DEVICES", "0,1,2,3"}};
  CHECK(complaints(machine).empty());
  machine.process.environment =
      std::map<std::string, std::string>{{"ROCR_VISIBLE_DEVICES", "0,1,2,3,4"}};
  CHECK_FALSE(complaints(machine).empty());
}

/// The confidence in a cause on a case machine; 0 when it is not named.
double confidence(const std::string& tables, const std::string& cause) {
  const auto parsed = parse_toml(tables, "test");
  REQUIRE(parsed);
  const auto machine = case_machine(*parsed);
  REQUIRE(machine);
  const Context context{*machine, Database::embedded()};
  for (const RootCause& root :
       diagnose(context, run_checks(context, all_checks(Database::embedded()))).root_causes) {
    if (root.id == cause) return root.confidence;
  }
  return 0;
}

TEST_CASE("what the libraries answered weighs in the diagnosis") {
  const std::string deep = "[commands]\ndeep = '{\"schema\":\"rocvet.deep/1\",\"probes\":[";
  const auto none = [](const std::string& cause) {
    return confidence("base = \"desktop\"\n", cause);
  };

  SUBCASE("a library that torch cannot open is a library that is missing") {
    const std::string torch =
        deep +
        "{\"id\":\"torch\",\"subject\":\"/home/ada/venv\",\"outcome\":\"refused\",\"call\":"
        "\"import torch\",\"status_name\":\"ImportError\",\"why\":\"librccl.so.1: cannot open "
        "shared object file: No such file or directory\"}]}'\n";
    CHECK(none("rocm-runtime-package-missing") == 0);
    CHECK(confidence("base = \"desktop\"\n" + torch, "rocm-runtime-package-missing") > 0.6);
  }
  SUBCASE("HIP that works on every GPU speaks against what would keep it from working") {
    const std::string closed =
        "base = \"desktop\"\n[devices]\n\"/dev/kfd\" = \"0660 0 992 EACCES\"\n"
        "[files]\n\"/opt/rocm-6.2.0/.info/version\" = \"6.2.0-66\"\n";
    const std::string works =
        deep +
        "{\"id\":\"hip\",\"outcome\":\"works\",\"devices\":[{\"index\":0,\"bdf\":"
        "\"0000:03:00.0\",\"gfx\":\"gfx1100\"}]}]}'\n";
    CHECK(confidence(closed, "user-not-in-render-group") > 0.6);
    CHECK(confidence(closed + works, "user-not-in-render-group") < 0.3);
  }
  SUBCASE("ROCr that may not open the node supports the cause that the node shows") {
    const std::string closed =
        "base = \"desktop\"\n[devices]\n\"/dev/kfd\" = \"0660 0 992 EACCES\"\n";
    const std::string refused =
        deep +
        "{\"id\":\"hsa\",\"outcome\":\"refused\",\"call\":\"hsa_init\",\"status\":4104,"
        "\"status_name\":\"HSA_STATUS_ERROR_OUT_OF_RESOURCES\"}]}'\n";
    CHECK(confidence(closed + refused, "user-not-in-render-group") >=
          confidence(closed, "user-not-in-render-group"));
    CHECK(confidence("base = \"none\"\n" + refused, "user-not-in-render-group") == 0);
  }
}

}  // namespace rocvet

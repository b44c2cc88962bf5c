// What befalls one GPU is weighed on that GPU.
#include <doctest/doctest.h>

#include "base/toml.h"
#include "checks/check.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/weigh.h"
#include "machine/machine.h"
#include "unit/checks/case_machine.h"

using namespace rocvet;

namespace {

constexpr char kOne[] = "0000:03:00.0", kTwo[] = "0000:83:00.0";

/// The level of gpu-hardware-fault, and the GPU that it is weighed on, where one card has an
/// uncorrectable error and one, the same or the other, does not end its work.
std::pair<double, std::string> hardware_fault(const std::string& faulty, const std::string& stuck) {
  const std::string log = "[    2.0] amdgpu " + faulty +
                          ": amdgpu: uncorrectable hardware error(ERREVENT_ATHUB_INTERRUPT) "
                          "detected!\n[   95.0] amdgpu " +
                          stuck +
                          ": amdgpu: ring gfx_0.0.0 timeout, signaled seq=5, emitted seq=7\n";
  const std::string text = "base = \"pair\"\n[commands]\ndmesg = '''" + log + "'''\n";
  const auto tables = parse_toml(text, "case");
  REQUIRE(tables.has_value());
  const auto machine = case_machine(*tables);
  REQUIRE(machine.has_value());
  const Context context{*machine, Database::embedded()};
  const Observations observations(context, run_checks(context, all_checks(context.db)));
  for (const Candidate& one :
       weigh(context.db.knowledge(), observations, impossible_causes(context, observations), {})) {
    if (one.cause->id == "gpu-hardware-fault") return {one.level, std::string(one.gpu)};
  }
  FAIL("no such cause");
  return {};
}

}  // namespace

TEST_CASE("signs of two GPUs do not add up to one broken GPU") {
  const auto [together, none] = hardware_fault(kTwo, kTwo);
  const auto [apart, gpu] = hardware_fault(kOne, kTwo);
  CHECK(none.empty());  // one GPU shows all of it: there is nothing to choose
  CHECK_FALSE(gpu.empty());
  CHECK(together > apart + 0.5);
}

TEST_CASE("what a cause brings about is not put down to one that nothing of its own speaks for") {
  const auto source = no_source();
  Machine machine = read_machine(*source, {});
  machine.app_log = std::string(
      "rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file "
      "or directory for GPU arch : gfx1103\n");
  const Context context{machine, Database::embedded()};
  const Diagnosis diagnosis = diagnose(context, run_checks(context, all_checks(context.db)));
  REQUIRE_FALSE(diagnosis.root_causes.empty());
  // An integrated GPU would bring it about too, but nobody has seen one.
  CHECK(diagnosis.root_causes.front().id == "gfx-not-in-rocblas");
}

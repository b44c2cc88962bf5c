// Checks that are rows: for each condition of each row a machine on which the fact has a bad value,
// and one on which it has a good one, made from what the row says.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/toml.h"
#include "case_machine.h"
#include "checks/facts/conditions.h"
#include "checks/facts/named_facts.h"
#include "checks/row_check.h"

namespace rocvet {
namespace {

/// Several equal data-centre cards with all that can be read of them; what conditions ask for and
/// such a machine is not, is changed by hand.
Machine machine_for(const CheckRow& row) {
  const auto asked = [&](std::string_view word) {
    return std::ranges::count(row.needs, word) + std::ranges::count(row.matters_if, word) > 0;
  };
  const std::string base = asked("!instinct") ? "desktop" : "hive";
  const auto tables = parse_toml("base = \"" + base + "\"\n", base);
  REQUIRE(tables.has_value());
  auto machine = case_machine(*tables);
  REQUIRE(machine.has_value());
  for (Gpu& gpu : machine->gpus) {
    if (asked("mi300a")) gpu.kind = GpuKind::apu;
    if (asked("!gpu-in-kfd")) gpu.kfd_node = missing("kfd");
    gpu.firmware = std::map<std::string, std::string>{{"mes", "0x10"}};
  }
  const Context context{*machine, Database::embedded()};
  for (const std::string_view word : row.needs) CHECK(condition(context, word) == Truth::yes);
  for (const std::string_view word : row.matters_if) CHECK(condition(context, word) == Truth::yes);
  return *machine;
}

void put(Machine& machine, const FactName& fact, const std::string& text) {
  const std::string name(fact.name);
  switch (fact.kind) {
    case FactKind::variable:
    case FactKind::variable_number:
      (*machine.process.environment)[name] = text;
      break;
    case FactKind::option:
      REQUIRE(machine.driver.amdgpu);
      machine.driver.amdgpu->options = OptionValues{{name, parse_option(text)}};
      break;
    case FactKind::argument:
      machine.kernel.arguments.emplace_back(name, text);
      break;
    case FactKind::sysctl:
      machine.kernel.sysctl[name] = text;
      break;
    case FactKind::setting:
      if (name == "transparent hugepages")
        machine.kernel.transparent_hugepages = text;
      else
        machine.kernel.settings[name] = text;
      break;
    case FactKind::cards:
      if (name == "firmware") {
        std::map<std::string, std::string> versions;
        if (const auto& known = machine.gpus.front().firmware) versions = *known;
        versions["mes"] = text;
        machine.gpus.front().firmware = std::move(versions);
      }
      if (name == "compute-units") machine.gpus.front().compute_units = 3;
      if (name == "memory") machine.gpus.front().vram_bytes = std::uint64_t{7} << 30;
      if (name == "compute-partition") machine.gpus.front().partition.compute = text;
      if (name == "memory-partition") machine.gpus.front().partition.memory = text;
      break;
    case FactKind::kernel_log:
      break;
  }
}

/// A value that the condition calls bad.
std::string bad_value(const BadValue& bad) {
  if (bad.no_number) return "several";
  if (bad.eq) return std::to_string(*bad.eq);
  if (bad.ne) return std::to_string(*bad.ne + 1);
  if (bad.lt) return std::to_string(*bad.lt - 1);
  if (bad.gt) return std::to_string(*bad.gt + 1);
  if (bad.bits_set) return std::to_string(*bad.bits_set);
  if (bad.bits_clear) return std::to_string(*bad.bits_clear & (*bad.bits_clear - 1));
  if (!bad.in.empty()) return std::string(bad.in.back());
  if (!bad.starts_with.empty()) return std::string(bad.starts_with.front()) + "x";
  return "unheard-of";
}

/// The nearest value that it does not; nullopt: not set.
std::optional<std::string> good_value(const BadValue& bad) {
  if (bad.set) return std::nullopt;
  if (bad.no_number) return "4";
  if (bad.eq) return std::to_string(*bad.eq + 1);
  if (bad.ne) return std::to_string(*bad.ne);
  if (bad.lt) return std::to_string(*bad.lt);
  if (bad.gt) return std::to_string(*bad.gt);
  if (bad.bits_set) return "0";
  if (bad.bits_clear) return std::to_string(*bad.bits_clear);
  if (!bad.not_in.empty()) return std::string(bad.not_in.front());
  if (bad.fact.type == FactType::odd) return std::nullopt;
  return "unheard-of";
}

/// Good values for all conditions.
Machine good_machine(const CheckRow& row) {
  Machine machine = machine_for(row);
  for (const BadValue& bad : row.bad) {
    const auto good = good_value(bad);
    if (good) put(machine, bad.fact, *good);
  }
  return machine;
}

std::vector<Finding> run(const Machine& machine, const CheckRow& row) {
  return run_row({machine, Database::embedded()}, row);
}

Verdict verdict_of(const CheckRow& row) {
  return row.verdict == "fail"   ? Verdict::fail
         : row.verdict == "warn" ? Verdict::warn
                                 : Verdict::pass;
}

bool compares(const CheckRow& row) {
  return row.bad.front().fact.type != FactType::events;
}

/// The row's verdict, its evidence, and what it sees; not the good sentence.
void check_raised(const std::vector<Finding>& findings, const CheckRow& row) {
  REQUIRE(!findings.empty());
  const Finding& finding = findings.front();
  CAPTURE(finding.summary);
  CHECK(finding.verdict == verdict_of(row));
  CHECK(!finding.evidence.empty());
  CHECK(finding.summary.find('{') == std::string::npos);
  CHECK(finding.seen.size() == (row.sees.empty() ? 0u : 1u));
  const bool mends = !row.remedy.empty() || !row.fix.empty();
  CHECK(finding.remedy.empty() != mends);
  for (const Step& step : finding.remedy.steps) {
    CAPTURE(step.text());
    CHECK(step.text().find('{') == std::string::npos);
    CHECK(!step.text().starts_with("# by hand"));
  }
}

const CheckRow& row_of(std::string_view id) {
  for (const CheckRow& row : Database::embedded().check_rows()) {
    if (row.id == id) return row;
  }
  FAIL("no row ", id);
  return Database::embedded().check_rows().front();
}

}  // namespace

TEST_CASE("each row passes where its facts have good values") {
  for (const CheckRow& row : Database::embedded().check_rows()) {
    if (!compares(row)) continue;
    CAPTURE(row.id);
    const auto findings = run(good_machine(row), row);
    REQUIRE(findings.size() == 1);
    CAPTURE(findings.front().summary);
    CHECK(findings.front().seen.empty());
    CHECK(findings.front().evidence.empty());
    // Where the machine has no such thing at all, or nothing to compare.
    const bool skips = findings.front().verdict == Verdict::skip;
    CHECK((findings.front().verdict == Verdict::pass || skips));
    if (skips) CHECK(row.bad.front().fact.type == FactType::odd);
  }
}

TEST_CASE("each condition of each row raises it where its fact has a bad value") {
  for (const CheckRow& row : Database::embedded().check_rows()) {
    if (!compares(row) || row.all) continue;
    for (const BadValue& bad : row.bad) {
      CAPTURE(row.id);
      CAPTURE(bad.fact.name);
      Machine machine = good_machine(row);
      put(machine, bad.fact, bad_value(bad));
      check_raised(run(machine, row), row);
    }
  }
}

TEST_CASE("a row that wants all of its conditions is raised by all of them and by no fewer") {
  std::size_t rows = 0;
  for (const CheckRow& row : Database::embedded().check_rows()) {
    if (!row.all) continue;
    CAPTURE(row.id);
    ++rows;
    Machine machine = good_machine(row);
    for (const BadValue& bad : row.bad) put(machine, bad.fact, bad_value(bad));
    check_raised(run(machine, row), row);
    for (const BadValue& bad : row.bad) {
      Machine one_good = machine;
      put(one_good, bad.fact, *good_value(bad));
      CHECK(run(one_good, row).front().verdict == Verdict::pass);
      CHECK(run(one_good, row).front().evidence.empty());
    }
  }
  CHECK(rows > 0);
}

TEST_CASE("a need that is not met is a skip that says so, and where it does not matter a pass") {
  const auto none = case_machine(*parse_toml("base = \"none\"\n", "none"));
  for (const CheckRow& row : Database::embedded().check_rows()) {
    if (std::ranges::count(row.needs, "amd-gpu") == 0) continue;
    CAPTURE(row.id);
    const auto findings = run(*none, row);
    CHECK(findings.front().verdict == Verdict::skip);
    CHECK(findings.front().summary == "there is no AMD GPU here");
  }
  const CheckRow& nomodeset = row_of("nomodeset");
  auto works = case_machine(*parse_toml("base = \"desktop\"\n", "desktop"));
  put(*works, nomodeset.bad.front().fact, "");
  const auto findings = run(*works, nomodeset);
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().verdict == Verdict::pass);
  CHECK(findings.front().summary.ends_with(", and KFD lists a GPU"));
}

TEST_CASE(
    "texts are compared with case unless the row says otherwise, and an empty one is not set") {
  auto machine = case_machine(*parse_toml("base = \"desktop\"\n", "desktop"));
  auto& environment = *machine->process.environment;
  environment["HIP_PLATFORM"] = "NVIDIA";  // hipcc compares as it stands
  CHECK(run(*machine, row_of("hip-platform-nvidia")).front().verdict == Verdict::pass);
  environment["OMP_TARGET_OFFLOAD"] = "Disabled";
  CHECK(run(*machine, row_of("told-to-use-cpu")).front().verdict == Verdict::warn);
  environment["ROCBLAS_LAYER"] = "";
  CHECK(run(*machine, row_of("library-logging-on")).front().verdict == Verdict::pass);
  environment["GGML_CUDA_ENABLE_UNIFIED_MEMORY"] = "";
  CHECK(run(*machine, row_of("unified-memory-on-card")).front().verdict == Verdict::warn);
}

TEST_CASE(
    "each bad value has a finding of its own where the sentence names it, else all share one") {
  auto machine = case_machine(*parse_toml("base = \"desktop\"\n", "desktop"));
  auto& environment = *machine->process.environment;
  environment["JAX_PLATFORMS"] = environment["VLLM_TARGET_DEVICE"] = "cpu";
  const auto each = run(*machine, row_of("told-to-use-cpu"));
  REQUIRE(each.size() == 2);
  CHECK(each[1].summary == "VLLM_TARGET_DEVICE=cpu: the GPU is not used on purpose");
  CHECK(texts(each[1].remedy.steps) == std::vector<std::string>{"unset VLLM_TARGET_DEVICE"});
  environment["ROCBLAS_LAYER"] = environment["TENSILE_DB"] = "2";
  const auto one = run(*machine, row_of("library-logging-on"));
  REQUIRE(one.size() == 1);
  CHECK(one[0].evidence == std::vector<std::string>{"ROCBLAS_LAYER=2", "TENSILE_DB=2"});
  CHECK(texts(one[0].remedy.steps) ==
        std::vector<std::string>{"unset ROCBLAS_LAYER", "unset TENSILE_DB"});
}

TEST_CASE("a fact that nobody could read is unknown, and one that the machine lacks a skip") {
  auto machine = case_machine(*parse_toml("base = \"hive\"\n", "hive"));
  const Error denied{Error::Kind::denied, "/place", "cannot be read"};
  machine->process.environment = denied;
  machine->kernel.command_line = denied;
  machine->kernel.arguments.clear();
  machine->driver.amdgpu->options = OptionValues{{"noretry", parse_option("-1")}};
  for (const std::string_view id :
       {"slow-debug-variables", "memory-share-limited", "bounce-buffers-forced"}) {
    const auto findings = run(*machine, row_of(id));
    CAPTURE(findings.front().summary);
    CHECK(findings.front().verdict == Verdict::unknown);
    CHECK(findings.front().summary == "could not tell: /place: cannot be read");
  }
  // One bad value is enough, whatever else could not be read.
  (*machine->driver.amdgpu->options)["msi"] = parse_option("0");
  CHECK(run(*machine, row_of("interrupts-disabled")).front().verdict == Verdict::warn);
  // A loaded module whose parameters were not read may have been told anything.
  machine->kernel.command_line = std::string("ro quiet");
  CHECK(run(*machine, row_of("debug-scheduling")).front().verdict == Verdict::pass);
  machine->driver.amdgpu->options = not_captured("/sys/module/amdgpu/parameters");
  CHECK(run(*machine, row_of("debug-scheduling")).front().verdict == Verdict::unknown);
  auto& profile = machine->kernel.settings["platform profile"];
  profile = missing("/sys/firmware/acpi/platform_profile");
  const auto absent = run(*machine, row_of("quiet-power-profile"));
  CHECK(absent.front().verdict == Verdict::skip);
  CHECK(absent.front().summary == "/sys/firmware/acpi/platform_profile: does not exist");
  profile = denied;
  CHECK(run(*machine, row_of("quiet-power-profile")).front().verdict == Verdict::unknown);
}

TEST_CASE("a value of the machine is a word of the step, whatever it holds") {
  auto machine = case_machine(*parse_toml("base = \"hive\"\n", "hive"));
  machine->gpus[0].partition.compute = std::string("CPX");
  for (std::size_t i = 1; i < machine->gpus.size(); ++i)
    machine->gpus[i].partition.compute = std::string("SPX; reboot");
  const auto findings = run(*machine, row_of("compute-partitions-differ"));
  REQUIRE(findings.front().remedy.steps.size() == 1);
  CHECK(findings.front().remedy.steps.front() ==
        "sudo amd-smi set --gpu all --compute-partition 'SPX; reboot'");
}

}  // namespace rocvet

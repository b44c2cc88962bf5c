#include "selftests/judge/judge_results.h"

#include <algorithm>

#include "base/text.h"
#include "selftests/judge/judge.h"
#include "selftests/judge/part_of.h"
#include "selftests/judge/sampler.h"

namespace rocvet {
namespace {

const Gpu* gpu_of(const TestResult& result, const Machine& machine) {
  if (result.gpu.bdf.empty()) return nullptr;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.bdf && lower(*gpu.bdf) == lower(result.gpu.bdf)) return &gpu;
  }
  return nullptr;
}

/// A GPU that is not AMD's is not in the machine's list; its runtime tells what it is.
std::optional<Part> part_of_device(const TestResult& result) {
  const gpu::DeviceInfo& info = result.gpu;
  if (!result.device.starts_with("cuda:")) return std::nullopt;
  Part part;
  part.gfx = info.arch;
  part.name = info.name;
  part.apu = info.integrated;
  part.compute_units = info.compute_units;
  if (info.clock_mhz > 0) part.clock_mhz = info.clock_mhz;
  // Double data rate: two transfers a clock.
  if (info.memory_clock_mhz > 0 && info.memory_width_bits > 0)
    part.memory_gbs = 2e-3 * info.memory_clock_mhz * info.memory_width_bits / 8;
  return part;
}

std::optional<Part> part_for(const TestResult& result, const Machine& machine,
                             const Database& database) {
  std::optional<Part> part = part_of_device(result);
  if (const Gpu* gpu = gpu_of(result, machine)) part = part_of(*gpu, database);
  if (part && result.observed) {
    const Telemetry& seen = *result.observed;
    part->power_cap_w = seen.power_cap_w;
    part->power_cap_default_w = seen.power_cap_default_w;
    if (seen.link_gts_max && seen.link_width_max) {
      part->slot_gts = part->link_gts = seen.link_gts_max;
      part->slot_width = part->link_width = seen.link_width_max;
    }
  }
  return part;
}

/// The same test on the machine's other GPUs of the same product and size.
std::vector<double> peers_of(const TestResult& result, const std::vector<TestResult>& all) {
  std::vector<double> peers;
  for (const TestResult& other : all) {
    const bool same = &other != &result && other.id == result.id && other.performance &&
                      other.gpu.name == result.gpu.name &&
                      other.gpu.compute_units == result.gpu.compute_units;
    if (same && result.device != "host") peers.push_back(other.performance->median);
  }
  return peers;
}

/// Right figures of the same device with the same regime, by any other test.
std::vector<OtherFigure> others_of(const TestResult& result, const std::vector<TestResult>& all) {
  std::vector<OtherFigure> others;
  for (const TestResult& other : all) {
    if (&other == &result || other.device != result.device || !other.performance ||
        other.verdict != Verdict::pass || other.performance->regime != result.performance->regime)
      continue;
    others.push_back({other.id, other.performance->unit, other.performance->median, other.clock_mhz,
                      other.balance});
  }
  return others;
}

void add(std::vector<std::pair<std::string, double>>& out, const char* name,
         const std::optional<double>& value) {
  if (value) out.emplace_back(name, *value);
}

std::vector<std::pair<std::string, double>> telemetry_rows(const Telemetry& t) {
  std::vector<std::pair<std::string, double>> rows;
  add(rows, "clock_mhz", t.clock_mhz);
  add(rows, "memory_clock_mhz", t.memory_clock_mhz);
  add(rows, "power_w", t.power_w);
  add(rows, "power_cap_w", t.power_cap_w);
  add(rows, "temperature_c", t.temperature_c);
  add(rows, "memory_temperature_c", t.memory_temperature_c);
  add(rows, "link_gts", t.link_gts);
  if (t.link_width) rows.emplace_back("link_width", *t.link_width);
  if (t.busy_before_percent) rows.emplace_back("busy_before_percent", *t.busy_before_percent);
  if (t.exclusive) rows.emplace_back("exclusive", 1);
  add(rows, "memory_used_bytes", t.memory_used_bytes);
  if (t.other_processes > 0) rows.emplace_back("other_processes", t.other_processes);
  return rows;
}

/// What failed because of others is no fault of the GPU.
void explain(TestResult& result) {
  if (result.verdict != Verdict::fail || result.verification || !result.observed) return;
  const auto why = explain_failure(result.summary, *result.observed);
  if (!why) return;
  result.evidence.insert(result.evidence.begin(), why->id + ": " + why->text);
  result.evidence.insert(result.evidence.begin() + 1, "the runtime said: " + result.summary);
  result.verdict = Verdict::unknown;
  result.summary = "not measured, " + why->text;
}

void apply(TestResult& result, const Judgement& judgement) {
  result.verdict = judgement.verdict;
  result.summary = judgement.summary;
  for (const ShortfallReason& explanation : judgement.explanations)
    result.evidence.push_back(explanation.id + ": " + explanation.text);
  if (!judgement.expectation) return;
  Performance& performance = *result.performance;
  performance.expected = judgement.expectation->typical;
  performance.floor = judgement.expectation->floor;
  performance.basis = judgement.expectation->basis;
  performance.fraction = performance.median / judgement.expectation->typical;
  if (!judgement.expectation->correction.empty())
    result.evidence.push_back("expectation corrected for " + judgement.expectation->correction);
}

}  // namespace

std::string part_name(const TestResult& result, const Machine& machine, const Database& database) {
  const auto part = part_for(result, machine, database);
  return part ? part->name : "";
}

void judge_results(std::vector<TestResult>& results, const Machine& machine,
                   const Database& database, const PerformanceData& performance) {
  const std::vector<TestResult> measured = results;
  const auto slowing = machine.process.environment ? slowing_variables(*machine.process.environment)
                                                   : std::vector<std::string>{};
  for (std::size_t i = 0; i < results.size(); ++i) {
    TestResult& result = results[i];
    Telemetry telemetry = result.observed.value_or(Telemetry{});
    result.telemetry = telemetry_rows(telemetry);
    add(result.telemetry, "counted_clock_mhz", result.clock_mhz);
    explain(result);
    if (result.verdict != Verdict::pass || !result.performance || !result.higher_is_better)
      continue;
    const auto part = part_for(result, machine, database);
    if (!part) continue;
    telemetry.debug_environment = slowing;
    Observation observation;
    observation.test = result.id;
    observation.unit = result.performance->unit;
    observation.value = result.performance->median;
    observation.library = result.id.starts_with("library.");
    observation.bytes = result.bytes;
    observation.regime = result.performance->regime;
    observation.clock_mhz = result.clock_mhz ? result.clock_mhz : telemetry.clock_mhz;
    observation.balance = result.balance;
    observation.peers = peers_of(measured[i], measured);
    observation.others = others_of(measured[i], measured);
    apply(result, judge(*part, observation, telemetry, performance, result.work));
  }
}

}  // namespace rocvet

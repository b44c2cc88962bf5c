// rocvet expect: what a GPU should reach in each self-test, on what that rests, and the smallest
// loss that would be noticed.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "machine/pci_device.h"
#include "selftests/judge/expectation.h"
#include "selftests/judge/part_of.h"
#include "selftests/select.h"

namespace rocvet::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Expected {
  std::string test, unit;
  Expectation expectation;
  const RatioRule* ratio = nullptr;  ///< with another test of the same run; the most demanding

  /// Of what healthy parts do, that has to be lost before the judge warns, or fails.
  double loss_alone() const { return 1 - expectation.healthy / expectation.typical; }
  /// Beside the other test; alone where there is no rule.
  double loss_beside() const { return ratio == nullptr ? loss_alone() : 1 - ratio->least; }
  double loss_to_warn() const { return std::min(loss_alone(), loss_beside()); }
  double loss_to_fail() const { return 1 - expectation.floor / expectation.typical; }
};

struct ExpectedPart {
  Part part;
  std::vector<Expected> tests;
  std::vector<std::string> unknown;  ///< tests that nothing is known for
};

bool has_speed(std::string_view test) {
  return test.starts_with("bandwidth.") || test.starts_with("peak.") || test.starts_with("gemm.") ||
         test.starts_with("attention.");
}
std::string unit_of(std::string_view test) {
  if (test.starts_with("bandwidth.")) return "GB/s";
  return test.ends_with(".int8") ? "TOP/s" : "TFLOP/s";
}

/// `clock_mhz`: of the engine under load; nullopt: as if it could not be read.
ExpectedPart expected_of(const Part& part, const std::vector<const SelfTest*>& tests,
                         const PerformanceData& data, std::optional<double> clock_mhz) {
  ExpectedPart out{part, {}, {}};
  for (const SelfTest* test : tests) {
    Observation observation;
    observation.test = std::string(test->id);
    observation.unit = unit_of(test->id);
    observation.clock_mhz = clock_mhz;
    if (const auto expectation = expect(part, observation, data)) {
      Expected one{observation.test, observation.unit, *expectation};
      for (const RatioRule* rule : data.ratios(part.gfx, observation.test)) {
        const bool more = one.ratio == nullptr || rule->least > one.ratio->least;
        if (clock_mhz && more) one.ratio = rule;
      }
      out.tests.push_back(std::move(one));
    } else {
      out.unknown.push_back(observation.test);
    }
  }
  return out;
}

/// "PCIe 4.0 x16" -> 16 GT/s, 16 lanes.
void add_link(Part& part, const std::string& pcie) {
  const std::size_t digit = pcie.find_first_of("123456"), times = pcie.find('x');
  if (digit == pcie.npos || times == pcie.npos || digit > times) return;
  const auto lanes = leading_number(std::string_view(pcie).substr(times + 1));
  if (!lanes || *lanes < 1 || *lanes > 16) return;
  part.slot_gts = part.link_gts = pcie_speed(pcie[digit] - '0');
  part.slot_width = part.link_width = static_cast<int>(*lanes);
}

Part part_named(const GpuInfo& info) {
  Part part;
  part.name = info.name;
  part.gfx = info.gfx;
  part.apu = info.is_apu;
  part.compute_units = part.full_compute_units = info.compute_units;
  if (info.max_engine_clock_mhz) part.clock_mhz = *info.max_engine_clock_mhz;
  part.memory_gbs = info.memory_bandwidth_gbs;
  if (!part.apu) add_link(part, info.pcie);
  return part;
}
Part part_named(const OtherPart& other) {
  Part part;
  part.name = other.name;
  part.gfx = other.gfx;
  part.compute_units = part.full_compute_units = other.compute_units;
  part.clock_mhz = other.clock_mhz;
  part.memory_gbs = other.memory_gbs;
  part.slot_gts = part.link_gts = other.link_gts;
  part.slot_width = part.link_width = other.link_width;
  return part;
}

/// By any name of a GPU, its PCI id or gfx target; a glob over their names.
Result<std::vector<Part>> parts_named(const std::string& asked, const Database& database,
                                      const PerformanceData& data) {
  std::vector<Part> parts;
  const bool glob = asked.find_first_of("*?") != asked.npos;
  if (glob) {
    for (const GpuInfo& gpu : database.gpus()) {
      if (glob_match(lower(asked), lower(gpu.name))) parts.push_back(part_named(gpu));
    }
  } else {
    for (const GpuInfo* gpu : database.find(asked)) parts.push_back(part_named(*gpu));
  }
  for (const OtherPart& other : data.other_parts()) {
    const std::string name = lower(other.name), words = lower(asked);
    const bool named = glob ? glob_match(words, name) : name.find(words) != name.npos;
    if (named || words == other.gfx) parts.push_back(part_named(other));
  }
  if (!parts.empty()) return parts;
  std::vector<std::string> names;
  for (const GpuInfo& gpu : database.gpus()) names.push_back(gpu.name);
  for (const OtherPart& other : data.other_parts()) names.push_back(other.name);
  return malformed("--gpu", "the database has no GPU '" + asked + "'" + did_you_mean(asked, names) +
                                " (rocvet list gpus)");
}

std::string figure(double value) {
  return fixed(value, value < 10 ? 2 : value < 1000 ? 1 : 0);
}
std::string percent(double share) {
  return fixed(100 * std::max(share, 0.0), 0) + " %";
}

std::string text_of(const ExpectedPart& one) {
  const Part& part = one.part;
  std::string out = (part.name.empty() ? std::string("GPU") : printable(part.name)) + " (" +
                    printable(part.gfx) + ")";
  if (part.compute_units) out += ", " + std::to_string(*part.compute_units) + " compute units";
  if (part.clock_mhz) out += ", " + fixed(*part.clock_mhz, 0) + " MHz";
  if (part.memory_gbs) out += ", memory " + fixed(*part.memory_gbs, 0) + " GB/s";
  if (part.link_gts && part.link_width)
    out += ", link " + fixed(*part.link_gts, *part.link_gts < 10 ? 1 : 0) + " GT/s x" +
           std::to_string(*part.link_width);
  out += "\n";
  const auto cell = [](std::string text, std::size_t width) {
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text + "  ";
  };
  std::string head = "  test";
  head.resize(20, ' ');
  if (!one.tests.empty())
    out += head + cell("typical", 9) + cell("warns <", 9) + cell("fails <", 9) + "unit     " +
           cell("notices", 7) + "basis\n";
  for (const Expected& test : one.tests) {
    const Expectation& e = test.expectation;
    std::string line = "  " + test.test, unit = test.unit;
    line.resize(20, ' ');
    unit.resize(9, ' ');
    out += line + cell(figure(e.typical), 9) + cell(figure(e.healthy), 9) +
           cell(figure(e.floor), 9) + unit + cell(percent(test.loss_to_warn()), 7) + e.basis +
           (e.clock_mhz ? ", at " + fixed(*e.clock_mhz, 0) + " MHz" : "") +
           (e.correction.empty() ? "" : ", " + printable(e.correction)) + ": " +
           printable(e.source) + "\n";
    if (test.loss_beside() < test.loss_alone())
      out += "                    alone " + percent(test.loss_alone()) + ", beside " +
             printable(test.ratio->of) + " " + percent(test.loss_beside()) + ": " +
             printable(test.ratio->source) + "\n";
  }
  if (!one.unknown.empty()) out += "  nothing is known for: " + join(one.unknown, ", ") + "\n";
  return out;
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const ExpectedPart& one) {
  Json tests = Json::array();
  for (const Expected& test : one.tests) {
    const Expectation& e = test.expectation;
    tests.push_back({{"test", test.test},
                     {"unit", test.unit},
                     {"typical", e.typical},
                     {"healthy", e.healthy},
                     {"floor", e.floor},
                     {"smallest_loss",
                      {{"warn", test.loss_to_warn()},
                       {"warn_alone", test.loss_alone()},
                       {"fail", test.loss_to_fail()}}},
                     {"beside", test.ratio == nullptr
                                    ? Json(nullptr)
                                    : Json{{"test", test.ratio->of}, {"least", test.ratio->least}}},
                     {"at_clock_mhz", or_null(e.clock_mhz)},
                     {"basis", e.basis},
                     {"source", e.source},
                     {"correction", e.correction}});
  }
  return {{"gpu", one.part.name},
          {"gfx", one.part.gfx},
          {"compute_units", or_null(one.part.compute_units)},
          {"clock_mhz", or_null(one.part.clock_mhz)},
          {"memory_gbs", or_null(one.part.memory_gbs)},
          {"link_gts", or_null(one.part.link_gts)},
          {"link_width", or_null(one.part.link_width)},
          {"tests", std::move(tests)},
          {"unknown", one.unknown}};
}

}  // namespace

int expect_verb(int argc, char** argv) {
  CommonOptions options;
  std::string gpu;
  std::vector<std::string> ids;
  std::optional<double> clock_mhz;
  bool no_clock = false;
  CLI::App app(
      "What a GPU should reach in each self-test, on what that rests, and the smallest loss that "
      "would be noticed. Without --gpu: of this machine's GPUs, or those of --snapshot.",
      "rocvet expect");
  app.add_option("--gpu", gpu, "a name, PCI id or gfx target; a glob over names ('*' for all)")
      ->check(not_empty);
  app.add_option("--snapshot", options.snapshot, "a recorded machine instead of this one")
      ->check(not_empty);
  app.add_option("--test", ids, "ids or globs of self-tests (rocvet list tests)");
  auto* clock =
      app.add_option("--clock", clock_mhz, "MHz of the engine under load, instead of the highest")
          ->check(CLI::Range(1.0, 100000.0));
  app.add_flag("--no-clock", no_clock, "as if the clock under load could not be read")
      ->excludes(clock);
  app.add_option("--format", options.format, "text or json");
  add_database_option(app, options.database);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (auto done = text_or_json(options.format); !done)
    return complain("expect: " + done.error().text());
  if (!gpu.empty() && !options.snapshot.empty())
    return complain("expect: --gpu and --snapshot exclude each other");

  auto tests = select_tests(ids);
  if (!tests) return complain("expect: " + tests.error().text());
  std::erase_if(*tests, [](const SelfTest* test) { return !has_speed(test->id); });
  if (tests->empty()) return complain("expect: --test names no self-test that has a speed");

  std::vector<Part> parts;
  auto data = options.database.empty() ? Result<PerformanceData>(PerformanceData::embedded())
                                       : PerformanceData::with_overlay(options.database);
  if (!data) return complain("expect: " + data.error().text());
  if (!gpu.empty()) {
    const auto database = open_database(options.database);
    if (!database) return complain(database.error().text());
    auto named = parts_named(gpu, **database, *data);
    if (!named) return complain("expect: " + named.error().text());
    parts = std::move(*named);
  } else {
    auto pipeline = Pipeline::open("expect", options);
    if (!pipeline) return complain(pipeline.error().text());
    for (const Gpu& one : pipeline->report().machine.gpus)
      parts.push_back(part_of(one, pipeline->database()));
    if (parts.empty()) return complain("expect: there is no AMD GPU here; --gpu names one");
  }
  std::string text;
  Json all = Json::array();
  for (const Part& part : parts) {
    const auto clock_read = no_clock ? std::nullopt : clock_mhz ? clock_mhz : part.clock_mhz;
    const ExpectedPart one = expected_of(part, *tests, *data, clock_read);
    if (options.format == "json") {
      all.push_back(json_of(one));
    } else {
      text += (text.empty() ? "" : "\n") + text_of(one);
    }
  }
  if (options.format == "json")
    text = json_text(Json{{"schema", "rocvet.expect/1"}, {"gpus", std::move(all)}});
  const auto done = print(text);
  return done ? 0 : complain(done.error().text());
}

}  // namespace rocvet::cli

// The judge on records of healthy and sick parts, and on every healthy figure of the shared data.
#include "selftests/judge/judge.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "base/text.h"
#include "base/toml.h"

using namespace rocvet;

namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::optional<double> number(const TomlNode* table, std::string_view key) {
  const TomlNode* node = table == nullptr ? nullptr : table->find(key);
  if (node == nullptr) return std::nullopt;
  return node->kind == TomlNode::Kind::integer ? static_cast<double>(node->integer) : node->real;
}

std::optional<int> whole(const TomlNode* table, std::string_view key) {
  const auto value = number(table, key);
  return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

bool flag(const TomlNode* table, std::string_view key) {
  const TomlNode* node = table->find(key);
  return node != nullptr && node->boolean;
}

Part read_part(const TomlNode& t) {
  Part part;
  part.gfx = t.string_or("gfx");
  part.name = t.string_or("name");
  part.apu = flag(&t, "apu");
  part.compute_units = whole(&t, "compute_units");
  part.full_compute_units = whole(&t, "full_compute_units");
  part.clock_mhz = number(&t, "clock_mhz");
  part.memory_gbs = number(&t, "memory_gbs");
  part.link_gts = number(&t, "link_gts");
  part.link_width = whole(&t, "link_width");
  part.slot_gts = number(&t, "slot_gts");
  part.slot_width = whole(&t, "slot_width");
  part.partition_share = number(&t, "partition_share").value_or(1);
  part.power_cap_w = number(&t, "power_cap_w");
  part.power_cap_default_w = number(&t, "power_cap_default_w");
  return part;
}

Observation read_observation(const TomlNode& t) {
  Observation observation;
  observation.test = t.string_or("test");
  observation.value = number(&t, "value").value_or(0);
  observation.library = flag(&t, "library");
  observation.own_fraction = number(&t, "own_fraction");
  observation.bytes = number(&t, "bytes").value_or(0);
  if (t.find("regime") != nullptr) observation.regime = t.string_or("regime");
  if (const TomlNode* peers = t.find("peers")) {
    for (const TomlNode& peer : peers->items) {
      observation.peers.push_back(
          peer.kind == TomlNode::Kind::integer ? static_cast<double>(peer.integer) : peer.real);
    }
  }
  return observation;
}

Telemetry read_telemetry(const TomlNode* t) {
  Telemetry telemetry;
  if (t == nullptr) return telemetry;
  telemetry.clock_mhz = number(t, "clock_mhz");
  telemetry.memory_clock_mhz = number(t, "memory_clock_mhz");
  telemetry.memory_clock_max_mhz = number(t, "memory_clock_max_mhz");
  telemetry.power_w = number(t, "power_w");
  telemetry.temperature_c = number(t, "temperature_c");
  telemetry.temperature_limit_c = number(t, "temperature_limit_c");
  telemetry.memory_temperature_c = number(t, "memory_temperature_c");
  telemetry.memory_temperature_limit_c = number(t, "memory_temperature_limit_c");
  telemetry.link_gts = number(t, "link_gts");
  telemetry.link_width = whole(t, "link_width");
  telemetry.busy_before_percent = whole(t, "busy_before_percent");
  telemetry.other_processes = whole(t, "other_processes").value_or(0);
  if (const TomlNode* others = t->find("others")) {
    for (const TomlNode& other : others->items) {
      GpuProcess& process = telemetry.others.emplace_back();
      process.pid = whole(&other, "pid").value_or(0);
      process.name = other.string_or("name");
      process.busy_percent = whole(&other, "busy");
      process.memory_bytes = number(&other, "memory");
    }
    telemetry.other_processes = static_cast<int>(telemetry.others.size());
  }
  telemetry.performance_level = t->string_or("performance_level");
  telemetry.new_corrected_errors =
      static_cast<std::uint64_t>(number(t, "new_corrected_errors").value_or(0));
  telemetry.new_uncorrected_errors =
      static_cast<std::uint64_t>(number(t, "new_uncorrected_errors").value_or(0));
  telemetry.new_pcie_replays =
      static_cast<std::uint64_t>(number(t, "new_pcie_replays").value_or(0));
  if (const TomlNode* names = t->find("debug_environment")) {
    for (const TomlNode& name : names->items) telemetry.debug_environment.push_back(name.text);
  }
  return telemetry;
}

}  // namespace

TEST_CASE("judge: verdict and first explanation of every record") {
  const std::string path =
      std::string(ROCVET_SOURCE_DIR) + "/tests/unit/selftests/judge_cases.toml";
  const auto root = parse_toml(file_text(path), path);
  REQUIRE_MESSAGE(root.has_value(), (root ? "" : root.error().text()));
  const TomlNode* cases = root->find("case");
  REQUIRE(cases != nullptr);
  CHECK(cases->items.size() >= 40);
  for (const TomlNode& entry : cases->items) {
    const std::string id = entry.string_or("id");
    CAPTURE(id);
    REQUIRE(entry.find("part") != nullptr);
    REQUIRE(entry.find("observation") != nullptr);
    CHECK_FALSE(entry.string_or("source").empty());
    const TomlNode& observation = *entry.find("observation");
    const Judgement judgement =
        judge(read_part(*entry.find("part")), read_observation(observation),
              read_telemetry(entry.find("telemetry")), PerformanceData::embedded(),
              number(&observation, "work").value_or(0));
    CAPTURE(judgement.summary);
    CHECK(to_string(judgement.verdict) == entry.string_or("verdict"));
    const std::string first =
        judgement.explanations.empty() ? "" : judgement.explanations.front().id;
    CHECK(first == entry.string_or("explanation"));
  }
}

TEST_CASE("below_peers needs a gap and a spread that does not hide it") {
  CHECK(below_peers(80, {100, 101, 99, 100}));
  CHECK_FALSE(below_peers(99, {100, 100, 100, 100}));
  CHECK_FALSE(below_peers(80, {100}));
  CHECK_FALSE(below_peers(70, {100, 60, 140, 80}));
  CHECK(below_peers(33, {100, 100, 100}));
}

TEST_CASE("an expectation follows partition, power cap and link") {
  Part part;
  part.gfx = "gfx942";
  part.name = "Instinct MI300X";
  part.compute_units = 304;
  part.clock_mhz = 2100;
  part.memory_gbs = 5300;
  const PerformanceData& data = PerformanceData::embedded();
  const auto whole_gpu = expect(part, {.test = "bandwidth.copy"}, data);
  REQUIRE(whole_gpu.has_value());
  CHECK(whole_gpu->basis == "published");
  part.partition_share = 0.125;
  CHECK(expect(part, {.test = "bandwidth.copy"}, data)->typical ==
        doctest::Approx(whole_gpu->typical / 8));
  part.partition_share = 1;
  const double full = expect(part, {.test = "gemm.fp16"}, data)->floor;
  part.power_cap_w = 375;
  part.power_cap_default_w = 750;
  CHECK(expect(part, {.test = "gemm.fp16"}, data)->floor == doctest::Approx(full / 2));
  CHECK(expect(part, {.test = "gemm.fp16"}, data)->correction.find("375 of 750 W") !=
        std::string::npos);
  CHECK_FALSE(expect(part, {.test = "bandwidth.h2d"}, data).has_value());
  part.link_gts = 16;
  part.link_width = 16;
  CHECK(*theoretical_peak(part, "bandwidth.h2d", data) == doctest::Approx(31.51).epsilon(0.001));
}

TEST_CASE("a figure counts for its regime; at boost clocks only, less is asked of a warm part") {
  const auto data = PerformanceData::parse(R"(
[[figure]]
gpu = "X1"
test = "gemm.fp16"
typical = 100
healthy = 95
regime = "quick"
unit = "TFLOP/s"
source = "rocvet calibrate"
checked = 2026-11-21
[[figure]]
gpu = "X1"
test = "bandwidth.copy"
typical = 1000
regime = "quick"
unit = "GB/s"
source = "rocvet calibrate"
checked = 2026-11-21
[[figure]]
gpu = "X1"
test = "bandwidth.copy"
typical = 900
regime = "sustained"
unit = "GB/s"
source = "rocvet calibrate"
checked = 2026-11-21
)",
                                           "p.toml");
  REQUIRE(data.has_value());
  Part part;
  part.name = "X1";
  const auto typical = [&](const char* test, const char* regime) {
    return expect(part, {.test = test, .regime = regime}, *data)->typical;
  };
  CHECK(typical("bandwidth.copy", "quick") == 1000);
  CHECK(typical("bandwidth.copy", "sustained") == 900);
  CHECK(typical("gemm.fp16", "quick") == 100);
  CHECK(typical("gemm.fp16", "steady") == doctest::Approx(75));
  CHECK(expect(part, {.test = "gemm.fp16"}, *data)->healthy == 95);
  CHECK(expect(part, {.test = "gemm.fp16", .regime = "steady"}, *data)->correction.find("boost") !=
        std::string::npos);
}

TEST_CASE("what failed because the GPU was taken is told from what failed by itself") {
  Telemetry taken;
  taken.memory_total_bytes = 140.0 * (1 << 30);
  taken.memory_used_bytes = 139.0 * (1 << 30);
  taken.others = {{1234, "python3", 138.0 * (1 << 30), 3}};
  const auto why =
      explain_failure("cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory", taken);
  REQUIRE(why.has_value());
  CHECK(why->id == "memory-taken");
  CHECK(why->text.find("139 GiB of its 140 GiB") != std::string::npos);
  CHECK(why->text.find("process 1234 (python3)") != std::string::npos);
  CHECK_FALSE(explain_failure("hipModuleLoadData: hipErrorNoBinaryForGpu", taken).has_value());

  Telemetry exclusive;
  exclusive.exclusive = true;
  exclusive.others = {{77, "train", std::nullopt, std::nullopt}};
  const auto busy = explain_failure(
      "cuDevicePrimaryCtxRetain: CUDA_ERROR_DEVICE_UNAVAILABLE (46): CUDA-capable device(s) is/are "
      "busy or unavailable",
      exclusive);
  REQUIRE(busy.has_value());
  CHECK(busy->id == "device-busy");
  CHECK(busy->text.find("process 77 (train)") != std::string::npos);
  Telemetry free;
  free.memory_total_bytes = 140.0 * (1 << 30);
  free.memory_used_bytes = 1.0 * (1 << 30);
  CHECK_FALSE(explain_failure("hipMalloc: hipErrorOutOfMemory (2)", free).has_value());
}

TEST_CASE("a folder's performance tables come before the built-in ones") {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "rocvet-figures-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  const std::string& folder = name;
  fs::create_directories(folder + "/performance");
  std::ofstream(folder + "/performance/mine.toml")
      << "[[figure]]\ngpu = 'Instinct MI300X'\ntest = 'bandwidth.copy'\ntypical = 123\nunit = "
         "'GB/s'\n"
         "source = 'rocvet calibrate'\nchecked = 2026-11-21\n";
  const auto data = PerformanceData::with_overlay(folder);
  REQUIRE(data.has_value());
  CHECK(data->figure("Instinct MI300X", "bandwidth.copy", false)->typical == 123);
  CHECK(data->figure("Instinct MI300X", "bandwidth.triad", false) != nullptr);
  std::ofstream(folder + "/performance/typo.toml") << "[[figures]]\n";
  const auto wrong = PerformanceData::with_overlay(folder);
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().text().find("typo.toml:1") != std::string::npos);
  fs::remove_all(folder);
  CHECK(PerformanceData::with_overlay("/nonexistent").has_value());
}

namespace {

struct MeasuredRow {
  std::string run;
  Observation observation;
  double work = 0;
};
std::vector<MeasuredRow> h200_runs() {
  std::vector<MeasuredRow> rows;
  const std::string text =
      file_text(std::string(ROCVET_SOURCE_DIR) + "/tests/unit/selftests/h200_runs.csv");
  for (const std::string_view line : split(text, '\n')) {
    const auto cells = split(line, ',');
    if (cells.size() != 7 || cells[0] == "run") continue;
    const auto real = [&](std::size_t at) {
      return std::strtod(std::string(cells[at]).c_str(), nullptr);
    };
    MeasuredRow& row = rows.emplace_back();
    row.run = cells[0];
    row.observation.test = cells[1];
    row.observation.value = real(2);
    row.observation.unit = cells[3];
    if (real(4) > 0) row.observation.clock_mhz = real(4);
    row.work = real(5);
    row.observation.balance = real(6);
    row.observation.regime = row.run == "full" ? "sustained" : row.run;
  }
  return rows;
}
/// As the driver describes it; with `name` "" none of its own figures counts.
Part h200(const char* name) {
  Part part;
  part.gfx = "sm_90";
  part.name = name;
  part.compute_units = 132;
  part.clock_mhz = 1980;
  part.memory_gbs = 4800;
  part.link_gts = part.slot_gts = 32;
  part.link_width = part.slot_width = 16;
  return part;
}

}  // namespace

TEST_CASE("what an H200 did passes, and a quarter less is noticed; where theory is known, too") {
  const auto rows = h200_runs();
  CHECK(rows.size() >= 80);
  const PerformanceData& data = PerformanceData::embedded();
  for (const char* name : {"NVIDIA H200", ""}) {
    for (const MeasuredRow& row : rows) {
      CAPTURE(name);
      CAPTURE(row.run);
      CAPTURE(row.observation.test);
      const Judgement healthy = judge(h200(name), row.observation, {}, data, row.work);
      REQUIRE(healthy.expectation.has_value());
      CAPTURE(healthy.summary);
      CHECK(healthy.verdict == Verdict::pass);
      Observation less = row.observation;
      less.value *= 0.75;
      CHECK(judge(h200(name), less, {}, data, row.work).verdict != Verdict::pass);
    }
  }
}

TEST_CASE("theory predicts what an H200 did to a tenth, at whatever clock it ran") {
  for (const MeasuredRow& row : h200_runs()) {
    if (row.observation.test.starts_with("bandwidth.")) continue;
    CAPTURE(row.run);
    CAPTURE(row.observation.test);
    const auto expectation =
        expect(h200(""), row.observation, PerformanceData::embedded(), row.work);
    REQUIRE(expectation.has_value());
    CHECK(expectation->clock_mhz == row.observation.clock_mhz);
    CHECK(row.observation.value / expectation->typical == doctest::Approx(1).epsilon(0.1));
  }
}

TEST_CASE("a clock that stands still without a reason warns; at the power limit it does not") {
  Part part = h200("");
  part.power_cap_w = part.power_cap_default_w = 700;
  Observation seen{.test = "peak.fp16", .unit = "TFLOP/s"};
  seen.clock_mhz = 990;
  seen.value = 0.97 * 132 * 990 * 4096 / 1e6;
  const PerformanceData& data = PerformanceData::embedded();
  Telemetry telemetry;
  telemetry.power_w = 300;
  const Judgement stuck = judge(part, seen, telemetry, data);
  CHECK(stuck.verdict == Verdict::warn);
  REQUIRE_FALSE(stuck.explanations.empty());
  CHECK(stuck.explanations.front().id == "clock-stuck");
  telemetry.power_w = 695;
  CHECK(judge(part, seen, telemetry, data).verdict == Verdict::pass);
  CHECK(judge(part, seen, {}, data).verdict == Verdict::pass);  // nobody could look
  // A mean that begins before a quick test does is no proof that the limit was far.
  telemetry.power_w = 483;
  CHECK(judge(part, seen, telemetry, data).verdict == Verdict::pass);
  seen.regime = "steady";
  CHECK(judge(part, seen, telemetry, data).verdict == Verdict::warn);
  seen.regime = "quick";
  telemetry.power_w = 300;
  telemetry.throttle = {"current"};
  CHECK(judge(part, seen, telemetry, data).verdict == Verdict::pass);
}

TEST_CASE("what one type reaches tells what the same kernel must reach in another") {
  Part part;
  part.gfx = "gfx1100";
  part.name = "a card that nobody measured";
  part.compute_units = 96;
  part.clock_mhz = 2500;
  const PerformanceData& data = PerformanceData::embedded();
  Observation seen{.test = "gemm.fp16", .unit = "TFLOP/s", .value = 80};
  seen.clock_mhz = 2400;
  const auto with = [&](double bf16, double clock_mhz) {
    Observation one = seen;
    one.others = {{"gemm.fp32", "TFLOP/s", 20, 2400, 1},
                  {"gemm.bf16", "TFLOP/s", bf16, clock_mhz, 1}};
    return judge(part, one, {}, data);
  };
  CHECK(judge(part, seen, {}, data).verdict == Verdict::pass);
  CHECK(with(80, 2400).verdict == Verdict::pass);
  CHECK(with(97, 2400).verdict == Verdict::pass);
  // A quarter less than it should.
  const Judgement low = with(107, 2400);
  CHECK(low.verdict == Verdict::warn);
  CHECK(low.explanations.front().id == "below-its-like");
  CHECK(low.summary.find("75 % of what gemm.bf16 (107.0 TFLOP/s) lets expect") !=
        std::string::npos);
  // The other ran at a higher clock: it shows the more. At a lower one it shows no less than it
  // did.
  CHECK(with(107, 3200).verdict == Verdict::pass);
  CHECK(with(60, 1200).verdict == Verdict::pass);
  CHECK(with(107, 1200).verdict == Verdict::warn);
  // Better than the other is no fault of this one; nor is another whose clock nobody counted.
  CHECK(with(40, 2400).verdict == Verdict::pass);
  Observation unread = seen;
  unread.others = {{"gemm.bf16", "TFLOP/s", 200, std::nullopt, 1}};
  CHECK(judge(part, unread, {}, data).verdict == Verdict::pass);
  seen.clock_mhz.reset();
  CHECK(with(200, 2400).verdict == Verdict::pass);
}

TEST_CASE("the rules between tests hold in every run of a healthy H200") {
  std::map<std::string, std::vector<MeasuredRow>> runs;
  for (const MeasuredRow& row : h200_runs()) runs[row.run].push_back(row);
  for (const auto& [name, rows] : runs) {
    for (const MeasuredRow& row : rows) {
      Observation seen = row.observation;
      for (const MeasuredRow& other : rows) {
        if (&other == &row) continue;
        const Observation& its = other.observation;
        seen.others.push_back({its.test, its.unit, its.value, its.clock_mhz, its.balance});
      }
      CAPTURE(name);
      CAPTURE(seen.test);
      const auto ratio = expect_from_others(h200(""), seen, PerformanceData::embedded());
      if (ratio) CHECK(seen.value >= ratio->healthy);
    }
  }
}

TEST_CASE("a reason for a low clock, and that there is none, are not said of the same result") {
  Part part = h200("");
  part.power_cap_w = part.power_cap_default_w = 700;
  Observation seen{.test = "gemm.fp16", .unit = "TFLOP/s", .value = 10};
  seen.clock_mhz = 990;
  Telemetry telemetry;
  telemetry.power_w = 695;
  const Judgement judgement = judge(part, seen, telemetry, PerformanceData::embedded());
  CHECK(judgement.verdict == Verdict::fail);
  bool limited = false, stuck = false;
  for (const ShortfallReason& reason : judgement.explanations) {
    limited = limited || reason.id == "power-limited";
    stuck = stuck || reason.id == "clock-stuck";
  }
  CHECK(limited);
  CHECK_FALSE(stuck);
}

TEST_CASE("performance data: mistakes have a position") {
  struct Row {
    const char *text, *what;
  };
  const Row rows[] = {
      {"[[figure]]\ngpu = 'x'\n", "'test' is missing"},
      {"[[band]]\ntest = 'a'\nhealthy = 'much'\n", "p.toml:3:"},
      {"[[rate]]\ngfx = ['gfx900']\nper_cu_clock = { fp32 = -1 }\nsource = 's'\n", "positive"},
      {"[[rate]]\ngfx = ['gfx900']\nper_cu_clock = { fp32 = 1 }\nsource = 's'\ntypo = 1\n",
       "unknown key 'typo'"},
      {"[[ratio]]\ntest = 'a'\nof = 'b'\n", "'least' is missing"},
      {"[[figre]]\n", "figre"},
  };
  for (const Row& row : rows) {
    const auto data = PerformanceData::parse(row.text, "p.toml");
    CAPTURE(row.text);
    REQUIRE_FALSE(data.has_value());
    CHECK(data.error().text().find(row.what) != std::string::npos);
  }
}

TEST_CASE("no healthy figure of the shared data fails, and at most 2 % warn") {
  const std::string text =
      file_text(std::string(ROCVET_SHARED_DIR) + "/data/performance/measured.csv");
  if (text.empty()) {
    MESSAGE("SKIPPED: ../shared is absent");
    return;
  }
  struct Known {
    const char* gfx;
    int compute_units;
    double clock_mhz, memory_gbs;
    const char* link;  // GT/s of an x16 slot
  };
  // The parts' own figures (gpus.csv); two-die cards by die.
  const std::map<std::string, Known> parts = {
      {"MI355X", {"gfx950", 256, 2400, 8000, "32"}},
      {"MI350X", {"gfx950", 256, 2200, 8000, "32"}},
      {"MI325X", {"gfx942", 304, 2100, 6000, "32"}},
      {"MI300X", {"gfx942", 304, 2100, 5300, "32"}},
      {"MI300A", {"gfx942", 228, 2100, 5300, "32"}},
      {"MI308X", {"gfx942", 80, 2100, 5300, "32"}},
      {"MI210", {"gfx90a", 104, 1700, 1638, "16"}},
      {"MI100", {"gfx908", 120, 1502, 1229, "16"}},
      {"MI250X (1 GCD)", {"gfx90a", 110, 1700, 1638, "16"}},
      {"MI50", {"gfx906", 60, 1725, 1024, "16"}},
      {"Radeon VII", {"gfx906", 60, 1750, 1024, "8"}},
      {"Radeon Pro VII", {"gfx906", 60, 1700, 1024, "8"}},
      {"RX 7900 XTX", {"gfx1100", 96, 2500, 960, "16"}},
      {"RX 7900 GRE", {"gfx1100", 80, 2245, 576, "16"}},
      {"RX 9070 XT", {"gfx1201", 64, 2970, 640, "32"}},
      {"RX 6900 XT", {"gfx1030", 80, 2250, 512, "16"}},
      {"RX 7700 XT", {"gfx1101", 54, 2544, 432, "16"}},
      {"Strix Halo (Radeon 8060S)", {"gfx1151", 40, 2900, 256, ""}},
      {"Radeon 780M", {"gfx1103", 12, 2700, 120, ""}},
  };
  const std::map<std::string, std::string> streams = {{"babelstream_copy", "copy"},
                                                      {"babelstream_copy_2GB", "copy"},
                                                      {"babelstream_copy_4GB", "copy"},
                                                      {"babelstream_copy_kokkos", "copy"},
                                                      {"d2d_copy", "copy"},
                                                      {"hbm_copy", "copy"},
                                                      {"babelstream_triad", "triad"},
                                                      {"babelstream_triad_2GB", "triad"},
                                                      {"babelstream_triad_kokkos", "triad"},
                                                      {"stream_triad", "triad"},
                                                      {"stream_read", "read"},
                                                      {"vram_read", "read"},
                                                      {"hbm_read", "read"},
                                                      {"hbm_read_1.7GB", "read"},
                                                      {"hbm_read_roofline", "read"},
                                                      {"stream_init_write", "write"},
                                                      {"vram_write", "write"},
                                                      {"pcie_h2d", "h2d"},
                                                      {"pcie_d2h", "d2h"},
                                                      {"h2d", "h2d"},
                                                      {"d2h", "d2h"},
                                                      {"pcie_d2h_pinned", "d2h"}};
  int judged = 0, warned = 0, failed = 0;
  std::string trouble;
  for (const std::string_view line : split(text, '\n')) {
    const auto cells = split(line, ',');
    if (cells.size() < 8 || line.find("measured typical") == std::string_view::npos) continue;
    const auto part_row = parts.find(std::string(cells[0]));
    if (part_row == parts.end()) continue;
    const std::string metric(cells[2]);
    Observation observation;
    const auto stream = streams.find(metric);
    double work = 0;
    if (stream != streams.end()) {
      observation.test = "bandwidth." + stream->second;
    } else if (metric.starts_with("gemm_")) {
      // Rungs of an optimisation ladder, sparse or emulated types and paths named as untuned are no
      // healthy figures.
      bool excluded = false;
      for (const char* word : {"ladder", "naive", "_lds", "regressed", "hhs", "_first", "mxfp4",
                               "fp6", "bf8", "blockscale", "power", "taf"}) {
        excluded = excluded || metric.find(word) != std::string::npos;
      }
      if (excluded || cells[4] == "W") continue;
      observation.test = "gemm." + metric.substr(5, metric.find('_', 5) - 5);
      observation.library = true;
      const std::size_t n = metric.find("_n");
      const std::string digits =
          n == std::string::npos ? "" : metric.substr(n + 2, metric.find('_', n + 2) - n - 2);
      if (const auto size = parse_number(digits))
        work = 2.0 * static_cast<double>(*size) * static_cast<double>(*size) *
               static_cast<double>(*size);
    } else {
      continue;
    }
    observation.value =
        std::strtod(std::string(cells[3]).c_str(), nullptr) / (cells[4] == "MB/s" ? 1000 : 1);
    Part part;
    const Known& known = part_row->second;
    part.gfx = known.gfx;
    part.name = part_row->first;
    part.compute_units = known.compute_units;
    part.clock_mhz = known.clock_mhz;
    part.memory_gbs = known.memory_gbs;
    part.apu = *known.link == 0;
    if (!part.apu) {
      part.link_gts = std::strtod(known.link, nullptr);
      part.link_width = 16;
    }
    const Judgement judgement = judge(part, observation, {}, PerformanceData::embedded(), work);
    ++judged;
    warned += judgement.verdict == Verdict::warn;
    failed += judgement.verdict == Verdict::fail;
    if (judgement.verdict != Verdict::pass)
      trouble +=
          part.name + " " + metric + " " + std::string(cells[3]) + ": " + judgement.summary + "\n";
  }
  MESSAGE(judged << " healthy figures judged, " << warned << " warned, " << failed << " failed\n"
                 << trouble);
  CHECK(judged >= 100);
  CHECK(failed == 0);
  CHECK(warned * 50 <= judged);
}

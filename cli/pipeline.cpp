#include "cli/pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>

#include "base/text.h"
#include "cli/reader.h"
#include "db/question_of.h"
#include "machine/read_python.h"
#include "selftests/deep/run_deep.h"
#include "selftests/judge/judge_results.h"
#include "selftests/judge/run_judged.h"
#include "selftests/soak/run_soak.h"

namespace rocvet::cli {
namespace {

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// SOURCE_DATE_EPOCH makes a report reproducible: that time, and no duration.
std::optional<std::time_t> fixed_time() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr) return std::nullopt;
  const auto value = parse_number(text);
  return value ? std::optional<std::time_t>(static_cast<std::time_t>(*value)) : std::nullopt;
}

std::string iso_time(std::time_t when) {
  std::tm parts{};
  gmtime_r(&when, &parts);
  char buffer[32];
  return std::string(buffer, std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

Result<std::unique_ptr<Source>> open_source(const CommonOptions& options) {
  if (options.snapshot.empty()) return live_source_with_deadline();
  return snapshot_source(options.snapshot);
}

/// What --python names, from the root. An error is one that leads to no environment.
Result<std::vector<std::string>> python_paths(Source& source,
                                              const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (std::string path : given) {
    if (!path.starts_with('/') && source.kind() == "live") {
      std::error_code problem;
      path = std::filesystem::absolute(path, problem).lexically_normal().string();
    }
    const auto root = python_environment_of(source, path);
    if (!root) return root.error();
    out.push_back(std::move(path));
  }
  return out;
}

/// What the database says of what is here: each different GPU with each ROCm, the system, the
/// driver.
std::vector<CompatibilityRow> compatibility(const Machine& machine, const Database& database) {
  std::vector<CompatibilityRow> rows;
  const auto ask = [&](const std::string& subject, const Question& question) {
    for (const CompatibilityRow& row : rows) {
      if (row.subject == subject) return;
    }
    if (auto answer = database.ask(question)) rows.push_back({subject, std::move(*answer)});
  };
  const std::string os = question_of(machine).os;
  for (const RocmInstall& install : machine.software.rocm) {
    if (!install.version) continue;
    for (const Gpu& gpu : machine.gpus) {
      if (!gpu.gfx) continue;
      const std::string name = gpu.name.value_or(*gpu.gfx);
      ask(name + " with ROCm " + *install.version, {.gpu = asked_name(gpu, database),
                                                    .rocm = *install.version,
                                                    .os = os,
                                                    .system_is_given = true});
    }
    if (!machine.distro || machine.distro->version.empty()) continue;
    ask(os + " with ROCm " + *install.version, {.rocm = *install.version, .os = os});
  }
  return rows;
}

/// What failed self-tests say for root causes, as findings of checks by their names.
std::vector<CheckResult> symptoms_of(const std::vector<TestResult>& results) {
  static const std::vector<Check> kNames = [] {
    std::vector<Check> names;
    for (const SelfTest* test : all_selftests()) {
      Check check{};
      check.id = test->id;
      check.topic = "selftests";
      check.title = test->title;
      names.push_back(check);
    }
    return names;
  }();
  std::vector<CheckResult> symptoms;
  for (const TestResult& result : results) {
    if (result.verdict != Verdict::fail || result.seen.empty()) continue;
    for (const Check& check : kNames) {
      if (check.id != result.id) continue;
      Finding finding{.verdict = Verdict::fail, .summary = result.summary};
      finding.subject = result.device;
      finding.evidence = result.evidence;
      finding.seen = result.seen;
      symptoms.push_back({&check, std::move(finding)});
    }
  }
  return symptoms;
}

/// Kernels that ran rightly through a layer refute what would have stopped them below it; a layer
/// that nothing gets through is a complaint, whatever its cause.
std::vector<CheckResult> evidence_of(const std::vector<GpuLadder>& ladders) {
  static const Check kLadder = [] {
    Check check{};
    check.id = "ladder";
    check.topic = "selftests";
    check.title = "the self-tests through each layer";
    return check;
  }();
  std::vector<CheckResult> out;
  for (const GpuLadder& ladder : ladders) {
    if (has_break(ladder)) {
      Finding finding{.verdict = Verdict::fail, .summary = ladder.broken};
      finding.subject = ladder.bdf;
      out.push_back({&kLadder, std::move(finding)});
    }
    const auto works = std::ranges::find_if(ladder.rungs, [](const Rung& rung) {
      return rung.name != "driver" && rung.verdict == Verdict::pass;
    });
    if (works == ladder.rungs.end()) continue;
    Finding finding{.verdict = Verdict::pass,
                    .summary = title_of_rung(works->name) + ": " + works->summary};
    finding.subject = ladder.bdf;
    finding.seen = {"gpu-computes"};
    out.push_back({&kLadder, std::move(finding)});
  }
  return out;
}

/// What a test that failed came to, and what it or its library wrote, a line each: by these words
/// the database knows causes. Who is slow says nothing of the kind, and what a compiler says of the
/// sources that it was given would be taken for a fault of theirs: rocvet's are right.
std::string words_of(const std::vector<TestResult>& results) {
  std::string words;
  for (const TestResult& result : results) {
    if (result.verdict != Verdict::fail || result.performance || result.id == "jit") continue;
    words += result.summary + '\n';
    for (const std::string& line : result.evidence) words += line + '\n';
  }
  return words;
}

/// Folders of every ROCm on the machine, for what the dynamic loader does not find by itself.
std::vector<std::string> library_folders(const Machine& machine) {
  std::vector<std::string> folders;
  for (const RocmInstall& install : machine.software.rocm) {
    for (const Library& library : install.libraries) {
      const std::string folder = library.path.substr(0, library.path.rfind('/'));
      if (std::find(folders.begin(), folders.end(), folder) == folders.end())
        folders.push_back(folder);
    }
  }
  return folders;
}

}  // namespace

std::string report_time() {
  return iso_time(fixed_time().value_or(std::time(nullptr)));
}

Result<Pipeline> Pipeline::open(std::string verb, const CommonOptions& options) {
  const double started = now_ms();
  if (!options.snapshot.empty() && verb != "run") only_read(options);  // run starts workers
  auto source = open_source(options);
  if (!source) return source.error();
  auto pipeline = open(std::move(verb), options, **source);
  if (pipeline) pipeline->started_ = started;
  return pipeline;
}

Result<Pipeline> Pipeline::open(std::string verb, const CommonOptions& options, Source& source) {
  Pipeline pipeline;
  pipeline.started_ = now_ms();
  Report& report = pipeline.report_;
  report.verb = std::move(verb);
  report.started = report_time();
  auto database = open_database(options.database);
  if (!database) return database.error();
  pipeline.database_ = std::move(*database);
  report.keeps_alive = pipeline.database_;
  if (!options.database.empty()) {
    auto performance = PerformanceData::with_overlay(options.database);
    if (!performance) return performance.error();
    pipeline.performance_ = std::make_shared<const PerformanceData>(std::move(*performance));
  }
  report.source_kind = source.kind();
  report.source_path = source.origin();
  report.identity = read_identity(source);
  report.db_version = pipeline.database_->version();
  const auto python = python_paths(source, options.python);
  if (!python) return python.error();
  report.machine = read_machine(source, {.app_log_file = options.log, .python = *python});
  if (!options.log.empty() && !report.machine.app_log) return report.machine.app_log.error();
  identify_gpus(report.machine, *pipeline.database_);
  report.features = judge_features(report.machine, *pipeline.database_);
  if (options.deep)
    report.machine.deep = run_deep(report.machine, {.deadline_s = options.deep_deadline_s});
  pipeline.stage("machine", pipeline.started_);
  return pipeline;
}

void Pipeline::stage(const char* name, double began_ms) {
  if (fixed_time()) return;
  const double spent = (now_ms() - began_ms) / 1000;
  const auto known =
      std::ranges::find(report_.seconds, name, &std::pair<std::string, double>::first);
  if (known != report_.seconds.end())
    known->second += spent;
  else
    report_.seconds.emplace_back(name, spent);
}

Result<Done> Pipeline::check(const CommonOptions& options) {
  const double began = now_ms();
  auto selected = select_checks({options.only, options.skip}, *database_);
  if (!selected) return selected.error();
  report_.explicit_selection = !options.only.empty();
  report_.compatibility = compatibility(report_.machine, *database_);
  const Context here = context();
  report_.checks = run_checks(here, *selected);
  report_.diagnosis = diagnose(here, evidence());
  stage("checks", began);
  return Done{};
}

Context Pipeline::context() const {
  return {report_.machine, *database_, words_of(report_.selftests)};
}

std::vector<CheckResult> Pipeline::evidence() const {
  std::vector<CheckResult> all = report_.checks;
  std::ranges::move(symptoms_of(report_.selftests), std::back_inserter(all));
  std::ranges::move(evidence_of(report_.ladders), std::back_inserter(all));
  return all;
}

Result<std::string> Pipeline::why(std::string_view cause) const {
  return rocvet::why(context(), evidence(), cause);
}

Explanation Pipeline::explanation() const {
  return explain_log(context(), evidence());
}

std::string Pipeline::observations() const {
  return observation_table(context(), evidence());
}

Result<Done> Pipeline::test(TestRequest request) {
  const double began = now_ms();
  if (report_.source_kind == "live") request.library_folders = library_folders(report_.machine);
  const PerformanceData& performance = performance_ ? *performance_ : PerformanceData::embedded();
  auto results = [&]() -> Result<std::vector<TestResult>> {
    if (request.repeat.for_s <= 0)
      return run_judged(request, report_.machine, *database_, performance);
    auto run = run_soak(request);
    if (!run) return run.error();
    report_.soak = std::move(run->soak);
    judge_results(run->results, report_.machine, *database_, performance);
    return std::move(run->results);
  }();
  if (!results) return results.error();
  std::ranges::move(*results, std::back_inserter(report_.selftests));
  stage("self-tests", began);
  return Done{};
}

Report Pipeline::finish() {
  report_.duration_ms = fixed_time() ? 0 : now_ms() - started_;
  report_.verdict = overall_verdict(report_);
  return std::move(report_);
}

}  // namespace rocvet::cli

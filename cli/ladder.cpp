// rocvet ladder: the self-tests through each layer, bottom up.
#include <algorithm>
#include <chrono>
#include <iterator>

#include "base/text.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/progress.h"
#include "cli/test_options.h"
#include "selftests/deep/framework_results.h"
#include "selftests/deep/framework_scripts.h"
#include "selftests/deep/probes.h"
#include "selftests/deep/run_deep.h"

namespace rocvet::cli {
namespace {

/// What of the driver this GPU needs, by looking: the node of the topology, and both device nodes.
Rung driver_rung(const Machine& machine, const Gpu& gpu) {
  Rung rung;
  rung.name = "driver";
  rung.through = machine.driver.version.value_or(std::string());
  const auto broken = [&](const std::string& what) {
    rung.verdict = Verdict::fail;
    rung.failed = 1;
    rung.summary = what;
    return rung;
  };
  if (!machine.kfd.open) return broken(machine.kfd.open.error().text());
  if (!gpu.kfd_node)
    return broken("the compute driver does not list it: " + gpu.kfd_node.error().text());
  if (!gpu.render_minor) return broken(gpu.render_minor.error().text());
  const std::string path = "/dev/dri/renderD" + std::to_string(*gpu.render_minor);
  for (const DeviceNode& node : machine.render_nodes) {
    if (node.path == path && !node.open) return broken(node.open.error().text());
  }
  rung.verdict = Verdict::pass;
  rung.passed = 1;
  rung.summary = "node " + std::to_string(*gpu.kfd_node) + "; /dev/kfd and " + path + " open";
  return rung;
}

std::vector<LadderGpu> gpus_of(const Machine& machine) {
  std::vector<LadderGpu> gpus;
  for (const Gpu& gpu : machine.gpus)
    gpus.push_back({gpu.bdf.value_or(std::string()), gpu.gfx.value_or(std::string()),
                    driver_rung(machine, gpu)});
  if (gpus.empty()) {
    Rung none;
    none.name = "driver";
    none.verdict = machine.gpus_readable ? Verdict::fail : Verdict::unknown;
    none.summary =
        machine.gpus_readable ? "no AMD GPU was found" : machine.gpus_readable.error().text();
    gpus.push_back({"", "", none});
  }
  return gpus;
}

/// Runs them; what they told stays with the machine, for the checks.
std::vector<TestResult> all_frameworks(Machine& machine) {
  DeepRequest asked;
  for (const deep::FrameworkScript& one : deep::framework_scripts())
    asked.only.emplace_back(one.id);
  asked.only.emplace_back(deep::kGgml);
  const Deep deep = run_deep(machine, asked);
  machine.deep = deep;
  return framework_results(deep);
}

/// A break is named by where it is; the checks and the diagnosis say why. The libraries at the
/// break are asked once more by themselves: their statuses are signs.
Result<Done> explain_break(Pipeline& pipeline, const CommonOptions& options) {
  Machine& machine = pipeline.report().machine;
  Deep deep = machine.deep ? *machine.deep : Deep{};
  Deep libraries = run_deep(machine, {.only = {"hip", "hsa"}});
  std::ranges::move(libraries.probes, std::back_inserter(deep.probes));
  machine.deep = std::move(deep);
  return pipeline.check(options);
}

/// The user leaves: what stands above was not looked at.
std::vector<TestResult> interrupted() {
  TestResult none;
  none.id = "device";
  none.verdict = Verdict::unknown;
  none.summary = "interrupted before it began";
  return {none};
}

struct RungStep {
  const char *name, *device;  ///< device nullptr: the frameworks, which find their own
  TestRequest::Of of;
};

}  // namespace

int ladder_verb(int argc, char** argv) {
  CommonOptions options;
  TestOptions tests;
  tests.size = "tiny";
  bool kfd = false, frameworks = false;
  CLI::App app(
      "Runs the self-tests through each layer, from the driver to the libraries and frameworks: "
      "the first rung "
      "that fails is the layer that is broken.",
      "rocvet ladder");
  app.add_flag(
      "--kfd", kfd,
      "also through rocvet's own runtime over /dev/kfd, without anything of ROCm "
      "(experimental: not seen on silicon yet; a GPU that hangs is reset, its display too)");
  app.add_flag(
      "--frameworks", frameworks,
      "also PyTorch, JAX, TensorFlow, ONNX Runtime, Triton and vLLM in each Python environment "
      "that has them, by its own Python, and llama.cpp's HIP back end in what brings it "
      "(ollama, LM Studio)");
  app.add_option("--size", tests.size, "tiny, quick or full");
  app.add_option("--seed", tests.seed, "of the random data");
  app.add_option("--time-budget", tests.time_budget, "for each rung, as 60s, 5m or 1h");
  app.add_option("--db", options.database, "folder of TOML files laid over the built-in database");
  add_output_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;

  auto request = test_request(tests, {});
  if (!request) return complain("ladder: " + request.error().text());
  auto sink = ReportSink::open(options);
  if (!sink) return complain(sink.error().text());
  auto pipeline = Pipeline::open("ladder", options);
  if (!pipeline) return complain(pipeline.error().text());
  show_progress(*request, options.quiet);

  std::vector<RungStep> steps = {{"hsa", "hsa", TestRequest::Of::kernels},
                                 {"hip", "hip", TestRequest::Of::kernels},
                                 {"libraries", "hip", TestRequest::Of::libraries}};
  if (kfd) steps.insert(steps.begin(), {"kfd", "kfd", TestRequest::Of::kernels});
  if (frameworks) steps.push_back({"frameworks", nullptr, TestRequest::Of::all});
  std::vector<RungResults> rungs;
  const ReportBeforeLeaving report_before_leaving;
  for (const RungStep& step : steps) {
    if (report_before_leaving.seen()) {
      rungs.push_back({step.name, 0, interrupted()});
      continue;
    }
    auto& all = pipeline->report().selftests;
    const std::size_t before = all.size();
    const auto began = std::chrono::steady_clock::now();
    if (step.device == nullptr) {
      std::ranges::move(all_frameworks(pipeline->report().machine), std::back_inserter(all));
    } else {
      request->devices = {step.device};
      request->of = step.of;
      if (auto done = pipeline->test(*request); !done)
        return complain("ladder: " + done.error().text());
    }
    RungResults rung{step.name, 0, {}};
    rung.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    rung.results.assign(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
    rungs.push_back(std::move(rung));
  }
  auto& ladders = pipeline->report().ladders;
  ladders = climb(gpus_of(pipeline->report().machine), rungs);
  if (!report_before_leaving.seen() &&
      std::ranges::any_of(ladders, [](const GpuLadder& one) { return !one.broken.empty(); })) {
    if (auto done = explain_break(*pipeline, options); !done)
      return complain("ladder: " + done.error().text());
  }
  return sink->finish(pipeline->finish());
}

}  // namespace rocvet::cli

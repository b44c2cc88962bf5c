// rocvet advise: the best supported stack for this machine or a named GPU, and how to install it.
#include "db/advise.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "db/question_of.h"
#include "source/secrets.h"

namespace rocvet::cli {
namespace {

std::string text_advice(const std::string& gpu, const Advice& advice) {
  std::string out = printable(gpu) + "\n  " + printable(advice.summary) + "\n";
  const bool keeps = !advice.kept.rocm.empty();
  for (const Stack* stack :
       {keeps ? &advice.kept : &advice.newest, &advice.elsewhere, &advice.unofficial}) {
    for (const Fact& fact : stack->answer.facts) {
      out += "  - " + printable(fact.because) +
             (fact.condition.empty() ? "" : "; only if: " + fact.condition) + " [" + fact.source +
             "]\n";
    }
  }
  for (const std::string& note : advice.notes) out += "  note: " + printable(note) + "\n";
  int number = 0;
  for (const AdviceStep& step : advice.steps) {
    std::string after;
    if (step.needs_reboot) after += " (then reboot)";
    if (step.needs_login) after += " (then log in again)";
    out += "\n  " + std::to_string(++number) + ". " + printable(step.title) + after + "\n     # " +
           printable(step.why) + "\n";
    for (const Step& command : step.commands) out += "     " + printable(command.text()) + "\n";
  }
  return out;
}

nlohmann::ordered_json json_stack(const Stack& stack) {
  if (stack.rocm.empty()) return nullptr;
  nlohmann::ordered_json facts = nlohmann::ordered_json::array();
  for (const Fact& fact : stack.answer.facts) {
    facts.push_back({{"subject", fact.subject},
                     {"verdict", to_string(fact.verdict)},
                     {"because", fact.because},
                     {"condition", fact.condition},
                     {"source", fact.source},
                     {"checked", fact.checked}});
  }
  return {{"rocm", stack.rocm},
          {"verdict", to_string(stack.answer.verdict)},
          {"facts", std::move(facts)}};
}

nlohmann::ordered_json json_advice(const std::string& gpu, const Advice& advice) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const AdviceStep& step : advice.steps) {
    steps.push_back({{"title", step.title},
                     {"why", step.why},
                     {"commands", texts(step.commands)},
                     {"needs_root", step.needs_root},
                     {"needs_reboot", step.needs_reboot},
                     {"needs_login", step.needs_login}});
  }
  return {{"gpu", gpu},
          {"summary", advice.summary},
          {"newest", json_stack(advice.newest)},
          {"nearest", json_stack(advice.nearest)},
          {"kept", json_stack(advice.kept)},
          {"elsewhere", json_stack(advice.elsewhere)},
          {"unofficial", json_stack(advice.unofficial)},
          {"notes", advice.notes},
          {"steps", std::move(steps)}};
}

}  // namespace

int advise_verb(int argc, char** argv) {
  CommonOptions options;
  AdviceRequest given;
  CLI::App app(
      "The best supported stack for this machine (or for --gpu and --os) and the commands that "
      "install it.",
      "rocvet advise");
  app.add_option("--gpu", given.gpu,
                 "gfx target, 1002:744c, or a name; the machine's GPUs when left out");
  app.add_option("--os", given.os, "system, such as ubuntu-24.04");
  app.add_option("--rocm", given.installed, "the ROCm release that is installed");
  app.add_option("--kernel", given.kernel, "Linux version");
  app.add_flag("--dkms", given.dkms, "AMD's driver (amdgpu-dkms) is installed");
  app.add_option("--framework", given.framework,
                 "pytorch (the default), tensorflow, jax, onnxruntime, vllm, triton, llama.cpp, "
                 "ollama or none; with =VERSION");
  add_machine_options(app, options);
  app.add_option("--format", options.format, "text or json");
  if (const auto status = parse(app, argc, argv)) return *status;
  if (options.format != "text" && options.format != "json") {
    return complain("advise: --format takes text or json, not '" + options.format + "'");
  }
  given.python = take_python_version(options);
  if (!options.python.empty() && !given.gpu.empty() && options.snapshot.empty())
    return complain("advise: --python: '" + options.python.front() +
                    "' is no version, and no machine is read");
  std::vector<AdviceRequest> requests = {given};
  auto opened = open_database(options.database);
  if (!opened) return complain(opened.error().text());
  const std::shared_ptr<const Database> database = std::move(*opened);
  if (given.gpu.empty() || !options.snapshot.empty()) {
    auto pipeline = Pipeline::open("advise", options);
    if (!pipeline) return complain(pipeline.error().text());
    const Machine& machine = pipeline->report().machine;
    const Question here = question_of(machine, {.os = given.os, .kernel = given.kernel});
    given.os = here.os;
    given.kernel = here.kernel;
    given.wsl = machine.surroundings.wsl;
    given.dkms |= machine.driver.origin == DriverOrigin::dkms;
    if (given.installed.empty() && !machine.software.rocm.empty()) {
      given.installed = machine.software.rocm.front().version.value_or("");
    }
    requests.clear();
    std::vector<std::string> gpus;
    if (!given.gpu.empty()) gpus.push_back(given.gpu);
    for (const Gpu& gpu : machine.gpus) {
      if (!given.gpu.empty() || !gpu.gfx) continue;
      const std::string name = asked_name(gpu, *database);
      if (std::find(gpus.begin(), gpus.end(), name) == gpus.end()) gpus.push_back(name);
    }
    for (const std::string& gpu : gpus) {
      requests.push_back(given);
      requests.back().gpu = gpu;
    }
    if (requests.empty())
      return complain(machine.surroundings.wsl
                          ? "advise: under WSL no file tells which GPU this is; name it with --gpu"
                          : "advise: no AMD GPU here; name one with --gpu");
  }
  std::string text;
  nlohmann::ordered_json report{{"schema", "rocvet.advice/1"},
                                {"db_version", database->version()},
                                {"advice", nlohmann::ordered_json::array()}};
  bool found = true;
  for (const AdviceRequest& request : requests) {
    auto advice = advise(*database, request);
    if (!advice) return complain("advise: " + advice.error().text());
    found = found && !advice->newest.rocm.empty();
    text += (text.empty() ? "" : "\n") + text_advice(request.gpu, *advice);
    report["advice"].push_back(json_advice(request.gpu, *advice));
  }
  if (options.format == "json") text = json_text(report);
  const auto done = print(without_secrets(std::string_view(text)));
  if (!done) return complain(done.error().text());
  return found ? 0 : 1;
}

}  // namespace rocvet::cli

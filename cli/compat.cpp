// rocvet compat: ask the database about any subset of GPU, ROCm, system, kernel, driver, framework.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "db/database.h"
#include "db/question_of.h"

namespace rocvet::cli {
namespace {

/// One question per different GPU and ROCm of the machine, the options given standing for its own.
std::vector<Question> questions_here(const Machine& machine, const Question& given,
                                     const Database& database) {
  std::vector<std::string> gpus = {given.gpu}, releases = {given.rocm};
  if (given.gpu.empty()) gpus = asked_gpus(machine, database);
  if (given.rocm.empty()) releases = asked_releases(machine);
  if (gpus.empty()) gpus = {""};
  if (releases.empty()) releases = {""};
  std::vector<Question> questions;
  for (const std::string& gpu : gpus) {
    for (const std::string& rocm : releases) {
      questions.push_back(question_of(machine, given));
      questions.back().gpu = gpu;
      questions.back().rocm = rocm;
    }
  }
  return questions;
}

std::string asked_text(const Question& question) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : {std::pair{"", &question.gpu},
                                    {"ROCm ", &question.rocm},
                                    {"", &question.os},
                                    {"Linux ", &question.kernel},
                                    {"driver ", &question.driver},
                                    {"", &question.framework}}) {
    if (!value->empty()) parts.push_back(name + *value);
  }
  return join(parts, " + ");
}

nlohmann::ordered_json json_answer(const Question& question, const Answer& answer) {
  nlohmann::ordered_json asked = nlohmann::ordered_json::object();
  for (const auto& [name, value] : {std::pair{"gpu", &question.gpu},
                                    {"rocm", &question.rocm},
                                    {"os", &question.os},
                                    {"kernel", &question.kernel},
                                    {"driver", &question.driver},
                                    {"framework", &question.framework}}) {
    if (!value->empty()) asked[name] = *value;
  }
  nlohmann::ordered_json facts = nlohmann::ordered_json::array();
  for (const Fact& fact : answer.facts) {
    nlohmann::ordered_json item{
        {"subject", fact.subject}, {"verdict", to_string(fact.verdict)}, {"because", fact.because}};
    item["condition"] = fact.condition.empty() ? nlohmann::ordered_json(nullptr)
                                               : nlohmann::ordered_json(fact.condition);
    item["source"] = fact.source;
    item["checked"] = fact.checked;
    facts.push_back(std::move(item));
  }
  return {{"asked", std::move(asked)},
          {"verdict", to_string(answer.verdict)},
          {"because", answer.because},
          {"conditions", answer.conditions},
          {"facts", std::move(facts)}};
}

std::string text_answer(const Question& question, const Answer& answer, bool verbose) {
  std::string out = asked_text(question) + ": " + std::string(to_string(answer.verdict)) + "\n";
  std::size_t wide = 0;
  for (const Fact& fact : answer.facts) wide = std::max(wide, fact.subject.size());
  for (const Fact& fact : answer.facts) {
    std::string subject = fact.subject;
    // "×" is two bytes and one column.
    subject.resize(wide + 2, ' ');
    std::string verdict(to_string(fact.verdict));
    verdict.resize(12, ' ');
    out += "  " + subject + verdict + fact.because + "\n";
    const std::string gap(wide + 16, ' ');
    if (!fact.condition.empty()) out += gap + "only if: " + fact.condition + "\n";
    if (verbose || !fact.source.empty())
      out += gap + "source: " + fact.source + " (checked " + fact.checked + ")\n";
  }
  return out;
}

int exit_status(Support verdict) {
  switch (verdict) {
    case Support::supported:
    case Support::deprecated:
    case Support::enabled:
      return 0;
    case Support::unsupported:
      return 1;
    default:
      return 2;
  }
}

}  // namespace

int compat_verb(int argc, char** argv) {
  CommonOptions options;
  Question question;
  bool here = false;
  CLI::App app(
      "Asks the database about any subset of GPU, ROCm, system, kernel, driver and framework.",
      "rocvet compat");
  app.add_option("--gpu", question.gpu, "gfx target, 1002:744c, or a name such as \"RX 7900 XTX\"");
  app.add_option("--rocm", question.rocm, "ROCm release, such as 6.2 or 7.2.1");
  app.add_option("--os", question.os, "system, such as ubuntu-24.04 or \"SLES 15 SP6\"");
  app.add_option("--kernel", question.kernel, "Linux version");
  app.add_option("--driver", question.driver,
                 "amdgpu driver: a release (6.4, 30.10.1) or a DKMS module version (6.10.5)");
  app.add_option("--framework", question.framework, "framework=version, such as pytorch=2.6");
  app.add_flag("--here", here,
               "what is not given is taken from this machine (the default when nothing is given)");
  add_machine_options(app, options);
  app.add_option("--format", options.format, "text or json");
  app.add_flag("-v,--verbose", options.verbose, "");
  if (const auto status = parse(app, argc, argv)) return *status;
  if (const auto ok = text_or_json(options.format); !ok) return complain(ok.error().text());
  const bool nothing = question.gpu.empty() && question.rocm.empty() && question.os.empty() &&
                       question.kernel.empty() && question.driver.empty() &&
                       question.framework.empty();

  auto opened = open_database(options.database);
  if (!opened) return complain(opened.error().text());
  const std::shared_ptr<const Database> database = std::move(*opened);
  std::vector<Question> questions = {question};
  if (here || nothing || !options.snapshot.empty()) {
    auto pipeline = Pipeline::open("compat", options);
    if (!pipeline) return complain(pipeline.error().text());
    questions = questions_here(pipeline->report().machine, question, pipeline->database());
  }

  std::vector<Answer> answers;
  int status = 0;
  for (const Question& each : questions) {
    auto answer = database->ask(each);
    if (!answer) return complain("compat: " + answer.error().text());
    status = std::max(status, exit_status(answer->verdict) == 1 ? 3 : exit_status(answer->verdict));
    answers.push_back(std::move(*answer));
  }
  // 1 (something is not supported) weighs more than 2 (not known).
  status = status == 3 ? 1 : status;

  std::string text;
  if (options.format == "json") {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < answers.size(); ++i) {
      if (exit_status(answers[i].verdict) == 1 || exit_status(answers[worst].verdict) == 0)
        worst = i;
    }
    nlohmann::ordered_json report{{"schema", "rocvet.compat/1"},
                                  {"db_version", database->version()}};
    report.update(json_answer(questions[worst], answers[worst]));
    if (answers.size() > 1) {
      report["all"] = nlohmann::ordered_json::array();
      for (std::size_t i = 0; i < answers.size(); ++i)
        report["all"].push_back(json_answer(questions[i], answers[i]));
    }
    text = json_text(report);
  } else {
    for (std::size_t i = 0; i < answers.size(); ++i)
      text += text_answer(questions[i], answers[i], options.verbose);
    text += "database " + database->version() + "\n";
  }
  const auto done = print(text);
  return done ? status : complain(done.error().text());
}

}  // namespace rocvet::cli

// rocvet compat: ask the database about any subset of GPU, ROCm, system, kernel, driver, framework.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/questions_file.h"
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
                                    {"", &question.framework},
                                    {"Python ", &question.python},
                                    {"", &question.platform}}) {
    if (!value->empty()) parts.push_back(name + *value);
  }
  return printable(join(parts, " + "));
}

nlohmann::ordered_json json_asked(const Question& question) {
  nlohmann::ordered_json asked = nlohmann::ordered_json::object();
  for (const auto& [name, field] : kQuestionFields) {
    if (!(question.*field).empty()) asked[std::string(name)] = question.*field;
  }
  return asked;
}

nlohmann::ordered_json json_answer(const Question& question, const Answer& answer) {
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
  return {{"asked", json_asked(question)},
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
    out += "  " + subject + verdict + printable(fact.because) + "\n";
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

struct Reply {
  Question question;
  Result<Answer> answer;
};

/// 1 (something is not supported) weighs more than 2 (not known); 3, with a line on stderr, where a
/// question of a file was not understood.
int status_of(const std::vector<Reply>& replies) {
  bool unsupported = false, unknown = false;
  std::size_t failed = 0;
  const Error* first = nullptr;
  for (const Reply& reply : replies) {
    if (!reply.answer) {
      if (++failed == 1) first = &reply.answer.error();
      continue;
    }
    const int status = exit_status(reply.answer->verdict);
    unsupported |= status == 1;
    unknown |= status == 2;
  }
  if (first != nullptr) {
    return complain("compat: " + std::to_string(failed) + " of " + std::to_string(replies.size()) +
                    " questions were not understood; the first: " + first->text());
  }
  return unsupported ? 1 : unknown ? 2 : 0;
}

nlohmann::ordered_json json_reply(const Reply& reply) {
  if (reply.answer) return json_answer(reply.question, *reply.answer);
  return {{"asked", json_asked(reply.question)}, {"error", reply.answer.error().text()}};
}

/// Which reply speaks for all: one that is not supported, else one that is not known.
std::size_t worst_of(const std::vector<Reply>& replies) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < replies.size(); ++i) {
    const Result<Answer>&first = replies[worst].answer, &second = replies[i].answer;
    if (!second) continue;
    if (!first || exit_status(second->verdict) == 1 || exit_status(first->verdict) == 0) worst = i;
  }
  return worst;
}

std::string json_replies(const std::vector<Reply>& replies, const std::string& version) {
  nlohmann::ordered_json report{{"schema", "rocvet.compat/1"}, {"db_version", version}};
  report.update(json_reply(replies[worst_of(replies)]));
  if (replies.size() > 1) {
    report["all"] = nlohmann::ordered_json::array();
    for (const Reply& reply : replies) report["all"].push_back(json_reply(reply));
  }
  return json_text(report);
}

std::string text_replies(const std::vector<Reply>& replies, bool verbose,
                         const std::string& version) {
  std::string text;
  for (const Reply& reply : replies) {
    text += reply.answer ? text_answer(reply.question, *reply.answer, verbose)
                         : asked_text(reply.question) +
                               ": not understood: " + reply.answer.error().text() + "\n";
  }
  return text + "database " + version + "\n";
}

}  // namespace

int compat_verb(int argc, char** argv) {
  CommonOptions options;
  Question question;
  std::string file;
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
  app.add_option("--platform", question.platform,
                 "bare-metal, wsl, kvm or esxi; kvm-passthrough, kvm-sr-iov …");
  app.add_flag("--here", here,
               "what is not given is taken from this machine (the default when nothing is given)");
  auto* questions_file = app.add_option(
      "--questions", file,
      "a file with a question a line, {\"gpu\": \"gfx1100\", \"rocm\": \"6.2\"}; - is "
      "standard input");
  for (const char* other :
       {"--gpu", "--rocm", "--os", "--kernel", "--driver", "--framework", "--platform", "--here"})
    questions_file->excludes(app.get_option(other));
  add_machine_options(app, options);
  app.add_option("--format", options.format, "text or json");
  app.add_flag("-v,--verbose", options.verbose, "");
  if (const auto status = parse(app, argc, argv)) return *status;
  if (const auto ok = text_or_json(options.format); !ok) return complain(ok.error().text());
  question.python = take_python_version(options);
  if (!file.empty() && !question.python.empty())
    return complain("compat: --questions excludes --python (a question has a field for it)");
  const bool reads_machine = here || !options.snapshot.empty();
  if (!options.python.empty() && !reads_machine && !question.gpu.empty())
    return complain("compat: --python: '" + options.python.front() +
                    "' is no version, and no machine is read");
  const bool nothing = std::ranges::all_of(
      kQuestionFields, [&](const auto& field) { return (question.*field.second).empty(); });

  auto opened = open_database(options.database);
  if (!opened) return complain(opened.error().text());
  const std::shared_ptr<const Database> database = std::move(*opened);
  std::vector<Question> questions = {question};
  if (!file.empty()) {
    auto read = read_questions(file);
    if (!read) return complain("compat: " + read.error().text());
    questions = *std::move(read);
  } else if (here || nothing || !options.snapshot.empty()) {
    auto pipeline = Pipeline::open("compat", options);
    if (!pipeline) return complain(pipeline.error().text());
    questions = questions_here(pipeline->report().machine, question, pipeline->database());
  }

  std::vector<Reply> replies;
  for (const Question& each : questions) {
    replies.push_back({each, database->ask(each)});
    // In a file one bad question does not lose the others' answers.
    if (const auto& answer = replies.back().answer; !answer && file.empty())
      return complain("compat: " + answer.error().text());
  }
  const auto done =
      print(options.format == "json" ? json_replies(replies, database->version())
                                     : text_replies(replies, options.verbose, database->version()));
  if (!done) return complain(done.error().text());
  return status_of(replies);
}

}  // namespace rocvet::cli

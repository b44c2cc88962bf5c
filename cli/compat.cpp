// rocvet compat: ask the database about any subset of GPU, ROCm, system, kernel, driver, framework.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

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

constexpr std::size_t kPrintedAtOnce = std::size_t{64} * 1024;

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

Reply reply_to(const Question& question, const Database& database) {
  return {question, database.ask(question)};
}

/// What of all replies decides. The replies themselves are made again to be written, one by one:
/// those to a file of questions are thirty times as large as it.
class Summary {
 public:
  void add(const Reply& reply) {
    const std::size_t index = asked_++;
    if (!reply.answer) {
      if (++failed_ == 1) first_error_ = reply.answer.error().text();
      return;
    }
    const int status = exit_status(reply.answer->verdict);
    unsupported_ |= status == 1;
    unknown_ |= status == 2;
    if (worst_status_ && status != 1 && *worst_status_ != 0) return;
    worst_status_ = status;
    worst_ = index;
  }
  /// Which reply speaks for all: the last that is not supported, else one that is not known.
  std::size_t worst() const { return worst_; }
  /// 1 (something is not supported) weighs more than 2 (not known); 3, with a line on stderr, where
  /// a question of a file was not understood.
  int status() const {
    if (failed_ == 0) return unsupported_ ? 1 : unknown_ ? 2 : 0;
    return complain("compat: " + std::to_string(failed_) + " of " + std::to_string(asked_) +
                    " questions were not understood; the first: " + first_error_);
  }

 private:
  std::size_t asked_ = 0, failed_ = 0, worst_ = 0;
  std::string first_error_;
  bool unsupported_ = false, unknown_ = false;
  std::optional<int> worst_status_;
};

nlohmann::ordered_json json_reply(const Reply& reply) {
  if (reply.answer) return json_answer(reply.question, *reply.answer);
  return {{"asked", json_asked(reply.question)}, {"error", reply.answer.error().text()}};
}

std::string text_reply(const Reply& reply, bool verbose) {
  if (reply.answer) return text_answer(reply.question, *reply.answer, verbose);
  return asked_text(reply.question) + ": not understood: " + reply.answer.error().text() + "\n";
}

/// Each line four columns to the right, without the last line's end.
std::string indented(const std::string& text) {
  std::string out;
  for (const std::string_view line : split(trim(text), '\n')) {
    if (!out.empty()) out += '\n';
    out.append(4, ' ').append(line);
  }
  return out;
}

Result<Done> print_json(const std::vector<Question>& questions, std::size_t worst,
                        const Database& database) {
  nlohmann::ordered_json report{{"schema", "rocvet.compat/1"}, {"db_version", database.version()}};
  report.update(json_reply(reply_to(questions[worst], database)));
  std::string text = json_text(std::move(report));
  if (questions.size() == 1) return print(text);
  text.resize(text.rfind('}'));
  text = std::string(trim(text)) + ",\n  \"all\": [";
  const char* between = "\n";
  for (const Question& question : questions) {
    text += between + indented(json_text(json_reply(reply_to(question, database))));
    between = ",\n";
    if (text.size() < kPrintedAtOnce) continue;
    if (auto done = print(text); !done) return done;
    text.clear();
  }
  return print(text + "\n  ]\n}\n");
}

Result<Done> print_text(const std::vector<Question>& questions, bool verbose,
                        const Database& database) {
  std::string text;
  for (const Question& question : questions) {
    text += text_reply(reply_to(question, database), verbose);
    if (text.size() < kPrintedAtOnce) continue;
    if (auto done = print(text); !done) return done;
    text.clear();
  }
  return print(text + "database " + database.version() + "\n");
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

  Summary summary;
  for (const Question& each : questions) {
    const Reply reply = reply_to(each, *database);
    // In a file one bad question does not lose the others' answers.
    if (!reply.answer && file.empty()) return complain("compat: " + reply.answer.error().text());
    summary.add(reply);
  }
  const auto done = options.format == "json" ? print_json(questions, summary.worst(), *database)
                                             : print_text(questions, options.verbose, *database);
  if (!done) return complain(done.error().text());
  return summary.status();
}

}  // namespace rocvet::cli

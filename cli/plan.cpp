// rocvet plan --to rocm=10.1[,kernel=…]: what an upgrade of this machine would break.
#include "plan/plan.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/printable.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/reader.h"
#include "report/read_report.h"
#include "report/share.h"
#include "source/secrets.h"

namespace rocvet::cli {
namespace {

std::string text_steps(const std::vector<AdviceStep>& steps) {
  std::string out;
  int number = 0;
  for (const AdviceStep& step : steps) {
    out += "  " + std::to_string(++number) + ". " + printable(step.title) +
           (step.needs_reboot ? " (then reboot)" : "") + "\n";
    if (!step.why.empty()) out += "     # " + printable(step.why) + "\n";
    for (const Step& command : step.commands) out += "     " + printable(command.text()) + "\n";
  }
  return out;
}

std::string text_plan(const Plan& plan) {
  std::string out;
  if (!plan.from.empty()) out += "from  " + printable(plan.from) + "\n";
  out += "to    " + printable(plan.to) + "\n\n";
  for (const Break& each : plan.breaks) {
    out += (each.certain ? "BREAKS  " : "MAYBE   ") + printable(each.because) + "\n        " +
           each.subject + (each.source.empty() ? "" : " [" + each.source + "]") + "\n";
  }
  if (plan.breaks.empty())
    out += plan.judged
               ? "Nothing that is known breaks.\n"
               : "Nothing that is known breaks, but not all could be judged: see the notes.\n";
  if (!plan.moves.empty()) out += "\nMust move with it:\n";
  for (const std::string& move : plan.moves) out += "  - " + printable(move) + "\n";
  if (!plan.steps.empty()) out += "\nIn this order:\n" + text_steps(plan.steps);
  if (!plan.back.empty()) out += "\nThe way back:\n" + text_steps(plan.back);
  if (!plan.notes.empty()) out += "\n";
  for (const std::string& note : plan.notes) out += "note: " + printable(note) + "\n";
  return out;
}

nlohmann::ordered_json json_steps(const std::vector<AdviceStep>& steps) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const AdviceStep& step : steps) {
    out.push_back({{"title", step.title},
                   {"why", step.why},
                   {"commands", texts(step.commands)},
                   {"needs_root", step.needs_root},
                   {"needs_reboot", step.needs_reboot}});
  }
  return out;
}

std::string json_plan(const Plan& plan, const std::string& version) {
  nlohmann::ordered_json breaks = nlohmann::ordered_json::array();
  for (const Break& each : plan.breaks) {
    breaks.push_back({{"certain", each.certain},
                      {"subject", each.subject},
                      {"because", each.because},
                      {"source", each.source}});
  }
  return json_text(nlohmann::ordered_json{{"schema", "rocvet.plan/1"},
                                          {"db_version", version},
                                          {"from", plan.from},
                                          {"to", plan.to},
                                          {"judged", plan.judged},
                                          {"breaks", std::move(breaks)},
                                          {"moves", plan.moves},
                                          {"steps", json_steps(plan.steps)},
                                          {"way_back", json_steps(plan.back)},
                                          {"notes", plan.notes}});
}

}  // namespace

int plan_verb(int argc, char** argv) {
  CommonOptions options;
  std::string to, report_file;
  CLI::App app(
      "What an upgrade of this machine would break, what has to move with it, in which order, and "
      "the way back. Changes nothing.",
      "rocvet plan");
  app.add_option("--to", to,
                 "what is to be of another version: rocm=10.1,kernel=6.14,os=ubuntu-26.04,"
                 "driver=31.60,torch=2.9,python=3.13, any of them")
      ->required();
  auto* saved = app.add_option("--report", report_file, "a saved JSON report instead of a machine")
                    ->check(not_empty);
  add_machine_options(app, options);
  for (const char* other : {"--snapshot", "--log", "--python"})
    saved->excludes(app.get_option(other));
  app.add_option("--format", options.format, "text or json");
  if (const auto status = parse(app, argc, argv)) return *status;
  if (const auto ok = text_or_json(options.format); !ok) return complain(ok.error().text());

  if (!report_file.empty()) only_read(options);
  auto database = open_database(options.database);
  if (!database) return complain(database.error().text());
  const auto upgrade = parse_upgrade(**database, to);
  if (!upgrade) return complain("plan: " + upgrade.error().text());
  Report report;
  if (!report_file.empty()) {
    auto read = load_report(report_file);
    if (!read) return complain(read.error().text());
    report = std::move(*read);
  } else {
    auto pipeline = Pipeline::open("plan", options);
    if (!pipeline) return complain(pipeline.error().text());
    report = std::move(pipeline->report());
  }
  const auto plan = plan_upgrade(report.machine, **database, *upgrade);
  if (!plan) return complain("plan: " + plan.error().text());
  const std::string text = options.format == "json"
                               ? shareable_json(json_plan(*plan, (*database)->version()), {&report})
                               : without_secrets(std::string_view(text_plan(*plan)));
  const auto done = print(text);
  if (!done) return complain(done.error().text());
  if (!plan->breaks.empty() && plan->breaks.front().certain) return 1;
  return plan->judged ? 0 : 2;
}

}  // namespace rocvet::cli

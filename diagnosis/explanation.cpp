#include "diagnosis/explanation.h"

#include <algorithm>

#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"
#include "diagnosis/remedy.h"
#include "diagnosis/weigh.h"

namespace rocvet {
namespace {

constexpr double kWorthNaming = 0.05;
constexpr std::size_t kMostReadings = 4;

std::vector<ExplainedMessage> messages_of(const Context& context) {
  std::vector<ExplainedMessage> messages;
  for (const LogEvent& event : kernel_events(context)) {
    messages.push_back({event.line, "kernel", event.means, "", std::string(event.message->source),
                        event.message->severity >= LogSeverity::error});
  }
  for (const AppError& error : app_errors(context)) {
    if (error.text->prose) continue;
    const std::string_view where =
        error.text->origin.empty() ? error.text->source : error.text->origin;
    messages.push_back({error.line, std::string(error.text->from), std::string(error.text->means),
                        std::string(error.text->asks), std::string(where),
                        !error.text->asks.empty()});
  }
  // What fails is told before what is only beside it.
  std::ranges::stable_partition(messages, &ExplainedMessage::fault);
  return messages;
}

/// What the machine itself would show of the cause most often: a check's finding or another state.
std::string deciding(const Candidate& one, const Knowledge& knowledge) {
  const WeighedSign* best = nullptr;
  for (const WeighedSign& sign : one.signs) {
    if (sign.seen == Truth::yes || knowledge.observation(sign.sign->saw) == nullptr) continue;
    if (best == nullptr || sign.worth > best->worth) best = &sign;
  }
  return best == nullptr ? "" : std::string(knowledge.observation(best->sign->saw)->means);
}

std::vector<Reading> readings_of(const Context& context, const std::vector<CheckResult>& results) {
  const Observations observations(context, results);
  const Knowledge& knowledge = context.db.knowledge();
  std::vector<Reading> readings;
  for (const Candidate& one :
       weigh(knowledge, observations, impossible_causes(context, observations), {})) {
    if (one.probability < kWorthNaming || readings.size() >= kMostReadings) break;
    Reading reading{.id = std::string(one.cause->id),
                    .title = std::string(one.cause->title),
                    .probability = one.probability,
                    .benign = one.cause->benign(),
                    .decided_by = deciding(one, knowledge),
                    .remedy = remedy_for(*one.cause, context.machine),
                    .experiment = Step::of_database(one.cause->experiment)};
    readings.push_back(std::move(reading));
  }
  return readings;
}

}  // namespace

Explanation explain_log(const Context& context, const std::vector<CheckResult>& results) {
  Explanation explanation{messages_of(context), readings_of(context, results), {}};
  for (const CheckResult& result : results) {
    if (result.check->id == "unexplained-error") explanation.unexplained = result.finding.evidence;
  }
  return explanation;
}

}  // namespace rocvet

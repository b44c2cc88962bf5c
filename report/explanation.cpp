#include "report/explanation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/printable.h"
#include "report/layout.h"

namespace rocvet {
namespace {

constexpr const char* kOnTheMachine =
    "on the machine itself: rocvet check --log FILE   (it reads what decides between these)";

bool some_fault(const Explanation& explanation) {
  return std::ranges::any_of(explanation.messages, &ExplainedMessage::fault);
}

std::string percent(double probability) {
  return std::to_string(std::lround(100 * std::min(probability, 0.99))) + " %";
}

/// The one step that comes next.
std::string next_step(const Explanation& explanation) {
  if (explanation.messages.empty() && explanation.unexplained.empty())
    return "give the lines around the failure: nothing here says that something failed";
  if (explanation.readings.empty() && !explanation.unexplained.empty())
    return "run the program again with AMD_LOG_LEVEL=3, and rocvet check --log FILE on the machine "
           "itself";
  if (!some_fault(explanation) && explanation.readings.empty())
    return "nothing of the GPU stack is to be mended for this";
  if (!explanation.readings.empty()) {
    const Reading& first = explanation.readings.front();
    if (first.benign) return "nothing of the GPU stack is to be mended for this";
    if (!first.experiment.empty()) return first.experiment.text();
  }
  return kOnTheMachine;
}

std::string message_block(const ExplainedMessage& message) {
  std::string out = (message.fault ? "ERROR " : "note  ") + printable(message.from) + ": " +
                    printable(message.means) + "\n";
  out += detail_row("line", message.line);
  if (!message.asks.empty()) out += detail_row("decides", message.asks);
  return out;
}

std::string reading_block(const Reading& reading) {
  std::string out = percent(reading.probability);
  out.insert(0, 4 - std::min<std::size_t>(4, out.size()), ' ');
  out += "  " + reading.id + "  " + printable(reading.title) + "\n";
  if (!reading.decided_by.empty()) out += detail_row("it is, if", reading.decided_by);
  for (const Step& step : reading.remedy.steps) out += detail_row("fix", step.text());
  return out;
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  std::string out;
  for (const ExplainedMessage& message : explanation.messages) out += message_block(message);
  for (const std::string& line : explanation.unexplained)
    out += "?     an error that rocvet does not know\n" + detail_row("line", line);
  if (!explanation.readings.empty()) {
    out += "\nWhat may be behind it (no machine was looked at), likeliest first:\n";
    for (const Reading& reading : explanation.readings) out += reading_block(reading);
  }
  if (out.empty()) out = "Nothing in this text is known, and no line says that something failed.\n";
  return out + "\nnext: " + printable(next_step(explanation)) + "\n";
}

std::string explanation_json(const Explanation& explanation) {
  nlohmann::ordered_json out;
  out["schema"] = "rocvet.explanation/1";
  out["messages"] = nlohmann::ordered_json::array();
  for (const ExplainedMessage& one : explanation.messages) {
    out["messages"].push_back({{"line", one.line},
                               {"from", one.from},
                               {"means", one.means},
                               {"asks", one.asks},
                               {"source", one.source},
                               {"fault", one.fault}});
  }
  out["causes"] = nlohmann::ordered_json::array();
  for (const Reading& one : explanation.readings) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const Step& step : one.remedy.steps) steps.push_back(step.text());
    // Nobody knows it to more than three digits.
    out["causes"].push_back({{"id", one.id},
                             {"title", one.title},
                             {"probability", std::floor(one.probability * 1000) / 1000},
                             {"benign", one.benign},
                             {"decided_by", one.decided_by},
                             {"steps", std::move(steps)},
                             {"experiment", one.experiment.text()}});
  }
  out["unexplained"] = explanation.unexplained;
  out["next"] = next_step(explanation);
  return json_text(std::move(out));
}

}  // namespace rocvet

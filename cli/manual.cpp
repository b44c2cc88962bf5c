#include "cli/manual.h"

#include <optional>
#include <vector>

#include "base/text.h"
#include "checks/check.h"
#include "diagnosis/remedy.h"
#include "report/policy.h"
#include "selftests/selftest.h"

namespace rocvet::cli {
namespace {

/// A template that goes over two lines, on one.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    if (letter == '\n')
      line += "\\n";
    else
      line += letter;
  }
  return line;
}

/// Of an observation by its name: what it means, and the causes that show it.
std::optional<std::string> knowledge_page(std::string_view id, const Knowledge& knowledge) {
  std::string means, source, wording;
  if (const ObservationInfo* observation = knowledge.observation(id)) means = observation->means;
  for (const KernelMessage& message : knowledge.messages()) {
    if ("kernel." + std::string(message.id) != id) continue;
    means = message.means;
    source = message.source;
  }
  for (const ErrorText& text : knowledge.texts()) {
    if ("text." + std::string(text.id) != id) continue;
    means = std::string(text.from) + ": " + std::string(text.means);
    source = text.origin.empty() ? text.source : text.origin;
    wording = text.prose ? "\n## What people say\n" : "\n## What the program prints\n";
    for (const std::string_view one : text.text) wording += "- `" + one_line(one) + "`\n";
  }
  if (means.empty()) return std::nullopt;
  std::string page = std::string(id) + "\n" + means + "\n" + wording + "\n## Causes that show it\n";
  for (const Cause& cause : knowledge.causes()) {
    for (const Sign& sign : cause.signs) {
      if (sign.saw == id) page += "- " + std::string(cause.id) + "\n";
    }
  }
  if (!source.empty()) page += "\n## References\n- " + source + "\n";
  return page;
}

}  // namespace

Result<std::string> manual_page(std::string_view id, const Database& database) {
  std::vector<std::string> names;
  const auto all = all_checks(database);
  std::vector<const Check*> checks(all.begin(), all.end());
  checks.push_back(&policy_check());
  for (const Check* check : checks) {
    if (check->code == id || check->id == id) {
      return std::string(check->code) + " " + std::string(check->id) + "\n" +
             std::string(check->title) + (check->doc.starts_with('\n') ? "\n" : "\n\n") +
             std::string(check->doc);
    }
    names.emplace_back(check->code);
    names.emplace_back(check->id);
  }
  for (const SelfTest* test : all_selftests()) {
    if (test->id == id)
      return std::string(test->id) + "\n" + std::string(test->title) + "\n" +
             std::string(test->doc);
    names.emplace_back(test->id);
  }
  for (const Cause& cause : database.knowledge().causes()) {
    if (cause.id == id) return cause_page(cause);
    names.emplace_back(cause.id);
  }
  if (const auto page = knowledge_page(id, database.knowledge())) return *page;
  return missing(
      "", "no check, self-test or root cause '" + std::string(id) + "'" + did_you_mean(id, names));
}

}  // namespace rocvet::cli

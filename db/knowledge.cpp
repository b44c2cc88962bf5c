#include "db/knowledge.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "base/text.h"
#include "db/blob.h"
#include "db/lazy.h"
#include "formats/message_index.h"
#include "formats/program_index.h"

namespace rocvet {
namespace {

using db::Blob;
using db::Lazy;
using db::list_items;
using db::Table;

double number(std::string_view cell) {
  return std::strtod(std::string(cell).c_str(), nullptr);
}

/// How often, of a word that says so.
using Frequency = std::pair<std::string_view, double>;
constexpr Frequency kShows[] = {
    {"always", 0.95}, {"usually", 0.7}, {"sometimes", 0.3}, {"rarely", 0.1}};
constexpr Frequency kCommon[] = {
    {"never", 0.001}, {"rare", 0.005}, {"uncommon", 0.02}, {"common", 0.1}, {"usual", 0.3}};

double frequency(std::span<const Frequency> words, std::string_view word) {
  for (const auto& [name, value] : words) {
    if (name == word) return value;
  }
  return 0;
}

LogSeverity severity_of(std::string_view word) {
  if (word == "notice") return LogSeverity::notice;
  if (word == "warning") return LogSeverity::warning;
  if (word == "error") return LogSeverity::error;
  return word == "fatal" ? LogSeverity::fatal : LogSeverity::harmless;
}

std::vector<Cause> read_causes(const Blob& blob) {
  const Table<"cause"> rows(blob);
  std::vector<Cause> all;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[rows.get(i, "id")] = i;
    all.push_back({.id = rows.get(i, "id"),
                   .title = rows.get(i, "title"),
                   .definition = rows.get(i, "definition"),
                   .needs = list_items(rows.get(i, "needs")),
                   .refuted_by = list_items(rows.get(i, "refuted_by")),
                   .explains = list_items(rows.get(i, "explains")),
                   .action = rows.get(i, "action"),
                   .mild = rows.get(i, "mild") == "true",
                   .met_at_open = rows.get(i, "met_at_open") == "true",
                   .experiment = rows.get(i, "experiment"),
                   .remedy = list_items(rows.get(i, "remedy")),
                   .asks = list_items(rows.get(i, "asks")),
                   .signs = {},
                   .source = rows.get(i, "source")});
  }
  const Table<"sign"> signs(blob);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    all[places.at(signs.get(i, "of"))].signs.push_back(
        {signs.get(i, "saw"), signs.get(i, "group"), frequency(kShows, signs.get(i, "shows"))});
  }
  return all;
}

struct Messages {
  std::vector<KernelMessage> all;
  MessageIndex texts;  ///< owner: the place in `all`
};

Messages read_messages(const Blob& blob) {
  const Table<"event"> rows(blob);
  Messages made;
  std::map<std::string_view, std::size_t> places;
  std::vector<MessageIndex::Entry> entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[rows.get(i, "id")] = i;
    made.all.push_back({.id = rows.get(i, "id"),
                        .topic = rows.get(i, "topic"),
                        .means = rows.get(i, "means"),
                        .source = rows.get(i, "source"),
                        .severity = severity_of(rows.get(i, "severity")),
                        .outcome = rows.get(i, "outcome") == "true",
                        .benign = {}});
    for (const std::string_view text : list_items(rows.get(i, "text"))) {
      auto parsed = MessageTemplate::parse(text);
      if (parsed)
        entries.push_back({i, std::move(*parsed)});  // else the build, `db check` refuse it
    }
  }
  const Table<"benign"> benign(blob);
  for (std::size_t i = 0; i < benign.size(); ++i) {
    made.all[places.at(benign.get(i, "of"))].benign.push_back(
        {benign.get(i, "when"), benign.get(i, "field"), list_items(benign.get(i, "is"))});
  }
  made.texts = MessageIndex(std::move(entries));
  return made;
}

struct Texts {
  std::vector<ErrorText> all;
  ProgramIndex programs;  ///< owner: the place in `all`
};

Texts read_texts(const Blob& blob) {
  const Table<"text"> rows(blob);
  Texts made;
  std::map<std::string_view, std::size_t> places;
  std::vector<ProgramIndex::Entry> entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[rows.get(i, "id")] = i;
    made.all.push_back({.id = rows.get(i, "id"),
                        .text = list_items(rows.get(i, "text")),
                        .from = rows.get(i, "from"),
                        .means = rows.get(i, "means"),
                        .asks = rows.get(i, "asks"),
                        .origin = rows.get(i, "origin"),
                        .source = rows.get(i, "source"),
                        .prose = rows.get(i, "prose") == "true",
                        .anywhere = rows.get(i, "anywhere") == "true",
                        .outcome = rows.get(i, "outcome") == "true",
                        .suggests = {},
                        .sees = rows.get(i, "sees")});
    if (made.all.back().prose) continue;
    for (const std::string_view text : made.all.back().text) {
      auto parsed = MessageTemplate::parse(text);
      if (parsed)  // else the build, `db check` refuse it
        entries.push_back({i, std::move(*parsed), rows.get(i, "anywhere") == "true"});
    }
  }
  made.programs = ProgramIndex(std::move(entries));
  const Table<"suggestion"> suggestions(blob);
  for (std::size_t i = 0; i < suggestions.size(); ++i) {
    made.all[places.at(suggestions.get(i, "of"))].suggests.push_back(
        {suggestions.get(i, "cause"), number(suggestions.get(i, "share"))});
  }
  return made;
}

struct Observations {
  std::vector<ObservationInfo> all;
  std::map<std::string_view, std::size_t> places;
};

Observations read_observations(const Blob& blob) {
  const Table<"observation"> rows(blob);
  Observations made;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    made.places[rows.get(i, "id")] = i;
    const std::string_view common = rows.get(i, "common");
    made.all.push_back({rows.get(i, "id"), rows.get(i, "check"), rows.get(i, "means"),
                        frequency(kCommon, common.empty() ? "rare" : common),
                        rows.get(i, "partial") == "true", rows.get(i, "asked") == "true",
                        rows.get(i, "outcome") == "true"});
  }
  return made;
}

struct Fitted {
  Weights weights;
  std::map<std::string_view, double> thresholds;
  std::map<std::string_view, double> cases;
  double all_cases = 0;
  std::map<std::string_view, Count> counts;

  double threshold(ThresholdName name) const {
    const auto found = thresholds.find(name.view());
    return found == thresholds.end() ? 0 : found->second;
  }
};

Fitted read_fitted(const Blob& blob) {
  Fitted made;
  const Table<"weight"> weights(blob);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::string_view id = weights.get(i, "id");
    (id == "T"   ? made.weights.t
     : id == "W" ? made.weights.w
                 : made.weights.n) = number(weights.get(i, "value"));
  }
  const Table<"threshold"> thresholds(blob);
  for (std::size_t i = 0; i < thresholds.size(); ++i)
    made.thresholds[thresholds.get(i, "id")] = number(thresholds.get(i, "value"));
  made.weights.author = made.threshold("author");
  made.weights.common_text = made.threshold("common-text");
  made.weights.other_cause = made.threshold("other-cause");
  made.weights.pseudo_case = made.threshold("pseudo-case");
  made.weights.telling_state = made.threshold("telling-state");
  const Table<"prior"> priors(blob);
  for (std::size_t i = 0; i < priors.size(); ++i) {
    const double cases = number(priors.get(i, "cases"));
    made.cases[priors.get(i, "cause")] = cases;
    made.all_cases += cases;
  }
  const Table<"leak"> leaks(blob);
  for (std::size_t i = 0; i < leaks.size(); ++i) {
    made.counts[leaks.get(i, "saw")] = {number(leaks.get(i, "seen")),
                                        number(leaks.get(i, "readable"))};
  }
  return made;
}

using WordLists = std::map<std::string_view, std::vector<std::string_view>>;

WordLists read_word_lists(const Blob& blob) {
  const Table<"word_list"> rows(blob);
  WordLists made;
  for (std::size_t i = 0; i < rows.size(); ++i)
    made[rows.get(i, "id")] = list_items(rows.get(i, "words"));
  return made;
}

}  // namespace

struct Knowledge::Parts {
  const Blob& blob;
  Lazy<std::vector<Cause>> causes{blob, read_causes};
  Lazy<Messages> messages{blob, read_messages};
  Lazy<Texts> texts{blob, read_texts};
  Lazy<Observations> observations{blob, read_observations};
  Lazy<Fitted> fitted{blob, read_fitted};
  Lazy<WordLists> word_lists{blob, read_word_lists};
  std::once_flag expected_once;
  std::map<std::string_view, double> expected;
};

Knowledge::Knowledge(const Blob& blob) : parts_(new Parts{blob}) {}
Knowledge::~Knowledge() = default;

const std::vector<Cause>& Knowledge::causes() const {
  return parts_->causes();
}

const Cause* Knowledge::cause(std::string_view id) const {
  for (const Cause& cause : causes()) {
    if (cause.id == id) return &cause;
  }
  return nullptr;
}

const std::vector<KernelMessage>& Knowledge::messages() const {
  return parts_->messages().all;
}

const KernelMessage* Knowledge::message_of(std::string_view line,
                                           std::vector<MessageTemplate::Value>* values) const {
  const Messages& known = parts_->messages();
  const MessageIndex::Entry* found = known.texts.match(line, values);
  return found == nullptr ? nullptr : &known.all[found->owner];
}

const KernelMessage* Knowledge::message_in(std::string_view line,
                                           std::vector<MessageTemplate::Value>* values) const {
  const Messages& known = parts_->messages();
  const MessageIndex::Entry* found = known.texts.find(line, values);
  return found == nullptr ? nullptr : &known.all[found->owner];
}

const std::vector<ErrorText>& Knowledge::texts() const {
  return parts_->texts().all;
}

const ErrorText* Knowledge::program_text(std::string_view above, std::string_view line) const {
  const Texts& known = parts_->texts();
  const long found = known.programs.find(above, line);
  return found < 0 ? nullptr : &known.all[static_cast<std::size_t>(found)];
}

double Knowledge::prior(const Cause& cause) const {
  const double pseudo = weights().pseudo_case;
  return (cases(cause.id) + pseudo) / (all_cases() + pseudo * static_cast<double>(causes().size()));
}

double Knowledge::expected(std::string_view observation) const {
  std::map<std::string_view, double>& sums = parts_->expected;
  std::call_once(parts_->expected_once, [&] {
    for (const Cause& cause : causes()) {
      for (const Sign& sign : cause.signs) sums[sign.saw] += prior(cause) * sign.shows;
    }
  });
  const auto found = sums.find(observation);
  return found == sums.end() ? 0 : found->second;
}

const std::vector<ObservationInfo>& Knowledge::observations() const {
  return parts_->observations().all;
}

const ObservationInfo* Knowledge::observation(std::string_view id) const {
  const Observations& known = parts_->observations();
  const auto found = known.places.find(id);
  return found == known.places.end() ? nullptr : &known.all[found->second];
}

const Weights& Knowledge::weights() const {
  return parts_->fitted().weights;
}

const std::vector<std::string_view>& Knowledge::words(WordListName name) const {
  static const std::vector<std::string_view> none;  // of a database made for a test
  const auto found = parts_->word_lists().find(name.view());
  return found == parts_->word_lists().end() ? none : found->second;
}

double Knowledge::threshold(ThresholdName name) const {
  return parts_->fitted().threshold(name);
}

double Knowledge::cases(std::string_view cause) const {
  const auto& cases = parts_->fitted().cases;
  const auto found = cases.find(cause);
  return found == cases.end() ? 0 : found->second;
}

double Knowledge::all_cases() const {
  return parts_->fitted().all_cases;
}

Count Knowledge::count(std::string_view observation) const {
  const auto& counts = parts_->fitted().counts;
  const auto found = counts.find(observation);
  return found == counts.end() ? Count{} : found->second;
}

}  // namespace rocvet

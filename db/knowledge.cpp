#include "db/knowledge.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include "base/text.h"
#include "db/blob.h"
#include "formats/literal_filter.h"

namespace rocvet {
namespace {

using db::Blob;
using db::list_items;
using db::Table;

double number(std::string_view cell) {
  return std::strtod(std::string(cell).c_str(), nullptr);
}

/// How often, of a word that says so.
double shows_of(std::string_view word) {
  constexpr std::pair<std::string_view, double> kWords[] = {
      {"always", 0.95}, {"usually", 0.7}, {"sometimes", 0.3}, {"rarely", 0.1}};
  for (const auto& [name, value] : kWords) {
    if (name == word) return value;
  }
  return 0;
}

double common_of(std::string_view word) {
  constexpr std::pair<std::string_view, double> kWords[] = {
      {"never", 0.001}, {"rare", 0.005}, {"uncommon", 0.02}, {"common", 0.1}, {"usual", 0.3}};
  for (const auto& [name, value] : kWords) {
    if (name == word) return value;
  }
  return 0.005;
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
                   .experiment = rows.get(i, "experiment"),
                   .remedy = list_items(rows.get(i, "remedy")),
                   .asks = list_items(rows.get(i, "asks")),
                   .signs = {},
                   .source = rows.get(i, "source"),
                   .checked = rows.get(i, "checked")});
  }
  const Table<"sign"> signs(blob);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    all[places.at(signs.get(i, "of"))].signs.push_back(
        {signs.get(i, "saw"), signs.get(i, "group"), shows_of(signs.get(i, "shows"))});
  }
  return all;
}

struct Messages {
  std::vector<KernelMessage> all;
  /// Each text of each message, and the filter that tells which of them a line may be.
  std::vector<std::pair<std::size_t, std::size_t>> texts;
  std::unique_ptr<LiteralFilter> filter;
};

Messages read_messages(const Blob& blob) {
  const Table<"event"> rows(blob);
  Messages made;
  std::map<std::string_view, std::size_t> places;
  std::vector<std::vector<std::string>> literals;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[rows.get(i, "id")] = i;
    KernelMessage message{.id = rows.get(i, "id"),
                          .component = rows.get(i, "component"),
                          .topic = rows.get(i, "topic"),
                          .means = rows.get(i, "means"),
                          .source = rows.get(i, "source"),
                          .severity = severity_of(rows.get(i, "severity")),
                          .texts = {},
                          .benign = {}};
    for (const std::string_view text : list_items(rows.get(i, "text"))) {
      auto parsed = MessageTemplate::parse(text);
      if (!parsed) continue;  // the build and `db check` refuse it
      literals.push_back({std::string(parsed->longest_literal())});
      made.texts.emplace_back(i, message.texts.size());
      message.texts.push_back(std::move(*parsed));
    }
    made.all.push_back(std::move(message));
  }
  const Table<"benign"> benign(blob);
  for (std::size_t i = 0; i < benign.size(); ++i) {
    made.all[places.at(benign.get(i, "of"))].benign.push_back(
        {benign.get(i, "when"), benign.get(i, "field"), benign.get(i, "why"),
         list_items(benign.get(i, "is"))});
  }
  made.filter = std::make_unique<LiteralFilter>(literals, LiteralFilter::Case::as_is);
  return made;
}

std::vector<ErrorText> read_texts(const Blob& blob) {
  const Table<"text"> rows(blob);
  std::vector<ErrorText> all;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[rows.get(i, "id")] = i;
    all.push_back({.id = rows.get(i, "id"),
                   .text = rows.get(i, "text"),
                   .from = rows.get(i, "from"),
                   .means = rows.get(i, "means"),
                   .asks = rows.get(i, "asks"),
                   .source = rows.get(i, "source"),
                   .prose = rows.get(i, "prose") == "true",
                   .suggests = {}});
  }
  const Table<"suggestion"> suggestions(blob);
  for (std::size_t i = 0; i < suggestions.size(); ++i) {
    all[places.at(suggestions.get(i, "of"))].suggests.push_back(
        {suggestions.get(i, "cause"), number(suggestions.get(i, "share"))});
  }
  return all;
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
    made.all.push_back({rows.get(i, "id"), rows.get(i, "check"), rows.get(i, "means"),
                        common_of(rows.get(i, "common"))});
  }
  return made;
}

struct Fitted {
  Weights weights;
  std::map<std::string_view, double> cases;
  double all_cases = 0;
  std::map<std::string_view, Count> counts;
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

/// Made when it is first asked for: most runs want only a part.
template <typename T>
class Lazy {
 public:
  explicit Lazy(T (*make)(const Blob&)) : make_(make) {}
  const T& get(const Blob& blob) const {
    std::call_once(once_, [&] { value_ = make_(blob); });
    return value_;
  }

 private:
  T (*make_)(const Blob&);
  mutable std::once_flag once_;
  mutable T value_ = {};
};

}  // namespace

struct Knowledge::Parts {
  using Fit = bool (MessageTemplate::*)(std::string_view,
                                        std::vector<MessageTemplate::Value>*) const;
  const KernelMessage* message(std::string_view line, Fit fit,
                               std::vector<MessageTemplate::Value>* values) const;

  const Blob& blob;
  Lazy<std::vector<Cause>> causes{read_causes};
  Lazy<Messages> messages{read_messages};
  Lazy<std::vector<ErrorText>> texts{read_texts};
  Lazy<Observations> observations{read_observations};
  Lazy<Fitted> fitted{read_fitted};
};

Knowledge::Knowledge(const Blob& blob) : parts_(new Parts{blob}) {}
Knowledge::~Knowledge() = default;

const std::vector<Cause>& Knowledge::causes() const {
  return parts_->causes.get(parts_->blob);
}

const Cause* Knowledge::cause(std::string_view id) const {
  for (const Cause& cause : causes()) {
    if (cause.id == id) return &cause;
  }
  return nullptr;
}

const std::vector<KernelMessage>& Knowledge::messages() const {
  return parts_->messages.get(parts_->blob).all;
}

const KernelMessage* Knowledge::Parts::message(std::string_view line, Fit fit,
                                               std::vector<MessageTemplate::Value>* values) const {
  const Messages& known = messages.get(blob);
  thread_local LiteralFilter::Marks marks;
  if (!known.filter->mark(line, marks)) return nullptr;
  const KernelMessage* best = nullptr;
  const MessageTemplate* text = nullptr;
  each_marked(marks, [&](std::size_t i) {
    const auto [message, number] = known.texts[i];
    const MessageTemplate& one = known.all[message].texts[number];
    if (text != nullptr && one.literal_bytes() <= text->literal_bytes()) return;
    if (!(one.*fit)(line, nullptr)) return;
    best = &known.all[message];
    text = &one;
  });
  if (text != nullptr && values != nullptr) static_cast<void>((text->*fit)(line, values));
  return best;
}

const KernelMessage* Knowledge::message_of(std::string_view line,
                                           std::vector<MessageTemplate::Value>* values) const {
  return parts_->message(line, &MessageTemplate::match, values);
}

const KernelMessage* Knowledge::message_in(std::string_view line,
                                           std::vector<MessageTemplate::Value>* values) const {
  return parts_->message(line, &MessageTemplate::find, values);
}

const std::vector<ErrorText>& Knowledge::texts() const {
  return parts_->texts.get(parts_->blob);
}

const std::vector<ObservationInfo>& Knowledge::observations() const {
  return parts_->observations.get(parts_->blob).all;
}

const ObservationInfo* Knowledge::observation(std::string_view id) const {
  const Observations& known = parts_->observations.get(parts_->blob);
  const auto found = known.places.find(id);
  return found == known.places.end() ? nullptr : &known.all[found->second];
}

const Weights& Knowledge::weights() const {
  return parts_->fitted.get(parts_->blob).weights;
}

double Knowledge::cases(std::string_view cause) const {
  const auto& cases = parts_->fitted.get(parts_->blob).cases;
  const auto found = cases.find(cause);
  return found == cases.end() ? 0 : found->second;
}

double Knowledge::all_cases() const {
  return parts_->fitted.get(parts_->blob).all_cases;
}

Count Knowledge::count(std::string_view observation) const {
  const auto& counts = parts_->fitted.get(parts_->blob).counts;
  const auto found = counts.find(observation);
  return found == counts.end() ? Count{} : found->second;
}

}  // namespace rocvet

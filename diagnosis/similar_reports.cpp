#include "diagnosis/similar_reports.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

extern "C" const char rocvet_similar_reports[], rocvet_similar_reports_end[];

namespace rocvet {
namespace {

constexpr std::size_t kMostReasons = 6;
constexpr std::ptrdiff_t kFewestWords = 10;  // a line or two look like many things
constexpr std::string_view kWord = "word:";
constexpr std::string_view kHealthy = "-";  // what the data calls reports of machines that work

struct Weight {
  std::size_t cause;  ///< its place among the causes
  double value;
};
struct Feature {
  double idf;
  std::vector<Weight> weights;
};
struct Model {
  std::vector<std::string_view> causes;
  std::vector<double> intercepts;
  std::map<std::string_view, Feature> features;
};

std::string_view next_part(std::string_view& rest, char end) {
  const std::size_t at = std::min(rest.find(end), rest.size());
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return part;
}

template <typename Number>
Number number_in(std::string_view text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Lines with tabs: "cause NAME INTERCEPT" in order, "-" for none, then "NAME IDF CAUSE:WEIGHT
/// CAUSE:WEIGHT …".
Model read_model(std::string_view text) {
  Model model;
  while (!text.empty()) {
    std::string_view line = next_part(text, '\n');
    if (line.empty() || line.starts_with('#')) continue;
    const std::string_view name = next_part(line, '\t');
    if (name == "cause") {
      model.causes.push_back(next_part(line, '\t'));
      model.intercepts.push_back(number_in<double>(line));
      continue;
    }
    Feature& feature = model.features[name];
    feature.idf = number_in<double>(next_part(line, '\t'));
    while (!line.empty()) {
      std::string_view pair = next_part(line, '\t');
      const auto cause = number_in<std::size_t>(next_part(pair, ':'));
      if (cause < model.causes.size()) feature.weights.push_back({cause, number_in<double>(pair)});
    }
  }
  return model;
}

const Model& model() {
  static const Model kModel =
      read_model({rocvet_similar_reports,
                  static_cast<std::size_t>(rocvet_similar_reports_end - rocvet_similar_reports)});
  return kModel;
}

struct Voice {
  std::string_view name;
  const Feature* feature;
  double value;  ///< of the feature in the report: its idf, all of them together of length 1
};

std::vector<Voice> voices_of(const ReportFeatures& features) {
  std::vector<Voice> voices;
  double squares = 0;
  for (const std::string& name : features) {
    const auto found = model().features.find(name);
    if (found == model().features.end()) continue;
    voices.push_back({found->first, &found->second, found->second.idf});
    squares += found->second.idf * found->second.idf;
  }
  for (Voice& voice : voices) voice.value /= std::sqrt(squares);
  return voices;
}

bool is_single_word(const Voice& voice) {
  return voice.name.starts_with(kWord) && voice.name.find(' ') == voice.name.npos;
}

struct Reason {
  double share;
  std::string_view name;
};

}  // namespace

Likeness likeness_to_reports(const ReportFeatures& features) {
  const std::vector<Voice> voices = voices_of(features);
  if (std::ranges::count_if(voices, is_single_word) < kFewestWords) return {};
  std::vector<double> margins = model().intercepts;
  std::vector<std::vector<Reason>> reasons(margins.size());
  for (const Voice& voice : voices) {
    for (const Weight& weight : voice.feature->weights) {
      const double share = weight.value * voice.value;
      margins[weight.cause] += share;
      if (share > 0) reasons[weight.cause].push_back({share, voice.name});
    }
  }
  Likeness likeness;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if (model().causes[i] == kHealthy) {
      likeness.healthy = margins[i];
      continue;
    }
    SimilarReports one{model().causes[i], margins[i], {}};
    std::ranges::stable_sort(reasons[i], std::ranges::greater{}, &Reason::share);
    for (const Reason& reason : reasons[i]) {
      if (one.because.size() < kMostReasons) one.because.push_back(reason.name);
    }
    likeness.causes.push_back(std::move(one));
  }
  std::ranges::stable_sort(likeness.causes, std::ranges::greater{}, &SimilarReports::margin);
  return likeness;
}

std::string words_of(const std::vector<std::string_view>& features) {
  std::string text;
  for (std::string_view feature : features) {
    if (feature.starts_with(kWord)) feature.remove_prefix(kWord.size());
    text += (text.empty() ? "" : ", ") + std::string(feature);
  }
  return text;
}

}  // namespace rocvet

#include "diagnosis/report_features.h"

#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

/// Of a log of many megabytes, what it begins with.
constexpr std::size_t kMostText = 200'000;
constexpr std::size_t kShortest = 2, kLongest = 40;

bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || c == '_';
}
bool continues_word(char c) {
  return begins_word(c) || (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-';
}

}  // namespace

void add_words(std::string_view lower_text, ReportFeatures& to) {
  const std::string_view text = lower_text.substr(0, kMostText);
  std::string_view before;
  for (std::size_t at = 0; at < text.size();) {
    if (!begins_word(text[at])) {
      // What begins with a digit is no word to its end.
      const bool number = continues_word(text[at]);
      ++at;
      while (number && at < text.size() && continues_word(text[at])) ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && continues_word(text[end])) ++end;
    const std::string_view run = text.substr(at, end - at);
    const std::string_view word = run.substr(0, run.find_last_not_of(".+-") + 1);
    at = end;
    if (word.size() < kShortest || word.size() > kLongest) continue;
    to.insert("word:" + std::string(word));
    if (!before.empty()) to.insert("word:" + std::string(before) + " " + std::string(word));
    before = word;
  }
}

ReportFeatures features_of(const Context& context, const Observations& observations) {
  ReportFeatures features;
  for (const Observed& one : observations.all()) features.insert(one.name);
  add_words(spoken_lower(context), features);
  return features;
}

}  // namespace rocvet

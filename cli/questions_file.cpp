#include "cli/questions_file.h"

#include <unistd.h>

#include <algorithm>

#include "base/json.h"
#include "base/printable.h"
#include "base/read_whole_file.h"
#include "base/text.h"

namespace rocvet::cli {
namespace {

constexpr std::size_t kMostBytes = 16u << 20;
constexpr std::size_t kMostQuestions = 20000;
constexpr std::size_t kLongestValue = 256;  // no name of a GPU, a release or a package is longer

Result<Question> read_question(std::string_view line, const std::string& where) {
  const auto json = parse_json<nlohmann::json>(line, where, kSmallJson);
  if (!json) return json.error();
  if (!json->is_object()) return malformed(where, "a question is an object, {\"gpu\": \"…\"}");
  if (json->empty()) return malformed(where, "nothing is asked");
  Question question;
  for (const auto& [name, value] : json->items()) {
    const auto field =
        std::ranges::find(kQuestionFields, name, [](const auto& each) { return each.first; });
    if (field == kQuestionFields.end()) {
      std::vector<std::string> names;
      names.reserve(kQuestionFields.size());
      for (const auto& [known, target] : kQuestionFields) names.emplace_back(known);
      return malformed(where,
                       "nothing is asked by '" + printable(name) + "'" + did_you_mean(name, names));
    }
    if (!value.is_string()) return malformed(where, "'" + printable(name) + "' is no text");
    const auto& said = value.get_ref<const std::string&>();
    if (said.size() > kLongestValue)
      return malformed(where, "'" + printable(name) + "' is longer than " +
                                  std::to_string(kLongestValue) + " bytes");
    question.*field->second = said;
  }
  return question;
}

}  // namespace

Result<std::vector<Question>> read_questions(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  const auto text = path == "-" ? read_descriptor(STDIN_FILENO, kMostBytes, name)
                                : read_whole_file(path, kMostBytes);
  if (!text) return text.error();
  std::vector<Question> questions;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::string_view line = std::string_view(*text).substr(at, end - at);
    at = end + 1;
    ++number;
    if (trim(line).empty()) continue;
    if (questions.size() == kMostQuestions)
      return malformed(name + ":" + std::to_string(number),
                       "a file holds at most " + std::to_string(kMostQuestions) + " questions");
    auto question = read_question(line, name + ":" + std::to_string(number));
    if (!question) return question.error();
    questions.push_back(*std::move(question));
  }
  if (questions.empty()) return malformed(name, "there is no question in it");
  return questions;
}

}  // namespace rocvet::cli

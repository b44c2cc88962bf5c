#include "checks/logs/spoken_gpus.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/add_once.h"
#include "base/text.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostWords = 4000;    // of a log: people name their card at its beginning
constexpr std::size_t kLongestProduct = 4;  // "rx 7900 xtx 24gb": words of a name

/// Whether a product's name may begin with this word: numbers alone name none.
bool begins_product(std::string_view word) {
  for (const std::string_view first : {"radeon", "instinct", "strix", "rx", "vega", "ryzen"}) {
    if (word == first) return true;
  }
  if (word.size() >= 4 && word.starts_with("rx") && is_digit(word[2])) return true;
  if (word.size() >= 4 && word.starts_with("mi") && is_digit(word[2])) return true;
  if (word.size() == 5 && (word[0] == 'w' || word[0] == 'r') && is_digit(word[1]) &&
      is_digit(word[4]))
    return true;
  // "9070xt", "8060s", "780m"
  const std::size_t digits = word.find_first_not_of("0123456789");
  if (digits == 4 || digits == 3) {
    const std::string_view rest = word.substr(digits);
    return rest == "xt" || rest == "xtx" || rest == "gre" || rest == "m" || rest == "s";
  }
  return false;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size() && words.size() < kMostWords;) {
    const auto is_word = [&](std::size_t i) {
      return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '+';
    };
    if (!is_word(at)) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(end)) ++end;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// The one target of all products of this name; "" when there is none, or several.
std::string target_of(const Context& context, const std::string& name) {
  std::string gfx;
  for (const GpuInfo* info : context.db.find(name)) {
    if (!gfx.empty() && gfx != info->gfx) return "";
    gfx = info->gfx;
  }
  return gfx;
}

/// The gfx targets that are named as such: "gfx1151".
std::vector<std::string> named_targets(std::string_view log) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::vector<std::string> targets;
  for (std::size_t at = log.find("gfx"); at != log.npos; at = log.find("gfx", at + 3)) {
    std::size_t end = log.find_first_not_of(kDigits, at + 3);
    if (end == log.npos) end = log.size();
    const std::size_t digits = end - at - 3;
    if (digits == 3 || digits == 4) add_once(targets, std::string(log.substr(at, end - at)));
  }
  return targets;
}

}  // namespace

std::vector<std::string> targets_spoken_of(const Context& context) {
  const std::string_view log = spoken_lower(context);
  std::vector<std::string> targets = named_targets(log);
  const auto words = words_of(log);
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (!begins_product(words[at])) continue;
    for (std::size_t n = std::min(kLongestProduct, words.size() - at); n > 0; --n) {
      std::string name;
      for (std::size_t i = at; i < at + n; ++i)
        name += (name.empty() ? "" : " ") + std::string(words[i]);
      const std::string gfx = target_of(context, name);
      if (gfx.empty()) continue;
      add_once(targets, gfx);
      at += n - 1;
      break;
    }
  }
  return targets;
}

}  // namespace rocvet

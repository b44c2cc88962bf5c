#include "formats/literal_filter.h"

#include <algorithm>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::size_t kGram = LiteralFilter::kShortest;
constexpr int kHashBits = 16;

/// f(gram) for each of a text of at least two bytes, in their order. There are ten thousands of
/// them when a database is read: each is made of the one before.
template <typename F>
void each_gram(std::string_view text, F&& f) {
  static_assert(kGram == 3);
  std::uint32_t gram =
      static_cast<unsigned char>(text[0]) << 8 | static_cast<unsigned char>(text[1]);
  for (const char c : text.substr(2)) {
    gram = (gram << 8 | static_cast<unsigned char>(c)) & 0xffffff;
    f(gram);
  }
}

std::uint32_t hash(std::uint32_t gram) {
  return (gram * 2654435761u) >> (32 - kHashBits);
}

}  // namespace

std::string longest_part(std::string_view text) {
  if (text.ends_with('$')) text.remove_suffix(1);
  std::string_view longest;
  for (const std::string_view part : split(text, '*')) {
    if (part.size() > longest.size()) longest = part;
  }
  return std::string(longest);
}

LiteralFilter::LiteralFilter(const std::vector<std::vector<std::string>>& texts, Case letters)
    : always_((texts.size() + 63) / 64), present_((std::size_t{1} << kHashBits) / 64) {
  for (int c = 0; c < 256; ++c) {
    const bool upper = c >= 'A' && c <= 'Z';
    fold_[c] = static_cast<unsigned char>(letters == Case::folded && upper ? c - 'A' + 'a' : c);
  }
  // The three bytes of a literal that the fewest others have are the likeliest to be rare in a log.
  std::vector<std::uint32_t> uses(std::size_t{1} << kHashBits);
  for (const auto& literals : texts) {
    for (const std::string& one : literals) {
      if (one.size() >= kGram) each_gram(one, [&](std::uint32_t gram) { ++uses[hash(gram)]; });
    }
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool always =
        texts[i].empty() || std::any_of(texts[i].begin(), texts[i].end(),
                                        [](const auto& one) { return one.size() < kGram; });
    if (always) {
      always_[i / 64] |= std::uint64_t{1} << i % 64;
      any_always_ = true;
      continue;
    }
    for (const std::string& one : texts[i]) {
      std::uint32_t best = 0, fewest = UINT32_MAX;
      each_gram(one, [&](std::uint32_t gram) {
        const std::uint32_t number = uses[hash(gram)];
        if (number >= fewest) return;
        best = gram;
        fewest = number;
      });
      entries_.push_back({best, static_cast<std::uint32_t>(i)});
      present_[hash(best) / 64] |= std::uint64_t{1} << hash(best) % 64;
    }
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.gram < b.gram; });
}

bool LiteralFilter::look(std::uint32_t gram, Marks& marks) const {
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), gram,
                                [](const Entry& one, std::uint32_t key) { return one.gram < key; });
  bool any = false;
  for (; entry != entries_.end() && entry->gram == gram; ++entry) {
    marks[entry->text / 64] |= std::uint64_t{1} << entry->text % 64;
    any = true;
  }
  return any;
}

bool LiteralFilter::mark(std::string_view line, Marks& marks) const {
  marks = always_;
  bool any = any_always_;
  std::uint32_t gram = ' ';
  std::size_t seen = 1;
  const auto take = [&](unsigned char c) {
    gram = (gram << 8 | fold_[c]) & 0xffffff;
    if (++seen < kGram) return;
    const std::uint32_t bit = hash(gram);
    if ((present_[bit / 64] >> bit % 64 & 1) != 0) any |= look(gram, marks);
  };
  for (const char c : line) take(static_cast<unsigned char>(c));
  take(' ');
  return any;
}

}  // namespace rocvet

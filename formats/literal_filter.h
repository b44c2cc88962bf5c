// Which of many texts a line may hold, told in one pass over the line: a few hundred texts, looked
// for one by one in every line of a long log, take minutes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rocvet {

class LiteralFilter {
 public:
  enum class Case { as_is, folded };
  /// Of the literals: what is shorter does not filter.
  static constexpr std::size_t kShortest = 3;
  /// One bit per text.
  using Marks = std::vector<std::uint64_t>;

  /// `texts[i]`: literals of which one at least is in every line that text i fits (in lower case
  /// where case is folded). A text with a literal shorter than kShortest may fit any line.
  LiteralFilter(const std::vector<std::vector<std::string>>& texts, Case letters);

  /// The texts that may fit the line, which is looked at as if a blank stood at both of its ends.
  /// False: none does, and `marks` is all zero.
  bool mark(std::string_view line, Marks& marks) const;

 private:
  struct Entry {
    std::uint32_t gram, text;
  };
  bool look(std::uint32_t gram, Marks& marks) const;

  Marks always_;
  bool any_always_ = false;
  std::vector<Entry> entries_;          ///< by gram
  std::vector<std::uint64_t> present_;  ///< a bit per hash of a gram
  unsigned char fold_[256];
};

/// f(index) for each text marked, in their order.
template <typename F>
void each_marked(const LiteralFilter::Marks& marks, F&& f) {
  for (std::size_t word = 0; word < marks.size(); ++word) {
    for (std::uint64_t rest = marks[word]; rest != 0; rest &= rest - 1)
      f(word * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
  }
}

/// The longest part between the stars of a text ("a*b", "a*b$"): what a line that it fits must
/// have.
std::string longest_part(std::string_view text);

}  // namespace rocvet

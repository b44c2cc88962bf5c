// What a loaded library lacks, for one line: a library that is none of ours lacks dozens.
#pragma once

#include <string>

namespace rocvet {

class AbsentNames {
 public:
  void add(const char* name) {
    ++count_;
    if (count_ <= kMostNamed) names_ += names_.empty() ? name : std::string(", ") + name;
  }
  bool empty() const { return count_ == 0; }
  /// "a, b, c and 12 more".
  std::string text() const {
    const int more = count_ - kMostNamed;
    return more > 0 ? names_ + " and " + std::to_string(more) + " more" : names_;
  }

 private:
  static constexpr int kMostNamed = 3;
  int count_ = 0;
  std::string names_;
};

}  // namespace rocvet

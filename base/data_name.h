// The name of a row that C++ asks the database for; a name that no row has does not compile.
#pragma once

#include <span>
#include <string_view>

#include "threshold_names.h"
#include "word_list_names.h"

namespace rocvet {

template <const auto& kNames>
class DataName {
 public:
  consteval DataName(const char* name) : name_(name) {  // NOLINT: a literal is one
    for (const std::string_view known : kNames) {
      if (known == name_) return;
    }
    throw "db has no such row";
  }
  constexpr std::string_view view() const { return name_; }

 private:
  std::string_view name_;
};

using WordListName = DataName<kWordListNames>;    ///< of db/word_lists.toml
using ThresholdName = DataName<kThresholdNames>;  ///< of db/thresholds.toml

}  // namespace rocvet

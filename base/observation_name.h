// The name of something that a check may see. What it means, and which check sees it, stands in
// db/vocabulary.toml; a name that is not there does not compile.
#pragma once

#include <string_view>

#include "observation_names.h"

namespace rocvet {

class ObservationName {
 public:
  consteval ObservationName(const char* name) : name_(name) {  // NOLINT: a literal is one
    for (const std::string_view known : kObservationNames) {
      if (known == name_) return;
    }
    throw "db/vocabulary.toml has no such observation";
  }
  /// Of a row of the database, which has been looked up in the vocabulary; must live as long.
  static constexpr ObservationName of_database(std::string_view name) {
    return ObservationName(name, 0);
  }
  constexpr std::string_view view() const { return name_; }

 private:
  constexpr ObservationName(std::string_view name, int) : name_(name) {}
  std::string_view name_;
};

}  // namespace rocvet

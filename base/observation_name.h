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
  constexpr std::string_view view() const { return name_; }

 private:
  std::string_view name_;
};

}  // namespace rocvet

// A text as it is passed on, by a redactor that knows nothing but what the text itself tells.
#pragma once

#include <string>

#include "source/redaction.h"

namespace rocvet {

inline std::string shared(const std::string& text) {
  Redactor redactor(7);
  redactor.learn(text);
  return redactor.text(text);
}

}  // namespace rocvet

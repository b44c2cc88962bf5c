#include "base/verdict.h"

namespace rocvet {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::warn:
      return "warn";
    case Verdict::fail:
      return "fail";
    case Verdict::skip:
      return "skip";
    case Verdict::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace rocvet

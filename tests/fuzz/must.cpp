#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/printable.h"
#include "fuzz/target.h"

namespace rocvet::fuzz {

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "property violated: %s\n", what);
  std::abort();
}

void must_equal(std::string_view one, std::string_view other, const char* what) {
  if (one == other) return;
  std::fprintf(stderr, "property violated: %s\n--- one\n%s\n--- other\n%s\n---\n", what,
               printable_lines(one).c_str(), printable_lines(other).c_str());
  std::abort();
}

}  // namespace rocvet::fuzz

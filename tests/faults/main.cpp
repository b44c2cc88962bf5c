// The fake runtime says that its GPU is a gfx1100, so without device code for that there is nothing
// to inject a fault into: the tests are skipped, and say so.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>

#include "selftests/gpu/code_objects.h"

int main(int argc, char** argv) {
  constexpr int kSkipped = 77;  // SKIP_RETURN_CODE in tests/CMakeLists.txt
  const auto targets = rocvet::gpu::built_targets();
  if (std::ranges::find(targets, "gfx1100") == targets.end()) {
    std::puts(
        "skipped: this build has no device code for gfx1100 (no clang 19 or newer, or left out)");
    return kSkipped;
  }
  return doctest::Context(argc, argv).run();
}

#include "cli/example.h"

// tests/machines/mi300x-8gpu, packed when rocvet was built.
extern "C" const unsigned char rocvet_example[], rocvet_example_end[];

namespace rocvet::cli {

Result<std::unique_ptr<Source>> example_source() {
  const auto* begin = reinterpret_cast<const char*>(rocvet_example);
  const auto* end = reinterpret_cast<const char*>(rocvet_example_end);
  return snapshot_from_memory({begin, static_cast<std::size_t>(end - begin)},
                              "built-in example mi300x-8gpu");
}

}  // namespace rocvet::cli

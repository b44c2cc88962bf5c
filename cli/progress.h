// The line on a terminal that says which self-tests run at the moment.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "selftests/selftest.h"

namespace rocvet::cli {

/// What runs where, as one line.
class Progress {
 public:
  void update(const std::string& device, const std::string& test, bool done);
  /// "self-tests: 12 done · hip:0 gemm.fp32 · hip:1 memory.alloc", at most `width` columns; of a
  /// soak "soak: 41:10 left, 12 done · …".
  std::string line(std::size_t width, std::optional<double> left_s) const;

 private:
  int done_ = 0;
  std::map<std::string, std::string> running_;  ///< device -> test
};

/// Draws the line on standard error while the tests of `request` run, and erases it at the end.
/// Nothing when standard error is no terminal, or with `quiet`.
void show_progress(TestRequest& request, bool quiet);

}  // namespace rocvet::cli

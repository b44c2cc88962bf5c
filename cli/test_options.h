// The options of self-tests, shared by `test` and `run`.
#pragma once

#include "cli/options.h"
#include "selftests/selftest.h"
#include "selftests/worker/interruption.h"

namespace rocvet::cli {

struct TestOptions {
  std::vector<std::string> devices;
  std::string size = "quick", time_budget, transfer_size;
  std::string soak;  ///< --for
  bool steady = false;
  std::uint64_t seed = 1;
};

void add_test_options(CLI::App& app, TestOptions& options);
/// --for, after add_test_options().
void add_soak_option(CLI::App& app, TestOptions& options);
/// `ids` empty: every test. Errors name the option and what it takes.
Result<TestRequest> test_request(const TestOptions& options, std::vector<std::string> ids);

/// While it lives a signal that ends rocvet waits, so that what was found until then is reported.
using ReportBeforeLeaving = worker::Interruption;

}  // namespace rocvet::cli

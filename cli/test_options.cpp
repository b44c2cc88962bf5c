#include "cli/test_options.h"

#include <cstdlib>

#include "machine/text.h"

namespace rocvet::cli {

void add_test_options(CLI::App& app, TestOptions& options) {
  app.add_option("--device", options.devices,
                 "hip:N, cuda:N or host (repeatable; default: every AMD GPU)")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->delimiter(',');
  app.add_option("--size", options.size, "tiny, quick or full");
  app.add_option("--seed", options.seed, "of the random data");
  app.add_option("--time-budget", options.time_budget,
                 "for all self-tests together, as 60s, 5m or 1h");
}

namespace {

constexpr double kQuickBudget = 120, kFullBudget = 1800;

Result<double> parse_duration(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double factor = unit == "m" ? 60 : unit == "h" ? 3600 : 1;
  const bool unit_known = unit.empty() || unit == "s" || unit == "m" || unit == "h";
  if (end == text.c_str() || !unit_known || !(value > 0) || value * factor > 86400 * 7) {
    return malformed("--time-budget", "'" + text + "' is not a duration such as 60s, 5m or 1h");
  }
  return value * factor;
}

}  // namespace

Result<TestRequest> test_request(const TestOptions& options, std::vector<std::string> ids) {
  const std::vector<std::string> sizes = {"tiny", "quick", "full"};
  TestRequest request;
  request.ids = std::move(ids);
  request.devices = options.devices;
  request.params.seed = options.seed;
  if (options.size == "tiny") {
    request.params.size = Size::tiny;
  } else if (options.size == "full") {
    request.params.size = Size::full;
  } else if (options.size != "quick") {
    return malformed("--size", "'" + options.size + "' is none of tiny, quick, full" +
                                   did_you_mean(options.size, sizes));
  }
  request.time_budget_s = options.size == "full" ? kFullBudget : kQuickBudget;
  if (!options.time_budget.empty()) {
    auto budget = parse_duration(options.time_budget);
    if (!budget) return budget.error();
    request.time_budget_s = *budget;
  }
  return request;
}

}  // namespace rocvet::cli

#include "cli/test_options.h"

#include <cstdlib>

#include "base/text.h"

namespace rocvet::cli {

void add_test_options(CLI::App& app, TestOptions& options) {
  app.add_option(
         "--device", options.devices,
         "hip:N, hsa:N, kfd:N (experimental), cuda:N or host (repeatable; default: every AMD GPU)")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->delimiter(',');
  app.add_option("--size", options.size, "tiny, quick or full");
  app.add_flag("--steady", options.steady,
               "put 20 s of load on each device before it is timed (size full does so by itself)");
  app.add_option("--transfer-size", options.transfer_size,
                 "bytes of one copy between host and device, as 64K or 256M");
  app.add_option("--seed", options.seed, "of the random data");
  app.add_option("--time-budget", options.time_budget,
                 "for all self-tests together, as 60s, 5m or 1h");
}

void add_soak_option(CLI::App& app, TestOptions& options) {
  app.add_option("--for", options.soak,
                 "soak: repeat the tests for so long, as 90s, 15m or 2h30m, with a verdict on "
                 "every minute (default: the tests that load the device, without libraries)")
      ->check([](const std::string& text) { return text.empty() ? "the duration is empty" : ""; })
      ->excludes("--time-budget");
}

namespace {

constexpr double kQuickBudget = 120, kSteadyBudget = 300, kFullBudget = 1800;

Result<std::uint64_t> parse_bytes(const std::string& text) {
  constexpr double kMost = 1ull << 36;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit = lower(end);
  const bool plain = unit.empty() || unit == "b";
  const double factor = unit == "k" || unit == "kib"   ? 1 << 10
                        : unit == "m" || unit == "mib" ? 1 << 20
                        : unit == "g" || unit == "gib" ? 1 << 30
                                                       : 1;
  if (end == text.c_str() || (factor == 1 && !plain) || !(value * factor >= 8) ||
      value * factor > kMost) {
    return malformed("--transfer-size", "'" + text + "' is not a size such as 64K or 256M");
  }
  return static_cast<std::uint64_t>(value * factor);
}

constexpr double kLongest_s = 86400 * 7;

Result<double> parse_duration(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double factor = unit == "m" ? 60 : unit == "h" ? 3600 : 1;
  const bool unit_known = unit.empty() || unit == "s" || unit == "m" || unit == "h";
  if (end == text.c_str() || !unit_known || !(value > 0) || value * factor > kLongest_s) {
    return malformed("--time-budget", "'" + text + "' is not a duration such as 60s, 5m or 1h");
  }
  return value * factor;
}

/// Whole numbers with their units, the larger first: a number alone could mean either.
Result<double> parse_soak(const std::string& text) {
  constexpr std::string_view kUnits = "hms";
  constexpr double kSeconds[] = {3600, 60, 1};
  const Error wrong =
      malformed("--for", "'" + text + "' is not a duration such as 90s, 15m, 1h or 2h30m");
  double sum = 0;
  std::size_t next_unit = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t digits = rest.find_first_not_of("0123456789");
    if (digits == 0 || digits == rest.npos || digits > 7) return wrong;
    const std::size_t unit = kUnits.find(rest[digits], next_unit);
    if (unit == kUnits.npos) return wrong;
    sum += static_cast<double>(*parse_number(rest.substr(0, digits))) * kSeconds[unit];
    next_unit = unit + 1;
    rest.remove_prefix(digits + 1);
  }
  if (sum < 1) return wrong;
  if (sum > kLongest_s) return malformed("--for", "'" + text + "' is more than a week");
  return sum;
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
  if (options.size == "full") {
    request.params.regime = Regime::sustained;
  } else if (options.steady) {
    request.params.regime = Regime::steady;
  }
  request.time_budget_s = options.size == "full"                    ? kFullBudget
                          : options.steady || !options.soak.empty() ? kSteadyBudget
                                                                    : kQuickBudget;
  if (!options.transfer_size.empty()) {
    auto bytes = parse_bytes(options.transfer_size);
    if (!bytes) return bytes.error();
    request.params.transfer_bytes = *bytes;
  }
  if (!options.time_budget.empty()) {
    auto budget = parse_duration(options.time_budget);
    if (!budget) return budget.error();
    request.time_budget_s = *budget;
  }
  if (!options.soak.empty()) {
    const auto time = parse_soak(options.soak);
    if (!time) return time.error();
    request.repeat.for_s = *time;
    if (request.params.regime == Regime::quick) request.params.regime = Regime::steady;
  }
  return request;
}

}  // namespace rocvet::cli

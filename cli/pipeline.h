// From the options to a Report: the stages of architecture section 1 in a row.
#pragma once

#include <string>

#include "cli/options.h"
#include "db/performance.h"
#include "diagnosis/explanation.h"
#include "report/report.h"

namespace rocvet::cli {

/// Now, or SOURCE_DATE_EPOCH, as ISO 8601 in UTC.
std::string report_time();

/// A Report with the machine read and its GPUs identified.
class Pipeline {
 public:
  /// Errors: a snapshot or database that cannot be read, a pattern that matches nothing.
  static Result<Pipeline> open(std::string verb, const CommonOptions& options);
  /// The same on a machine that was opened already.
  static Result<Pipeline> open(std::string verb, const CommonOptions& options, Source& source);

  /// Self-tests, or a soak of them, after those that were run before; libraries are looked for in
  /// every ROCm of the machine. An Error is a bad request.
  Result<Done> test(TestRequest request);
  /// Compatibility, checks and diagnosis, which hears the self-tests that were run before.
  Result<Done> check(const CommonOptions& options);
  /// After check(): why a cause was named or was not (diagnosis/diagnosis.h).
  Result<std::string> why(std::string_view cause) const;
  std::string observations() const;
  /// After check(): what the log says (diagnosis/explanation.h).
  Explanation explanation() const;
  /// Sets the verdict and the duration.
  Report finish();

  Report& report() { return report_; }
  const Database& database() const { return *database_; }

 private:
  /// For the checks: the machine, the database and what failed self-tests said.
  Context context() const;
  /// What the diagnosis weighs: findings, and what failed self-tests tell.
  std::vector<CheckResult> evidence() const;
  void stage(const char* name, double began_ms);

  Report report_;
  std::shared_ptr<const Database> database_;
  std::shared_ptr<const PerformanceData> performance_;  ///< null: what is built in
  double started_ = 0;
};

}  // namespace rocvet::cli

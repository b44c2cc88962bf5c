// One value from which every format is written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/check.h"
#include "checks/features.h"
#include "db/database.h"
#include "diagnosis/diagnosis.h"
#include "machine/machine.h"
#include "selftests/ladder.h"
#include "selftests/selftest.h"
#include "selftests/soak/soak.h"
#include "source/redaction.h"

namespace rocvet {

struct CompatibilityRow {
  std::string subject;
  Answer answer;
};

struct Report {
  std::string verb, started;  ///< started: ISO 8601, UTC
  double duration_ms = 0;
  /// Of the stages that ran: "machine", "self-tests", "checks". Empty in a reproducible report.
  std::vector<std::pair<std::string, double>> seconds;
  std::string source_kind, source_path, db_version;
  bool explicit_selection = false;     ///< --only: every check was asked for by name
  Verdict verdict = Verdict::unknown;  ///< pass, warn, fail or unknown
  Machine machine;
  Identity identity;  ///< for what others may not see (report/share.h)
  std::vector<CompatibilityRow> compatibility;
  std::vector<GpuFeatures> features;
  std::vector<CheckResult> checks;
  std::vector<TestResult> selftests;
  std::vector<GpuLadder> ladders;  ///< of rocvet ladder, one a GPU
  std::optional<Soak> soak = {};   ///< of --for
  Diagnosis diagnosis;
  // Of a saved report that was read again.
  std::string saved_json = {};                   ///< all that it says; a Report keeps less
  std::shared_ptr<const void> keeps_alive = {};  ///< what `checks` refer to
};

struct TextOptions {
  bool color = false, verbose = false, quiet = false;
};

std::string write_text(const Report& report, const TextOptions& options);
std::string write_json(const Report& report);
std::string write_junit(const Report& report);
std::string write_html(const Report& report);
std::string write_markdown(const Report& report);
std::string write_sarif(const Report& report);
/// For CI systems and monitoring, lists and lines of complaints (report/complaints.h): annotations
/// of GitHub Actions, GitLab's code quality, Prometheus' text format, one line for a scheduler
/// ("DRAIN kfd-not-accessible: … - do: …"), and the same as a plugin of Nagios prints it.
std::string write_github(const Report& report);
std::string write_gitlab(const Report& report);
std::string write_prometheus(const Report& report);
std::string write_line(const Report& report);
std::string write_nagios(const Report& report);
/// What a plugin of Nagios ends with: 0 fine, 1 warning, 2 critical, 3 unknown.
int nagios_status(Verdict verdict);
std::string write_fix_script(const Report& report);

/// What one part of a report is worth to the overall verdict; `skip` does not count. A finding that
/// could not be judged counts (as `unknown`) when its check decides or was asked for by name: an
/// unread extra, such as a kernel log that only root may see, does not make a machine unjudged. A
/// root cause that is no more than a suspicion warns. Every format that sorts parts into failed,
/// unjudged and harmless asks here, so that none contradicts the exit status.
Verdict counts_as(const Report& report, const CheckResult& result);
Verdict counts_as(const TestResult& result);
Verdict counts_as(const RootCause& cause);

/// Of many: fail, then unknown, then warn, then pass; unknown when none of them counts.
Verdict worst_of(const std::vector<Verdict>& verdicts);

/// The worst of all that counts.
Verdict overall_verdict(const Report& report);
/// 0 nothing failed, 1 something failed, 2 nothing failed but something could not be judged.
int exit_status(Verdict overall);
inline int exit_status(const Report& report) {
  return exit_status(report.verdict);
}

}  // namespace rocvet

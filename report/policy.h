// What a site demands of its machines, and which findings it lives with: --policy FILE.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/toml.h"
#include "report/report.h"

namespace rocvet {

/// One value that a machine has to have: a fact and the globs of which its value must match one.
struct Demand {
  std::string key;
  std::vector<std::string> globs;
};

struct Waiver {
  std::string check;          ///< id, code or glob
  std::string subject = "*";  ///< glob
  std::string until, reason;  ///< "2026-12-31": the last day; "" for ever
};

struct Policy {
  std::string file;
  std::vector<Demand> demands;
  std::vector<std::pair<std::string, Verdict>> severity;  ///< id, code or glob; warn, fail or skip
  std::vector<Waiver> waivers;
};

/// policy = 1, [expect], [severity] and [[waive]] as in packaging/policy.example.toml.
/// Error::malformed with file, line and column: not TOML, an unknown key, a value of the wrong
/// kind, a pattern that matches no check of the database.
Result<Policy> read_policy(std::string_view text, const std::string& file,
                           const Database& database = Database::embedded());
Result<Policy> load_policy(const std::string& path,
                           const Database& database = Database::embedded());

/// What --expect demands: "gpus=8,gfx=gfx942", keys of [expect] with a glob each; `gpus` is
/// gpu_count, `gfx` gpu_target. An error names the key that is not known.
Result<Policy> expected_by(std::string_view text);
/// A policy that this machine meets, in TOML; what is not known here is a comment.
std::string policy_of(const Machine& machine);

/// Takes out the causes all of whose findings were waived, skipped or ignored.
void drop_waived_causes(Report& report);

/// Adds a finding for each demand that is not met or could not be judged, changes severities, takes
/// waived findings out of the judgement, and judges anew. `today`: "2026-11-21".
void apply_policy(Report& report, const Policy& policy, std::string_view today);

/// The check whose findings say that a demand is not met; its manual page.
const Check& policy_check();

}  // namespace rocvet

// What was seen on a machine, by name: what checks say, what the kernel's log tells, what programs
// and people said.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"
#include "checks/facts/conditions.h"

namespace rocvet {

/// Where an observation comes from. Only a state refutes; a person's words only re-rank.
enum class Provenance { state, kernel, runtime };

struct Observed {
  std::string name;  ///< "check.kfd-missing", "kernel.ring-timeout", "text.no-hip-gpus", "…"
  Provenance from = Provenance::state;
  const CheckResult* finding = nullptr;  ///< that tells of it; nullptr when none does
  std::string line;                      ///< of the log
  bool complains = false;                ///< a finding that fails or warns, an error, a message
};

class Observations {
 public:
  Observations(const Context& context, const std::vector<CheckResult>& results);

  /// Of an observation that nobody looked for, or could not: unknown.
  Truth saw(std::string_view name) const;
  const std::vector<Observed>& all() const { return all_; }
  /// Whether something that complains is called so.
  bool complains(std::string_view name) const;
  /// The share that people's words give a cause, 0..1; 0 when they say nothing of it.
  double prose(std::string_view cause) const;
  /// A program's message, or people's words, say that something fails.
  bool complaint() const { return complaint_; }

 private:
  void take_findings(const std::vector<CheckResult>& results);
  void take_kernel(const Context& context);
  void take_words(const Context& context);
  void take_state(const Context& context);

  const Knowledge& knowledge_;
  std::vector<Observed> all_;
  std::map<std::string, Truth, std::less<>> known_;
  /// Of each check: yes when it judged at least one thing.
  std::map<std::string_view, Truth> judged_;
  Truth kernel_log_ = Truth::unknown;
  std::map<std::string_view, double> prose_;
  bool complaint_ = false;
};

}  // namespace rocvet

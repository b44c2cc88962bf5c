// What was seen on a machine, by name: what checks say, what the kernel's log tells, what programs
// and people said.
#pragma once

#include <functional>
#include <map>
#include <set>
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
  std::string gpu = {};  ///< on which GPU, "gpu 1 (0000:c1:00.0)"; "" of the machine
  bool outcome = false;  ///< says how it ended, not why
};

class Observations {
 public:
  Observations(const Context& context, const std::vector<CheckResult>& results);

  /// Of an observation that nobody looked for, or could not: unknown.
  Truth saw(std::string_view name) const;
  /// The same of one GPU: what was seen on another was not seen on it. "": of any.
  Truth saw(std::string_view name, std::string_view gpu) const;
  /// The GPUs on which one of these was seen, in order of first appearance.
  std::vector<std::string_view> gpus_with(const std::vector<Sign>& signs) const;
  const std::vector<Observed>& all() const { return all_; }
  /// Whether something that complains is called so.
  bool complains(std::string_view name) const;
  /// Whether it is a message that says how a run ended, and not why.
  bool is_outcome(std::string_view name) const { return outcomes_.contains(name); }
  /// The share that people's words give a cause, 0..1; 0 when they say nothing of it.
  double prose(std::string_view cause) const;
  /// A program's message, or people's words, say that something fails.
  bool complaint() const { return complaint_; }

 private:
  using GpuOf = std::function<std::string(std::string_view called)>;
  void take_findings(const std::vector<CheckResult>& results, const GpuOf& gpu_of);
  void take_kernel(const Context& context, const GpuOf& gpu_of);
  void take_words(const Context& context);
  void take_state(const Context& context);

  const Knowledge& knowledge_;
  std::vector<Observed> all_;
  std::map<std::string, Truth, std::less<>> known_;
  /// On which GPUs each was seen; "" among them where it was seen of the machine.
  std::map<std::string_view, std::vector<std::string_view>> where_;
  /// Of each check: yes when it judged at least one thing.
  std::map<std::string_view, Truth> judged_;
  Truth kernel_log_ = Truth::unknown;
  std::map<std::string_view, double> prose_;
  std::set<std::string, std::less<>> outcomes_;
  bool complaint_ = false;
};

}  // namespace rocvet

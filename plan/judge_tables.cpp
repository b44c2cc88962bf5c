// What AMD's tables say of the pairs before and after, and the driver between them.
#include <algorithm>

#include "base/text.h"
#include "db/driver_releases.h"
#include "plan/judge.h"

namespace rocvet::plan {
namespace {

bool is_bad(Support verdict) {
  return verdict == Support::unsupported || verdict == Support::unlisted;
}

/// The answer's own reason and source.
const Fact* deciding(const Answer& answer) {
  for (const Fact& fact : answer.facts) {
    if (fact.verdict == answer.verdict && fact.because == answer.because) return &fact;
  }
  return nullptr;
}

/// Compares a pair before and after. One that was not listed before either is no break of the
/// upgrade; where there was no ROCm before, every pair is new.
void compare(const Judgement& judgement, const char* subject, const Question& before,
             const Question& then, bool unlisted_breaks) {
  const auto now = judgement.database.ask(before), later = judgement.database.ask(then);
  if (!later) return judgement.unjudged(later.error().what);
  if (later->verdict == Support::unknown) {
    return judgement.unjudged(later->because);
  }
  if (!is_bad(later->verdict)) return;
  if (now && is_bad(now->verdict) && !judgement.before.rocm.empty()) {
    judgement.plan.notes.push_back(later->because + ", as before");
    return;
  }
  const Fact* fact = deciding(*later);
  const std::string source = fact != nullptr ? fact->source : "";
  if (later->verdict == Support::unsupported || unlisted_breaks)
    judgement.breaks(subject, later->because, source);
  else
    judgement.may_break(subject, later->because, source);
}

bool is_listed(const Database& database, const Question& question) {
  const auto answer = database.ask(question);
  return answer && !is_bad(answer->verdict) && answer->verdict != Support::unknown;
}

void judge_gpu(const Judgement& judgement, const SetupGpu& gpu) {
  const Database& database = judgement.database;
  const Setup &now = judgement.before, &then = judgement.then;
  if (then.rocm.empty()) return;
  const std::string last = database.last_rocm_for(gpu.here.gfx);
  const auto until = Version::parse(last), target = Version::parse(then.rocm);
  const bool dropped = until && target && *until < *target;
  if (then.rocm != now.rocm) {
    compare(judgement, "gpu × rocm", {.gpu = gpu.name, .rocm = now.rocm},
            {.gpu = gpu.name, .rocm = then.rocm},
            dropped || !database.rocm_needed_for(gpu.here.gfx, then.rocm).empty());
  }
  // With the system only where each half is listed: what is not was told above.
  const Question pair{.gpu = gpu.name, .rocm = then.rocm, .os = then.os};
  if (then.os.empty() || !is_listed(database, {.gpu = gpu.name, .rocm = then.rocm}) ||
      !is_listed(database, {.rocm = then.rocm, .os = then.os}))
    return;
  if (then.rocm != now.rocm || then.os != now.os)
    compare(judgement, "gpu × os", {.gpu = gpu.name, .rocm = now.rocm, .os = now.os}, pair, true);
  if (then.kernel.empty() || !is_listed(database, pair)) return;
  Question with_kernel = pair;
  with_kernel.kernel = then.kernel;
  // Drivers work on kernels that no table has; which of them AMD's does not build on is known.
  if (then.kernel == now.kernel || is_listed(database, with_kernel)) return;
  judgement.plan.notes.push_back("AMD's tables do not list Linux " + then.kernel + " for " +
                                 gpu.name + " on this system");
}

}  // namespace

void Judgement::unjudged(std::string why) const {
  plan.judged = false;
  if (std::ranges::find(plan.notes, why) == plan.notes.end()) plan.notes.push_back(std::move(why));
}

void Judgement::breaks(std::string subject, std::string because, std::string source) const {
  plan.breaks.push_back({true, std::move(subject), std::move(because), std::move(source)});
}

void Judgement::may_break(std::string subject, std::string because, std::string source) const {
  plan.breaks.push_back({false, std::move(subject), std::move(because), std::move(source)});
}

void judge_tables(const Judgement& judgement) {
  const Setup &now = judgement.before, &then = judgement.then;
  if (!then.rocm.empty() && !then.os.empty() && (then.rocm != now.rocm || then.os != now.os)) {
    compare(judgement, "os × rocm", {.rocm = now.rocm, .os = now.os},
            {.rocm = then.rocm, .os = then.os}, !now.rocm.empty());
  }
  for (const SetupGpu& gpu : then.gpus) judge_gpu(judgement, gpu);
}

void judge_driver(const Judgement& judgement) {
  const Database& database = judgement.database;
  Setup& then = judgement.then;
  const Setup& now = judgement.before;
  if (then.driver_kind != DriverKind::dkms || then.rocm.empty() || then.driver.empty()) return;
  if (then.rocm == now.rocm && then.driver == now.driver) return;
  const auto fits = [&](const std::string& driver) {
    return is_listed(database, {.rocm = then.rocm, .driver = driver});
  };
  const auto listed_pair = database.ask({.rocm = then.rocm, .driver = then.driver});
  if (!listed_pair || fits(then.driver)) return;
  const auto target = Version::parse(then.rocm);
  const std::string wanted = target ? driver_release_for(database, *target) : "";
  if (!judgement.upgrade.driver.empty() || wanted.empty()) {
    judgement.breaks("driver × rocm", listed_pair->because,
                     listed_pair->facts.empty() ? "" : listed_pair->facts.front().source);
    return;
  }
  judgement.plan.moves.push_back("the driver, from " + then.driver + " to " + wanted + ": " +
                                 listed_pair->because);
  set_driver(then, wanted, database);
}

}  // namespace rocvet::plan

#include "tests/fault_matrix/judgement.h"

#include <algorithm>

#include "checks/features.h"
#include "db/database.h"
#include "machine/machine.h"
#include "report/report.h"

namespace rocvet {
namespace {

bool complains(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::warn;
}

Verdict worse(Verdict a, Verdict b) {
  for (const Verdict worst :
       {Verdict::fail, Verdict::unknown, Verdict::warn, Verdict::pass, Verdict::skip}) {
    if (a == worst || b == worst) return worst;
  }
  return a;
}

std::string arrow(Verdict before, Verdict after) {
  return std::string(to_string(before)) + " -> " + std::string(to_string(after));
}

/// Of a whole check, or of one part of the machine that it speaks of.
std::vector<Change> compared(const std::string& id, const CheckWords& before,
                             const CheckWords& after) {
  std::vector<Change> out;
  const auto add = [&](Change::Kind kind, Verdict was, Verdict is, const std::string& of = "") {
    out.push_back({kind, id, arrow(was, is) + (of.empty() ? "" : " of " + of)});
  };
  const Verdict was = before.verdict, is = after.verdict;
  if (complains(was) && is == Verdict::pass) add(Change::Kind::better, was, is);
  if (complains(was) && is == Verdict::skip) add(Change::Kind::silenced, was, is);
  if (was == Verdict::fail && is == Verdict::warn) add(Change::Kind::softened, was, is);
  if (!complains(was) && was != Verdict::pass && is == Verdict::pass)
    add(Change::Kind::invented, was, is);
  if (!complains(was) && complains(is)) add(Change::Kind::accused, was, is);
  for (const std::string& finding : after.findings) {
    if (finding.find("this check crashed") != finding.npos) add(Change::Kind::crashed, was, is);
  }
  if (!out.empty() || before.subjects.size() < 2) return out;
  for (const auto& [subject, verdict] : before.subjects) {
    if (!complains(verdict)) continue;
    const auto at = after.subjects.find(subject);
    const bool any_unknown = std::ranges::any_of(
        after.subjects, [](const auto& one) { return one.second == Verdict::unknown; });
    if (at != after.subjects.end() && at->second == Verdict::pass && !any_unknown) {
      add(Change::Kind::better, verdict, at->second, subject);
    } else if (at == after.subjects.end() && !any_unknown) {
      add(Change::Kind::silenced, verdict, Verdict::skip, subject);
    }
  }
  return out;
}

}  // namespace

Judgement judge(Source& source, const Result<std::string>& app_log) {
  const Database& db = Database::embedded();
  Report report;
  report.machine = read_machine(source);
  identify_gpus(report.machine, db);
  if (app_log) report.machine.app_log = app_log;
  report.features = judge_features(report.machine, db);
  const Context context{report.machine, db};
  report.checks = run_checks(context, all_checks(db));
  report.diagnosis = diagnose(context, report.checks);

  Judgement out;
  out.overall = overall_verdict(report);
  for (const CheckResult& result : report.checks) {
    const Finding& finding = result.finding;
    auto [at, is_new] = out.checks.try_emplace(std::string(result.check->id));
    CheckWords& words = at->second;
    words.verdict = is_new ? finding.verdict : worse(words.verdict, finding.verdict);
    auto [subject, first] = words.subjects.try_emplace(finding.subject, finding.verdict);
    if (!first) subject->second = worse(subject->second, finding.verdict);
    words.findings.push_back(std::string(to_string(finding.verdict)) + " " + finding.subject +
                             ": " + finding.summary);
  }
  for (const RootCause& cause : report.diagnosis.root_causes) out.causes.push_back(cause.id);
  return out;
}

std::string_view to_string(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::better:
      return "better";
    case Change::Kind::invented:
      return "invented";
    case Change::Kind::blind:
      return "blind";
    case Change::Kind::reworded:
      return "reworded";
    case Change::Kind::undecided:
      return "undecided";
    case Change::Kind::softened:
      return "softened";
    case Change::Kind::silenced:
      return "silenced";
    case Change::Kind::accused:
      return "accused";
    case Change::Kind::crashed:
      return "crashed";
  }
  return "";
}

std::vector<Change> changes(const Judgement& sound, const Judgement& faulty) {
  std::vector<Change> out;
  bool cannot_tell = false;
  for (const auto& [id, before] : sound.checks) {
    const auto after = faulty.checks.find(id);
    const auto found =
        compared(id, before, after == faulty.checks.end() ? CheckWords{} : after->second);
    out.insert(out.end(), found.begin(), found.end());
    cannot_tell |= complains(before.verdict) && after != faulty.checks.end() &&
                   after->second.verdict == Verdict::unknown;
  }
  if (complains(sound.overall) && faulty.overall == Verdict::pass)
    out.push_back({cannot_tell ? Change::Kind::undecided : Change::Kind::better, "overall",
                   arrow(sound.overall, faulty.overall)});
  if (sound.overall == Verdict::fail && faulty.overall == Verdict::warn)
    out.push_back({Change::Kind::softened, "overall", arrow(sound.overall, faulty.overall)});
  return out;
}

std::set<std::string> judged_otherwise(const Judgement& sound, const Judgement& faulty) {
  std::set<std::string> out;
  for (const auto& [id, words] : sound.checks) {
    const auto other = faulty.checks.find(id);
    if (other == faulty.checks.end() || other->second.verdict != words.verdict) out.insert(id);
  }
  return out;
}

std::vector<Change> blind_passes(const Judgement& sound, const Judgement& faulty,
                                 const std::set<std::string>& moved) {
  std::vector<Change> out;
  for (const auto& [id, words] : sound.checks) {
    const auto other = faulty.checks.find(id);
    if (words.verdict != Verdict::pass || other == faulty.checks.end() ||
        other->second.verdict != Verdict::pass) {
      continue;
    }
    const auto first = [](const CheckWords& of) { return of.findings.front(); };
    if (moved.contains(id)) {
      out.push_back({Change::Kind::blind, id, first(other->second)});
    } else if (other->second.findings != words.findings) {
      out.push_back({Change::Kind::reworded, id, first(words) + " => " + first(other->second)});
    }
  }
  return out;
}

std::set<std::string> differing(const Judgement& sound, const Judgement& faulty) {
  std::set<std::string> out;
  for (const auto& [id, words] : sound.checks) {
    const auto other = faulty.checks.find(id);
    if (other == faulty.checks.end() || other->second.findings != words.findings) out.insert(id);
  }
  return out;
}

}  // namespace rocvet

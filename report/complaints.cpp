#include "report/complaints.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

std::string first_step(const Remedy& remedy) {
  return remedy.steps.empty() ? std::string() : remedy.steps.front().text();
}

bool complains(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::warn || verdict == Verdict::unknown;
}

void add_causes(const Report& report, std::vector<Complaint>& all) {
  for (const RootCause& cause : report.diagnosis.root_causes)
    all.push_back({counts_as(cause), "", cause.id, "", cause.summary + " (" + how_sure(cause) + ")",
                   first_step(cause.remedy)});
}

/// The place of what counts in worst_of(): the smaller the worse.
int weight(Verdict verdict) {
  if (verdict == Verdict::fail) return 0;
  return verdict == Verdict::unknown ? 1 : 2;
}

/// Whether a root cause that counts as much speaks for the finding.
bool is_told(const Report& report, const CheckResult& result) {
  return std::ranges::any_of(report.diagnosis.root_causes, [&](const RootCause& cause) {
    return std::ranges::count(cause.explains, std::string(result.check->id)) > 0 &&
           weight(counts_as(cause)) <= weight(counts_as(report, result));
  });
}

void add_checks(const Report& report, std::vector<Complaint>& all) {
  for (const CheckResult& result : report.checks) {
    if (is_told(report, result)) continue;
    const Finding& finding = result.finding;
    all.push_back({counts_as(report, result), std::string(result.check->code),
                   std::string(result.check->id), finding.subject, finding.summary,
                   first_step(finding.remedy)});
  }
}

void add_tests(const Report& report, std::vector<Complaint>& all) {
  for (const TestResult& result : report.selftests)
    all.push_back({counts_as(result), "", result.id, result.device, result.summary, ""});
  for (const GpuLadder& ladder : report.ladders) {
    if (!ladder.broken.empty())
      all.push_back({Verdict::fail, "", "ladder", ladder.bdf, ladder.broken, ""});
    if (!ladder.differing.empty())
      all.push_back({Verdict::fail, "", "ladder.differing", ladder.bdf,
                     "answers differ from one layer to another: " + join(ladder.differing, ", "),
                     ""});
  }
  if (!report.soak) return;
  for (const SoakRow& row : soak_rows(*report.soak))
    all.push_back({row.verdict, "", row.name, row.device, row.summary, ""});
}

/// Of several with one name the worst, with how many there are: lists that go to a data base know
/// each by its name.
std::vector<Complaint> one_of_each_name(std::vector<Complaint> all) {
  std::map<std::string, std::size_t> seen;
  std::vector<Complaint> out;
  std::vector<int> more;
  for (Complaint& one : all) {
    const auto [at, is_new] = seen.emplace(name_of(one), out.size());
    if (!is_new) {
      ++more[at->second];
      continue;
    }
    out.push_back(std::move(one));
    more.push_back(0);
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (more[i] > 0) out[i].text += " (and " + std::to_string(more[i]) + " more of it)";
  }
  return out;
}

}  // namespace

std::vector<Complaint> complaints(const Report& report) {
  std::vector<Complaint> all;
  add_causes(report, all);
  add_checks(report, all);
  add_tests(report, all);
  std::erase_if(all, [](const Complaint& one) { return !complains(one.verdict); });
  std::ranges::stable_sort(
      all, [](Verdict a, Verdict b) { return weight(a) < weight(b); }, &Complaint::verdict);
  return one_of_each_name(std::move(all));
}

std::string name_of(const Complaint& complaint) {
  std::string name = complaint.code.empty() ? complaint.id : complaint.code + " " + complaint.id;
  return complaint.subject.empty() ? name : name + " [" + complaint.subject + "]";
}

}  // namespace rocvet

#include "report/complaints.h"

#include <algorithm>
#include <set>

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

void add_checks(const Report& report, std::vector<Complaint>& all) {
  std::set<std::string_view> explained;
  for (const RootCause& cause : report.diagnosis.root_causes)
    explained.insert(cause.explains.begin(), cause.explains.end());
  for (const CheckResult& result : report.checks) {
    if (explained.contains(result.check->id)) continue;
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
  }
  if (!report.soak) return;
  for (const SoakRow& row : soak_rows(*report.soak))
    all.push_back({row.verdict, "", row.name, row.device, row.summary, ""});
}

}  // namespace

std::vector<Complaint> complaints(const Report& report) {
  std::vector<Complaint> all;
  add_causes(report, all);
  add_checks(report, all);
  add_tests(report, all);
  std::erase_if(all, [](const Complaint& one) { return !complains(one.verdict); });
  std::ranges::stable_sort(
      all, [](Verdict a, Verdict b) { return rank(a) < rank(b); }, &Complaint::verdict);
  return all;
}

std::string name_of(const Complaint& complaint) {
  std::string name = complaint.code.empty() ? complaint.id : complaint.code + " " + complaint.id;
  return complaint.subject.empty() ? name : name + " [" + complaint.subject + "]";
}

}  // namespace rocvet

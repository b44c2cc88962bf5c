// A question to the database: its words are understood, each subject that it names says what was
// published of it (db/questions), and the worst of that is the answer.
#include <algorithm>

#include "base/text.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

/// Worst first.
constexpr Support kBySeverity[] = {Support::unsupported, Support::unknown,    Support::unlisted,
                                   Support::enabled,     Support::deprecated, Support::supported};

Result<Asked> understand(const BlobDatabase& db, const Question& question) {
  Asked asked{db, {}, {}, {}, question.kernel, {}, {}, {}, {}};
  const auto fill = [](const std::string& text, auto& into, const auto& find) -> Result<Done> {
    if (text.empty()) return Done{};
    auto found = find(text);
    if (!found) return found.error();
    into = std::move(*found);
    return Done{};
  };
  std::optional<Version> kernel;  // what it means depends on the system: only that it is a version
  for (const Result<Done>& done :
       {fill(question.rocm, asked.release, [&](auto& text) { return find_release(db, text); }),
        fill(question.gpu, asked.gpu, [&](auto& text) { return find_gpu(db, text); }),
        fill(question.os, asked.os, [](auto& text) { return parse_os(text); }),
        fill(question.kernel, kernel, [](auto& text) { return parse_version("--kernel", text); }),
        fill(question.driver, asked.driver, [](auto& text) { return find_driver(text); }),
        fill(question.framework, asked.framework,
             [&](auto& text) { return find_framework(db, text); }),
        fill(question.python, asked.python,
             [](auto& text) { return parse_version("--python", text); }),
        fill(question.platform, asked.platform, [](auto& text) { return find_platform(text); })}) {
    if (!done) return done.error();
  }
  return asked;
}

/// Of a release of which nothing can be known.
std::optional<Answer> no_release(const Asked& asked) {
  if (!asked.release) return std::nullopt;
  const AskedRelease& release = *asked.release;
  if (!release.newer && !release.older && release.exists) return std::nullopt;
  const std::string version = asked.db.version();
  Answer answer;
  answer.verdict = release.newer || release.older ? Support::unknown : Support::unlisted;
  answer.because =
      release.newer   ? "ROCm " + release.text + " is newer than this database (" + version + ")"
      : release.older ? "ROCm " + release.text + " is older than what the tables begin with"
                      : "there is no ROCm " + release.text +
                            " among the releases up to this database's date (" + version + ")";
  answer.facts.push_back({"rocm", answer.verdict, answer.because, "db/releases.toml", version, ""});
  return answer;
}

Answer answer_of(const Asked& asked, Findings found) {
  const auto worst = std::min_element(
      found.deciding.begin(), found.deciding.end(),
      [](const Fact& a, const Fact& b) { return severity(a.verdict) < severity(b.verdict); });
  Answer answer{worst->verdict, worst->because, {}, {}};
  answer.facts = std::move(found.deciding);
  answer.facts.insert(answer.facts.end(), found.informing.begin(), found.informing.end());
  const auto add = [&](const std::string& condition) {
    auto& all = answer.conditions;
    if (!condition.empty() && std::find(all.begin(), all.end(), condition) == all.end())
      all.push_back(condition);
  };
  if (asked.release) add(asked.release->note);
  for (const Fact& fact : answer.facts) add(fact.condition);
  return answer;
}

}  // namespace

int severity(Support support) {
  return static_cast<int>(std::find(std::begin(kBySeverity), std::end(kBySeverity), support) -
                          std::begin(kBySeverity));
}

Fact fact_of(const Origin& origin, std::string subject, Support verdict, std::string because) {
  if (!origin.basis.empty() && origin.basis != "published") {
    because +=
        " (rests on " + std::string(origin.basis == "inferred" ? "inference" : origin.basis) + ")";
  }
  if (origin.disagrees) because += " (sources disagree)";
  return {std::move(subject),          verdict,
          std::move(because),          std::string(origin.source),
          std::string(origin.checked), std::string(origin.condition)};
}

Fact unlisted(const BlobDatabase& db, std::string subject, std::string because) {
  return {std::move(subject), Support::unlisted,
          std::move(because), "ROCm documentation, all tables in the database",
          db.version(),       ""};
}

std::string joined(const Texts& texts, std::string_view separator) {
  return join(std::vector<std::string>(texts.begin(), texts.end()), separator);
}

Result<Answer> BlobDatabase::ask(const Question& question) const {
  const auto asked = understand(*this, question);
  if (!asked) return asked.error();
  if (auto answer = no_release(*asked)) return *answer;
  Findings found;
  if (asked->gpu) ask_gpu(*asked, found);
  if (asked->os && !question.system_is_given) ask_system(*asked, found);
  if ((asked->gpu || asked->os) && asked->release) ask_gpu_system(*asked, found);
  if (asked->driver) ask_driver(*asked, found);
  if (asked->framework) ask_framework(*asked, found);
  if (asked->python) ask_python(*asked, found);
  if (asked->platform) ask_platform(*asked, found);
  if (asked->gpu && !asked->kernel.empty()) ask_kernel(*asked, found);
  if (found.deciding.empty() && asked->release) ask_release(*asked, found);
  if (found.deciding.empty()) {
    return malformed("question",
                     "give at least one of --gpu, --rocm, --os, --driver, --framework, --python, "
                     "--platform");
  }
  return answer_of(*asked, std::move(found));
}

std::optional<Version> BlobDatabase::newest_release() const {
  const auto& rows = published_.releases();
  const auto newest =
      std::max_element(rows.begin(), rows.end(),
                       [](const ReleaseRow& a, const ReleaseRow& b) { return a.rocm < b.rocm; });
  return newest == rows.end() ? std::nullopt : std::optional(newest->rocm);
}

std::string BlobDatabase::driver_of_module(const Version& module) const {
  for (const ModuleRow& row : published_.modules()) {
    if (row.module.contains(module)) return std::string(row.driver);
  }
  return {};
}

}  // namespace rocvet::db

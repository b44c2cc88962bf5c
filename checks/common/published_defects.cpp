#include "checks/common/published_defects.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "checks/common/say.h"
#include "checks/facts/situation.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostDefectsShown = 8;  // of those that fit the most conditions

/// Whether the text, in lower case, gives the address of a thread: "ROCm/clr/issues/269".
bool names_thread(std::string_view text, std::string_view thread) {
  const std::size_t number = thread.rfind('/');
  const std::size_t kind = number == thread.npos ? number : thread.rfind('/', number - 1);
  if (kind == thread.npos) return false;
  const std::string_view kind_name = thread.substr(kind + 1, number - kind - 1);
  if (kind_name != "issues" && kind_name != "pull") return false;
  // The main tracker goes by the names that it has had.
  static const std::vector<std::string> kMain = {"rocm/rocm", "radeonopencompute/rocm",
                                                 "rocm/legacy-rocm-build"};
  const std::string own = lower(thread.substr(0, kind));
  const bool is_main = std::ranges::find(kMain, own) != kMain.end();
  return std::ranges::any_of(
      is_main ? kMain : std::vector{own}, [&](const std::string& repository) {
        const std::string address = repository + std::string(thread.substr(kind));
        const std::size_t at = text.find(address);
        if (at == text.npos) return false;
        const std::size_t next = at + address.size();
        return next == text.size() || !std::isdigit(static_cast<unsigned char>(text[next]));
      });
}

/// Whether somebody gives an address at which it was published.
bool is_cited(const Context& context, const KnownIssue& issue) {
  const std::string_view text = spoken_lower(context);
  if (text.find("github.com/") == text.npos) return false;
  for (std::string_view source : split(issue.source, ';')) {
    source = trim(source);
    if (names_thread(text, source.substr(0, source.find(' ')))) return true;
  }
  return false;
}

}  // namespace

bool has_no_words(const KnownIssue& issue) {
  return issue.signatures.empty() && issue.about.empty();
}

std::optional<Finding> defect_at_work(const Context& context, const KnownIssue& issue,
                                      const DefectNames& names) {
  // Of a release that is not known nothing can be said.
  if (!issue.certain) return std::nullopt;
  const bool shown = shows(context, issue);
  const std::vector<std::string_view> about(issue.about.begin(), issue.about.end());
  const bool cited = is_cited(context, issue);
  if (!shown && !cited && !someone_complains_of(context, about)) return std::nullopt;
  const bool sure = shown && !issue.generic;
  Finding found = Say(sure ? Verdict::fail : Verdict::warn, issue.because)
                      .about(issue.id)
                      .saw("source: " + issue.source)
                      .sees(sure                       ? names.shown
                            : shown                    ? names.perhaps_shown
                            : cited || issue.hits_most ? names.likely
                                                       : names.spoken_of);
  if (!issue.remedy.empty()) found.remedy.steps = {Step::of_database(issue.remedy)};
  return found;
}

void add_listed_defects(std::vector<Finding>& findings, const std::vector<KnownIssue>& issues) {
  std::vector<std::string> facts;
  std::size_t count = 0;
  for (const KnownIssue& issue : issues) {
    if (!issue.certain) continue;
    if (++count <= kMostDefectsShown) facts.push_back(issue.id + ": " + issue.because);
  }
  if (facts.empty()) return;
  if (count > kMostDefectsShown)
    facts.push_back("… and " + std::to_string(count - kMostDefectsShown) + " more");
  const std::string what =
      count == 1 ? "a published defect is" : std::to_string(count) + " published defects are";
  findings.push_back(passing(what + " listed for this machine, and not seen").saw(facts));
}

}  // namespace rocvet

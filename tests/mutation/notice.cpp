// notice DIR…: for each overlay, whether the tests of the knowledge would notice it: the loader
// refuses it, a case is judged or diagnosed otherwise, or the second reading differs. One line
// each: DIR, how ("none" when nothing does), what.
#include <algorithm>
#include <cstdio>
#include <iterator>

#include "unit/checks/cases.h"
#include "unit/checks/second_reading.h"

namespace rocvet {
namespace {

/// The first that only one of two sorted lists has; "" when they are equal.
std::string difference(std::vector<std::string> a, std::vector<std::string> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::string> one;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(one));
  return one.empty() ? "" : one.front();
}

struct Baseline {
  std::vector<Case> cases;
  std::vector<std::string> misses, differ;
};

void notice(const Baseline& base, const char* directory) {
  const auto tell = [&](const char* how, const std::string& what) {
    std::printf("%s\t%s\t%s\n", directory, how, what.c_str());
    std::fflush(stdout);
  };
  const auto db = Database::with_overlay(directory);
  if (!db) return tell("load", db.error().text());
  if (const auto what = difference(disagreements((*db)->knowledge()), base.differ); !what.empty())
    return tell("second-reading", what);
  if (const auto unknown = unknown_kernel_messages((*db)->knowledge()); !unknown.empty())
    return tell("kernel-messages", unknown.front());
  if (const auto what = difference(wrong_diagnoses(base.cases, **db), base.misses); !what.empty())
    return tell("diagnosis", what);
  if (const auto what = difference(wrong_verdicts(base.cases, **db), {}); !what.empty())
    return tell("verdict", what);
  tell("none", "");
}

}  // namespace
}  // namespace rocvet

int main(int count, char** arguments) {
  auto cases = rocvet::read_cases();
  if (!cases) {
    std::fprintf(stderr, "%s\n", cases.error().text().c_str());
    return 3;
  }
  const rocvet::Baseline base{
      std::move(*cases),
      rocvet::known_list(std::string(ROCVET_SOURCE_DIR) + "/tests/cases/known_misses.txt"),
      rocvet::known_disagreements()};
  for (int i = 1; i < count; ++i) rocvet::notice(base, arguments[i]);
}

#include "diagnosis/similar_reports.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace rocvet;

TEST_CASE("words of a report: names and versions without numbers, each with the one before it") {
  ReportFeatures features;
  add_words("torch.cuda says: no gpu, 0x7f3a... libamdhip64.so.6 7900xtx -- a", features);
  CHECK(features == ReportFeatures{"word:torch.cuda", "word:torch.cuda says", "word:says",
                                   "word:says no", "word:no", "word:no gpu", "word:gpu",
                                   "word:gpu libamdhip64.so.6", "word:libamdhip64.so.6"});
}

TEST_CASE("a word of forty letters is one, and a longer one is none") {
  ReportFeatures features;
  add_words(std::string(40, 'b') + " " + std::string(41, 'c'), features);
  CHECK(features == ReportFeatures{"word:" + std::string(40, 'b')});
}

TEST_CASE("of a report of nothing known nothing is alike") {
  CHECK(likeness_to_reports({}).causes.empty());
  CHECK(likeness_to_reports({"word:xyzzy plugh"}).causes.empty());
}

TEST_CASE("words that name one cause in people's reports bring that cause to the front") {
  ReportFeatures features;
  add_words(
      "since the upgrade to the new kernel the screen freezes as soon as a game is started; with "
      "the "
      "old kernel it was fine",
      features);
  const Likeness likeness = likeness_to_reports(features);
  REQUIRE(!likeness.causes.empty());
  CHECK(likeness.causes.front().cause == "driver-regression");
  CHECK(std::ranges::is_sorted(likeness.causes, std::ranges::greater{}, &SimilarReports::margin));
  REQUIRE(!likeness.causes.front().because.empty());
  CHECK(std::ranges::any_of(likeness.causes.front().because, [](std::string_view feature) {
    return feature.find("kernel") != feature.npos;
  }));
}

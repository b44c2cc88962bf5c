#include "diagnosis/alike.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "db/database.h"
#include "diagnosis/diagnosis.h"

using namespace rocvet;

namespace {

constexpr const char* kCauses[] = {"known-rocm-release-bug", "driver-regression", "no-amd-gpu",
                                   "disk-full"};

/// A report that looks this much like each of the causes, in their order.
Likeness likeness(double healthy, std::initializer_list<double> margins) {
  Likeness out;
  out.healthy = healthy;
  for (const double margin : margins)
    out.causes.push_back({kCauses[out.causes.size()], margin, {"word:kernel"}});
  return out;
}

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const char* id : kCauses) {
    all.emplace_back();
    all.back().cause = Database::embedded().knowledge().cause(id);
  }
  return all;
}

std::vector<std::string_view> told_alike(const Likeness& likeness,
                                         const std::vector<std::string_view>& named = {},
                                         const std::vector<Candidate>& all = candidates()) {
  const Knowledge& knowledge = Database::embedded().knowledge();
  std::vector<std::string_view> ids;
  for (const Alike& one : alike_causes(Limits(knowledge), knowledge, likeness, all, named))
    ids.push_back(one.candidate->cause->id);
  return ids;
}

using Ids = std::vector<std::string_view>;

}  // namespace

TEST_CASE("what looks like machines that work is told_alike nothing of") {
  CHECK(told_alike(likeness(0.5, {-0.3, -0.5})).empty());
  CHECK(told_alike(likeness(0.5, {-0.3, -0.5}), {"disk-full"}).empty());
  CHECK(told_alike({}).empty());
}

TEST_CASE("where no sign speaks for any cause: what is alike enough, and what is next to it") {
  CHECK(told_alike(likeness(-0.25, {-0.3, -0.85, -0.95})) ==
        Ids{"known-rocm-release-bug", "driver-regression"});
  CHECK(told_alike(likeness(-0.25, {-0.5, -0.6})).empty());
  // Like none of those that work: the likeliest are worth a look, and not more than three.
  CHECK(told_alike(likeness(-0.35, {-0.5, -0.6, -0.7, -0.8})) ==
        Ids{"known-rocm-release-bug", "driver-regression", "no-amd-gpu"});
  CHECK(told_alike(likeness(-0.35, {-0.7})).empty());
}

TEST_CASE("beside a suspicion there is one more, of another cause") {
  CHECK(told_alike(likeness(0.1, {-0.5, -0.6}), {"known-rocm-release-bug"}) ==
        Ids{"driver-regression"});
  CHECK(told_alike(likeness(0.1, {-0.85}), {"disk-full"}).empty());
  CHECK(
      told_alike(likeness(0.1, {-0.5}), {"disk-full", "no-amd-gpu", "driver-regression"}).empty());
}

TEST_CASE("beside a suspicion nothing is told_alike of that what was looked at speaks against") {
  std::vector<Candidate> all = candidates();
  all[1].signs.push_back({nullptr, Truth::no, -1, 0});
  CHECK(told_alike(likeness(0.1, {-0.5, -0.55, -0.6}), {"known-rocm-release-bug"}, all) ==
        Ids{"no-amd-gpu"});
  // Where there is no suspicion it is the best there is.
  CHECK(told_alike(likeness(-0.35, {-0.5, -0.6}), {}, all) ==
        Ids{"known-rocm-release-bug", "driver-regression"});
}

TEST_CASE("what cannot be is not told_alike of") {
  std::vector<Candidate> all = candidates();
  all[0].impossible = "gpu-computes";
  CHECK(told_alike(likeness(-0.35, {-0.3, -0.5}), {}, all) == Ids{"driver-regression"});
}

TEST_CASE("the first is surer than the rest, and none is sure") {
  const Knowledge& knowledge = Database::embedded().knowledge();
  const Limits limits(knowledge);
  const auto found =
      alike_causes(limits, knowledge, likeness(-0.35, {-0.3, -0.5}), candidates(), {});
  REQUIRE(found.size() == 2);
  CHECK(found[0].probability == limits.alike_at_most);
  CHECK(found[1].probability == limits.alike_next_at_most);
  CHECK(found[1].probability < found[0].probability);
  CHECK(found[0].probability <= kNamed);
}

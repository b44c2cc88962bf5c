#include "report/fleet.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/report/sample_report.h"

using namespace rocvet;

namespace {

FleetMember member(const std::string& name, const std::string& kernel, double copy_gbs) {
  FleetMember out{name, test::sample_report()};
  Report& report = out.report;
  report.checks.clear();
  report.diagnosis.root_causes.clear();
  report.selftests.clear();
  report.verdict = Verdict::pass;
  report.machine.kernel.release = kernel;
  TestResult result;
  result.id = "bandwidth.copy";
  result.device = "hip:0";
  result.verdict = Verdict::pass;
  result.performance = Performance{.metric = "copy", .unit = "GB/s", .median = copy_gbs};
  report.selftests.push_back(result);
  return out;
}

std::vector<FleetMember> eight() {
  std::vector<FleetMember> members;
  for (int i = 0; i < 8; ++i)
    members.push_back(member("node" + std::to_string(i), "6.8.0-60", 4100 + i));
  return members;
}

}  // namespace

TEST_CASE("members that are alike: nothing odd, nobody slow") {
  const Fleet fleet = merge_reports(eight());
  CHECK(fleet.odd.empty());
  CHECK(fleet.slow.empty());
  CHECK(fleet_verdict(fleet) == Verdict::pass);
  CHECK(write_fleet(fleet).find("8 machines: 8 pass\n") != std::string::npos);
}

TEST_CASE("the one with another kernel is named, and the one that is slow") {
  auto members = eight();
  members[5].report.machine.kernel.release = std::string("6.8.0-31");
  members[2].report.selftests[0].performance->median = 2700;
  const Fleet fleet = merge_reports(std::move(members));
  REQUIRE(fleet.odd.size() == 1);
  CHECK(fleet.odd[0].fact == "kernel");
  CHECK(fleet.odd[0].usual == "6.8.0-60");
  CHECK(fleet.odd[0].with_usual == 7);
  REQUIRE(fleet.odd[0].odd.size() == 1);
  CHECK(fleet.odd[0].odd[0].first == "node5");
  REQUIRE(fleet.slow.size() == 1);
  CHECK(fleet.slow[0].name == "node2");
  CHECK(fleet.slow[0].value == 2700);
  CHECK(fleet_verdict(fleet) == Verdict::fail);
  const auto json = nlohmann::json::parse(write_fleet_json(fleet));
  CHECK(json["schema"] == "rocvet.fleet/1");
  CHECK(json["below_peers"][0]["name"] == "node2");
  CHECK(json["odd"][0]["odd"][0]["value"] == "6.8.0-31");
}

TEST_CASE("two of a kind have no usual value, and what takes long is slow") {
  auto members = eight();
  members.resize(2);
  members[0].report.machine.kernel.release = std::string("other");
  CHECK(merge_reports(std::move(members)).odd.empty());

  members = eight();
  for (FleetMember& one : members) one.report.selftests[0].higher_is_better = false;
  members[7].report.selftests[0].performance->median = 9000;
  members[6].report.selftests[0].performance->median = 2000;
  const Fleet fleet = merge_reports(std::move(members));
  REQUIRE(fleet.slow.size() == 1);
  CHECK(fleet.slow[0].name == "node7");
}

TEST_CASE("worst first, with what is wrong") {
  auto members = eight();
  members[3].report = test::sample_report();
  members[3].report.verdict = Verdict::fail;
  const Fleet fleet = merge_reports(std::move(members));
  CHECK(fleet.members[0].name == "node3");
  CHECK(write_fleet(fleet).find("user-not-in-render-group") != std::string::npos);
}

TEST_CASE("a file that could not be read is named and makes the fleet unjudged, not failed") {
  const Fleet fleet = merge_reports(eight(), {malformed("node8.json", "is not JSON: x\x1b[2J")});
  CHECK(fleet_verdict(fleet) == Verdict::unknown);
  const std::string text = write_fleet(fleet);
  CHECK(text.find("\nnot read:\n  node8.json: is not JSON") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("8 machines: 8 pass; not read: 1\n") != std::string::npos);
  const auto json = nlohmann::json::parse(write_fleet_json(fleet));
  CHECK(json["verdict"] == "unknown");
  CHECK(json["unread"][0]["file"] == "node8.json");
  auto members = eight();
  members[1].report.verdict = Verdict::fail;
  CHECK(fleet_verdict(merge_reports(std::move(members), {missing("x")})) == Verdict::fail);
}

TEST_CASE("a member that could not be judged outweighs one that only warns") {
  auto members = eight();
  members[1].report.verdict = Verdict::warn;
  CHECK(fleet_verdict(merge_reports(members)) == Verdict::warn);
  members[2].report.verdict = Verdict::unknown;
  CHECK(fleet_verdict(merge_reports(members)) == Verdict::unknown);
}

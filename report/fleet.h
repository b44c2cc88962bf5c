// Many machines side by side: who failed, who is not like the others, who is slower than its peers.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace rocvet {

struct FleetMember {
  std::string name;  ///< of its file: reports carry no host names
  Report report;
};

/// A fact in which few differ from most.
struct OddOneOut {
  std::string fact, usual;  ///< "amdgpu", "6.12.12"
  int with_usual = 0, of = 0;
  std::vector<std::pair<std::string, std::string>> odd;  ///< member, its value
};

/// A self-test whose median is an outlier below the same test on GPUs of the same target.
struct SlowMember {
  std::string name, device, test, unit;
  double value = 0, peers_median = 0;
};

struct Fleet {
  std::vector<FleetMember> members;  ///< worst first
  std::vector<OddOneOut> odd;
  std::vector<SlowMember> slow;
  std::vector<Error> unread;  ///< files that are no report: nothing is known of their machines
};

/// A fact has a usual value when more than half of at least three members share it.
Fleet merge_reports(std::vector<FleetMember> members, std::vector<Error> unread = {});

std::string write_fleet(const Fleet& fleet);
/// {"schema":"rocvet.fleet/1","members":[…],"odd":[…],"below_peers":[…],
/// "unread":[{"file","why"}]}
std::string write_fleet_json(const Fleet& fleet);
/// The worst verdict; a member below its peers is a failure, a file that could not be read unknown.
Verdict fleet_verdict(const Fleet& fleet);

}  // namespace rocvet

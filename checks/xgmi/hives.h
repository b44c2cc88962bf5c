// The XGMI links between the cards of a hive, as KFD lists them.
#pragma once

#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

struct HiveLink {
  const Gpu* from = nullptr;
  const Gpu* to = nullptr;
  const IoLink* link = nullptr;
};

/// Hives of two or more cards.
std::vector<std::vector<const Gpu*>> hives(const Machine& machine);
/// Links between the cards of one hive; of a partitioned card those of its first partition.
std::vector<HiveLink> links_of(const std::vector<const Gpu*>& hive);
/// The value of at least three quarters of the links; 0 when there is no such value (a hive whose
/// links differ by design, as those of MI250X do).
std::uint64_t usual(const std::vector<HiveLink>& links, std::uint64_t IoLink::*field);
/// "gpu 0 → gpu 3".
std::string name_of(const HiveLink& link);
/// Why no hive was seen: there is none, or KFD could not be asked.
Finding no_hive(const Machine& machine);
/// nullopt where there is a hive with links to run a check on, else no_hive().
std::optional<Finding> skip_without_hive(const Context& context);

}  // namespace rocvet

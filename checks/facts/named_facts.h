// The facts that checks of db/checks ask for by name (db/fact_names.h), read from the machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/check.h"
#include "db/fact_names.h"

namespace rocvet {

/// One value of a fact.
struct FactValue {
  std::string name;                 ///< "HIP_PLATFORM", "amdgpu.dpm", "gpu 1 (0000:c1:00.0)"
  std::string text;                 ///< as it stands there
  std::optional<long long> number;  ///< of FactType::number, where the text is one
  std::string usual;                ///< FactType::odd: what the equal cards have
  std::string evidence;             ///< a line that shows it: "amdgpu.dpm=0, set by …"
};

/// All values: none when it is not set, of an argument one for each word, of cards one for each odd
/// one. An error when nobody could read it; Error::missing when the machine has no such thing.
/// Not of FactType::events.
Result<std::vector<FactValue>> read_fact(const Context& context, const FactName& fact);

}  // namespace rocvet

// The facts that a check of db/checks may ask for by name: "variable.HIP_PLATFORM", "sysctl.vm.…".
// What they are is read in checks/facts/named_facts.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocvet {

/// What a fact's value is, and with that which comparisons it takes.
enum class FactType {
  text,    ///< in, not_in, starts_with, set
  number,  ///< eq, ne, lt, gt, bits_set, bits_clear, no_number, set
  odd,     ///< cards that are not like their equals: bad by being there; takes no comparison
  events,  ///< messages of the kernel, which have a verdict and a sentence of their own
};

enum class FactKind {
  variable,         ///< of the environment; text
  variable_number,  ///< the same, read as a number
  option,           ///< a parameter of amdgpu
  argument,         ///< of the kernel command line: each of its values; text
  sysctl,
  setting,     ///< Kernel::settings; text
  cards,       ///< a property that equal cards should share
  kernel_log,  ///< a topic of db/kernel_log
};

struct FactName {
  FactKind kind = FactKind::variable;
  FactType type = FactType::text;
  std::string_view name;  ///< "HIP_PLATFORM"
};

/// nullopt: there is no such kind, or the kind has no fact of that name.
std::optional<FactName> parse_fact_name(std::string_view text);
/// What could have been meant: the names of the kind that `text` begins with, else `text` with each
/// of the kinds.
std::vector<std::string> fact_names_like(std::string_view text);

}  // namespace rocvet

#include "checks/facts/limits.h"

namespace rocvet {

Result<std::uint64_t> soft_limit(const Machine& machine, const std::string& name,
                                 const std::string& what) {
  const auto& limits = machine.process.limits;
  if (!limits) return limits.error();
  const auto found = limits->find(name);
  if (found == limits->end()) return not_captured(what);
  return found->second.first;
}

}  // namespace rocvet

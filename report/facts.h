// The facts by which two machines, or one machine on two days, are compared.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"

namespace rocvet {

struct MachineFact {
  std::string name, value;  ///< "kernel", "6.8.0-60-generic"; an unknown fact is left out
};

/// What is one for the machine: kernel, distribution, driver, GPUs, ROCm. In report order.
std::vector<MachineFact> machine_facts(const Machine& machine);
/// What each GPU, ROCm installation and framework has, named by its address or folder.
std::vector<MachineFact> part_facts(const Machine& machine);

/// The value of the fact of that name, or "" when there is none.
std::string fact_value(const std::vector<MachineFact>& facts, const std::string& name);

}  // namespace rocvet

// Who tells of which GPUs: ROCr, HIP and the SMI libraries (--deep), or the outputs of rocminfo and
// the SMI tools, to be laid beside what the kernel lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

struct Sighting {
  std::string place;        ///< "0000:c1:00", without the function: partitions differ in it
  std::optional<int> node;  ///< of KFD
  std::string gfx;          ///< without features
  std::string label;        ///< "gfx1100 at 0000:c1:00.0"
};

struct Testimony {
  std::string who;  ///< "ROCr (hsa_iterate_agents)", "rocminfo"
  std::vector<Sighting> gpus;
  bool here = false;  ///< asked by this run, in the environment of this process
};

/// The place of an address: "0000:c1:00.0" -> "0000:c1:00"; "" for what is none.
std::string place_of(const std::string& bdf);

/// ROCr's: by --deep when it worked, else rocminfo's output.
std::optional<Testimony> hsa_account(const Machine& machine);
/// HIP's, by --deep.
std::optional<Testimony> hip_account(const Machine& machine);
/// The SMI libraries' by --deep.
std::vector<Testimony> smi_accounts(const Machine& machine);
/// KFD's own.
Testimony kfd_account(const Machine& machine);

/// Of `all` those that `some` does not have: by node where both tell it, else by place, each as
/// often as it is there.
std::vector<const Sighting*> not_in(const Testimony& all, const Testimony& some);
std::string labels(const std::vector<const Sighting*>& gpus);
/// The GPU of the machine that a sighting is of; nullptr when none can be told.
const Gpu* gpu_of(const Machine& machine, const Sighting& sighting);

}  // namespace rocvet

// Which GPUs have no compute driver in any kernel.
#pragma once

#include <string_view>

namespace rocvet {

/// Whether a GPU of AMD with this PCI id ("6900") is one that KFD drives in no kernel. A GPU that
/// KFD does not drive yet is not.
bool in_no_kfd(std::string_view device_id);

}  // namespace rocvet

// The products of the gemm tests, for whoever has another build of their kernels.
#pragma once

#include <cstdint>
#include <string>

#include "selftests/device.h"

namespace rocvet {

struct SmallProducts {
  Verification verification;
  std::string types;  ///< those that the code has kernels for: "fp32 fp16 int8"
};

/// Multiplies small matrices of whole numbers with the module "gemm" that `device` has; every
/// element must be exact.
SmallProducts small_products(Device& device, std::uint64_t seed);

}  // namespace rocvet

// Matrices of block-scaled numbers (OCP Microscaling), laid out as selftests/kernels/mx.h says.
#pragma once

#include <cstdint>
#include <vector>

#include "selftests/kernels/mx.h"
#include "selftests/reference.h"

namespace rocvet {

Format format_of(kernel::Mx format);

struct ScaledMatrix {
  kernel::Mx format = kernel::Mx::e4m3;
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t padded = 0;  ///< columns that a row has room for; those beyond `columns` are zero
  std::vector<std::byte> elements, scales;
};

/// All finite numbers of the format alike, with scales from 2^-3 to 2^3; `whole`: -2 to 2, with
/// scales from 1/2 to 2, so that sums of many products are exact in any accumulator.
ScaledMatrix random_scaled_matrix(kernel::Mx format, std::uint32_t rows, std::uint32_t columns,
                                  std::uint64_t seed, std::uint64_t stream, bool whole,
                                  int threads = 1);

/// The same numbers in single precision, which holds them exactly.
Matrix plain_matrix(const ScaledMatrix& scaled, int threads = 1);

}  // namespace rocvet

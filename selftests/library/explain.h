// What the failure of a vendor library means, from its own last words. Pure.
#pragma once

#include <string>
#include <string_view>

#include "selftests/selftest.h"

namespace rocvet::library {

/// A test that finds out by itself fails with these words, and the target behind them.
inline constexpr std::string_view kNoKernels = "has no kernels for ";

/// The line of `said` with which a library of ROCm says that it was not built for this GPU; "" when
/// there is none. Words of rocBLAS, hipBLASLt, rocFFT, MIOpen, RCCL and HIP themselves, 5.7 to 7.2.
std::string no_kernels_line(std::string_view said);

/// What helps when a library's compiler did not find the HIP runtime that it runs in; "" otherwise.
/// Seen with Debian's MIOpen 7.2.4, gone with the link in place.
std::string development_link_hint(std::string_view said);

/// "rocBLAS has no kernels for gfx942" where that is what happened, "rocBLAS crashed: …" where its
/// process died; a vote for the cause when there is one.
void explain(TestResult& result, std::string_view title, const std::string& said);

}  // namespace rocvet::library

// The number formats of the tests, on the CPU: from double to bits and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace rocvet {

/// From fp8_e5m2 to e8m0: elements and scale of the OCP Microscaling specification 1.0. fp8_ocp and
/// fp8_fnuz are E4M3.
enum class Format {
  fp64,
  fp32,
  fp16,
  bf16,
  fp8_ocp,
  fp8_fnuz,
  int8,
  int32,
  fp8_e5m2,
  fp6_e2m3,
  fp6_e3m2,
  fp4_e2m1,
  e8m0,
  fp8_e5m2_fnuz
};

/// Of one element by itself: one of 4 or 6 bits takes the lower bits of a byte.
int bytes_of(Format format);
/// Rounds to nearest, ties to even; a value beyond the largest becomes the largest.
void encode(Format format, double value, void* to);
double decode(Format format, const void* from);
/// `count` elements that lie one after the other.
void decode_all(Format format, const void* from, std::size_t count, double* to);
/// Half the distance of neighbours around 1: the largest relative rounding error. 0 for integers.
double rounding_error(Format format);

}  // namespace rocvet

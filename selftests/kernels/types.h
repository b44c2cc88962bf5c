// The element types of the GEMM and attention tests, and which format fp8 has on a target.
#pragma once

#include "platform.h"

namespace rocvet::kernel {

enum class Type { fp16, bf16, fp8, int8, fp32, fp64 };
inline constexpr int kTypes = 6;

constexpr int bytes_of(Type type) {
  return type == Type::fp64                         ? 8
         : type == Type::fp32                       ? 4
         : type == Type::fp16 || type == Type::bf16 ? 2
                                                    : 1;
}

/// What products of a type are summed in, which is also the element of C.
template <Type type>
struct SumOf {
  using type_t = float;
};
template <>
struct SumOf<Type::int8> {
  using type_t = int;
};
template <>
struct SumOf<Type::fp64> {
  using type_t = double;
};
template <Type type>
using Sum = typename SumOf<type>::type_t;

/// fp8 here is E4M3: OCP (bias 7, NaN 0x7f and 0xff) or AMD's FNUZ of gfx942 (bias 8, NaN 0x80).
enum class Fp8 { none, ocp, fnuz };

}  // namespace rocvet::kernel

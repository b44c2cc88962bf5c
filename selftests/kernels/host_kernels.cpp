// All kernels, compiled for the CPU: one line per entry point.
#include "selftests/gpu/host_kernels.h"

#include <utility>

#include "selftests/kernels/attention.hip"
#include "selftests/kernels/attention_fp32.hip"
#include "selftests/kernels/bandwidth.hip"
#include "selftests/kernels/collective.hip"
#include "selftests/kernels/convert.hip"
#include "selftests/kernels/gemm.hip"
#include "selftests/kernels/gemm_mx.hip"
#include "selftests/kernels/peak.hip"
#include "selftests/kernels/sparse.hip"
#include "selftests/kernels/units.hip"

namespace rocvet::gpu {
namespace {

template <auto kernel>
struct Caller;
template <typename... Arguments, void (*kernel)(Arguments...)>
struct Caller<kernel> {
  static void call(void* const* arguments) {
    call_with(arguments, std::index_sequence_for<Arguments...>());
  }
  template <std::size_t... at>
  static void call_with(void* const* arguments, std::index_sequence<at...>) {
    kernel(*static_cast<Arguments*>(arguments[at])...);
  }
};

struct Entry {
  std::string_view name;
  HostKernel call;
};
#define ENTRY(kernel) \
  { #kernel, Caller < kernel> ::call }
constexpr Entry kEntries[] = {
    ENTRY(attention_geometry),
    ENTRY(attention_fp16_d64),
    ENTRY(attention_fp16_d128),
    ENTRY(attention_bf16_d64),
    ENTRY(attention_bf16_d128),
    ENTRY(attention_fp32_geometry),
    ENTRY(attention_fp32_d64),
    ENTRY(attention_fp32_d128),
    ENTRY(bandwidth_copy),
    ENTRY(bandwidth_triad),
    ENTRY(bandwidth_write),
    ENTRY(bandwidth_read),
    ENTRY(collective_reduce),
    ENTRY(collective_exchange),
    ENTRY(convert_shape),
    ENTRY(narrow_fp16),
    ENTRY(narrow_bf16),
    ENTRY(narrow_e4m3),
    ENTRY(narrow_e5m2),
    ENTRY(narrow_e2m3),
    ENTRY(narrow_e3m2),
    ENTRY(narrow_e2m1),
    ENTRY(widen_fp16),
    ENTRY(widen_bf16),
    ENTRY(widen_e4m3),
    ENTRY(widen_e5m2),
    ENTRY(widen_e2m3),
    ENTRY(widen_e3m2),
    ENTRY(widen_e2m1),
    ENTRY(gemm_geometry),
    ENTRY(gemm_fp32),
    ENTRY(gemm_fp64),
    ENTRY(gemm_fp16),
    ENTRY(gemm_bf16),
    ENTRY(gemm_fp8),
    ENTRY(gemm_int8),
    ENTRY(gemm_mx_geometry),
    ENTRY(gemm_mx_e4m3),
    ENTRY(gemm_mx_e5m2),
    ENTRY(gemm_mx_e2m3),
    ENTRY(gemm_mx_e3m2),
    ENTRY(gemm_mx_e2m1),
    ENTRY(peak_shape),
    ENTRY(peak_fp64),
    ENTRY(peak_fp32),
    ENTRY(peak_fp16),
    ENTRY(peak_bf16),
    ENTRY(peak_fp8),
    ENTRY(peak_int8),
    ENTRY(peak_fp6),
    ENTRY(peak_fp4),
    ENTRY(sparse_shape),
    ENTRY(sparse_fp16),
    ENTRY(sparse_bf16),
    ENTRY(sparse_fp8),
    ENTRY(sparse_int8),
    ENTRY(pattern_fill),
    ENTRY(pattern_check),
    ENTRY(atomic_count),
    ENTRY(coherence_answer),
    ENTRY(uniform_work),
    ENTRY(ordered_step),
    ENTRY(count_clock),
    ENTRY(empty_kernel),
    ENTRY(copy_bytes),
};
#undef ENTRY

}  // namespace

HostKernel find_host_kernel(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.call;
  }
  return nullptr;
}

}  // namespace rocvet::gpu

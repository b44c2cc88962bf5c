// A kernel that cannot but spill, for the test of the test of code objects: a block of 1024 leaves
// a thread too few registers for the numbers that it keeps across a barrier.
extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1024, 1024))) void
spills(volatile float* of) {
  float all[160];
#pragma unroll
  for (int i = 0; i < 160; ++i) all[i] = of[i];
  __builtin_amdgcn_s_barrier();
#pragma unroll
  for (int i = 0; i < 160; ++i) of[i] = all[159 - i];
}

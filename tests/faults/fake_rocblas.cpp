// A librocblas with the entry points that library.rocblas calls; it multiplies on the CPU, where
// the memory of the fake HIP is. Built without rocblas_sgemm as well (ROCVET_WITHOUT_SGEMM).
#include "tests/faults/misbehave.h"

extern "C" {
int rocblas_create_handle(void** handle) {
  MISBEHAVE(rocblas_create_handle);
  *handle = handle;
  return 0;
}
int rocblas_destroy_handle(void*) {
  MISBEHAVE(rocblas_destroy_handle);
  return 0;
}
int rocblas_set_stream(void*, void*) {
  MISBEHAVE(rocblas_set_stream);
  return 0;
}
int rocblas_get_version_string(char* to, std::size_t bytes) {
  std::snprintf(to, bytes, "4.4.1.fake");
  return 0;
}
const char* rocblas_status_to_string(int) {
  return "as the fake was told";
}
#ifndef ROCVET_WITHOUT_SGEMM
/// C = A^T * B, column by column; nothing else is asked for.
int rocblas_sgemm(void*, int transpose_a, int transpose_b, int m, int n, int k, const float* alpha,
                  const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                  int ldc) {
  MISBEHAVE(rocblas_sgemm);
  if (transpose_a != 112 || transpose_b != 111 || *alpha != 1 || *beta != 0) return 11;
  for (long column = 0; column < n; ++column) {
    for (long row = 0; row < m; ++row) {
      float sum = 0;
      for (long i = 0; i < k; ++i) sum += a[row * lda + i] * b[column * ldb + i];
      c[column * ldc + row] = sum;
    }
  }
  return 0;
}
#endif
}

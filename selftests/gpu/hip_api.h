// The calls of libamdhip64 that we use, as a table of what dlsym found. The signatures and numbers
// are those of hip_runtime_api.h of HIP 5.2.3, 5.7.1, 6.4.3 and 7.2.4, in which they agree; the one
// struct that does not is read at offsets (hip_runtime.cpp).
#pragma once

#include <cstddef>

namespace rocvet::gpu {

#define ROCVET_HIP_CALLS(CALL)                                                             \
  CALL(hipInit, int(unsigned))                                                             \
  CALL(hipGetErrorName, const char*(int))                                                  \
  CALL(hipGetErrorString, const char*(int))                                                \
  CALL(hipRuntimeGetVersion, int(int*))                                                    \
  CALL(hipGetDeviceCount, int(int*))                                                       \
  CALL(hipSetDevice, int(int))                                                             \
  CALL(hipDeviceGetName, int(char*, int, int))                                             \
  CALL(hipDeviceGetPCIBusId, int(char*, int, int))                                         \
  CALL(hipDeviceGetAttribute, int(int*, int, int))                                         \
  CALL(hipMemGetInfo, int(std::size_t*, std::size_t*))                                     \
  CALL(hipMalloc, int(void**, std::size_t))                                                \
  CALL(hipFree, int(void*))                                                                \
  CALL(hipHostMalloc, int(void**, std::size_t, unsigned))                                  \
  CALL(hipHostFree, int(void*))                                                            \
  CALL(hipMemcpy, int(void*, const void*, std::size_t, int))                               \
  CALL(hipMemcpyAsync, int(void*, const void*, std::size_t, int, void*))                   \
  CALL(hipMemset, int(void*, int, std::size_t))                                            \
  CALL(hipModuleLoadData, int(void**, const void*))                                        \
  CALL(hipModuleUnload, int(void*))                                                        \
  CALL(hipModuleGetFunction, int(void**, void*, const char*))                              \
  CALL(hipModuleLaunchKernel, int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, \
                                  unsigned, unsigned, void*, void**, void**))              \
  CALL(hipStreamCreateWithFlags, int(void**, unsigned))                                    \
  CALL(hipStreamDestroy, int(void*))                                                       \
  CALL(hipStreamSynchronize, int(void*))                                                   \
  CALL(hipStreamWaitEvent, int(void*, void*, unsigned))                                    \
  CALL(hipEventCreateWithFlags, int(void**, unsigned))                                     \
  CALL(hipEventDestroy, int(void*))                                                        \
  CALL(hipEventRecord, int(void*, void*))                                                  \
  CALL(hipEventSynchronize, int(void*))                                                    \
  CALL(hipEventElapsedTime, int(float*, void*, void*))                                     \
  CALL(hipDeviceSynchronize, int())                                                        \
  CALL(hipDeviceCanAccessPeer, int(int*, int, int))                                        \
  CALL(hipDeviceEnablePeerAccess, int(int, unsigned))                                      \
  CALL(hipMemcpyPeer, int(void*, int, const void*, int, std::size_t))

struct HipApi {
#define CALL(name, signature) \
  using name##_t = signature; \
  name##_t* name = nullptr;
  ROCVET_HIP_CALLS(CALL)
#undef CALL
  /// hipGetDevicePropertiesR0600 since HIP 6, hipGetDeviceProperties before.
  int (*get_device_properties)(void*, int) = nullptr;
  std::size_t arch_name_offset = 0;  ///< of gcnArchName in what that call fills
};

}  // namespace rocvet::gpu

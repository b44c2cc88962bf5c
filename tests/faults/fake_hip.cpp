// A libamdhip64 with the real entry points that does what ROCVET_FAKE_HIP says (misbehave.h).
// Besides:
//
//   ""                healthy: one gfx1100 whose kernels run on the CPU
//   devices=N         reports N devices
//   corrupt           a bit of every result is the other way round
//   offset            results are shifted by a word
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "selftests/gpu/host_kernels.h"
#include "selftests/gpu/runtime.h"
#include "tests/faults/misbehave.h"

namespace {

using namespace rocvet;
using faults::asked;

gpu::Runtime& host() {
  static const std::unique_ptr<gpu::Runtime> runtime = *gpu::host_runtime();
  return *runtime;
}

template <typename T>
int give(const Result<T>& result, void** to) {
  if (!result) return 1;
  *to = reinterpret_cast<void*>(*result);
  return 0;
}
int done(const Result<Done>& result) {
  return result ? 0 : 719;
}
gpu::Pointer number(const void* pointer) {
  return reinterpret_cast<gpu::Pointer>(pointer);
}

void corrupt(void* data, std::size_t bytes) {
  auto* to = static_cast<unsigned char*>(data);
  if (bytes > 1000 && !asked("corrupt", 1).empty())
    to[bytes / 8 * 4 + 3] ^= 64;  // of an exponent: no rounding hides it
  if (bytes > 1000 && !asked("offset", 1).empty()) std::memmove(to + 4, to, bytes - 4);
}

}  // namespace

extern "C" {
int hipInit(unsigned) {
  MISBEHAVE(hipInit);
  return 0;
}
const char* hipGetErrorName(int status) {
  switch (status) {
    case 1:
      return "hipErrorInvalidValue";
    case 2:
      return "hipErrorOutOfMemory";
    case 100:
      return "hipErrorNoDevice";
    case 209:
      return "hipErrorNoBinaryForGpu";
    case 303:
      return "hipErrorSharedObjectInitFailed";
    case 700:
      return "hipErrorIllegalAddress";
    case 719:
      return "hipErrorLaunchFailure";
    default:
      return "hipErrorUnknown";
  }
}
const char* hipGetErrorString(int) {
  return "as the fake was told";
}
int hipRuntimeGetVersion(int* version) {
  *version = 60443484;
  return 0;
}
int hipGetDeviceCount(int* count) {
  MISBEHAVE(hipGetDeviceCount);
  const std::string devices = asked("devices", 1);
  *count = devices.empty() ? 1 : std::atoi(devices.c_str());
  return 0;
}
int hipSetDevice(int) {
  MISBEHAVE(hipSetDevice);
  return 0;
}
int hipDeviceGetName(char* to, int size, int) {
  MISBEHAVE(hipDeviceGetName);
  std::snprintf(to, static_cast<std::size_t>(size), "Fake GPU");
  return 0;
}
int hipDeviceGetPCIBusId(char* to, int size, int) {
  MISBEHAVE(hipDeviceGetPCIBusId);
  std::snprintf(to, static_cast<std::size_t>(size), "0000:ff:1f.7");
  return 0;
}
int hipDeviceGetAttribute(int* value, int which, int) {
  MISBEHAVE(hipDeviceGetAttribute);
  *value = which == 63 ? 2 : which == 87 ? 32 : 0;
  return 0;
}
int hipGetDevicePropertiesR0600(void* properties, int) {
  MISBEHAVE(hipGetDevicePropertiesR0600);
  std::memset(properties, 0, 1472);
  std::memcpy(static_cast<char*>(properties) + 1160, "gfx1100", sizeof "gfx1100");
  return 0;
}
int hipMemGetInfo(std::size_t* free, std::size_t* total) {
  MISBEHAVE(hipMemGetInfo);
  *free = *total = 256u << 20;
  return 0;
}
int hipMalloc(void** to, std::size_t bytes) {
  MISBEHAVE(hipMalloc);
  return give(host().allocate(bytes), to);
}
int hipFree(void* pointer) {
  MISBEHAVE(hipFree);
  return done(host().free(number(pointer)));
}
int hipHostMalloc(void** to, std::size_t bytes, unsigned) {
  MISBEHAVE(hipHostMalloc);
  return give(host().allocate(bytes), to);
}
int hipHostFree(void* pointer) {
  MISBEHAVE(hipHostFree);
  return done(host().free(number(pointer)));
}
int hipMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  MISBEHAVE(hipMemcpy);
  std::memmove(to, from, bytes);
  if (kind == 2) corrupt(to, bytes);
  return 0;
}
int hipMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void*) {
  MISBEHAVE(hipMemcpyAsync);
  std::memmove(to, from, bytes);
  if (kind == 2) corrupt(to, bytes);
  return 0;
}
int hipMemset(void* to, int value, std::size_t bytes) {
  MISBEHAVE(hipMemset);
  std::memset(to, value, bytes);
  return 0;
}
int hipModuleLoadData(void** module, const void*) {
  MISBEHAVE(hipModuleLoadData);
  *module = reinterpret_cast<void*>(1);
  return 0;
}
int hipModuleUnload(void*) {
  MISBEHAVE(hipModuleUnload);
  return 0;
}
int hipModuleGetFunction(void** function, void*, const char* name) {
  MISBEHAVE(hipModuleGetFunction);
  return give(host().function(1, name), function);
}
int hipModuleLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads,
                          unsigned, unsigned, unsigned lds, void* stream, void** arguments,
                          void**) {
  MISBEHAVE(hipModuleLaunchKernel);
  return done(
      host().launch(number(function), {blocks, threads, lds}, {arguments, 16}, number(stream)));
}
int hipStreamCreateWithFlags(void** stream, unsigned) {
  MISBEHAVE(hipStreamCreateWithFlags);
  return give(host().create_stream(), stream);
}
int hipStreamDestroy(void*) {
  MISBEHAVE(hipStreamDestroy);
  return 0;
}
int hipStreamSynchronize(void*) {
  MISBEHAVE(hipStreamSynchronize);
  return 0;
}
int hipStreamWaitEvent(void*, void*, unsigned) {
  MISBEHAVE(hipStreamWaitEvent);
  return 0;
}
int hipEventCreateWithFlags(void** event, unsigned) {
  MISBEHAVE(hipEventCreateWithFlags);
  return give(host().create_event(), event);
}
int hipEventDestroy(void* event) {
  MISBEHAVE(hipEventDestroy);
  return done(host().destroy_event(number(event)));
}
int hipEventRecord(void* event, void* stream) {
  MISBEHAVE(hipEventRecord);
  return done(host().record(number(event), number(stream)));
}
int hipEventSynchronize(void*) {
  MISBEHAVE(hipEventSynchronize);
  return 0;
}
int hipEventElapsedTime(float* ms, void* start, void* stop) {
  MISBEHAVE(hipEventElapsedTime);
  const auto elapsed = host().elapsed_ms(number(start), number(stop));
  if (!elapsed) return 1;
  *ms = static_cast<float>(*elapsed);
  return 0;
}
int hipDeviceSynchronize() {
  MISBEHAVE(hipDeviceSynchronize);
  return 0;
}
int hipDeviceCanAccessPeer(int* can, int, int) {
  MISBEHAVE(hipDeviceCanAccessPeer);
  *can = 1;
  return 0;
}
int hipDeviceEnablePeerAccess(int, unsigned) {
  MISBEHAVE(hipDeviceEnablePeerAccess);
  return 0;
}
int hipMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  MISBEHAVE(hipMemcpyPeer);
  std::memmove(to, from, bytes);
  return 0;
}
}

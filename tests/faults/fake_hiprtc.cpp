// A libhiprtc that hands out some bytes as code: the fake HIP runs its own kernels whatever it
// loads. Asked for device_library, its log says that the compiler lacks that.
#include "tests/faults/misbehave.h"

namespace {

std::string log_text() {
  return rocvet::faults::asked("device_library", 1).empty()
             ? "gemm.hip:3:10: error: as the fake was told\n1 error generated when compiling.\n"
             : "error: cannot find ROCm device library for ABI version 5; provide its path\n";
}

}  // namespace

extern "C" {
const char* hiprtcGetErrorString(int status) {
  return status == 6 ? "HIPRTC_ERROR_COMPILATION" : "HIPRTC_ERROR";
}
int hiprtcCreateProgram(void** program, const char* source, const char*, int headers, const char**,
                        const char**) {
  MISBEHAVE(hiprtcCreateProgram);
  if (source == nullptr || *source == 0 || headers < 5) return 3;
  *program = program;
  return 0;
}
int hiprtcCompileProgram(void*, int, const char**) {
  MISBEHAVE(hiprtcCompileProgram);
  return 0;
}
int hiprtcGetProgramLogSize(void*, std::size_t* bytes) {
  *bytes = log_text().size() + 1;
  return 0;
}
int hiprtcGetProgramLog(void*, char* to) {
  const std::string log = log_text();
  std::memcpy(to, log.c_str(), log.size() + 1);
  return 0;
}
int hiprtcGetCodeSize(void*, std::size_t* bytes) {
  MISBEHAVE(hiprtcGetCodeSize);
  *bytes = 4;
  return 0;
}
int hiprtcGetCode(void*, char* to) {
  MISBEHAVE(hiprtcGetCode);
  std::memcpy(to, "fake", 4);
  return 0;
}
int hiprtcDestroyProgram(void**) {
  MISBEHAVE(hiprtcDestroyProgram);
  return 0;
}
}

// What a line of a program's log says, and which known message it is.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "db/database.h"
#include "formats/program_message.h"

namespace rocvet {
namespace {

/// The id of the message that the line is, "" for none.
std::string text_in(const std::string& line, const std::string& above = "") {
  const ErrorText* text = Database::embedded().knowledge().program_text(above, line);
  return text == nullptr ? "" : std::string(text->id);
}

}  // namespace

TEST_CASE("a message stands behind what a program, a shell or a log puts before it") {
  const struct {
    std::string line, message;
  } kLines[] = {
      {"RuntimeError: No HIP GPUs are available", "No HIP GPUs are available"},
      {"[rank0]: torch.OutOfMemoryError: HIP out of memory. Tried to allocate 1.95 GiB",
       "HIP out of memory. Tried to allocate 1.95 GiB"},
      {"E1218 20:27:21.426415   123 file.cc:629] a collective timed out", "a collective timed out"},
      {"2024-01-01 00:00:00.000000: W tensorflow/core/gpu_device.cc:2251] Cannot dlopen a library",
       "Cannot dlopen a library"},
      {"[2025-01-01 10:00:00.000] [error] the device is gone", "the device is gone"},
      {"ERROR 11-21 10:00:00 [core.py:1] engine core failed", "engine core failed"},
      {"#12 74.28 Error! Bad return status", "Bad return status"},
      {"0.00.842.586 E ROCm error: out of memory", "out of memory"},
      {"74.29 dpkg: error processing package amdgpu-dkms (--configure):",
       "error processing package amdgpu-dkms (--configure):"},
      {"(EngineCore_0 pid=123) ERROR 11-21 10:00:00 [core.py:1] engine died", "engine died"},
      {"ERROR:root:Driver not initialized", "Driver not initialized"},
      {"  what():  filesystem error: cannot create directories", "cannot create directories"},
      {"docker: Error response from daemon: no such image", "no such image"},
      {"time=2025-06-01T10:00:00.000Z level=WARN source=gpu.go:1 msg=\"no GPU was found\" id=0",
       "no GPU was found"},
      {"{\"level\":\"error\",\"ts\":1.5,\"msg\":\"Fail to read the topology\",\"error\":null}",
       "Fail to read the topology"},
      {"ggml_cuda_init: failed to initialize ROCm: no device", "no device"},
      {"modprobe: FATAL: Module amdgpu not found", "Module amdgpu not found"},
      {"bash: line 1: nvcc: command not found", "nvcc: command not found"},
      {"Error! Could not locate dkms.conf file.", "Could not locate dkms.conf file."},
      {"E: Unable to locate package rocm", "Unable to locate package rocm"},
      {"ERROR: Could not find a version", "Could not find a version"},
      {"/usr/bin/ld: cannot find -lomp", "cannot find -lomp"},
      {"main.hip:1:10: fatal error: 'cmath' file not found", "fatal error: 'cmath' file not found"},
      {"MIOpen(HIP): Warning [SQLiteBase] Missing a file", "Missing a file"},
      {"host:12:34 [0] /src/init.cc:163 NCCL WARN no memory", "no memory"},
      {"host:12:34 [0] NCCL INFO NET/IB : none", "NET/IB : none"},
      {":1:hip_fatbin.cpp           :0277: 1234567890 us: [pid:12 tid:0x7f00]     no code here",
       "no code here"},
      {":1:hip_fatbin.cpp           :113 : 1234567890 us: 4242 : [tid:0x7f00] no code here",
       "no code here"},
      {":3:rocdevice.cpp            :442 : 1234567890 us: no bracket", "no bracket"},
      {"WARNING:2025-03-05 12:00:00,123:jax._src.xla_bridge:969: no plugin", "no plugin"},
      {"pid:12 tid:0x7f00 [topology] No adapters", "No adapters"},
      {"Nov 20 10:00:00 host ollama[12]: no library", "no library"},
      {"ollama-1  | no library", "no library"},
      {"[    5.1] [drm:psp_hw_start [amdgpu]] *ERROR* no firmware", "no firmware"},
      {"[    5.1] amdgpu 0000:03:00.0: amdgpu: no room", "no room"},
      {"\x1b[31mROCk module is NOT loaded\x1b[0m", "ROCk module is NOT loaded"},
      {"> `hipErrorNoDevice: none`", "hipErrorNoDevice: none"},
      {"it ends with ImportError: libx.so is not there", "libx.so is not there"},
      {"I get \"no such device here\" at each start", "no such device here"},
      {"it throws error 'E: Unable to locate package x', that's all", "Unable to locate package x"},
  };
  for (const auto& [line, message] : kLines) {
    CAPTURE(line);
    const auto messages = messages_of(line);
    REQUIRE(!messages.empty());
    CHECK(std::find(messages.begin(), messages.end(), message) != messages.end());
  }
}

TEST_CASE("lines that are all headers, or none, end") {
  for (const std::string& line : {std::string(5000, '"'), std::string(5000, ':'),
                                  std::string(5000, '['), std::string(), std::string(" \t "), [] {
                                    std::string text;
                                    for (int i = 0; i < 500; ++i) text += "a: ";
                                    return text;
                                  }()}) {
    for (const std::string_view message : messages_of(line)) {
      CHECK(message.data() >= line.data());
      CHECK(message.data() + message.size() <= line.data() + line.size());
    }
    CHECK(text_in(line).empty());
  }
}

TEST_CASE("a sentence that only has the words of a message is none") {
  for (const char* line :
       {"after the change No HIP GPUs are available is not printed any more",
        "no Memory access fault by GPU node-1 since the update",
        "the page on Unable to open /dev/kfd read-write: Permission denied helped me",
        "/opt/rocm/lib/rocblas/library/TensileLibrary.dat",
        "INFO: trying to overwrite is also in package managers' manuals",
        "libstdc++.so.6 has version `GLIBCXX_3.4.30'", "found 1 ROCm devices: 1 is free",
        "dkms: Bad return status for module build on kernel is tested here",
        "Number of platforms                               10", "ROCk module is loaded",
        "ann is member of render group"}) {
    CAPTURE(line);
    CHECK(text_in(line) == "");
  }
}

TEST_CASE("messages whose wording was wrong") {
  CHECK(text_in("ld.lld: error: unable to find library -lstdc++") == "cannot-find-lstdcxx");
  CHECK(text_in("/usr/bin/ld: cannot find -lstdc++: No such file or directory") ==
        "cannot-find-lstdcxx");
  CHECK(text_in("/usr/bin/ld: cannot find -lstdc++") == "cannot-find-lstdcxx");
  CHECK(text_in("  what():  filesystem error: cannot create directories: Permission denied "
                "[/home/ann/.cache/miopen]") == "miopen-create-directories");
  CHECK(text_in(
            "MIOpen(HIP): Warning [SQLiteBase] Unable to create a directory: \"/root/.config\"") ==
        "miopen-create-directories");
  CHECK(text_in("[    5.1] amdgpu 0000:03:00.0: amdgpu: Failed to get gpu_info firmware "
                "\"amdgpu/raven_gpu_info.bin\"") == "gpu-info-firmware");
  CHECK(text_in("ERROR: clGetPlatformIDs(-1001)") == "clgetplatform");
  CHECK(text_in("pyopencl._cl.LogicError: clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR") ==
        "clgetplatform");
  CHECK(text_in("MIOpen(HIP): Warning [SQLiteBase] Missing system database file: gfx1030_40.kdb "
                "Performance may degrade. Please follow instructions to install: "
                "https://github.com/ROCm/MIOpen#installing-miopen-kernels-package") ==
        "missing-kdb");
  CHECK(
      text_in("MIOpen(HIP): Warning [SQLiteBase] Unable to read system database file:/x/gfx90a.db "
              "Performance may degrade") == "missing-kdb");
}

TEST_CASE("a message behind the words of whoever passes it on") {
  CHECK(text_in("RVS-CLI: could not load .so '/opt/rocm/rvs//libgst.so.0' reason: librocblas.so.0: "
                "cannot open shared object file: No such file or directory") ==
        "rocm-library-of-older-major");
  // Who speaks of it goes on in a sentence.
  CHECK(
      text_in("my notes say that librocblas.so.0: cannot open shared object file: No such file or "
              "directory is gone") == "");
  // As long as no wrapper's.
  std::string far;
  for (int i = 0; i < 40; ++i) far += "x: ";
  CHECK(text_in(far + "Memory access fault by GPU node-1") == "");
}

TEST_CASE("a call and its answer on the next line") {
  CHECK(text_in("False", ">>> torch.cuda.is_available()") == "torch-cuda-false");
  CHECK(text_in("False", "$ python3 -c \"import torch; print(torch.cuda.is_available())\"") ==
        "torch-cuda-false");
  CHECK(text_in("True", ">>> torch.cuda.is_available()") == "");
  CHECK(text_in("False", "something else") == "");
}

TEST_CASE("of two messages in a line, the one that says more") {
  const std::string fault =
      "Memory access fault by GPU node-1 (Agent handle: 0x5581e8a3c2f0) on address 0x7f2b4c000000. "
      "Reason: ";
  CHECK(text_in(fault + "Page not present or supervisor privilege.") == "memory-access-fault");
  CHECK(text_in(fault + "DRAM ECC failure.") == "memory-fault-ecc");
  CHECK(text_in("./prog: error while loading shared libraries: libnuma.so.1: cannot open shared "
                "object file: No such file or directory") == "error-loading-shared");
  CHECK(text_in("ImportError: libcuda.so.1: cannot open shared object file: No such file or "
                "directory") == "libcuda-missing");
  CHECK(text_in("ImportError: /x/libamdhip64.so.6: undefined symbol: hsa_init, version ROCR_1") ==
        "undefined-symbol-hsa");
}

}  // namespace rocvet

// What the last words of a vendor library mean. The texts are those that the libraries write.
#include <doctest/doctest.h>

#include "selftests/library/explain.h"

using namespace rocvet;

namespace {

TestResult failed(const std::string& summary, const std::string& said,
                  const std::string& title = "rocBLAS") {
  TestResult result;
  result.verdict = Verdict::fail;
  result.summary = summary;
  result.gpu.arch = "gfx942:sramecc+:xnack-";
  library::explain(result, title, said);
  return result;
}

}  // namespace

TEST_CASE("the libraries' own words for missing kernels") {
  for (
      const char* line :
      {"rocBLAS error: Cannot read /usr/lib/rocblas/4.4.1/library/TensileLibrary.dat: Illegal seek "
       "for GPU arch : gfx942",
       "rocBLAS error: Cannot read /opt/rocm-5.7.1/lib/rocblas/library/TensileLibrary.dat: No such "
       "file or directory for GPU arch : gfx1010",
       "rocblaslt error: Cannot read "
       "\"/opt/rocm/lib/hipblaslt/library/TensileLibrary_lazy_gfx1030.dat\": No such file or "
       "directory",
       "HIP error 209: no kernel image is available for execution on the device",
       "\"hipErrorNoBinaryForGpu: Unable to find code object for all current devices!\"",
       "No compatible code objects found for: gfx1200", "rocFFT: hipErrorInvalidDeviceFunction"}) {
    CAPTURE(line);
    CHECK(library::no_kernels_line(line) == line);
    CHECK(library::no_kernels_line("first\n  " + std::string(line) + "\nlast") == line);
  }
}

TEST_CASE("other words are not taken for it") {
  for (const char* line :
       {"", "Assertion `healthy' failed.",
        "terminate called after throwing an instance of "
        "'std::bad_alloc'",
        "MIOpen Error: kernel.cpp:444: Failed to load kernel source: Conv_Winograd_v40_6_0.s",
        "Memory access fault by GPU node-1", "Cannot read /etc/shadow", "hipErrorOutOfMemory"}) {
    CAPTURE(line);
    CHECK(library::no_kernels_line(line).empty());
  }
}

TEST_CASE("an abort over missing kernels is missing kernels, with the abort as evidence") {
  const std::string abort = "the worker was killed by SIGABRT (it aborted itself)";
  const std::string line = "rocBLAS error: Cannot read /x/TensileLibrary.dat: No such file";
  const TestResult result = failed(abort, "noise\n" + line + "\nList of available files");
  CHECK(result.summary.starts_with("rocBLAS has no kernels for gfx942"));
  REQUIRE(result.evidence.size() == 2);
  CHECK(result.evidence[0] == line);
  CHECK(result.evidence[1] == abort);
  REQUIRE(result.seen.size() == 1);
  CHECK(result.seen[0].view() == "selftest-rocblas-without-code");
}

TEST_CASE("only rocBLAS's lack of kernels is a known root cause") {
  const TestResult result = failed("hipBLASLt has no kernels for gfx942", "", "hipBLASLt");
  CHECK(result.summary == "hipBLASLt has no kernels for gfx942");
  CHECK(result.seen.empty());
}

TEST_CASE(
    "a death without such words is a crash, no answer a hang, and neither points at a cause") {
  const TestResult crash = failed("the worker was killed by SIGSEGV (segmentation fault)", "boom");
  CHECK(crash.summary.starts_with("rocBLAS crashed: the worker was killed by SIGSEGV"));
  CHECK(crash.seen.empty());
  const TestResult hang = failed("no answer within 45.0 s; the worker was killed", "");
  CHECK(hang.summary.starts_with("rocBLAS hangs: no answer"));
  CHECK(hang.seen.empty());
}

TEST_CASE("a status keeps its words, with the library's name in front") {
  CHECK(failed("rocblas_sgemm failed: internal error (6)", "").summary ==
        "rocBLAS: rocblas_sgemm failed: internal error (6)");
}

TEST_CASE("a compiler that misses the development link is told from one that cannot") {
  const TestResult result =
      failed("miopenConvolutionForwardImmediate failed: miopenStatusUnknownError (7)",
             "MIOpen(HIP): Warning [BuildHip] hip runtime failed to load.\n"
             "Error: Please provide architecture for which code is to be generated.",
             "MIOpen");
  REQUIRE(result.evidence.size() == 1);
  CHECK(result.evidence[0].find("libamdhip64.so without a number") != std::string::npos);
  CHECK(library::development_link_hint("naive_conv.cpp: HIPRTC_ERROR_COMPILATION (6)").empty());
}

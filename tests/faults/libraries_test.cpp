// Every way in which a library beside the HIP runtime can let its self-test down.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "selftests/selftest.h"

namespace rocvet {
namespace {

const std::string kHip = ROCVET_FAKE_HIP_FOLDER, kLibraries = ROCVET_FAKE_LIBRARIES_FOLDER,
                  kWithoutSgemm = ROCVET_FAKE_WITHOUT_SGEMM_FOLDER;

struct LibraryOutcome {
  TestResult result;
  double seconds = 0;
  /// What a reader sees.
  std::string words() const {
    std::string all = result.summary + "\n";
    for (const std::string& line : result.evidence) all += line + "\n";
    return all;
  }
  bool says(const std::string& text) const { return words().find(text) != std::string::npos; }
};

/// Runs one test with `command` for the fakes; `folders` are what the dynamic loader searches.
LibraryOutcome run(const std::string& id, const std::string& command,
                   const std::string& folders = kHip + ":" + kLibraries, double deadline_s = 3) {
  ::setenv("ROCVET_FAKE_HIP", command.c_str(), 1);
  ::setenv("LD_LIBRARY_PATH", folders.c_str(), 1);
  TestRequest request;
  request.ids = {id};
  request.devices = {"hip:0"};
  request.params.size = Size::tiny;
  request.test_deadline_s = deadline_s;
  request.worker_program = ROCVET_PROGRAM;
  const auto start = std::chrono::steady_clock::now();
  auto results = run_selftests(request);
  REQUIRE(results);
  REQUIRE(results->size() == 1);
  REQUIRE((*results)[0].id == id);
  return {(*results)[0],
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

}  // namespace

TEST_CASE("a healthy library passes, and is named") {
  const LibraryOutcome blas = run("library.rocblas", "", kHip + ":" + kLibraries, 30);
  CAPTURE(blas.words());
  CHECK(blas.result.verdict == Verdict::pass);
  CHECK(blas.says("rocBLAS 4.4.1.fake"));
  CHECK(blas.says(kLibraries + "/librocblas.so.4"));
  const LibraryOutcome jit = run("jit", "", kHip + ":" + kLibraries, 30);
  CAPTURE(jit.words());
  CHECK(jit.result.verdict == Verdict::pass);
  CHECK(jit.says("fp32"));
}

TEST_CASE("a library that is not installed is not applicable") {
  for (const char* id :
       {"library.rocblas", "library.hipblaslt", "library.miopen", "library.rocfft",
        "library.rocrand", "library.rocsparse", "library.rccl", "library.migraphx", "jit"}) {
    CAPTURE(id);
    const LibraryOutcome outcome = run(id, "", kHip);
    CAPTURE(outcome.words());
    CHECK(outcome.result.verdict == Verdict::skip);
    CHECK(outcome.says("is not installed"));
  }
}

TEST_CASE("a library without the target's kernels is told apart from one that crashes") {
  const LibraryOutcome outcome = run("library.rocblas", "rocblas_sgemm=tensile");
  CAPTURE(outcome.words());
  CHECK(outcome.result.verdict == Verdict::fail);
  CHECK(outcome.result.summary.starts_with("rocBLAS has no kernels for gfx1100"));
  CHECK(outcome.says("Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat"));
  CHECK(outcome.says("SIGABRT"));
  REQUIRE(outcome.result.seen.size() == 1);
  CHECK(outcome.result.seen[0].view() == "selftest-rocblas-without-code");
}

TEST_CASE("a library that crashes, aborts or ends the process is named with the signal or status") {
  for (const std::string call : {"rocblas_create_handle", "rocblas_sgemm"}) {
    CAPTURE(call);
    const LibraryOutcome crash = run("library.rocblas", call + "=crash");
    CHECK(crash.result.verdict == Verdict::fail);
    CHECK(crash.result.summary.starts_with("rocBLAS crashed"));
    CHECK(crash.says("SIGSEGV"));
    CHECK(crash.says("librocblas.so.4"));  // noted before it died
    CHECK(crash.result.seen.empty());
    const LibraryOutcome abort = run("library.rocblas", call + "=abort");
    CHECK(abort.result.summary.starts_with("rocBLAS crashed"));
    CHECK(abort.says("SIGABRT"));
    const LibraryOutcome exit = run("library.rocblas", call + "=exit");
    CHECK(exit.result.verdict == Verdict::fail);
    CHECK(exit.says("ended with status 7"));
  }
  const LibraryOutcome jit = run("jit", "hiprtcCompileProgram=crash");
  CHECK(jit.result.summary.starts_with("hipRTC crashed"));
  CHECK(jit.says("SIGSEGV"));
}

TEST_CASE("a library that hangs is given up within its deadline") {
  for (const char* command : {"rocblas_sgemm=hang", "rocblas_create_handle=stubborn"}) {
    const LibraryOutcome outcome = run("library.rocblas", command, kHip + ":" + kLibraries, 1);
    CAPTURE(outcome.words());
    CHECK(outcome.result.verdict == Verdict::fail);
    CHECK(outcome.result.summary.starts_with("rocBLAS hangs"));
    CHECK(outcome.seconds < 8);
  }
  const LibraryOutcome jit = run("jit", "hiprtcCompileProgram=hang", kHip + ":" + kLibraries, 1);
  CHECK(jit.result.summary.starts_with("hipRTC hangs"));
  CHECK(jit.seconds < 8);
}

TEST_CASE("a wrong result fails, whatever the library says") {
  for (const char* id : {"library.rocblas", "jit"}) {
    CAPTURE(id);
    for (const char* command : {"corrupt", "offset"}) {
      const LibraryOutcome outcome = run(id, command);
      CAPTURE(outcome.words());
      CHECK(outcome.result.verdict == Verdict::fail);
      CHECK(outcome.says("wrong result"));
    }
  }
}

TEST_CASE("a status is named in the library's words") {
  const LibraryOutcome outcome = run("library.rocblas", "rocblas_sgemm=6");
  CHECK(outcome.result.verdict == Verdict::fail);
  CHECK(outcome.says("rocblas_sgemm failed: as the fake was told (6)"));
  CHECK_FALSE(outcome.says("crashed"));
}

TEST_CASE("a library without a call that is needed is named with the call") {
  const LibraryOutcome outcome = run("library.rocblas", "", kHip + ":" + kWithoutSgemm);
  CAPTURE(outcome.words());
  CHECK(outcome.result.verdict == Verdict::fail);
  CHECK(outcome.says("has no rocblas_sgemm"));
}

TEST_CASE("a file that is no library is installed and does not load") {
  std::string folder = "/tmp/rocvet-faults-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  std::ofstream(folder + "/librocblas.so.4")
      << "not an ELF file, but long enough to be looked at\n";
  const LibraryOutcome outcome = run("library.rocblas", "", kHip + ":" + folder);
  ::unlink((folder + "/librocblas.so.4").c_str());
  ::rmdir(folder.c_str());
  CAPTURE(outcome.words());
  CHECK(outcome.result.verdict == Verdict::fail);
  CHECK(outcome.says("is installed but does not load"));
}

TEST_CASE("a crash when the process leaves, after a right answer, is a warning") {
  const LibraryOutcome outcome = run("library.rocblas", "rocblas_create_handle=at_exit");
  CAPTURE(outcome.words());
  CHECK(outcome.result.verdict == Verdict::warn);
  CHECK(outcome.says("SIGSEGV"));
  CHECK(outcome.says("multiplies right"));
}

TEST_CASE("hipRTC's refusals are told apart") {
  const LibraryOutcome code = run("jit", "hiprtcCompileProgram=6");
  CAPTURE(code.words());
  CHECK(code.result.verdict == Verdict::fail);
  CHECK(code.says(
      "does not compile for gfx1100: HIPRTC_ERROR_COMPILATION (6): gemm.hip:3:10: error"));
  const LibraryOutcome part = run("jit", "hiprtcCompileProgram=6,device_library");
  CHECK(part.says("lacks its device library"));
  REQUIRE(part.result.seen.size() == 1);
  CHECK(part.result.seen[0].view() == "selftest-jit-without-bitcode");
  const LibraryOutcome load = run("jit", "hipModuleLoadData=209");
  CHECK(load.says("what hipRTC compiled does not load"));
  CHECK(load.says("hipErrorNoBinaryForGpu"));
}

TEST_CASE("a library that crashes takes no other test with it") {
  ::setenv("ROCVET_FAKE_HIP", "rocblas_sgemm=crash", 1);
  ::setenv("LD_LIBRARY_PATH", (kHip + ":" + kLibraries).c_str(), 1);
  TestRequest request;
  request.ids = {"bandwidth.copy", "jit", "library.*"};
  request.devices = {"hip:0"};
  request.params.size = Size::tiny;
  request.worker_program = ROCVET_PROGRAM;
  const auto results = run_selftests(request);
  REQUIRE(results);
  CHECK(results->size() == 10);
  int pass = 0, fail = 0, skip = 0;
  for (const TestResult& result : *results) {
    pass += result.verdict == Verdict::pass;
    fail += result.verdict == Verdict::fail;
    skip += result.verdict == Verdict::skip;
  }
  CHECK(pass == 2);
  CHECK(fail == 1);
  CHECK(skip == 7);
}

TEST_CASE("the diagnosis hears a library that lacks the target") {
  ::setenv("ROCVET_FAKE_HIP", "rocblas_sgemm=tensile", 1);
  ::setenv("LD_LIBRARY_PATH", (kHip + ":" + kLibraries).c_str(), 1);
  FILE* pipe =
      ::popen("'" ROCVET_PROGRAM "' run --device hip:0 --size tiny --format json 2>&1", "r");
  REQUIRE(pipe != nullptr);
  std::string report;
  char buffer[4096];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    report.append(buffer, got);
  CHECK(WEXITSTATUS(::pclose(pipe)) == 1);
  const std::size_t causes = report.find("\"root_causes\"");
  REQUIRE(causes != std::string::npos);
  const std::size_t named = report.find("\"gfx-not-in-rocblas\"", causes);
  REQUIRE(named != std::string::npos);
  CHECK(report.find("library.rocblas", named) != std::string::npos);
}

}  // namespace rocvet

#include "formats/error_statement.h"

#include <doctest/doctest.h>

using rocvet::is_error_statement;

TEST_CASE("what says that something failed is told by its form") {
  for (const char* line :
       {"RuntimeError: no such thing", "torch.cuda.OutOfMemoryError: HIP out of memory",
        "(APIServer pid=115369) RuntimeError: Please use another", "ERROR: could not do it",
        "[rank0]: [error] lost",
        "2024-01-10 20:25:42.726550: E tensorflow/compiler/xla/rocm_driver.cc:1294] failed to "
        "query",
        "E0823 17:01:02.123456 1234 main.cc:12] lost",
        "time=2025-06-22T14:29:44.852-06:00 level=ERROR source=server.go:1 msg=\"lost\"",
        "hip_runtime.cpp:12:3: error: unknown type name 'x'", "Segmentation fault (core dumped)",
        "terminate called after throwing an instance of 'std::runtime_error'"}) {
    CAPTURE(line);
    CHECK(is_error_statement(line));
  }
}

TEST_CASE("what only holds the word is no error") {
  for (const char* line : {"", "0 errors, 3 warnings", "INFO: error correction is on", "errors: 0",
                           "UserWarning: this may become an error", "Error analysis of the run",
                           "level=INFO msg=\"no error\"", "Emitting: E",
                           "from torch.errors import RuntimeError", "raise RuntimeError("}) {
    CAPTURE(line);
    CHECK_FALSE(is_error_statement(line));
  }
}

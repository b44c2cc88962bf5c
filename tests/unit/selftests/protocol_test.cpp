// What worker and parent say to each other survives the pipe, and nothing else is taken for it.
#include "selftests/worker/protocol.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace rocvet;
using namespace rocvet::worker;

namespace {

template <typename T>
T there_and_back(const T& event) {
  const std::string line = encode(Event(event));
  CHECK(line.find('\n') == std::string::npos);
  const auto got = decode_event(line);
  REQUIRE(got);
  REQUIRE(std::holds_alternative<T>(*got));
  return std::get<T>(*got);
}

}  // namespace

TEST_CASE("a job arrives as it was given") {
  Job job;
  job.runtime = "hip";
  job.index = 7;
  job.tests = {"gemm.fp32", "library.rocblas"};
  job.params.size = Size::full;
  job.params.seed = std::numeric_limits<std::uint64_t>::max();
  job.params.time_limit_s = 2.5;
  job.params.warm = true;
  job.stop_after_s = 3599.5;
  job.library_folders = {"/opt/rocm 7/lib", "/opt/\"quoted\"/lib"};
  const auto got = decode_job(encode(job));
  REQUIRE(got);
  CHECK(got->runtime == job.runtime);
  CHECK(got->index == job.index);
  CHECK(got->tests == job.tests);
  CHECK(got->params.size == job.params.size);
  CHECK(got->params.seed == job.params.seed);
  CHECK(got->params.time_limit_s == job.params.time_limit_s);
  CHECK(got->params.warm);
  CHECK(got->stop_after_s == job.stop_after_s);
  CHECK(got->library_folders == job.library_folders);
}

TEST_CASE("every event arrives as it was told") {
  CHECK(there_and_back(Counted{3}).devices == 3);
  gpu::DeviceInfo device;
  device.index = 2;
  device.name = "Instinct \"MI300X\"";
  device.arch = "gfx942:sramecc+:xnack-";
  device.bdf = "0000:c1:00.0";
  device.memory_bytes = 206158430208;
  device.free_bytes = 5;
  device.integrated = true;
  const Opened opened = there_and_back(Opened{device, "/opt/rocm/lib/libamdhip64.so.7", "7.2"});
  CHECK(opened.device.name == device.name);
  CHECK(opened.device.arch == device.arch);
  CHECK(opened.device.bdf == device.bdf);
  CHECK(opened.device.memory_bytes == device.memory_bytes);
  CHECK(opened.device.free_bytes == 5);
  CHECK(opened.device.integrated);
  CHECK(opened.version == "7.2");
  CHECK(there_and_back(Refused{missing("libamdhip64")}).error == missing("libamdhip64"));
  CHECK(there_and_back(Began{"jit"}).test == "jit");
  CHECK(there_and_back(Noted{"two\nlines"}).text == "two\nlines");
  CHECK(there_and_back(Skipped{"jit", "hipRTC is not installed"}).reason ==
        "hipRTC is not installed");
  const Failed failed =
      there_and_back(Failed{"gemm.fp32", {Error::Kind::timed_out, "hipMalloc", "no answer"}});
  CHECK(failed.error.kind == Error::Kind::timed_out);
  CHECK(failed.error.where == "hipMalloc");
  there_and_back(Finished{});
}

TEST_CASE("a measurement arrives with every number") {
  Measurement m;
  m.metric = "fp32 gemm";
  m.unit = "TFLOP/s";
  m.samples = {1.25, 0.1, 1e-300};
  m.higher_is_better = false;
  m.verification = {0x1p-20, 1e-5, "row 3"};
  m.notes = {"a", "b"};
  m.work = 123456789012.0;
  const Measurement got = there_and_back(Measured{"gemm.fp32", m}).measurement;
  CHECK(got.metric == m.metric);
  CHECK(got.unit == m.unit);
  CHECK(got.samples == m.samples);
  CHECK(got.higher_is_better == m.higher_is_better);
  CHECK(got.verification.max_rel_error == m.verification.max_rel_error);
  CHECK(got.verification.tolerance == m.verification.tolerance);
  CHECK(got.verification.detail == m.verification.detail);
  CHECK(got.notes == m.notes);
  CHECK(got.work == m.work);
}

TEST_CASE("an error that is no number stays wrong") {
  for (const double error : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Measurement m;
    m.verification = {error, 1e-5, "a NaN"};
    CHECK_FALSE(there_and_back(Measured{"gemm.fp32", m}).measurement.verification.ok());
  }
}

TEST_CASE("words in no known encoding are no reason to fall silent") {
  CHECK(there_and_back(Noted{"caf\xe9 \xff"}).text.starts_with("caf"));
  CHECK(there_and_back(Failed{"jit", {Error::Kind::failed, "", "\x80\x81"}}).test == "jit");
}

TEST_CASE("what is no event is refused, and shown") {
  for (const char* line :
       {"", "garbage", "{}", "[]", "null", "{\"event\":\"surprise\"}", "{\"event\":7}",
        "{\"event\":\"began\"}", "{\"event\":\"measured\",\"test\":\"x\",\"measurement\":{}}",
        "{\"event\":\"began\",\"test\":\"x\"", "{\"event\":\"counted\",\"devices\":\"many\"}",
        // What the type does not hold: to convert it would be undefined.
        "{\"event\":\"counted\",\"devices\":1e300}", "{\"event\":\"counted\",\"devices\":1.5}",
        "{\"event\":\"counted\",\"devices\":99999999999}",
        "{\"event\":\"failed\",\"test\":\"x\",\"error\":{\"kind\":77,\"where\":\"\",\"what\":\"\"}"
        "}"}) {
    CAPTURE(line);
    const auto event = decode_event(line);
    REQUIRE_FALSE(event);
    CHECK(event.is(Error::Kind::malformed));
  }
  const auto noise = decode_event(std::string(100000, 'x'));
  REQUIRE_FALSE(noise);
  CHECK(noise.error().text().size() < 200);
}

TEST_CASE("what is no job is refused") {
  for (const char* text : {"", "{}", "[1]", "{\"runtime\":\"hip\"}"}) CHECK_FALSE(decode_job(text));
}

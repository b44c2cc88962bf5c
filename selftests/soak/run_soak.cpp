#include "selftests/soak/run_soak.h"

#include <chrono>

#include "selftests/select.h"
#include "selftests/soak/judge_soak.h"
#include "selftests/soak/record.h"
#include "selftests/worker/interruption.h"

namespace rocvet {

Result<SoakRun> run_soak(TestRequest request) {
  if (request.ids.empty())
    request.ids = {"bandwidth.*", "memory.pattern", "peak.*", "gemm.*", "attention.*"};
  const auto tests = select_tests(request.ids);
  if (!tests) return tests.error();
  std::vector<std::string> ids;
  for (const SelfTest* test : *tests) ids.emplace_back(test->id);
  SoakRecord record(request.repeat.for_s, std::move(ids));
  request.repeat.take = [&](TestResult result, double at_s) {
    record.take(std::move(result), at_s);
  };
  request.repeat.gave_up = [&](const std::string& device, const std::string& why, double at_s) {
    record.gave_up(device, why, at_s);
  };
  const worker::Interruption interruption;
  const auto began = std::chrono::steady_clock::now();
  auto rest = run_selftests(request);
  if (!rest) return rest.error();
  const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - began;
  SoakRun out;
  // What was found out before any test: that there is no device, or no runtime.
  for (TestResult& result : *rest) {
    if (result.verdict == Verdict::fail) record.gave_up(result.device, result.summary, 0);
    record.take(std::move(result), 0);
  }
  out.soak = record.finish(lasted.count(), worker::Interruption::seen());
  out.results = record.results();
  judge_soak(out.soak);
  return out;
}

}  // namespace rocvet

#include "selftests/deep/framework_results.h"

#include <doctest/doctest.h>

#include "selftests/deep/framework_scripts.h"
#include "selftests/ladder.h"

namespace rocvet {
namespace {

using Outcome = DeepProbe::Outcome;

DeepProbe probe(const char* id, Outcome outcome, const char* why = "") {
  DeepProbe one;
  one.id = id;
  one.subject = "/home/user/venv";
  one.version = "2.6.0";
  one.outcome = outcome;
  one.why = why;
  return one;
}
TestResult only(DeepProbe one) {
  const auto results = framework_results({{std::move(one)}});
  REQUIRE(results.size() == 1);
  return results.front();
}

TEST_CASE("framework results: what a build that finds no GPU was built for") {
  const TestResult cpu = only(probe("torch", Outcome::no_device));
  CHECK(cpu.verdict == Verdict::fail);
  CHECK(cpu.id == "framework.torch");
  CHECK(cpu.summary == "torch 2.6.0 is built for the CPU alone (/home/user/venv)");
  DeepProbe cuda = probe("torch", Outcome::no_device);
  cuda.facts = {{"hip", ""}, {"cuda", "12.4"}};
  CHECK(only(cuda).summary == "torch 2.6.0 is built for CUDA, not for ROCm (/home/user/venv)");
  DeepProbe rocm = probe("torch", Outcome::no_device);
  rocm.facts = {{"hip", "6.4"}, {"cuda", ""}};
  CHECK(only(rocm).summary ==
        "torch 2.6.0 is built for ROCm 6.4 and finds no GPU (/home/user/venv)");
  const TestResult jax = only(probe("jax", Outcome::no_device));
  CHECK(jax.summary == "jax 2.6.0 has no back end for AMD GPUs that works (/home/user/venv)");
  CHECK(only(probe("onnxruntime", Outcome::no_device, "it gives the work to the CPU")).summary ==
        "it gives the work to the CPU");
}

TEST_CASE("framework results: each device has one; wrong numbers and crashes fail") {
  DeepProbe works = probe("torch", Outcome::works);
  works.devices.resize(2);
  works.devices[1].index = 1;
  works.devices[1].bdf = "0000:c1:00.0";
  const auto results = framework_results({{works}});
  REQUIRE(results.size() == 2);
  CHECK(results[0].device == "torch:0");
  CHECK(results[1].gpu.bdf == "0000:c1:00.0");
  CHECK(results[1].verdict == Verdict::pass);
  DeepProbe wrong = probe("torch", Outcome::wrong, "attention on cuda:0 has wrong numbers");
  wrong.call = "attention on cuda:0";
  CHECK(only(wrong).verdict == Verdict::fail);
  CHECK(only(wrong).summary.find("wrong numbers") != std::string::npos);
  // Nobody looked: no failure.
  CHECK(only(probe("torch", Outcome::withheld, "is not run as root")).verdict == Verdict::unknown);
  CHECK(only(probe("torch", Outcome::absent, "there is no Python")).verdict == Verdict::unknown);
}

TEST_CASE("framework results: the ladder ends with them") {
  LadderGpu gpu;
  gpu.driver.name = "driver";
  gpu.driver.verdict = Verdict::pass;
  TestResult hip;
  hip.id = "gemm.fp32";
  hip.device = "hip:0";
  hip.verdict = Verdict::pass;
  const auto ladders =
      climb({gpu}, {{"hip", 1, {hip}},
                    {"frameworks", 1, framework_results({{probe("torch", Outcome::no_device)}})}});
  REQUIRE(ladders.size() == 1);
  CHECK(ladders[0].broken ==
        "the break is between HIP and the frameworks: framework.torch: torch 2.6.0 is built for "
        "the CPU alone (/home/user/venv)");
}

TEST_CASE("framework scripts: each is found by its name and tells of its end") {
  CHECK(deep::framework_scripts().size() == 6);
  for (const deep::FrameworkScript& script : deep::framework_scripts()) {
    CHECK(deep::find_framework_script(script.id) == &script);
    CHECK(deep::program_of(script).find("tell(done=True)") != std::string::npos);
  }
  CHECK(deep::find_framework_script("hip") == nullptr);
}

}  // namespace
}  // namespace rocvet

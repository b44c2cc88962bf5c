// From what a driver's library says now and then to the telemetry of a test.
#include "selftests/judge/gpu_sample.h"

#include <doctest/doctest.h>

#include "selftests/worker/protocol.h"

using namespace rocvet;

namespace {

GpuSample sample(double clock, double power, std::vector<GpuProcess> processes = {}) {
  GpuSample out;
  out.bdf = "0000:1b:00.0";
  out.clock_mhz = clock;
  out.power_w = power;
  out.processes = std::move(processes);
  return out;
}

}  // namespace

TEST_CASE("clocks and power are those of the timed part") {
  const std::vector<GpuSample> during = {sample(345, 90), sample(1980, 650), sample(1900, 690),
                                         sample(1890, 695), sample(400, 100)};
  const std::vector<GpuSample> timed(during.begin() + 1, during.begin() + 4);
  Telemetry telemetry = summarize({}, during, timed, {});
  CHECK(telemetry.clock_mhz == 1900);
  CHECK(telemetry.power_w == 690);
  telemetry = summarize({}, during, {}, {});
  CHECK(telemetry.clock_mhz == 1980);
  CHECK_FALSE(telemetry.power_w.has_value());
}

TEST_CASE("other processes: not ours, with the mean of their load") {
  const GpuProcess ours{10, "rocvet", 1e9, 60}, other{20, "python3", 2e9, 30};
  GpuProcess later = other;
  later.busy_percent = 50;
  later.memory_bytes = 3e9;
  const auto telemetry =
      summarize({}, {sample(1, 1, {ours, other}), sample(1, 1, {ours, later})}, {}, {10});
  REQUIRE(telemetry.others.size() == 1);
  CHECK(telemetry.other_processes == 1);
  CHECK(telemetry.others[0].pid == 20);
  CHECK(telemetry.others[0].busy_percent == 40);
  CHECK(telemetry.others[0].memory_bytes == 3e9);
  SUBCASE("in a container the driver has another number for us, which has no name here") {
    const GpuProcess nameless{4711, "", 1e9, 60};
    CHECK(summarize({}, {sample(1, 1, {nameless})}, {}, {10}).others.empty());
    CHECK(summarize({}, {sample(1, 1, {nameless, other})}, {}, {10}).others.size() == 1);
  }
}

TEST_CASE("counters count what was added; the state before is that before") {
  GpuSample idle = sample(345, 80), first = sample(1980, 600), last = sample(1980, 600);
  idle.busy_percent = 100;
  idle.memory_used_bytes = 5e9;
  first.corrected = 3;
  last.corrected = 5;
  last.throttle = {"power"};
  first.throttle = {"power", "thermal"};
  const auto telemetry = summarize({idle}, {first, last}, {first, last}, {});
  CHECK(telemetry.new_corrected_errors == 2);
  CHECK(telemetry.busy_before_percent == 100);
  CHECK(telemetry.memory_used_bytes == 5e9);
  CHECK(telemetry.throttle == std::vector<std::string>{"power", "thermal"});
}

TEST_CASE("a sample survives the way from the watcher") {
  GpuSample sent = sample(1980, 650.5, {{20, "python3", 2e9, std::nullopt}});
  sent.throttle = {"thermal"};
  sent.exclusive = true;
  sent.link_gts_max = 32;
  sent.link_width = 8;
  sent.uncorrected = 7;
  const auto event = worker::decode_event(worker::encode(worker::Event{worker::Watched{{sent}}}));
  REQUIRE(event.has_value());
  const auto* watched = std::get_if<worker::Watched>(&*event);
  REQUIRE(watched != nullptr);
  REQUIRE(watched->gpus.size() == 1);
  const GpuSample& got = watched->gpus[0];
  CHECK(got.bdf == sent.bdf);
  CHECK(got.power_w == sent.power_w);
  CHECK(got.link_gts_max == 32);
  CHECK(got.link_width == 8);
  CHECK_FALSE(got.link_gts.has_value());
  CHECK(got.throttle == sent.throttle);
  CHECK(got.exclusive);
  CHECK(got.uncorrected == 7);
  REQUIRE(got.processes.size() == 1);
  CHECK(got.processes[0].name == "python3");
  CHECK(got.processes[0].memory_bytes == 2e9);
  CHECK_FALSE(got.processes[0].busy_percent.has_value());
}

// What a GPU measures and counts, with the texts that amdgpu and the PCI core write.
#include <doctest/doctest.h>

#include "machine/gpu_health.h"
#include "machine/parse_readings.h"
#include "machine/read_gpus.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

namespace {

constexpr char kDevice[] = "/sys/bus/pci/devices/0000:03:00.0/";

/// A Radeon RX 7900 XTX that is awake, with one monitor.
FakeSource card() {
  FakeSource source;
  const std::string device = kDevice, monitor = device + "hwmon/hwmon2/";
  source
      .file(device + "uevent",
            "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:744C\nPCI_SUBSYS_ID=1DA2:E471\n"
            "PCI_SLOT_NAME=0000:03:00.0\n")
      .file(device + "power/runtime_status", "active\n")
      .file(device + "gpu_busy_percent", "99\n")
      .file(device + "pp_dpm_sclk", "0: 500Mhz \n1: 2482Mhz *\n2: 2526Mhz \n")
      .file(device + "power_dpm_force_performance_level", "auto\n")
      .file(device + "pcie_replay_count", "17\n")
      .file(device + "ras/umc_err_count", "ue: 0\nce: 3\n")
      .file(device + "ras/gpu_vram_bad_pages", "0x00000001 : 0x00001000 : R\n")
      .file(monitor + "name", "amdgpu\n")
      .file(monitor + "power1_cap", "303000000\n")
      .file(monitor + "power1_cap_default", "339000000\n")
      .file(monitor + "pwm1_enable", "2\n")
      .file(monitor + "temp1_input", "-4000\n")
      .file(monitor + "temp1_label", "edge\n")
      .file(monitor + "temp2_input", "61000\n")
      .file(monitor + "temp2_crit", "110000\n");
  return source;
}

Gpu read_gpu(FakeSource& source) {
  Machine machine;
  read_gpus(source, machine);
  REQUIRE(machine.gpus.size() == 1);
  return machine.gpus[0];
}

template <typename T>
std::string kind_of(const Result<T>& fact) {
  if (fact) return "value";
  switch (fact.error().kind) {
    case Error::Kind::missing:
      return "missing";
    case Error::Kind::denied:
      return "denied";
    case Error::Kind::malformed:
      return "malformed";
    case Error::Kind::not_captured:
      return "not captured";
    case Error::Kind::unsupported:
      return "unsupported";
    default:
      return "failed";
  }
}

}  // namespace

TEST_CASE("the readings of a card that is awake") {
  FakeSource source = card();
  const Gpu gpu = read_gpu(source);
  CHECK(gpu.sensors.busy_percent.value_or(0u) == 99);
  CHECK(gpu.sensors.power_cap_uw.value_or(0u) == 303000000);
  CHECK(gpu.sensors.normal_power_cap_uw.value_or(0u) == 339000000);
  CHECK(gpu.sensors.fan_mode.value_or(0u) == 2);
  CHECK(gpu.clocks.level.value_or("") == "auto");
  CHECK(gpu.pci.replays.value_or(0u) == 17);
  REQUIRE(gpu.sensors.temperatures);
  REQUIRE(gpu.sensors.temperatures->size() == 2);
  const Temperature& edge = gpu.sensors.temperatures->at(0);
  CHECK(edge.sensor == "temp1");
  CHECK(edge.label.value_or("") == "edge");
  CHECK(edge.now.value_or(0) == -4000);
  CHECK(kind_of(edge.critical) == "missing");
  CHECK(gpu.sensors.temperatures->at(1).critical.value_or(0) == 110000);
  REQUIRE(gpu.clocks.engine);
  REQUIRE(gpu.clocks.engine->size() == 3);
  CHECK(gpu.clocks.engine->at(1).mhz == 2482);
  CHECK(gpu.clocks.engine->at(1).current);
  CHECK_FALSE(gpu.clocks.engine->at(2).current);
  REQUIRE(gpu.ras.blocks);
  REQUIRE(gpu.ras.blocks->size() == 1);
  CHECK(gpu.ras.blocks->at(0).name == "umc");
  CHECK(gpu.ras.blocks->at(0).errors == Result<RasErrors>(RasErrors{0, 3, std::nullopt}));
  CHECK(gpu.ras.bad_pages == Result<BadPages>(BadPages{1, 0, 0}));
  CHECK(gpu.sensors.silent.empty());
}

TEST_CASE(
    "a file that is not there, one that is forbidden and one without sense are three things") {
  const std::string device = kDevice, monitor = device + "hwmon/hwmon2/";
  FakeSource source = card();
  source.erase(device + "gpu_busy_percent").erase(monitor + "power1_cap_default");
  source.error(device + "pp_dpm_sclk", Error::Kind::denied, "EACCES: Permission denied");
  source.error(monitor + "pwm1_enable", Error::Kind::denied, "EACCES: Permission denied");
  source.file(monitor + "power1_cap", "none\n").file(device + "ras/umc_err_count", "?\n");
  source.file(device + "enable", "on\n");
  const Gpu gpu = read_gpu(source);
  CHECK(kind_of(gpu.sensors.busy_percent) == "missing");
  CHECK(kind_of(gpu.sensors.normal_power_cap_uw) == "missing");
  CHECK(kind_of(gpu.clocks.engine) == "denied");
  CHECK(kind_of(gpu.sensors.fan_mode) == "denied");
  CHECK(gpu.sensors.fan_mode.error().where == monitor + "pwm1_enable");
  CHECK(kind_of(gpu.sensors.power_cap_uw) == "malformed");
  CHECK(gpu.sensors.power_cap_uw.error().where == monitor + "power1_cap");
  REQUIRE(gpu.ras.blocks);
  CHECK(kind_of(gpu.ras.blocks->at(0).errors) == "malformed");
  CHECK(kind_of(gpu.pci.enable_count) == "malformed");
  CHECK(kind_of(gpu.pci.corrected) == "missing");
  // None of these is a sensor that fails to answer.
  CHECK(gpu.sensors.silent.empty());
}

TEST_CASE("a GPU without monitor or RAS has neither; a snapshot that does not hold them says so") {
  const std::string device = kDevice;
  FakeSource source = card();
  source.erase(device + "hwmon").erase(device + "ras");
  Gpu gpu = read_gpu(source);
  CHECK(kind_of(gpu.sensors.temperatures) == "missing");
  CHECK(kind_of(gpu.sensors.power_cap_uw) == "missing");
  CHECK(kind_of(gpu.ras.blocks) == "missing");
  source.unknown(device + "hwmon").unknown(device + "ras");
  gpu = read_gpu(source);
  CHECK(kind_of(gpu.sensors.temperatures) == "not captured");
  CHECK(kind_of(gpu.sensors.fan_mode) == "not captured");
  CHECK(kind_of(gpu.ras.bad_pages) == "not captured");
}

TEST_CASE("sensors that do not answer are listed") {
  const std::string device = kDevice, monitor = device + "hwmon/hwmon2/";
  FakeSource source = card();
  source.error(monitor + "temp2_input", Error::Kind::failed, "EIO: Input/output error");
  source.error(device + "gpu_busy_percent", Error::Kind::timed_out, "ETIMEDOUT: timed out");
  const Gpu gpu = read_gpu(source);
  REQUIRE(gpu.sensors.silent.size() == 2);
  CHECK(gpu.sensors.silent[0].where == monitor + "temp2_input");
  CHECK(gpu.sensors.silent[1].where == device + "gpu_busy_percent");
  REQUIRE(gpu.sensors.temperatures);
  CHECK(kind_of(gpu.sensors.temperatures->at(1).now) == "failed");
}

TEST_CASE("a GPU that sleeps is not woken for its readings") {
  FakeSource source = card();
  source.file(std::string(kDevice) + "power/runtime_status", "suspended\n")
      .file(std::string(kDevice) + "enable", "0\n");
  const Gpu gpu = read_gpu(source);
  CHECK(kind_of(gpu.sensors.busy_percent) == "unsupported");
  CHECK(kind_of(gpu.clocks.engine) == "unsupported");
  CHECK(kind_of(gpu.ras.blocks) == "unsupported");
  CHECK(kind_of(gpu.pci.replays) == "unsupported");
  CHECK(gpu.sensors.silent.empty());
  // The PCI core answers this one from memory.
  CHECK(gpu.pci.enable_count.value_or(9u) == 0);
}

TEST_CASE("the way of a card: read, without its names, or not told") {
  FakeSource source;
  const std::string port = "/sys/devices/pci0000:00/0000:00:01.1", device = port + "/0000:03:00.0";
  source
      .symlink("/sys/bus/pci/devices/0000:03:00.0",
               "../../../devices/pci0000:00/0000:00:01.1/0000:03:00.0")
      .file(device + "/uevent", "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:744C\n")
      .file(port + "/vendor", "0x1022\n")
      .error(port + "/class", Error::Kind::denied, "EACCES: Permission denied");
  source.file(port + "/class", "0x060400\n");
  Gpu gpu = read_gpu(source);
  REQUIRE(gpu.path);
  REQUIRE(gpu.path->size() == 1);
  CHECK(gpu.path->front().bdf == "0000:00:01.1");
  CHECK(gpu.path->front().vendor_id.value_or("") == "1022");
  CHECK(kind_of(gpu.path->front().device_id) == "missing");
  CHECK(kind_of(gpu.path->front().pci_class) == "denied");
  FakeSource flat = card();
  CHECK(kind_of(read_gpu(flat).path) == "not captured");
}

TEST_CASE("steps of a clock, with the step of deep sleep") {
  const auto steps = parse_clock_steps("S: 19Mhz *\n0: 615Mhz \n1: 800Mhz \n", "at");
  REQUIRE(steps);
  CHECK(steps->front().name == "S");
  CHECK(steps->front().mhz == 19);
  CHECK(steps->front().current);
  CHECK(steps->back().mhz == 800);
  CHECK(kind_of(parse_clock_steps("\n", "at")) == "missing");
  CHECK(kind_of(parse_clock_steps("Query currently inaccessible\n", "at")) == "malformed");
  CHECK(kind_of(parse_clock_steps("0: fastMhz *\n", "at")) == "malformed");
}

TEST_CASE("counts of RAS with and without deferred errors") {
  CHECK(parse_ras_errors("ue: 1\nce: 20\nde: 300\n", "at") ==
        Result<RasErrors>(RasErrors{1, 20, 300}));
  CHECK(parse_ras_errors("ue: 0\nce: 0\n", "at") ==
        Result<RasErrors>(RasErrors{0, 0, std::nullopt}));
  CHECK(kind_of(parse_ras_errors("Query currently inaccessible\n", "at")) == "malformed");
  CHECK(kind_of(parse_ras_errors("ue: many\n", "at")) == "malformed");
}

TEST_CASE("bad pages by their state") {
  CHECK(parse_bad_pages("0x00000001 : 0x00001000 : R\n0x00000002 : 0x00001000 : P\n"
                        "0x00000003 : 0x00001000 : F\n0x00000004 : 0x00001000 : R\n",
                        "at") == Result<BadPages>(BadPages{2, 1, 1}));
  CHECK(parse_bad_pages("\n", "at") == Result<BadPages>(BadPages{}));
  CHECK(kind_of(parse_bad_pages("0x00000001 : 0x00001000 : X\n", "at")) == "malformed");
}

TEST_CASE("PCIe errors by their kind, without the kernel's sum") {
  const auto counts = parse_aer_counts("RxErr 0\nBadTLP 2\nRollover 3\nTOTAL_ERR_COR 5\n", "at");
  REQUIRE(counts);
  CHECK(*counts == AerCounts{{"RxErr", 0}, {"BadTLP", 2}, {"Rollover", 3}});
  CHECK(kind_of(parse_aer_counts("RxErr\n", "at")) == "malformed");
}

TEST_CASE("regions of a PCI function") {
  const auto regions = parse_pci_regions(
      "0x0000007800000000 0x0000007fffffffff 0x000000000014220c\n"
      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n",
      "at");
  REQUIRE(regions);
  CHECK(regions->at(0) == PciRegion{0x7800000000, 0x7fffffffff, 0x14220c});
  CHECK(regions->at(1) == PciRegion{});
  CHECK(kind_of(parse_pci_regions("0x0 0x0\n", "at")) == "malformed");
}

TEST_CASE("where a device sits") {
  CHECK(parse_removable("removable\n", "at").value_or(false));
  CHECK_FALSE(parse_removable("fixed\n", "at").value_or(true));
  CHECK(kind_of(parse_removable("unknown\n", "at")) == "missing");
  CHECK(kind_of(parse_removable("maybe\n", "at")) == "malformed");
}

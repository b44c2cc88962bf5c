#include "selftests/judge/sampler.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace rocvet;
namespace fs = std::filesystem;

namespace {

/// A gpu_metrics table of a version with one 64-bit or 32-bit status at an offset.
std::string table(std::uint16_t size, std::uint8_t format, std::uint8_t content, std::size_t offset,
                  std::uint64_t status, std::size_t width) {
  std::string bytes(size, '\0');
  std::memcpy(bytes.data(), &size, 2);
  bytes[2] = static_cast<char>(format);
  bytes[3] = static_cast<char>(content);
  std::memcpy(bytes.data() + offset, &status, width);
  return bytes;
}

using Reasons = std::vector<std::string>;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "rocvet-sampler-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path_ + "/" + name).parent_path());
    std::ofstream(path_ + "/" + name) << text;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("throttle_reasons reads the layouts of the kernel") {
  CHECK(throttle_reasons(table(120, 1, 3, 112, 1ULL << 0, 8)) == Reasons{"power"});
  CHECK(throttle_reasons(table(120, 1, 3, 112, 1ULL << 36 | 1ULL << 17, 8)) ==
        Reasons{"current", "thermal"});
  CHECK(throttle_reasons(table(128, 2, 2, 120, 1ULL << 32, 8)) == Reasons{"thermal"});
  CHECK(throttle_reasons(table(200, 1, 4, 40, 0x2, 4)) == Reasons{"power"});
  CHECK(throttle_reasons(table(200, 1, 5, 104, 0x10, 4)) == Reasons{"thermal"});
  SUBCASE("nothing throttled, not served, unknown version, cut short") {
    CHECK(throttle_reasons(table(120, 1, 3, 112, 0, 8)).empty());
    CHECK(throttle_reasons(table(120, 1, 3, 112, ~0ULL, 8)).empty());
    CHECK(throttle_reasons(table(264, 3, 0, 112, 1, 8)).empty());
    CHECK(throttle_reasons(table(120, 1, 3, 112, 1, 8).substr(0, 60)).empty());
    CHECK(throttle_reasons("").empty());
    CHECK(throttle_reasons(std::string("\x08\x00\x01\x03\0\0\0\0", 8)).empty());
  }
}

TEST_CASE("slowing_variables") {
  CHECK(slowing_variables({{"HIP_LAUNCH_BLOCKING", "1"},
                           {"AMD_LOG_LEVEL", "0"},
                           {"HSA_ENABLE_SDMA", "0"},
                           {"PATH", "/bin"}}) ==
        Reasons{"HIP_LAUNCH_BLOCKING=1", "HSA_ENABLE_SDMA=0"});
  CHECK(slowing_variables({{"HSA_ENABLE_SDMA", "1"}}).empty());
}

TEST_CASE("Sampler: medians, differences, and nothing read of a sleeping GPU") {
  const Folder folder;
  folder.write("power/runtime_status", "active\n");
  folder.write("gpu_busy_percent", "97\n");
  folder.write("power_dpm_force_performance_level", "low\n");
  folder.write("pp_dpm_mclk", "0: 96Mhz *\n1: 1249Mhz\n");
  folder.write("pcie_replay_count", "5\n");
  folder.write("ras/umc_err_count", "ue: 1\nce: 7\n");
  folder.write("current_link_speed", "8.0 GT/s PCIe\n");
  folder.write("current_link_width", "4\n");
  folder.write("hwmon/hwmon3/freq1_label", "sclk\n");
  folder.write("hwmon/hwmon3/freq1_input", "500000000\n");
  folder.write("hwmon/hwmon3/power1_average", "42000000\n");
  folder.write("hwmon/hwmon3/power1_cap", "100000000\n");
  folder.write("hwmon/hwmon3/power1_cap_default", "300000000\n");
  folder.write("hwmon/hwmon3/temp2_label", "junction\n");
  folder.write("hwmon/hwmon3/temp2_input", "108000\n");
  folder.write("hwmon/hwmon3/temp2_crit", "110000\n");
  folder.write("hwmon/hwmon3/temp3_label", "mem\n");
  folder.write("hwmon/hwmon3/temp3_input", "60000\n");
  folder.write("procs/4194399/vram_77", "1048576\n");
  folder.write("procs/4194398/vram_77", "0\n");
  SUBCASE("awake") {
    Sampler sampler({folder.path(), folder.path() + "/procs", 77});
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    folder.write("ras/umc_err_count", "ue: 1\nce: 9\n");
    folder.write("pcie_replay_count", "8\n");
    const Telemetry telemetry = sampler.finish();
    CHECK(telemetry.clock_mhz == 500);
    CHECK(telemetry.power_w == 42);
    CHECK(telemetry.power_cap_w == 100);
    CHECK(telemetry.power_cap_default_w == 300);
    CHECK(telemetry.temperature_c == 108);
    CHECK(telemetry.temperature_limit_c == 110);
    CHECK(telemetry.memory_temperature_c == 60);
    CHECK_FALSE(telemetry.memory_temperature_limit_c.has_value());
    CHECK(telemetry.memory_clock_max_mhz == 1249);
    CHECK(telemetry.link_gts == 8);
    CHECK(telemetry.link_width == 4);
    CHECK(telemetry.busy_before_percent == 97);
    CHECK(telemetry.performance_level == "low");
    CHECK(telemetry.other_processes == 1);
    CHECK(telemetry.new_corrected_errors == 2);
    CHECK(telemetry.new_uncorrected_errors == 0);
    CHECK(telemetry.new_pcie_replays == 3);
    CHECK(telemetry.error_totals.corrected == 9);
    CHECK(telemetry.error_totals.uncorrected == 1);
    CHECK(telemetry.error_totals.pcie_replays == 8);
    CHECK_FALSE(telemetry.error_totals.unreadable);
    CHECK_FALSE(telemetry.cut_short);
  }
  SUBCASE("counters that are not there, or not to be read, are not zero") {
    fs::remove(folder.path() + "/pcie_replay_count");
    fs::remove(folder.path() + "/ras/umc_err_count");
    Sampler none({folder.path(), folder.path() + "/procs", 77});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ErrorTotals totals = none.finish().error_totals;
    CHECK_FALSE(totals.corrected.has_value());
    CHECK_FALSE(totals.pcie_replays.has_value());
    CHECK_FALSE(totals.unreadable);
    fs::create_directories(folder.path() + "/ras/gfx_err_count");  // opens, and cannot be read
    Sampler denied({folder.path(), folder.path() + "/procs", 77});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    totals = denied.finish().error_totals;
    CHECK_FALSE(totals.corrected.has_value());
    CHECK(totals.unreadable);
  }
  SUBCASE("clocks and power are those of the timed part") {
    Sampler sampler({folder.path(), folder.path() + "/procs", 77});
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    folder.write("hwmon/hwmon3/freq1_input", "2000000000\n");
    sampler.timing(true);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    sampler.timing(false);
    folder.write("hwmon/hwmon3/freq1_input", "700000000\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    CHECK(sampler.finish().clock_mhz == 2000);
  }
  SUBCASE("asleep") {
    folder.write("power/runtime_status", "suspended\n");
    Sampler sampler({folder.path(), folder.path() + "/procs", 77});
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    const Telemetry telemetry = sampler.finish();
    CHECK_FALSE(telemetry.clock_mhz.has_value());
    CHECK_FALSE(telemetry.busy_before_percent.has_value());
  }
  SUBCASE("a read that hangs does not hold the run up") {
    fs::remove(folder.path() + "/gpu_busy_percent");
    REQUIRE(::mkfifo((folder.path() + "/gpu_busy_percent").c_str(), 0600) == 0);
    const auto start = std::chrono::steady_clock::now();
    {
      Sampler sampler({folder.path(), folder.path() + "/procs", 77});
      CHECK(sampler.finish().cut_short);
    }
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
    // Let the stuck thread go, as sanitizers count it.
    std::ofstream(folder.path() + "/gpu_busy_percent") << "1\n";
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
}

TEST_CASE("other processes: KFD tells of compute, DRM of graphics") {
  const Folder root;
  const std::string gpu = root.path() + "/0000:03:00.0";
  root.write("0000:03:00.0/power/runtime_status", "active\n");
  root.write("nodes/1/gpu_id", "4242\n");
  root.write("nodes/1/properties", "simd_count 80\nsimd_per_cu 2\nlocation_id 768\ndomain 0\n");
  root.write("nodes/2/gpu_id", "4343\n");
  root.write("nodes/2/properties", "simd_count 80\nsimd_per_cu 2\nlocation_id 1024\ndomain 0\n");
  // Of four processes with KFD queues the first computes here, the second elsewhere.
  root.write("kfd/4194390/vram_4242", "1048576\n");
  root.write("kfd/4194390/stats_4242/cu_occupancy", "30\n");
  root.write("kfd/4194391/vram_4242", "0\n");
  root.write("kfd/4194391/vram_4343", "1048576\n");
  root.write("proc/4194390/comm", "vllm\n");
  root.write("proc/4194390/stat", "4194390 (vllm) S 1 4194390 4194390\n");
  root.write("proc/4194392/comm", "game\n");
  root.write("proc/4194392/stat", "4194392 (a game) S 1 4194392 4194392\n");
  fs::create_directories(root.path() + "/proc/4194392/fd");
  for (const char* fd : {"7", "8"})  // one client, opened twice
    fs::create_symlink("/dev/dri/renderD128", root.path() + "/proc/4194392/fd/" + fd);
  const auto draws = [&](const std::string& nanoseconds) {
    for (const char* fd : {"7", "8"}) {
      root.write(
          std::string("proc/4194392/fdinfo/") + fd,
          "drm-pdev:\t0000:03:00.0\ndrm-client-id:\t5\ndrm-engine-gfx:\t" + nanoseconds + " ns\n");
    }
  };
  draws("1000");
  SampledDevice device;
  device.folder = gpu;
  device.kfd_processes = root.path() + "/kfd";
  device.kfd_nodes = root.path() + "/nodes";
  device.processes = root.path() + "/proc";
  Sampler sampler(device);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  draws("100000001000");  // more than there was time for: several engines at once
  const Telemetry telemetry = sampler.finish();
  REQUIRE(telemetry.others.size() == 2);
  CHECK(telemetry.other_processes == 2);
  CHECK(telemetry.others[0].pid == 4194390);
  CHECK(telemetry.others[0].name == "vllm");
  CHECK(telemetry.others[0].memory_bytes == 1048576);
  CHECK(telemetry.others[0].busy_percent == 75);
  CHECK(telemetry.others[1].pid == 4194392);
  CHECK(telemetry.others[1].name == "game");
  CHECK(telemetry.others[1].busy_percent == 100);
}

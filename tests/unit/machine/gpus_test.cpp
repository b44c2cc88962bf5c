// The traps that captures of real machines prove (numbered as in the captures' README), on small
// pasted data.
#include <doctest/doctest.h>

#include "machine/kfd_processes.h"
#include "machine/kfd_topology.h"
#include "machine/pci_device.h"
#include "machine/read_gpus.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

namespace {

constexpr char kNodes[] = "/sys/class/kfd/kfd/topology/nodes/";

std::string node(int simds, int per_cu, int version, int device, int location, int domain,
                 int minor, const std::string& more = "") {
  return "cpu_cores_count 0\nsimd_count " + std::to_string(simds) + "\nsimd_per_cu " +
         std::to_string(per_cu) + "\ngfx_target_version " + std::to_string(version) +
         "\nvendor_id 4098\ndevice_id " + std::to_string(device) + "\nlocation_id " +
         std::to_string(location) + "\ndomain " + std::to_string(domain) + "\ndrm_render_minor " +
         std::to_string(minor) + "\n" + more;
}

constexpr char kCpuNode[] = "cpu_cores_count 48\nsimd_count 0\ngfx_target_version 0\nvendor_id 0\n";

std::string uevent(const std::string& driver, const std::string& pci_class, const std::string& id,
                   const std::string& slot) {
  return (driver.empty() ? "" : "DRIVER=" + driver + "\n") + "PCI_CLASS=" + pci_class +
         "\nPCI_ID=" + id + "\nPCI_SUBSYS_ID=1DA2:E471\nPCI_SLOT_NAME=" + slot + "\n";
}

Machine read(FakeSource& source) {
  Machine machine;
  read_gpus(source, machine);
  return machine;
}

}  // namespace

TEST_CASE("trap 1: the target version is decimal and its stepping prints in hex") {
  const std::pair<std::uint64_t, const char*> kKnown[] = {
      {90010, "gfx90a"},   {90402, "gfx942"},   {90500, "gfx950"},   {90008, "gfx908"},
      {110003, "gfx1103"}, {110500, "gfx1150"}, {100303, "gfx1033"}, {90012, "gfx90c"},
      {120001, "gfx1201"}, {80003, "gfx803"},   {70001, "gfx701"}};
  for (const auto& [version, name] : kKnown) {
    CAPTURE(version);
    CHECK(gfx_from_target_version(version).value_or("none") == name);
  }
  CHECK_FALSE(gfx_from_target_version(0).has_value());
}

TEST_CASE("trap 2: no simd_count is not the same as none") {
  FakeSource source;
  source.file(std::string(kNodes) + "0/properties", kCpuNode)
      .file(std::string(kNodes) + "1/properties",
            "cpu_cores_count 0\nsimd_count 256\nsimd_per_cu 4\nvendor_id 4098\ndevice_id 26720\n"
            "location_id 6400\ndrm_render_minor 128\n")
      .file(std::string(kNodes) + "2/properties", "vendor_id 4098\ndevice_id 26720\n");
  const Machine machine = read(source);
  CHECK(machine.kfd_nodes.value_or(0) == 3);
  REQUIRE(machine.gpus.size() == 2);
  CHECK(machine.gpus[0].compute_units.value_or(0) == 64);
  CHECK(machine.gpus[0].device_id.value_or("") == "6860");
  // An old kernel has no gfx_target_version line: the target is unknown, not gfx000.
  CHECK_FALSE(machine.gpus[0].gfx.has_value());
  CHECK_FALSE(machine.gpus[1].compute_units.has_value());
}

TEST_CASE("trap 3: the GC version is not the gfx target") {
  FakeSource source;
  const std::string device = "/sys/bus/pci/devices/0000:64:00.0/";
  source.file(device + "uevent", uevent("amdgpu", "38000", "1002:15BF", "0000:64:00.0"))
      .file(device + "ip_discovery/die/0/11/0/major", "11\n")
      .file(device + "ip_discovery/die/0/11/0/minor", "0\n")
      .file(device + "ip_discovery/die/0/11/0/revision", "1\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 1);
  CHECK_FALSE(machine.gpus[0].gfx.has_value());
}

TEST_CASE("traps 4, 5 and 7: partitions share a card, its address and skip render minors") {
  FakeSource source;
  const std::string device = "/sys/bus/pci/devices/0000:05:00.0/";
  source.file(device + "uevent", uevent("amdgpu", "120000", "1002:74A1", "0000:05:00.0"))
      .file(device + "mem_info_vram_total", "206141652992\n")
      .file(device + "current_compute_partition", "CPX\n");
  for (int i = 0; i < 3; ++i) {
    source.file(std::string(kNodes) + std::to_string(2 + i) + "/properties",
                node(152, 4, 90402, 29857, 1280 + i, 0, 128 + 8 * i, "unique_id 77\nnum_xcc 1\n"));
    source.file(std::string(kNodes) + std::to_string(2 + i) + "/mem_banks/0/properties",
                "heap_type 1\nsize_in_bytes 25769803776\nwidth 8192\nmem_clk_max 1300\n");
  }
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 3);
  for (int i = 0; i < 3; ++i) {
    const Gpu& gpu = machine.gpus[static_cast<std::size_t>(i)];
    CAPTURE(i);
    CHECK(gpu.bdf.value_or("") == "0000:05:00." + std::to_string(i));
    CHECK(gpu.card_bdf.value_or("") == "0000:05:00.0");
    CHECK(gpu.partition.index.value_or(-1) == i);
    CHECK(gpu.partition.compute.value_or("") == "CPX");
    CHECK(gpu.driver.value_or("") == "amdgpu");
    CHECK(gpu.render_minor.value_or(0) == 128 + 8 * i);
    CHECK(gpu.compute_units.value_or(0) == 38);
    // A share of the memory, not the whole card's.
    CHECK(gpu.vram_bytes.value_or(0ULL) == 25769803776ULL);
  }
  SUBCASE("newer kernels keep the partition in bits 28 to 31") {
    const KfdAddress address = kfd_address(0, 0x30000500);
    CHECK(address.bdf == "0000:05:00.0");
    CHECK(address.card_bdf == "0000:05:00.0");
    CHECK(address.partition == 3);
  }
}

TEST_CASE("two cards at one address with ids of their own are not partitions") {
  FakeSource source;
  source
      .file(std::string(kNodes) + "1/properties",
            node(256, 4, 90000, 26720, 6400, 0, 128, "unique_id 5\n"))
      .file(std::string(kNodes) + "2/properties",
            node(256, 4, 90000, 26720, 6400, 0, 129, "unique_id 6\n"));
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 2);
  CHECK_FALSE(machine.gpus[0].partition.index.has_value());
}

TEST_CASE("trap 6: the PCI domain is kept") {
  CHECK(kfd_address(3, 512).bdf == "0003:02:00.0");
  CHECK(kfd_address(0x10000, 512).bdf == "10000:02:00.0");
  CHECK(is_bdf("10000:02:00.0"));
  CHECK_FALSE(is_bdf("02:00.0"));
  CHECK_FALSE(is_bdf("0000:02:00.8"));
}

TEST_CASE("trap 8: node numbers need not start at 0 nor be contiguous") {
  FakeSource source;
  source.file(std::string(kNodes) + "8/properties", node(416, 4, 90010, 29711, 9984, 0, 128))
      .file(std::string(kNodes) + "10/properties", node(416, 4, 90010, 29711, 9985, 0, 129));
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 2);
  CHECK(machine.gpus[0].kfd_node.value_or(0) == 8);
  CHECK(machine.gpus[1].kfd_node.value_or(0) == 10);
}

TEST_CASE("trap 9: gpu_id, name and mem_banks may be missing") {
  FakeSource source;
  source
      .file(std::string(kNodes) + "1/properties",
            node(416, 4, 90010, 29711, 25344, 0, 128, "hive_id 12609507387757274807\n"))
      .file(std::string(kNodes) + "1/io_links/0/properties",
            "type 11\nnode_from 1\nnode_to 2\nweight 15\nmax_bandwidth 50000\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 1);
  CHECK(machine.gpus[0].kfd_gpu_id.is_missing());
  CHECK_FALSE(machine.gpus[0].vram_bytes.has_value());
  CHECK(machine.gpus[0].hive.value_or("") == "12609507387757274807");
  REQUIRE(machine.gpus[0].links.size() == 1);
  CHECK(machine.gpus[0].links[0].type == 11);
}

TEST_CASE("trap 10: what tells products apart is handed on") {
  FakeSource source;
  const std::string device = "/sys/bus/pci/devices/0000:03:00.0/";
  source.file(device + "uevent", uevent("amdgpu", "30000", "1002:744C", "0000:03:00.0"))
      .file(device + "revision", "0xc8\n")
      .file(device + "vbios_version", "113-D70401XT-N11\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 1);
  CHECK(machine.gpus[0].device_id.value_or("") == "744c");
  CHECK(machine.gpus[0].revision.value_or("") == "c8");
  CHECK(machine.gpus[0].subsystem_vendor_id.value_or("") == "1da2");
  CHECK(machine.gpus[0].subsystem_id.value_or("") == "e471");
  CHECK(machine.gpus[0].vbios.value_or("") == "113-D70401XT-N11");
}

TEST_CASE("traps 11 and 12: AMD's bridges and audio are no GPUs, three classes are") {
  FakeSource source;
  const auto add = [&](const char* bdf, const char* pci_class, const char* id) {
    source.file(std::string("/sys/bus/pci/devices/") + bdf + "/uevent",
                uevent("x", pci_class, id, bdf));
  };
  add("0000:01:00.0", "60400", "1002:14A0");
  add("0000:03:00.1", "40300", "1002:AA20");
  add("0000:04:00.0", "38000", "1002:150E");
  add("0000:05:00.0", "120000", "1002:74A0");
  add("0000:06:00.0", "30000", "1002:744C");
  add("0000:07:00.0", "30200", "10DE:1B81");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 3);
  CHECK(machine.gpus[0].device_id.value_or("") == "150e");
  CHECK(machine.gpus[0].pci_class.value_or("") == "038000");
  CHECK(machine.gpus[1].pci_class.value_or("") == "120000");
  REQUIRE(machine.other_gpus.size() == 1);
  CHECK(machine.other_gpus[0].vendor_id.value_or("") == "10de");
}

TEST_CASE("trap 13: padded, unended, empty and redacted files") {
  FakeSource source;
  const std::string device = "/sys/bus/pci/devices/0000:0c:00.0/";
  const std::string padding(4000, '\0');
  source.file(device + "uevent", uevent("amdgpu", "30000", "1002:73BF", "0000:0c:00.0") + padding)
      .file(device + "mem_info_vram_total", "17163091968\n" + padding)
      .file(device + "current_link_speed", "16.0 GT/s PCIe" + padding)
      .file(device + "current_link_width", "16")
      .file(device + "mem_info_gtt_total", "")
      .file(device + "vbios_version", "xxx-xxx-xxx\n");
  source.file(std::string(kNodes) + "0/properties", "simd_count 480\nsimd_per_cu 4");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 2);
  CHECK(machine.gpus[0].compute_units.value_or(0) == 120);
  const Gpu& gpu = machine.gpus[1];
  CHECK(gpu.vram_bytes.value_or(0ULL) == 17163091968ULL);
  CHECK(gpu.pcie.current_gts.value_or(0.0) == 16.0);
  CHECK(gpu.pcie.current_width.value_or(0) == 16);
  CHECK(gpu.gtt_bytes.is(Error::Kind::malformed));
  CHECK(gpu.vbios.value_or("") == "xxx-xxx-xxx");
}

TEST_CASE("numbers of KFD that no field holds are not cut to other numbers") {
  FakeSource source;
  const std::string folder = std::string(kNodes) + "1";
  source.file(folder + "/properties", node(152, 4, 90402, 29857, 1280, 0, 128))
      .file(folder + "/mem_banks/0/properties",
            "heap_type 1\nsize_in_bytes 25769803776\nwidth 4294967297\nmem_clk_max 1300\n")
      .file(folder + "/io_links/0/properties", "type 11\nnode_from 1\nnode_to 4294967298\n")
      .file(folder + "/io_links/1/properties", "type 11\nnode_from 1\nnode_to 2\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 1);
  CHECK_FALSE(machine.gpus[0].memory_width_bits);
  CHECK(machine.gpus[0].max_memory_clock_mhz.value_or(0) == 1300);
  REQUIRE(machine.gpus[0].links.size() == 1);
  CHECK(machine.gpus[0].links[0].to == 2);
}

TEST_CASE("trap 14: an APU's memory is its carve-out, and the borrowed pool gives it away") {
  FakeSource source;
  const std::string device = "/sys/class/drm/card1/device/";
  source.file(device + "uevent", uevent("amdgpu", "30000", "1002:15BF", "0000:64:00.0"))
      .file(device + "mem_info_vram_total", "4294967296\n")
      .file(device + "mem_info_gtt_total", "31433977856\n")
      .file(std::string(kNodes) + "1/properties", node(24, 2, 110003, 5567, 25600, 0, 128))
      .file(std::string(kNodes) + "1/mem_banks/0/properties",
            "heap_type 1\nsize_in_bytes 31433977856\nflags 0\nwidth 128\nmem_clk_max 800\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 1);
  CHECK(machine.gpus[0].vram_bytes.value_or(0ULL) == 4294967296ULL);
  CHECK(machine.gpus[0].banks.at(0).size_bytes == 31433977856ULL);
  CHECK(machine.gpus[0].kind == GpuKind::apu);
  CHECK(machine.gpus[0].card_minor.value_or(-1) == 1);
}

TEST_CASE("trap 15: visible memory is kept apart from the whole") {
  FakeSource source;
  const std::string device = "/sys/bus/pci/devices/0000:09:00.0/";
  source.file(device + "uevent", uevent("amdgpu", "30000", "1002:73DF", "0000:09:00.0"))
      .file(device + "mem_info_vram_total", "12868124672\n")
      .file(device + "mem_info_vis_vram_total", "268435456\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 1);
  CHECK(machine.gpus[0].vram_bytes.value_or(0ULL) == 12868124672ULL);
  CHECK(machine.gpus[0].visible_vram_bytes.value_or(0ULL) == 268435456ULL);
}

TEST_CASE("trap 20: a GPU may be there and unusable") {
  FakeSource source;
  const auto folder = [](const char* bdf) { return std::string("/sys/bus/pci/devices/") + bdf; };
  source
      .file(folder("0000:01:00.0") + "/uevent",
            uevent("radeon", "30000", "1002:6818", "0000:01:00.0"))
      .file(folder("0000:02:00.0") + "/uevent",
            uevent("vfio-pci", "30000", "1002:73BF", "0000:02:00.0"))
      .file(folder("0000:03:00.0") + "/uevent", uevent("", "30000", "1002:744C", "0000:03:00.0"))
      .file(folder("0000:04:00.0") + "/uevent",
            uevent("amdgpu", "30000", "1002:7590", "0000:04:00.0"))
      .file(folder("0000:04:00.0") + "/power/runtime_status", "suspended\n")
      .file(folder("0000:04:00.0") + "/current_link_speed", "2.5 GT/s PCIe\n")
      .file(folder("0000:04:00.0") + "/max_link_speed", "32.0 GT/s PCIe\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 4);
  CHECK(machine.gpus[0].driver.value_or("") == "radeon");
  CHECK(machine.gpus[1].driver.value_or("") == "vfio-pci");
  CHECK(machine.gpus[2].driver.is_missing());
  for (const Gpu& gpu : machine.gpus) CHECK(gpu.kfd_node.is_missing());
  // Reading the link of a sleeping GPU wakes it, and shows the sleep, not the slot.
  CHECK_FALSE(machine.gpus[3].pcie.current_gts.has_value());
  CHECK(machine.gpus[3].pcie.max_gts.value_or(0.0) == 32.0);
}

TEST_CASE("link values that say nothing are no numbers") {
  CHECK(parse_link_speed("Unknown speed", "x").is_missing());
  CHECK(parse_link_speed("8 GT/s", "x").value_or(0.0) == 8.0);
  CHECK(parse_link_speed("2.5 GT/s PCIe\n", "x").value_or(0.0) == 2.5);
  CHECK(parse_link_speed("fast", "x").is(Error::Kind::malformed));
  CHECK(parse_link_width("63", "x").value_or(0) == 63);
  CHECK(parse_link_width("0", "x").is_missing());
  CHECK(parse_link_width("255", "x").is_missing());
  CHECK(parse_link_width("x16", "x").is(Error::Kind::malformed));
}

TEST_CASE("the way to the root port is read from the resolved folder") {
  FakeSource source;
  const std::string root = "/sys/devices/pci0000:00/0000:00:01.1/";
  const std::string gpu = root + "0000:01:00.0/0000:03:00.0/";
  source.symlink("/sys/bus/pci/devices/0000:03:00.0",
                 "../../../devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:03:00.0");
  source.file(gpu + "uevent", uevent("amdgpu", "30000", "1002:744C", "0000:03:00.0"))
      .file(root + "vendor", "0x1022\n")
      .file(root + "class", "0x060400\n")
      .file(root + "current_link_width", "4\n")
      .file(root + "0000:01:00.0/vendor", "0x1002\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 1);
  REQUIRE(machine.gpus[0].path);
  REQUIRE(machine.gpus[0].path->size() == 2);
  CHECK(machine.gpus[0].path->at(0).bdf == "0000:00:01.1");
  CHECK(machine.gpus[0].path->at(0).vendor_id.value_or("") == "1022");
  CHECK(machine.gpus[0].path->at(0).link.current_width.value_or(0) == 4);
  CHECK(machine.gpus[0].path->at(1).bdf == "0000:01:00.0");
}

TEST_CASE("no GPU and not knowing are different") {
  FakeSource empty;
  empty.dir("/sys/bus/pci/devices");
  Machine machine = read(empty);
  CHECK(machine.gpus.empty());
  CHECK(machine.gpus_readable.has_value());
  CHECK(machine.kfd_nodes.is_missing());
  FakeSource blind;
  blind.unknown("/sys");
  machine = read(blind);
  CHECK(machine.gpus_readable.is(Error::Kind::not_captured));
}

TEST_CASE("under WSL2, which has no PCI GPU, rocminfo is asked") {
  FakeSource source;
  source.dir("/sys/bus/pci/devices")
      .device("/dev/dxg", 0666, 0, 0)
      .command("rocminfo",
               "Agent 2\n  Name: gfx1100\n  Device Type: GPU\n  Chip ID: 29772(0x744c)\n");
  const Machine machine = read(source);
  REQUIRE(machine.gpus.size() == 1);
  CHECK(machine.gpus[0].gfx_source == "rocminfo");
}

TEST_CASE("who holds memory of the GPUs is read of KFD's processes") {
  FakeSource source;
  source.file("/sys/class/kfd/kfd/proc/48211/vram_4001", "14763950080\n")
      .file("/sys/class/kfd/kfd/proc/48211/vram_4002", "0\n")
      .file("/sys/class/kfd/kfd/proc/48211/sdma_4001", "12\n")
      .file("/sys/class/kfd/kfd/proc/48211/pasid", "32770\n")
      .file("/proc/48211/comm", "python\n")
      .file("/sys/class/kfd/kfd/proc/977/vram_4002", "much\n")
      .file("/sys/class/kfd/kfd/proc/977/vram_", "1\n")
      .file("/sys/class/kfd/kfd/proc/of/vram_4002", "1\n");
  const auto processes = read_kfd_processes(source);
  REQUIRE(processes);
  REQUIRE(processes->size() == 2);
  CHECK(processes->front().pid == 977);
  CHECK(processes->front().name.empty());
  CHECK(processes->front().vram.empty());
  CHECK(processes->back().name == "python");
  CHECK(processes->back().vram == std::map<int, std::uint64_t>{{4001, 14763950080}, {4002, 0}});
}

TEST_CASE("KFD's processes: none listed is not none there") {
  FakeSource nothing;
  CHECK(read_kfd_processes(nothing).is_missing());
  FakeSource denied;
  denied.error("/sys/class/kfd/kfd/proc", Error::Kind::denied, "EACCES: permission denied");
  CHECK(read_kfd_processes(denied).is(Error::Kind::denied));
}

// What tools print, in its many dialects.
#include "base/terminal_codes.h"
#include "machine/gpu_tools.h"

#include <doctest/doctest.h>

#include "machine/machine.h"
#include "machine/read_gpus.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

namespace {

constexpr char kRocminfo[] = R"($ rocminfo
# exit_code=0 duration_s=0.028
)"
                             "\x1b[37mROCk module is loaded\x1b[0m\n"
                             R"(=====================
HSA System Attributes
=====================
Runtime Version:         1.18
*******
Agent 1
*******
  Name:                    AMD EPYC 7V13 64-Core Processor
  Uuid:                    CPU-XX
  Node:                    0
  Device Type:             CPU
  Chip ID:                 0(0x0)
  Compute Unit:            128
*******
Agent 2
*******
  Name:                    gfx1030
  Uuid:                    GPU-e2abaca2f842a074
  Marketing Name:
  Node:                    2
  Device Type:             GPU
  Chip ID:                 29663(0x73df)
  Max Clock Freq. (MHz):   1502
  BDFID:                   58112
  Compute Unit:            40
  Wavefront Size:          32(0x20)
  Pool Info:
    Pool 1
      Segment:                 GLOBAL; FLAGS: COARSE GRAINED
      Size:                    33538048(0x1ffc000) KB
    Pool 2
      Segment:                 GLOBAL; FLAGS: FINE GRAINED
      Size:                    999(0x3e7) KB
  ISA Info:
    ISA 1
      Name:                    amdgcn-amd-amdhsa--gfx1030
      Workgroup Max Size:      1024(0x400)
*** Done ***
)";

}  // namespace

TEST_CASE("traps 16 and 18: rocminfo with colours, wrapper lines and an empty name") {
  const auto gpus = gpus_from_rocminfo(strip_terminal_codes(kRocminfo));
  REQUIRE(gpus.size() == 1);
  const Gpu& gpu = gpus[0];
  // The agent's name may be an override; who knows the chip id can see that it is.
  CHECK(gpu.gfx.value_or("") == "gfx1030");
  CHECK(gpu.gfx_source == "rocminfo");
  CHECK(gpu.device_id.value_or("") == "73df");
  CHECK_FALSE(gpu.name.has_value());
  CHECK(gpu.bdf.value_or("") == "0000:e3:00.0");
  CHECK(gpu.kfd_node.value_or(0) == 2);
  CHECK(gpu.compute_units.value_or(0) == 40);
  CHECK(gpu.wavefront_size.value_or(0) == 32);
  CHECK(gpu.vram_bytes.value_or(0ULL) == 33538048ULL * 1024);
  CHECK(gpu.unique_id.value_or("") == "e2abaca2f842a074");
}

TEST_CASE("trap 17: what rocminfo hides is not added from elsewhere, what it lacks is") {
  struct Outputs : FakeSource {
    std::vector<std::string> outputs() override { return {"lspci.txt", "rocminfo.txt"}; }
  } machine_outputs;
  machine_outputs.unknown("/sys").unknown("/dev");
  machine_outputs.command("rocminfo.txt", kRocminfo)
      .command("lspci.txt",
               "e3:00.0 VGA compatible controller [0300]: Advanced Micro Devices, Inc. [AMD/ATI] "
               "Navi 22 [Radeon RX 6700 XT] [1002:73df] (rev c1)\n"
               "\tKernel driver in use: amdgpu\n"
               "f3:00.0 VGA compatible controller [0300]: Advanced Micro Devices, Inc. [AMD/ATI] "
               "Navi 22 [Radeon RX 6700 XT] [1002:73df] (rev c1)\n");
  Machine machine;
  read_gpus(machine_outputs, machine);
  REQUIRE(machine.gpus.size() == 1);
  CHECK(machine.gpus[0].driver.value_or("") == "amdgpu");
  CHECK(machine.gpus[0].revision.value_or("") == "c1");
  CHECK(machine.gpus_readable.has_value());
}

TEST_CASE("trap 19: rocm-smi's JSON keys over the releases") {
  const char* kReleases[] = {
      R"({"card0": {"GPU ID": "0x73df", "Card series": "Navi 22", "PCI Bus": "0000:2F:00.0"}})",
      R"({"card0": {"Device ID": "0x73df", "GUID": "55069", "Card series": "Navi 22", "PCI Bus": "0000:2F:00.0"}})",
      R"({"card0": {"Device Name": "Navi 22", "Device ID": "0x73df", "Card Series": "Navi 22", "GFX Version": "gfx1031", "PCI Bus": "0000:2F:00.0"}})"};
  for (const char* text : kReleases) {
    CAPTURE(text);
    const auto gpus = gpus_from_json(text);
    REQUIRE(gpus.size() == 1);
    CHECK(gpus[0].device_id.value_or("") == "73df");
    CHECK(gpus[0].name.value_or("") == "Navi 22");
    CHECK(gpus[0].bdf.value_or("") == "0000:2f:00.0");
  }
  CHECK(gpus_from_json(kReleases[2])[0].gfx.value_or("") == "gfx1031");
}

TEST_CASE("trap 21: the HSA runtime's version is no ROCm version") {
  // "Runtime Version: 1.18" must end up in no fact of any GPU.
  const auto gpus = gpus_from_rocminfo(kRocminfo);
  REQUIRE(gpus.size() == 1);
  CHECK_FALSE(gpus[0].firmware.has_value());
}

TEST_CASE("JSON: cards in order, other keys ignored, N/A is nothing, nested and quoted reports") {
  const auto gpus = gpus_from_json(
      R"(WARNING: AMD GPU device(s) is/are in a low-power state.
{"card10": {"Device ID": "0x74a1", "Unique ID": "N/A"}, "card2": {"Device ID": "0x74a0"},
 "system": {"Driver version": "6.3.6"}})");
  REQUIRE(gpus.size() == 2);
  CHECK(gpus[0].device_id.value_or("") == "74a0");
  CHECK(gpus[1].device_id.value_or("") == "74a1");
  CHECK_FALSE(gpus[1].unique_id.has_value());
  const auto quoted = gpus_from_json(
      R"({"gpu": "{\"card0\": {\"Card Model\": \"0x1586\", \"GFX Version\": \"gfx1151\"}}"})");
  REQUIRE(quoted.size() == 1);
  CHECK(quoted[0].device_id.value_or("") == "1586");
  CHECK(gpus_from_json("not json {").empty());
  CHECK(gpus_from_json(std::string(100000, '[')).empty());
  CHECK(gpus_from_json(R"({"cardinal": {"Device ID": "0x1"}})").empty());
}

TEST_CASE("amd-smi as text and as JSON") {
  const auto text = gpus_from_amd_smi_text(R"(GPU: 0
    ASIC:
        MARKET_NAME: Radeon 8060S Graphics
        VENDOR_ID: 0x1002
        SUBVENDOR_ID: 0x103c
        DEVICE_ID: 0x1586
        REV_ID: 0xd1
        NUM_COMPUTE_UNITS: 40
        TARGET_GRAPHICS_VERSION: gfx1151
    BUS:
        BDF: 0000:c3:00.0
        MAX_PCIE_WIDTH: N/A
    IFWI:
        PART_NUMBER: 113-STRXLGEN-001
    VRAM:
        SIZE: 65536 MB
    CACHE_INFO:
        CACHE_0:
            CACHE_SIZE: 32 KB
GPU: 1
    ASIC:
        DEVICE_ID: 0x74a1
)");
  REQUIRE(text.size() == 2);
  CHECK(text[0].gfx.value_or("") == "gfx1151");
  CHECK(text[0].bdf.value_or("") == "0000:c3:00.0");
  CHECK(text[0].vram_bytes.value_or(0ULL) == 65536ULL << 20);
  CHECK(text[0].revision.value_or("") == "d1");
  CHECK_FALSE(text[0].pcie.max_width.has_value());
  CHECK(text[1].device_id.value_or("") == "74a1");
  const auto json = gpus_from_json(
      R"([{"gpu": 0, "asic": {"market_name": "MI300X", "device_id": "0x74a1",
          "num_compute_units": 304, "target_graphics_version": "gfx942"},
          "bus": {"bdf": "0000:05:00.0"}, "vram": {"size": {"value": 196592, "unit": "MB"}}}])");
  REQUIRE(json.size() == 1);
  CHECK(json[0].compute_units.value_or(0) == 304);
  CHECK(json[0].vram_bytes.value_or(0ULL) == 196592ULL << 20);
}

TEST_CASE("rocm-smi as text: fields, a negative subsystem id, and the table") {
  const auto fields = gpus_from_rocm_smi_text(
      "GPU[0]\t\t: Card Series: \t\tRadeon 8060S Graphics\n"
      "GPU[0]\t\t: Card Model: \t\t0x1586\nGPU[0]\t\t: Subsystem ID: \t-0x72e3\n"
      "GPU[0]\t\t: GFX Version: \t\tgfx1151\nGPU[1]\t\t: Card Model: \t\t0x744c\n");
  REQUIRE(fields.size() == 2);
  CHECK(fields[0].subsystem_id.value_or("") == "8d1d");
  CHECK(fields[0].name.value_or("") == "Radeon 8060S Graphics");
  CHECK(fields[1].device_id.value_or("") == "744c");
  const auto table = gpus_from_rocm_smi_text(
      "Device  [Model : Revision]    Temp\n        Name (20 chars)\n"
      "0       [0x74a1 : 0x00]       35.0C      133.0W    NPS1, SPX       131Mhz\n"
      "        AMD Instinct MI300X\n");
  REQUIRE(table.size() == 1);
  CHECK(table[0].partition.memory.value_or("") == "NPS1");
  CHECK(table[0].partition.compute.value_or("") == "SPX");
  CHECK(table[0].name.value_or("") == "AMD Instinct MI300X");
}

TEST_CASE("lspci with and without numbers") {
  const auto gpus = gpus_from_lspci(
      "0000:03:00.0 VGA compatible controller [0300]: Advanced Micro Devices, Inc. [AMD/ATI] Navi "
      "31 [Radeon RX 7900 XTX] [1002:744c] (rev c8) (prog-if 00 [VGA controller])\n"
      "\tSubsystem: Sapphire Technology Limited Device [1da2:e471]\n"
      "\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM L1\n"
      "\t\tLnkSta:\tSpeed 8GT/s (downgraded), Width x8 (downgraded)\n"
      "\tKernel driver in use: vfio-pci\n\tKernel modules: amdgpu\n"
      "0000:03:00.1 Audio device [0403]: Advanced Micro Devices, Inc. [AMD/ATI] Navi 31 HDMI "
      "[1002:ab30]\n\tKernel driver in use: snd_hda_intel\n"
      "00:01.0 PCI bridge: Advanced Micro Devices, Inc. [AMD] Renoir\n"
      "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 (rev a1)\n"
      "c1:00.0 Display controller: Advanced Micro Devices, Inc. [AMD/ATI] Renoir (rev c1)\n");
  REQUIRE(gpus.size() == 2);
  CHECK(gpus[0].device_id.value_or("") == "744c");
  CHECK(gpus[0].name.value_or("") == "Navi 31 [Radeon RX 7900 XTX]");
  CHECK(gpus[0].subsystem_id.value_or("") == "e471");
  CHECK(gpus[0].driver.value_or("") == "vfio-pci");
  CHECK(gpus[0].pcie.max_gts.value_or(0.0) == 16.0);
  CHECK(gpus[0].pcie.current_gts.value_or(0.0) == 8.0);
  CHECK(gpus[0].pcie.current_width.value_or(0) == 8);
  CHECK(gpus[1].bdf.value_or("") == "0000:c1:00.0");
  CHECK_FALSE(gpus[1].device_id.has_value());
}

TEST_CASE("lstopo, udevadm, profilers' CSV and libdrm") {
  const auto topo = gpus_from_lstopo(
      R"(<object type="PCIDev" gp_index="595" pci_busid="0003:02:00.0" pci_type="1200 [1002:74a0] [1002:74a0] 00" pci_link_speed="63.0">
         <info name="PCIDevice" value="Aqua Vanjaram"/>
         <object type="PCIDev" pci_busid="0000:d5:00.0" pci_type="0200 [17db:0501] [17db:0000] 02">)");
  REQUIRE(topo.size() == 1);
  CHECK(topo[0].bdf.value_or("") == "0003:02:00.0");
  CHECK(topo[0].name.value_or("") == "Aqua Vanjaram");
  const auto udev = gpus_from_udevadm(
      "P: /devices/pci0000:00/0000:c4:00.0\nE: SUBSYSTEM=pci\nE: DRIVER=amdgpu\n"
      "E: PCI_CLASS=38000\nE: PCI_ID=1002:15BF\nE: PCI_SLOT_NAME=0000:c4:00.0\n\n"
      "P: /devices/x\nE: SUBSYSTEM=pci\nE: PCI_CLASS=40300\nE: PCI_ID=1002:1640\n"
      "E: PCI_SLOT_NAME=0000:c4:00.1\n");
  REQUIRE(udev.size() == 1);
  CHECK(udev[0].device_id.value_or("") == "15bf");
  const auto agents = gpus_from_agent_csv(
      "\"Node_Id\",\"Agent_Type\",\"Simd_Count\",\"Simd_Per_Cu\",\"Gfx_Target_Version\","
      "\"Vendor_Id\",\"Device_Id\",\"Location_Id\",\"Domain\",\"Drm_Render_Minor\","
      "\"Product_Name\"\n0,\"CPU\",0,0,0,0,0,0,0,0,\"EPYC, the \"\"CPU\"\"\"\n"
      "2,\"GPU\",1024,4,90500,4098,30115,29952,0,128,\"unknown\"\n");
  REQUIRE(agents.size() == 1);
  CHECK(agents[0].gfx.value_or("") == "gfx950");
  CHECK(agents[0].compute_units.value_or(0) == 256);
  CHECK(agents[0].bdf.value_or("") == "0000:75:00.0");
  CHECK_FALSE(agents[0].name.has_value());
  const auto info = gpus_from_libdrm_info(
      "Marketing Name: [AMD Radeon Graphics]\nDeviceID.RevID: 0x1638.0xC9\nCU: 7\n"
      "VRAM Usage:\t\t\t138/512 MiB\nPCI (domain:bus:dev.func): 0000:05:00.0\n"
      "Current Link: Gen3x16\nMax     Link: Gen4x16\npn: [13-CEZANNE-019]\n");
  REQUIRE(info.size() == 1);
  CHECK(info[0].device_id.value_or("") == "1638");
  CHECK(info[0].vram_bytes.value_or(0ULL) == 512ULL << 20);
  CHECK(info[0].pcie.max_gts.value_or(0.0) == 16.0);
  CHECK(info[0].vbios.value_or("") == "13-CEZANNE-019");
}

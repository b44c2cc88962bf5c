#include <doctest/doctest.h>

#include <algorithm>

#include "db/database.h"

using namespace rocvet;

namespace {

Gpu device(const std::string& id, const std::string& revision = "") {
  Gpu gpu;
  gpu.vendor_id = std::string("1002");
  gpu.device_id = id;
  if (!revision.empty()) gpu.revision = revision;
  return gpu;
}

std::string names(const std::vector<const GpuInfo*>& found) {
  std::string all;
  for (const auto* info : found) all += (all.empty() ? "" : "|") + info->name;
  return all;
}

}  // namespace

TEST_CASE("find: a name, an id and a target in the ways people write them") {
  const Database& db = Database::embedded();
  for (const char* spelling : {"RX 7900 XTX", "Radeon RX 7900 XTX", "AMD Radeon(TM) RX 7900 XTX",
                               "7900 xtx", "1002:744c rev c8", "0x744c rev 0xc8"}) {
    CAPTURE(spelling);
    CHECK(names(db.find(spelling)) == "Radeon RX 7900 XTX");
  }
  CHECK(names(db.find("MI300X")) == "Instinct MI300X");
  CHECK(names(db.find("AMD Instinct MI210")) == "Instinct MI210");
  CHECK(db.find("gfx1100").size() >= 6);
  CHECK(db.find("1002:744c").size() == 4);
  CHECK(names(db.find("Ryzen AI Max+ 395")) == "Radeon 8060S");
  CHECK(db.find("MI50").size() == 2);
  CHECK(db.find("").empty());
  CHECK(db.find("GeForce RTX 4090").empty());
  CHECK(db.find("10de:2684").empty());
}

TEST_CASE("identify: an ambiguous device id is told apart by revision and compute units") {
  const Database& db = Database::embedded();
  CHECK(names(db.identify(device("744c", "c8"))) == "Radeon RX 7900 XTX");
  CHECK(names(db.identify(device("744c", "cc"))) == "Radeon RX 7900 XT");
  CHECK(db.identify(device("744c")).size() == 4);

  Gpu die = device("740c", "01");
  die.compute_units = 110;  // half of an MI250X
  CHECK(names(db.identify(die)) == "Instinct MI250X");
  die.compute_units = 104;
  CHECK(names(db.identify(die)) == "Instinct MI250");

  Gpu partition = device("74a1");
  partition.compute_units = 38;  // an eighth: CPX
  CHECK(names(db.identify(partition)) == "Instinct MI300X");
  CHECK(db.identify(device("ffff")).empty());
}

TEST_CASE("gfx_of_device: every device id has one target, known products or not") {
  const Database& db = Database::embedded();
  CHECK(db.gfx_of_device("1002", "744c") == "gfx1100");
  CHECK(db.gfx_of_device("1002", "6818") == "gfx601");
  CHECK(db.gfx_of_device("1002", "15bf") == "gfx1103");
  CHECK(db.gfx_of_device("1002", "73df") == "gfx1031");
  CHECK(db.gfx_of_device("1002", "aaf8").empty());
  CHECK(db.gfx_of_device("10de", "744c").empty());
}

TEST_CASE("every product's device id belongs to the product's target") {
  const Database& db = Database::embedded();
  REQUIRE(db.gpus().size() > 250);
  for (const auto& info : db.gpus()) {
    for (const auto& id : info.pci) {
      CAPTURE(info.name);
      CAPTURE(id.device);
      CHECK(db.gfx_of_device(id.vendor, id.device) == info.gfx);
    }
  }
}

TEST_CASE("whose code a target runs, and which one speaks for its family") {
  // ROCm/rocBLAS/issues/1339 (discrete RDNA2), LLVM's AMDGPUUsage.
  const Database& db = Database::embedded();
  CHECK(db.runs_code_of("gfx1032", "gfx1030"));
  CHECK_FALSE(db.runs_code_of("gfx1030", "gfx1032"));
  CHECK_FALSE(db.runs_code_of("gfx1103", "gfx1100"));  // fewer registers
  CHECK(db.runs_code_of("gfx942", "gfx942"));
  CHECK_FALSE(db.runs_code_of("gfx906", "gfx900"));
  CHECK(db.sibling_of("gfx1103") == "gfx1100");
  CHECK(db.sibling_of("gfx1100") == "");
  CHECK(db.sibling_of("gfx950") == "");
}

TEST_CASE("what installs a library, and what CMake asks for") {
  const auto& all = Database::embedded().library_packages();
  const auto of = [&](std::string_view library) {
    return std::ranges::find(all, library, &LibraryPackage::library);
  };
  REQUIRE(of("libamdhip64") != all.end());
  // repo.radeon.com and packages.fedoraproject.org.
  CHECK(of("libamdhip64")->apt == "hip-runtime-amd");
  CHECK(of("libamdhip64")->fedora == "rocm-hip");
  CHECK(of("libamdhip64")->development == "hip-dev");
  CHECK(of("librocsolver")->cmake == std::vector<std::string_view>{"rocsolver"});
  for (const LibraryPackage& one : all) CHECK((!one.library.empty() || !one.cmake.empty()));
}

TEST_CASE("identify_gpus: names and targets are filled in, the kernel's word stands") {
  Machine machine;
  machine.gpus = {device("7480", "cf"), device("15bf"), device("6860")};
  machine.gpus[1].gfx = std::string("gfx1103");
  machine.gpus[1].gfx_source = "kfd";
  machine.gpus[1].name = std::string("AMD Radeon Graphics");
  machine.gpus[2].gfx = std::string("gfx906");  // HSA_OVERRIDE_GFX_VERSION=9.0.6 at work
  machine.gpus[2].gfx_source = "rocminfo";
  machine.gpus[2].name = std::string("Radeon Instinct MI25");
  identify_gpus(machine, Database::embedded());
  CHECK(*machine.gpus[0].gfx == "gfx1102");
  CHECK(machine.gpus[0].gfx_source == "pci-id");
  CHECK(*machine.gpus[0].name == "Radeon RX 7600");
  CHECK(machine.gpus[0].kind == GpuKind::dgpu);
  CHECK(machine.gpus[1].gfx_source == "kfd");
  CHECK(machine.gpus[1].kind == GpuKind::apu);
  CHECK(*machine.gpus[2].gfx == "gfx900");
  CHECK(*machine.gpus[2].name == "Radeon Instinct MI25");
}

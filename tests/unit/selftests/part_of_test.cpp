#include "selftests/judge/part_of.h"

#include <doctest/doctest.h>

using namespace rocvet;

namespace {

Gpu mi300x() {
  Gpu gpu;
  gpu.vendor_id = std::string("1002");
  gpu.device_id = std::string("74a1");
  gpu.gfx = std::string("gfx942");
  gpu.kind = GpuKind::dgpu;
  gpu.compute_units = 304;
  gpu.max_engine_clock_mhz = 2100;
  gpu.pcie.max_gts = 32.0;
  gpu.pcie.max_width = 16;
  return gpu;
}

}  // namespace

TEST_CASE("part_of: product figures come from the database") {
  const Part part = part_of(mi300x(), Database::embedded());
  CHECK(part.name.find("MI300X") != std::string::npos);
  CHECK(part.memory_gbs == doctest::Approx(5300).epsilon(0.01));
  CHECK(part.full_compute_units == 304);
  CHECK(part.partition_share == 1);
}

TEST_CASE("part_of: a partition has its share") {
  Gpu gpu = mi300x();
  gpu.compute_units = 38;
  gpu.partition.compute = std::string("CPX");
  CHECK(part_of(gpu, Database::embedded()).partition_share == doctest::Approx(0.125));
  SUBCASE("fewer units without a partition are not excused") {
    gpu.partition.compute = std::string("SPX");
    CHECK(part_of(gpu, Database::embedded()).partition_share == 1);
  }
}

TEST_CASE("part_of: the narrowest hop bounds what is asked of the link") {
  Gpu gpu = mi300x();
  PcieHop slot;
  slot.link.max_gts = 16.0;
  slot.link.max_width = 8;
  gpu.path = std::vector<PcieHop>{slot};
  const Part part = part_of(gpu, Database::embedded());
  CHECK(part.slot_gts == 16);
  CHECK(part.slot_width == 8);
}

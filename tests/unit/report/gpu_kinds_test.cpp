#include "report/gpu_kinds.h"

#include <doctest/doctest.h>

namespace rocvet {
namespace {

Gpu gpu(const char* name, const char* card) {
  Gpu one;
  one.name = std::string(name);
  if (card[0] != '\0') one.card_bdf = std::string(card);
  return one;
}

std::string name_of(const Gpu& gpu) {
  return *gpu.name;
}

TEST_CASE("a card in partitions is one card") {
  Machine machine;
  for (const char* card : {"0000:05:00.0", "0000:05:00.0", "0000:15:00.0", "0000:15:00.0"})
    machine.gpus.push_back(gpu("Instinct MI300X", card));
  machine.gpus.push_back(gpu("Radeon PRO W7900", "0000:25:00.0"));
  const auto kinds = gpus_by_kind(machine, name_of);
  REQUIRE(kinds.size() == 2);
  CHECK(kinds[0].cards == 2);
  CHECK(in_partitions(kinds[0]) == " in 4 partitions");
  CHECK(kinds[1].cards == 1);
  CHECK(in_partitions(kinds[1]).empty());
}

TEST_CASE("GPUs without an address are cards of their own") {
  Machine machine;
  machine.gpus = {gpu("Radeon VII", ""), gpu("Radeon VII", "")};
  const auto kinds = gpus_by_kind(machine, name_of);
  REQUIRE(kinds.size() == 1);
  CHECK(kinds[0].cards == 2);
}

}  // namespace
}  // namespace rocvet

#include "formats/message_template.h"

#include <doctest/doctest.h>

namespace rocvet {

TEST_CASE("a message stands in a text, and a number is not the beginning of a longer one") {
  const auto made = MessageTemplate::parse("sw_init of IP block <{block:any}> failed -2");
  REQUIRE(made);
  std::vector<MessageTemplate::Value> values;
  CHECK(made->find("it says: sw_init of IP block <gfx_v11_0> failed -2, and stops", &values));
  CHECK(made->find("sw_init of IP block <gfx_v11_0> failed -2"));
  CHECK_FALSE(made->find("sw_init of IP block <gmc_v10_0> failed -22"));
  bool has_block = false;
  for (const auto& value : values) has_block |= value.name == "block" && value.text == "gfx_v11_0";
  CHECK(has_block);
  const auto words = MessageTemplate::parse("out of memory");
  REQUIRE(words);
  CHECK(words->find("it is out of memory now"));
}

TEST_CASE("a number at the end is a number where more stands behind it too") {
  const auto made = MessageTemplate::parse("discovery failed: {code:int}");
  REQUIRE(made);
  CHECK(made->find("[drm] *ERROR* discovery failed: -22 (and it stops)"));
  // ONNX Runtime's own device discovery.
  CHECK_FALSE(made->find("GPU device discovery failed: device_discovery.cc:89 ReadFileContents"));
  const auto fault = MessageTemplate::parse("page fault at {address:hex}");
  REQUIRE(fault);
  CHECK(fault->find("a page fault at 0x7f00, write"));
  CHECK_FALSE(fault->find("a page fault at some address"));
}

}  // namespace rocvet

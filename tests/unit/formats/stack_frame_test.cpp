#include "formats/stack_frame.h"

#include <doctest/doctest.h>

namespace rocvet {
namespace {

std::string_view object_of(std::string_view line) {
  const auto frame = parse_stack_frame(line);
  return frame ? frame->object : "";
}

TEST_CASE("frames of gdb, systemd-coredump, glibc and Python") {
  CHECK(object_of(
            "#1  0x00007f12a3b4c5d6 in hipLaunchKernel () from /opt/rocm/lib/libamdhip64.so.6") ==
        "/opt/rocm/lib/libamdhip64.so.6");
  CHECK(object_of("                #0  0x00007f26178da708 _ZNSt10f (libProResRAW.so + 0xda708)") ==
        "libProResRAW.so");
  CHECK(object_of("#1  0x00007f25c1e34818 n/a (libhsa-runtime64.so.1 + 0x34818)") ==
        "libhsa-runtime64.so.1");
  CHECK(object_of("/usr/lib/dri/radeonsi_dri.so(+0x8a4c16) [0x7fd668ca4c16]") ==
        "/usr/lib/dri/radeonsi_dri.so");
  CHECK(object_of("/opt/resolve/libs/libQt5.so.5(_ZN10QXcb6createEv+0x7b6)[0x7fd799325cf6]") ==
        "/opt/resolve/libs/libQt5.so.5");
  const auto python =
      parse_stack_frame("  File \"/opt/rocm/bin/rocm-smi\", line 1009, in <module>");
  REQUIRE(python);
  CHECK(python->python);
  CHECK(python->object == "/opt/rocm/bin/rocm-smi");
}

TEST_CASE("lines that are no frames") {
  for (const char* line :
       {"", "#1", "# 0x12", "#5 0x12 in main",
        "libamdhip64.so.6 => /opt/rocm/lib/libamdhip64.so.6 (0x00007f12a3000000)", "File \"x\"",
        "/usr/bin/cc(1) [see the manual]", "/x/y.so(f+0x1) and more",
        "#12 74.28 error: from nowhere", "#1 0x12 in f () from", "#1 0x12 f ("}) {
    CAPTURE(line);
    CHECK_FALSE(parse_stack_frame(line));
  }
}

}  // namespace
}  // namespace rocvet

#include "machine/read_kernel_log.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "machine/read_app_log.h"
#include "source/kernel_ring.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

TEST_CASE("parse_kernel_log") {
  SUBCASE("plain dmesg; brackets of a message are no stamp") {
    const KernelLog log = parse_kernel_log(
        "[    0.000000] Linux version 6.8.0-45-generic (buildd@lcy02) #45-Ubuntu SMP\n"
        "[    3.612823] [drm] amdgpu kernel modesetting enabled.\n"
        "[    3.714016] kfd kfd: amdgpu: skipped device 1002:67df, PCI rejects atomics 730<0\n"
        "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx_0.0.0 timeout\n",
        "dmesg");
    REQUIRE(log.lines.size() == 4);
    CHECK(log.lines[1].seconds == doctest::Approx(3.612823));
    CHECK(log.lines[1].text == "[drm] amdgpu kernel modesetting enabled.");
    CHECK(log.lines[3].seconds == -1);
    CHECK(log.lines[3].text.starts_with("[drm:amdgpu_job_timedout"));
  }
  SUBCASE("raw, -x, -T and a caller id") {
    const KernelLog log = parse_kernel_log(
        "<6>[    1.5] a\nkern  :err   : [    2.5] b\n[Mon Nov 20 10:00:00 2023] c: d\n"
        "[    3.5][    T1] e\n",
        "dmesg");
    REQUIRE(log.lines.size() == 4);
    CHECK(log.lines[0].text == "a");
    CHECK(log.lines[1].text == "b");
    CHECK(log.lines[1].seconds == doctest::Approx(2.5));
    CHECK(log.lines[2].text == "c: d");
    CHECK(log.lines[2].seconds == -1);
    CHECK(log.lines[3].text == "e");
  }
  SUBCASE("each way in which dmesg and journalctl head a line") {
    for (const char* head :
         {"[13600.971653] [  T53331] ", "[13600.971653][    C3] ", "[13600.971653 T53331] ",
          "<3>[13600.971653] ", "kern  :err   : [13600.971653] [  T53331] ",
          "\x1b[32m[13600.971653] \x1b[0m\x1b[31m",
          "[ 4315.229711] kernel: ", "[ 4315.229711] host kernel: ",
          "Nov 20 09:00:00 host kernel: ", "2024-11-20T09:00:00+01:00 host kernel: [13600.971653] ",
          "Mon 2024-11-20 09:00:00 CET host kernel: ", "1732093200.123456 host kernel: ",
          "kernel: [13600.971653] [  T53331] ", "[Wed Nov 20 10:00:00 2024] ", "[Nov20 10:00] ",
          "[Nov 20 10:00] ", "[  +0.000012] ", "2024-11-20T10:00:00,123456+01:00 "}) {
      CAPTURE(head);
      const KernelLog log = parse_kernel_log(
          std::string(head) + "amdgpu 0000:03:00.0: amdgpu: SMU is in hanged state\n", "dmesg");
      REQUIRE(log.lines.size() == 1);
      CHECK(log.lines[0].text == "amdgpu 0000:03:00.0: amdgpu: SMU is in hanged state");
    }
    // What is in brackets at the start of a message is the message's own.
    for (const char* message : {"[drm] ready", "[TTM] ready", "[Hardware Error]: x", "[CRTC:93] y"})
      CHECK(parse_kernel_log("[    1.5] " + std::string(message) + "\n", "dmesg").lines[0].text ==
            message);
  }
  SUBCASE("the differences of dmesg -d are no clock") {
    const KernelLog log = parse_kernel_log("[ +20.000012] first\n[  +0.000012] second\n", "dmesg");
    REQUIRE(log.lines.size() == 2);
    CHECK(log.lines[0].seconds == -1);
  }
  SUBCASE("syslog: other programs are left out, and so is the boot before") {
    const KernelLog log = parse_kernel_log(
        "Nov 20 09:00:00 host kernel: [    0.000000] Linux version 6.5.0 (x) #1\n"
        "Nov 20 09:00:09 host kernel: [    9.000000] amdgpu: old fault\n"
        "Nov 21 10:00:00 host kernel: [    0.000000] Linux version 6.8.0 (x) #1\n"
        "Nov 21 10:00:01 host systemd[1]: Started something.\n"
        "Nov 21 10:00:02 host kernel: [    2.250000] amdgpu 0000:03:00.0: ready\n",
        "/var/log/kern.log");
    REQUIRE(log.lines.size() == 2);
    CHECK(log.lines[0].text.starts_with("Linux version 6.8.0"));
    CHECK(log.lines[1].text == "amdgpu 0000:03:00.0: ready");
    CHECK(log.lines[1].seconds == doctest::Approx(2.25));
  }
  SUBCASE("a rotated log without banners: the clock went back") {
    const KernelLog log = parse_kernel_log(
        "2024-11-20T09:00:00+01:00 h kernel: [ 5000.5] old\n"
        "2024-11-21T09:00:00+01:00 h kernel: [    0.5] new\n"
        "2024-11-21T09:00:01+01:00 h kernel: [    1.5] newer\n",
        "kern.log");
    REQUIRE(log.lines.size() == 2);
    CHECK(log.lines[0].text == "new");
  }
  SUBCASE("the journal's monotonic form") {
    const KernelLog log = parse_kernel_log(
        "-- Boot 0123 --\n[    2.884112] host kernel: amdgpu: module verification failed\n",
        "journal");
    REQUIRE(log.lines.size() == 1);
    CHECK(log.lines[0].seconds == doctest::Approx(2.884112));
    CHECK(log.lines[0].text == "amdgpu: module verification failed");
  }
  SUBCASE("a flood is bounded: the boot and the end are kept") {
    std::string text;
    for (int i = 0; i < 50000; ++i) text += "[ " + std::to_string(i) + ".0] line\n";
    const KernelLog log = parse_kernel_log(text, "dmesg");
    CHECK(log.lines.size() == 20000);
    CHECK(log.lines.front().seconds == 0);
    CHECK(log.lines.back().seconds == 49999);
  }
  SUBCASE("of a log of many MiB the beginning of the last boot and the end are read") {
    const std::string noise(1000, 'x');
    std::string text = "[    0.000000] Linux version 6.5.0 (the boot before)\n";
    for (int i = 0; i < 8000; ++i) text += "[ " + std::to_string(i) + ".5] before " + noise + "\n";
    text += "[    0.000000] Linux version 6.8.0 (this boot)\n";
    for (int i = 0; i < 8000; ++i) text += "[ " + std::to_string(i) + ".5] now " + noise + "\n";
    const KernelLog log = parse_kernel_log(text, "kern.log");
    REQUIRE(log.lines.size() > 3000);
    CHECK(log.lines.size() < 4200);
    CHECK(log.lines.front().text == "Linux version 6.8.0 (this boot)");
    CHECK(log.lines[1].text == "now " + noise);
    CHECK(log.lines.back().seconds == 7999.5);
    CHECK(std::ranges::is_sorted(log.lines, {}, &KernelLine::seconds));
    CHECK(std::ranges::none_of(
        log.lines, [](const KernelLine& line) { return line.text.starts_with("before"); }));
  }
  SUBCASE("nothing but ends of lines, or one line without end") {
    CHECK(parse_kernel_log(std::string(8u << 20, '\n'), "dmesg").lines.empty());
    CHECK(parse_kernel_log(std::string(8u << 20, 'x'), "dmesg").lines.size() <= 1);
  }
}

TEST_CASE("drop_message_levels") {
  CHECK(drop_message_levels("<6>[    0.000000] Linux version 6.8\n<12>[    1.0] <b> x\nplain") ==
        "[    0.000000] Linux version 6.8\n[    1.0] <b> x\nplain\n");
  CHECK(drop_message_levels("") == "");
}

TEST_CASE("read_kernel_log") {
  FakeSource source;
  SUBCASE("dmesg first") {
    source.command("dmesg", "[    1.0] x\n").file("/var/log/kern.log", "[ 2.0] y\n");
    REQUIRE(read_kernel_log(source));
    CHECK(read_kernel_log(source)->origin == "dmesg");
  }
  SUBCASE("a file where dmesg is denied") {
    source.command("dmesg", "", 1).file("/var/log/kern.log", "[ 2.0] y\n");
    REQUIRE(read_kernel_log(source));
    CHECK(read_kernel_log(source)->origin == "/var/log/kern.log");
  }
  SUBCASE("denied is said, never an empty log") {
    source.command("dmesg", "", 1);
    CHECK(read_kernel_log(source).is(Error::Kind::denied));
  }
  SUBCASE("nothing captured") {
    CHECK(read_kernel_log(source).is(Error::Kind::not_captured));
  }
}

TEST_CASE("read_app_log") {
  FakeSource source;
  SUBCASE("of a snapshot, without colours") {
    source.command("app.log", "\x1b[31mHIP error: invalid device function\x1b[0m\r\n");
    CHECK(read_app_log(source, "") == Result<std::string>("HIP error: invalid device function\n"));
  }
  SUBCASE("the end of a long one, of a snapshot or a file") {
    const std::string text = "first\n" + std::string(5u << 20, '\n') + "last\n";
    source.command("app.log", text);
    const auto captured = read_app_log(source, "");
    REQUIRE(captured);
    CHECK(captured->size() == 4u << 20);
    CHECK(captured->ends_with("\n\nlast\n"));
    const std::string path = std::string(ROCVET_BINARY_DIR) + "/app_log_long_test.txt";
    std::ofstream(path) << text;
    CHECK(read_app_log(source, path) == captured);
    std::remove(path.c_str());
  }
  SUBCASE("a device that never ends is no log") {
    CHECK_FALSE(read_app_log(source, "/dev/zero"));
  }
  SUBCASE("nothing is run for it on the live machine") {
    source.set_kind("live");
    CHECK_FALSE(read_app_log(source, ""));
    CHECK(source.commands_run().empty());
  }
  SUBCASE("a file of this machine") {
    const std::string path = std::string(ROCVET_BINARY_DIR) + "/app_log_test.txt";
    std::ofstream(path) << "rocBLAS error\n";
    CHECK(read_app_log(source, path) == Result<std::string>("rocBLAS error\n"));
    std::remove(path.c_str());
    CHECK(read_app_log(source, path).is_missing());
  }
}

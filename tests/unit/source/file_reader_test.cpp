#include "source/file_reader.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "tests/unit/machine/scratch.h"

using namespace rocvet;
using namespace std::chrono_literals;
using What = FileCall::What;

namespace {

/// The one child of this thread.
pid_t child_of_this() {
  std::ifstream file("/proc/thread-self/children");
  pid_t child = -1;
  file >> child;
  return child;
}

const std::vector<Mount> kMounts = parse_mounts(
    "/dev/root / ext4 rw 0 0\nserver:/opt /opt nfs4 rw 0 0\nsysfs /sys sysfs rw 0 0\n");

}  // namespace

TEST_CASE("a reader in a process of its own answers as this one does") {
  Scratch folder;
  folder.file("a/text", "one\ntwo\n").link("a/link", "text").file("a/empty", "");
  FileReader reader;
  const std::string at = folder.path() + "/a";
  for (const FileCall& call : std::vector<FileCall>{{What::read, at + "/text", 100},
                                                    {What::read, at + "/text", 3},
                                                    {What::read, at + "/empty", 100},
                                                    {What::read, at, 100},
                                                    {What::read, at + "/none", 100},
                                                    {What::head, at + "/text", 4},
                                                    {What::touch, at + "/text"},
                                                    {What::list, at},
                                                    {What::list, at + "/text"},
                                                    {What::link, at + "/link"},
                                                    {What::link, at + "/text"},
                                                    {What::resolve, at + "/link"},
                                                    {What::executable, at + "/text"},
                                                    {What::executable, "/bin/sh"},
                                                    {What::open_device, at + "/text"},
                                                    {What::open_device, "/dev/null"},
                                                    {What::open_device, "/dev/none"}}) {
    CAPTURE(call.path);
    const auto here = make_file_call(call), there = reader.ask(call);
    REQUIRE(here.has_value() == there.has_value());
    if (here)
      CHECK(here->bytes == there->bytes);
    else
      CHECK(here.error() == there.error());
  }
  const auto info = reader.ask({What::lstat, at + "/link"});
  REQUIRE(info);
  CHECK(S_ISLNK(info->info.st_mode));
  CHECK(reader.ask({What::use, "/"})->use.f_blocks > 0);
  const std::string large(3'000'000, 'x');
  folder.file("large", large);
  CHECK(reader.ask({What::read, folder.path() + "/large", 4u << 20})->bytes == large);
}

TEST_CASE("a reader that was killed is started again, and one that hangs is left behind") {
  FileReader reader(1s);
  const FileCall call{What::read, "/etc/passwd", 1u << 20};
  const auto text = reader.ask(call);
  REQUIRE(text);
  const pid_t first = child_of_this();
  REQUIRE(first > 0);
  kill(first, SIGKILL);
  CHECK(reader.ask(call)->bytes == text->bytes);
  const pid_t second = child_of_this();
  CHECK(second != first);
  kill(second, SIGSTOP);  // as one that waits in the kernel
  CHECK(reader.ask(call).is(Error::Kind::timed_out));
  CHECK_MESSAGE(kill(second, 0) != 0, "it is killed");
  // The same is refused at once, and what does not wait for it is answered.
  const auto again = reader.ask(call);
  REQUIRE(again.is(Error::Kind::timed_out));
  CHECK(again.error().what == "ETIMEDOUT: " + call.path + " does not answer");
  CHECK(reader.ask({What::list, "/etc"}));
}

TEST_CASE("what a hung place takes with it") {
  HungPlaces hung;
  CHECK(hung.empty());
  hung.add("/opt/rocm/lib/libhsa-runtime64.so.1", kMounts);
  CHECK(hung.in_the_way({What::lstat, "/opt"}) == "/opt");
  CHECK(hung.in_the_way({What::read, "/opt/other"}) == "/opt");
  CHECK_FALSE(hung.in_the_way({What::read, "/optical"}));
  CHECK_FALSE_MESSAGE(hung.in_the_way({What::read, "/etc/passwd"}), "the root is not given up");
  hung.add("/etc/lonely", kMounts);
  CHECK(hung.in_the_way({What::read, "/etc/lonely"}));
  CHECK_FALSE(hung.in_the_way({What::read, "/etc/passwd"}));

  Scratch folder;
  folder.link("into", "/opt/rocm").link("on", folder.path() + "/into");
  CHECK(hung.in_the_way({What::read, folder.path() + "/on/bin/rocminfo"}) == "/opt");
  CHECK(hung.in_the_way({What::stat, folder.path() + "/into"}) == "/opt");
  CHECK_FALSE(hung.in_the_way({What::link, folder.path() + "/into"}));
}

TEST_CASE("a driver that hangs takes its device's attributes, and leaves the bus's") {
  HungPlaces hung;
  const std::string gpu = "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0";
  hung.add(gpu + "/hwmon/hwmon3/temp1_input", kMounts);
  CHECK(hung.in_the_way({What::read, gpu + "/hwmon/hwmon3/power1_average"}) == gpu);
  CHECK(hung.in_the_way({What::read, gpu + "/gpu_busy_percent"}) == gpu);
  CHECK_FALSE(hung.in_the_way({What::read, gpu + "/vendor"}));
  CHECK_FALSE(hung.in_the_way({What::list, gpu}));
  CHECK_FALSE(hung.in_the_way({What::read, gpu.substr(0, gpu.rfind('/')) + "/0000:04:00.0/x"}));
}

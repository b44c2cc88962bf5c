#include "base/open_regular.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/bytes.h"
#include "base/read_whole_file.h"
#include "tests/unit/machine/scratch.h"

using namespace rocvet;

TEST_CASE("a file is read, and what is none says so") {
  Scratch scratch;
  scratch.file("file", "text").file("folder/x", "");
  CHECK(*read_whole_file(scratch.path() + "/file", 64) == "text");
  REQUIRE(symlink("file", (scratch.path() + "/link").c_str()) == 0);
  CHECK(*read_whole_file(scratch.path() + "/link", 64) == "text");
  CHECK(read_whole_file(scratch.path() + "/none", 64).is_missing());
  CHECK(read_whole_file(scratch.path() + "/folder", 64).error().text().find("EISDIR") !=
        std::string::npos);
  CHECK(read_whole_file("/dev/zero", 64).error().text().find("not a regular file") !=
        std::string::npos);
  CHECK(read_file_head("/dev/zero", 64, "x").error().text().find("not a regular file") !=
        std::string::npos);
  CHECK_FALSE(FileBytes::open("/dev/zero").has_value());
  CHECK(read_whole_file("/proc/self/stat", 4096).has_value());
}

TEST_CASE("what is no file is not even opened") {
  Scratch scratch;
  const std::string pipe = scratch.path() + "/pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::atomic<bool> woken = false;
  // A writer waits until somebody opens the other end.
  std::thread writer([&] {
    const int fd = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
    woken = true;
    close(fd);
  });
  usleep(100'000);
  CHECK_FALSE(read_whole_file(pipe, 64).has_value());
  CHECK_FALSE(read_file_head(pipe, 64, pipe).has_value());
  CHECK_FALSE(FileBytes::open(pipe).has_value());
  usleep(100'000);
  CHECK_FALSE(woken);
  const int fd = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  writer.join();
  close(fd);
}

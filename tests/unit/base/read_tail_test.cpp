// A log may be a pipe: one that is written to is read to its end, another is not waited for.
#include "base/read_tail.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "tests/unit/machine/scratch.h"

using namespace rocvet;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMost = 1000;
constexpr Patience kShort{.for_writer = 200ms, .for_more = 200ms};
constexpr Patience kLong{.for_writer = 60s, .for_more = 60s};

std::string fifo_in(const Scratch& folder) {
  std::string path = folder.path() + "/fifo";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  return path;
}

void say(int fd, std::string_view text) {
  CHECK(write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

}  // namespace

TEST_CASE("of a file the end is read") {
  Scratch folder;
  folder.file("short", "text").file("long", std::string(5000, 'a') + "end");
  CHECK(read_tail(folder.path() + "/short", kMost).value_or("") == "text");
  const std::string tail = read_tail(folder.path() + "/long", kMost).value_or("");
  CHECK(tail.size() == kMost);
  CHECK(tail.ends_with("aend"));
  CHECK(read_tail(folder.path() + "/nothing", kMost).is_missing());
  CHECK(read_tail(folder.path(), kMost).error().what == "cannot be read: it is a folder");
  CHECK(read_tail("/dev/null", kMost).value_or("x").empty());
  CHECK(read_tail("/dev/zero", kMost).error().what == "does not end");
}

TEST_CASE("a pipe is read to its end, however slow its writer") {
  Scratch folder;
  const std::string path = fifo_in(folder);
  std::thread writer([&] {
    std::this_thread::sleep_for(100ms);
    const int fd = open(path.c_str(), O_WRONLY);
    for (const char* word : {"one ", "two ", "three"}) {
      say(fd, word);
      std::this_thread::sleep_for(50ms);
    }
    close(fd);
  });
  CHECK(read_tail(path, kMost, kLong).value_or("") == "one two three");
  writer.join();
}

TEST_CASE("a writer that leaves without a word ends a pipe too") {
  Scratch folder;
  const std::string path = fifo_in(folder);
  std::thread writer([&] { close(open(path.c_str(), O_WRONLY)); });
  CHECK(read_tail(path, kMost, kLong).value_or("x").empty());
  writer.join();
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[1]);
  CHECK(read_tail("/dev/fd/" + std::to_string(ends[0]), kMost, kLong).value_or("x").empty());
  close(ends[0]);
}

TEST_CASE("a pipe without a writer, or with a silent one, is not waited for without end") {
  Scratch folder;
  const std::string path = fifo_in(folder);
  CHECK(read_tail(path, kMost, kShort).error().what ==
        "nobody has opened the other end of this pipe");
  const int fd = open(path.c_str(), O_RDWR);
  say(fd, "a beginning");
  CHECK(read_tail(path, kMost, kShort).error().what.starts_with("nothing came through this pipe"));
  close(fd);
}

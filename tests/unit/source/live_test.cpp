#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "base/read_whole_file.h"
#include "source/commands.h"
#include "source/environment_names.h"
#include "source/file_calls.h"
#include "source/process_facts.h"
#include "source/source.h"
#include "tests/unit/machine/scratch.h"

using namespace rocvet;
using namespace std::chrono_literals;

namespace {

Result<CommandOutput> run(std::string_view name, std::span<const char* const> argv,
                          std::chrono::milliseconds limit) {
  const std::string program = find_program(argv.front(), [](const std::string& path) {
    return make_file_call({FileCall::What::executable, path}).has_value();
  });
  return run_command(name, program, argv, limit);
}

}  // namespace

TEST_CASE("commands: output, status, deadline, and what is not installed") {
  const char* const kEcho[] = {"printf", "a b"};
  const auto echo = run("echo", kEcho, 5s);
  REQUIRE(echo.has_value());
  CHECK(echo->out == "a b");
  CHECK(echo->status == 0);
  const char* const kFalse[] = {"false"};
  CHECK(run("false", kFalse, 5s)->status == 1);
  const char* const kMissing[] = {"rocvet-no-such-program"};
  CHECK(run("x", kMissing, 5s).is_missing());
  // The child's child holds the pipe open: the whole group has to go.
  const char* const kHang[] = {"sh", "-c", "sleep 30 & sleep 30"};
  const auto start = std::chrono::steady_clock::now();
  CHECK(run("hang", kHang, 200ms).is(Error::Kind::timed_out));
  CHECK(std::chrono::steady_clock::now() - start < 5s);
  const char* const kKilled[] = {"sh", "-c", "kill -9 $$"};
  CHECK(run("killed", kKilled, 5s)->status == 128 + 9);
}

TEST_CASE("a command ends with rocvet, however that ends") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t ours = fork();
  if (ours == 0) {
    // It tells its number, closes the pipe and stays.
    const std::string tell = "echo $$ >&" + std::to_string(ends[1]) + "; exec sleep 60";
    const char* const words[] = {"sh", "-c", tell.c_str()};
    static_cast<void>(run("stays", words, 60s));
    _exit(0);
  }
  close(ends[1]);
  char text[32] = "";
  REQUIRE(read(ends[0], text, sizeof text - 1) > 0);
  const auto command = static_cast<pid_t>(std::atoi(text));
  REQUIRE(command > 1);
  kill(ours, SIGKILL);
  waitpid(ours, nullptr, 0);
  const auto lives = [&] {
    const auto stat = read_whole_file("/proc/" + std::to_string(command) + "/stat", 4096);
    return stat && stat->find(") Z ") == stat->npos;
  };
  for (int i = 0; i < 200 && lives(); ++i) usleep(10'000);
  CHECK_FALSE(lives());
  close(ends[0]);
}

TEST_CASE("a command outside the table is never run") {
  CHECK(live_source()->run("sh").is(Error::Kind::unsupported));
  CHECK(find_command("rocminfo") != nullptr);
  CHECK(find_command("rm") == nullptr);
}

TEST_CASE("the environment is read by an allow-list without secrets") {
  for (const char* name : {"HSA_OVERRIDE_GFX_VERSION", "HIP_VISIBLE_DEVICES", "LD_LIBRARY_PATH",
                           "PYTORCH_ROCM_ARCH", "NCCL_DEBUG", "OLLAMA_HOST", "CONDA_PREFIX"}) {
    CAPTURE(name);
    CHECK(environment_name_allowed(name));
  }
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "HISTFILE", "OLLAMA_API_KEY",
                           "NCCL_TOKEN", "EDITOR"}) {
    CAPTURE(name);
    CHECK_FALSE(environment_name_allowed(name));
  }
}

TEST_CASE("process status and id maps") {
  ProcessFacts facts;
  parse_process_status(
      "Name:\tx\nUid:\t0\t1000\t0\t0\nGid:\t0\t1001\t0\t0\nGroups:\t44 109 \n"
      "CapEff:\t000001ffffffffff\nSeccomp:\t2\n",
      facts);
  CHECK(facts.uid == 1000U);
  CHECK(facts.gid == 1001U);
  CHECK(facts.groups == std::vector<std::uint32_t>{44, 109});
  CHECK(facts.capabilities == 0x1ffffffffffULL);
  CHECK(facts.seccomp == 2);
  // A number too large for an id is none: cut, the first were root's.
  ProcessFacts wild;
  parse_process_status("Uid:\t0\t4294967296\t0\t0\nGroups:\t44 4294967340\nSeccomp:\t4294967296\n",
                       wild);
  CHECK_FALSE(wild.uid);
  CHECK(wild.groups == std::vector<std::uint32_t>{44});
  CHECK_FALSE(wild.seccomp);
  CHECK(normalised_id_map("         0          0 4294967295\n") == "0 0 4294967295");
}

TEST_CASE("a live source with a root stays in it") {
  Scratch outside, root;
  outside.file("secret", "x");
  root.file("etc/os-release", "ID=debian\n")
      .link("etc/out", outside.path() + "/secret")
      .link("etc/up", "../../../../../../.." + outside.path() + "/secret");
  auto source = live_source(root.path());
  CHECK(source->read("/etc/os-release").value_or("") == "ID=debian\n");
  CHECK(source->read("/etc/out").is_missing());
  CHECK(source->read("/etc/up").is_missing());
  CHECK(source->open_device("/etc/os-release").error().what.starts_with("ENODEV"));
  CHECK(source->open_device("/dev/kfd").error().what.starts_with("ENOENT"));
  CHECK(source->run("uname").is_missing());
}

TEST_CASE("a FIFO does not hang and a folder is no file") {
  Scratch folder;
  REQUIRE(mkfifo((folder.path() + "/fifo").c_str(), 0600) == 0);
  auto source = live_source();
  CHECK_FALSE(source->read(folder.path() + "/fifo").has_value());
  CHECK(source->read(folder.path()).error().what.starts_with("EISDIR"));
  CHECK(source->read("/proc/version").has_value());
}

// What a confined process can no longer do, tried in children.
#include "base/confine.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>

#include "base/children.h"
#include "base/trusted_path.h"
#include "tests/unit/machine/scratch.h"

using namespace rocvet;

namespace {

/// The exit status of a child that does this.
int in_child(const std::function<int()>& what) {
  const pid_t child = fork();
  if (child == 0) _exit(what());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int error_of(long result) {
  return result < 0 ? errno : 0;
}

int run_true() {
  char name[] = "/bin/true";
  char* arguments[] = {name, nullptr};
  return error_of(execv(name, arguments));
}

bool has_landlock() {
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) > 0;
}

int write_to(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  return fd < 0 ? errno : 0;
}

}  // namespace

TEST_CASE("a reader runs nothing, reaches nobody and writes only where it may") {
  Scratch scratch;
  scratch.file("out/old", "x").file("else/old", "x");
  const std::vector<std::string> writable = {scratch.path() + "/out"};
  const auto reader = [&](const std::function<int()>& what) {
    return in_child([&] {
      become_reader(writable);
      return what();
    });
  };
  CHECK(in_child(run_true) == 0);
  CHECK(reader(run_true) == EPERM);
  CHECK(reader([] { return error_of(socket(AF_UNIX, SOCK_STREAM, 0)); }) == EPERM);
  CHECK(reader([] { return error_of(socket(AF_INET, SOCK_STREAM, 0)); }) == EPERM);
  CHECK(reader([] { return error_of(mount("none", "/", "tmpfs", 0, nullptr)); }) == EPERM);
  CHECK(reader([&] { return error_of(open("/etc/passwd", O_RDONLY)); }) == 0);
  CHECK(reader([&] { return write_to(scratch.path() + "/out/new"); }) == 0);
  CHECK(reader([&] {
          const std::string from = scratch.path() + "/out/new", to = scratch.path() + "/out/old";
          return error_of(rename(from.c_str(), to.c_str()));
        }) == 0);
  CHECK(reader([] { return write_to("/dev/null"); }) == 0);
  if (!has_landlock()) {
    MESSAGE("this kernel has no Landlock: writing elsewhere is not tried");
    return;
  }
  CHECK(reader([&] { return write_to(scratch.path() + "/else/new"); }) == EACCES);
  CHECK(reader([&] { return write_to(scratch.path() + "/else/old"); }) == EACCES);
  CHECK(reader([&] { return error_of(unlink((scratch.path() + "/else/old").c_str())); }) == EACCES);
  const std::string shared = "/dev/shm/rocvet-test-" + std::to_string(getpid());
  CHECK(reader([&] { return write_to(shared); }) == EACCES);
  unlink(shared.c_str());
}

TEST_CASE("a reader changes nobody's rights") {
  Scratch scratch;
  scratch.file("else/old", "x");
  const std::string file = scratch.path() + "/else/old";
  const auto reader = [&](const std::function<int()>& what) {
    return in_child([&] {
      become_reader({});
      return what();
    });
  };
  CHECK(reader([&] { return error_of(chmod(file.c_str(), 04777)); }) == EPERM);
  CHECK(reader([&] { return error_of(chown(file.c_str(), getuid(), getgid())); }) == EPERM);
  CHECK(reader([&] { return error_of(utimensat(AT_FDCWD, file.c_str(), nullptr, 0)); }) == EPERM);
}

TEST_CASE("a worker administers nothing, and runs what it needs") {
  const auto worker = [](const std::function<int()>& what) {
    return in_child([&] {
      give_up_administration();
      return what();
    });
  };
  CHECK(worker(run_true) == 0);
  CHECK(worker([] { return error_of(socket(AF_UNIX, SOCK_STREAM, 0)); }) == 0);
  CHECK(worker([] { return error_of(mount("none", "/", "tmpfs", 0, nullptr)); }) == EPERM);
  CHECK(worker([] { return error_of(syscall(SYS_unshare, 0)); }) == EPERM);
  CHECK(worker([] { return error_of(sethostname("x", 1)); }) == EPERM);
  CHECK(worker([] {
          timex time{};
          return error_of(adjtimex(&time));
        }) == EPERM);
  CHECK(worker([] {
          return error_of(
              syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0));
        }) == EPERM);
  CHECK(worker([] { return error_of(syscall(SYS_clone3, nullptr, 0)); }) == ENOSYS);
  CHECK(worker([] {
          std::thread([] {}).join();  // glibc takes clone then
          const pid_t child = fork();
          if (child == 0) _exit(0);
          return error_of(waitpid(child, nullptr, 0));
        }) == 0);
}

TEST_CASE("what a child leaves behind is ended, in whatever session it hides") {
  Scratch scratch;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = start_child([&] {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    if (fork() == 0) {
      setsid();
      if (fork() != 0) _exit(0);
      const pid_t hidden = getpid();
      static_cast<void>(!write(ends[1], &hidden, sizeof hidden));
      close(ends[1]);
      pause();
      _exit(0);
    }
    _exit(0);
  });
  close(ends[1]);
  pid_t hidden = 0;
  REQUIRE(read(ends[0], &hidden, sizeof hidden) == sizeof hidden);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  CHECK(kill(hidden, 0) == 0);
  child_ended(child);
  CHECK(kill(hidden, 0) != 0);
}

TEST_CASE("who could put something where root is about to run it") {
  CHECK_FALSE(who_else_changes({"/usr/bin/env"}).has_value());
  CHECK(who_else_changes({"/no/such/file"})->anybody);
  CHECK(who_else_changes({"relative"})->anybody);
  if (geteuid() != 0) return;  // only root can give files away
  Scratch scratch;
  scratch.file("venv/bin/python", "x");
  const std::string root = scratch.path() + "/venv", python = root + "/bin/python";
  REQUIRE(chmod(scratch.path().c_str(), 0755) == 0);
  REQUIRE(chmod(root.c_str(), 0755) == 0);
  REQUIRE(chmod((root + "/bin").c_str(), 0755) == 0);
  CHECK_FALSE(who_else_changes({python}).has_value());
  REQUIRE(chown(root.c_str(), 1234, 1234) == 0);
  auto changer = who_else_changes({python});
  REQUIRE(changer.has_value());
  CHECK(changer->uid == 1234);
  CHECK_FALSE(changer->anybody);
  REQUIRE(chmod((root + "/bin").c_str(), 0777) == 0);
  CHECK(who_else_changes({python})->anybody);
}

TEST_CASE("access lists and groups with members let others write") {
  if (geteuid() != 0) return;
  Scratch scratch;
  scratch.file("lib", "x");
  const std::string at = scratch.path(), file = at + "/lib";
  REQUIRE(chmod(at.c_str(), 0755) == 0);
  REQUIRE(chmod(file.c_str(), 0644) == 0);
  CHECK_FALSE(who_else_changes({file}).has_value());
  // user::rw-, user:1000:rwx, group::r--, mask::rwx, other::r-- (acl(5); linux/posix_acl_xattr.h)
  const unsigned char list[] = {2,   0,   0,   0,    1,   0,   6,    0,   255, 255, 255,
                                255, 2,   0,   7,    0,   232, 3,    0,   0,   4,   0,
                                4,   0,   255, 255,  255, 255, 0x10, 0,   7,   0,   255,
                                255, 255, 255, 0x20, 0,   4,   0,    255, 255, 255, 255};
  if (setxattr(file.c_str(), "system.posix_acl_access", list, sizeof list, 0) == 0) {
    CHECK(who_else_changes({file})->anybody);
    REQUIRE(removexattr(file.c_str(), "system.posix_acl_access") == 0);
  } else {
    MESSAGE("no access lists on this file system");
  }
  REQUIRE(chmod(file.c_str(), 0664) == 0);
  CHECK_FALSE(who_else_changes({file}).has_value());  // root:root, and nobody else in root
}

TEST_CASE("links are followed as the kernel does, and each step is asked") {
  if (geteuid() != 0) return;  // only root can give files away
  Scratch scratch;
  scratch.file("tree/lib", "x").file("eve/other", "x");
  const std::string at = scratch.path();
  for (const char* folder : {"", "/tree", "/eve"}) REQUIRE(chmod((at + folder).c_str(), 0755) == 0);
  for (const char* file : {"/tree/lib", "/eve/other"})
    REQUIRE(chmod((at + file).c_str(), 0644) == 0);
  REQUIRE(symlink("tree", (at + "/rocm").c_str()) == 0);
  CHECK_FALSE(who_else_changes({at + "/rocm/lib"}).has_value());

  // A hop in the middle: what eve owns leads back to what is root's.
  REQUIRE(symlink((at + "/tree").c_str(), (at + "/eve/hop").c_str()) == 0);
  REQUIRE(symlink("eve/hop", (at + "/through").c_str()) == 0);
  REQUIRE(chown((at + "/eve").c_str(), 1234, 1234) == 0);
  auto changer = who_else_changes({at + "/through/lib"});
  REQUIRE(changer.has_value());
  CHECK(changer->uid == 1234);
  CHECK(describe(*changer) == "user 1234");

  // Eve's own link in a sticky folder can be replaced by her; in root's it cannot.
  REQUIRE(symlink("tree", (at + "/hers").c_str()) == 0);
  REQUIRE(lchown((at + "/hers").c_str(), 1234, 1234) == 0);
  CHECK_FALSE(who_else_changes({at + "/hers/lib"}).has_value());
  REQUIRE(chmod(at.c_str(), 01777) == 0);
  CHECK(who_else_changes({at + "/hers/lib"}).has_value());
  CHECK_FALSE(who_else_changes({at + "/rocm/lib"}).has_value());

  // What lies in a folder counts as well, also where the folder is root's.
  CHECK_FALSE(who_else_changes_inside(at + "/tree").has_value());
  REQUIRE(chown((at + "/tree/lib").c_str(), 1234, 1234) == 0);
  CHECK_FALSE(who_else_changes({at + "/tree"}).has_value());
  CHECK(who_else_changes_inside(at + "/tree")->uid == 1234);

  REQUIRE(symlink("loop", (at + "/loop").c_str()) == 0);
  CHECK(who_else_changes({at + "/loop"})->anybody);
}

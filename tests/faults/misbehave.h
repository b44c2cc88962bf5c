// What the fake libraries do on the command of ROCVET_FAKE_HIP, a list with commas:
//
//   CALL=hang         that call never returns         CALL=crash   it dereferences nothing
//   CALL=abort        it aborts, with a word on stderr CALL=exit    it ends the process, status 7
//   CALL=sleep        it takes 20 s                    CALL=N       it returns the status N
//   CALL=garbage      it writes garbage to stdout and stderr, and works
//   CALL=pipe         it writes garbage to the pipe of events, and works
//   CALL=flood        it writes well-formed events without end
//   CALL=stubborn     it ignores SIGTERM and every other signal it may, and hangs
//   CALL=children     it leaves a child behind that holds the pipes, and hangs
//   CALL=wedge        it hangs, and a tracer keeps it from being reaped, as a driver would that
//                     never lets go
//   CALL=memory       it asks for more memory than a limit allows, again and again
//   CALL=tensile      it aborts with the words of a rocBLAS that lacks the target
//   CALL=at_exit      it works, and the process crashes when it leaves
//
// CALL may end in *. A call that is named with @N behind it does so only from the N-th time on:
// hipModuleLoadData@2=crash.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace rocvet::faults {

inline std::string command() {
  const char* text = std::getenv("ROCVET_FAKE_HIP");
  return text != nullptr ? text : "";
}

/// The value of NAME=VALUE in the command; "" when it is not there.
inline std::string asked(const std::string& name, int times) {
  std::string rest = command();
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string one = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    const std::size_t equals = one.find('=');
    const std::string value = equals == std::string::npos ? "yes" : one.substr(equals + 1);
    one = one.substr(0, equals);
    int from = 1;
    if (const std::size_t at = one.find('@'); at != std::string::npos) {
      from = std::atoi(one.c_str() + at + 1);
      one = one.substr(0, at);
    }
    const bool matches =
        one == name || (one.ends_with('*') && name.starts_with(one.substr(0, one.size() - 1)));
    if (matches && times >= from) return value;
  }
  return "";
}

[[noreturn]] inline void hang() {
  while (true) pause();
}

/// A stranger attaches to this process and never waits for it: killed, it stays a zombie that its
/// parent cannot reap.
inline void wedge() {
  const pid_t victim = getpid();
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  if (fork() == 0) {
    setsid();
    for (int fd = 0; fd < 16; ++fd) close(fd);
    prctl(PR_SET_PDEATHSIG, 0);
    ptrace(PTRACE_SEIZE, victim, nullptr, nullptr);
    sleep(20);
    _exit(0);
  }
  hang();
}

inline int misbehave(const char* call) {
  static std::map<std::string, int> calls;
  const std::string how = asked(call, ++calls[call]);
  if (how.empty()) return 0;
  if (how == "hang") hang();
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it is to crash
  if (how == "crash") *static_cast<volatile int*>(nullptr) = 1;
  if (how == "abort") {
    std::fprintf(stderr, "fake_hip.cpp:1: %s: Assertion `healthy' failed.\n", call);
    std::abort();
  }
  if (how == "tensile") {
    std::fprintf(
        stderr,
        "\nrocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No "
        "such file or directory for GPU arch : gfx1100\n List of available TensileLibrary "
        "Files : \n");
    std::abort();
  }
  if (how == "at_exit") {
    std::atexit([] { *static_cast<volatile int*>(nullptr) = 1; });
    return 0;
  }
  if (how == "exit") std::exit(7);
  if (how == "sleep") sleep(20);
  if (how == "garbage" || how == "pipe") {
    std::string noise;
    for (int i = 0; i < 300; ++i) noise += static_cast<char>(i * 37);
    noise += "\n{\"event\":\"measured\"}\n";
    for (int i = 0; i < 100; ++i) {
      for (const int fd : {1, 2}) (void)!write(fd, noise.data(), noise.size());
      if (how == "pipe") (void)!write(3, noise.data(), noise.size());
    }
    return 0;
  }
  if (how == "flood") {
    const std::string event =
        "{\"event\":\"noted\",\"text\":\"" + std::string(60'000, 'x') + "\"}\n";
    while (write(3, event.data(), event.size()) > 0) continue;
  }
  if (how == "stubborn") {
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_IGN);
    hang();
  }
  if (how == "children") {
    if (fork() == 0) hang();
    hang();
  }
  if (how == "wedge") wedge();
  if (how == "memory") {
    const rlimit limit{512u << 20, 512u << 20};
    setrlimit(RLIMIT_AS, &limit);
    while (true) std::memset(new char[16 << 20], 1, 16 << 20);
  }
  return std::atoi(how.c_str());
}

}  // namespace rocvet::faults

#define MISBEHAVE(call) \
  if (const int status = rocvet::faults::misbehave(#call); status != 0) return status

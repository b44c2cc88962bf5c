// packaging/old_glibc.cpp beside what the glibc of this machine has for the same purpose.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "doctest/doctest.h"

namespace {

using FindObject = int (*)(void*, dl_find_object*);

TEST_CASE("the object of an address is the one that glibc names") {
  const auto glibc = reinterpret_cast<FindObject>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
  if (glibc == nullptr) return;  // older than 2.35
  // Else the linker has not taken ours, and nothing is compared.
  REQUIRE(bool(glibc != &_dl_find_object));
  static int data = 0;
  void* const inside[] = {reinterpret_cast<void*>(&std::printf), dlsym(RTLD_DEFAULT, "exp"),
                          reinterpret_cast<void*>(glibc), reinterpret_cast<void*>(&_dl_find_object),
                          &data};
  for (void* address : inside) {
    CAPTURE(address);
    dl_find_object ours{};
    dl_find_object theirs{};
    REQUIRE(glibc(address, &theirs) == 0);
    REQUIRE(_dl_find_object(address, &ours) == 0);
    CHECK(ours.dlfo_eh_frame == theirs.dlfo_eh_frame);
    CHECK(ours.dlfo_map_start <= address);
    CHECK(ours.dlfo_map_end > address);
  }
  int on_the_stack = 0;
  for (void* address : {static_cast<void*>(nullptr), static_cast<void*>(&on_the_stack)}) {
    dl_find_object found{};
    CHECK(_dl_find_object(address, &found) != 0);
  }
}

TEST_CASE("an exception finds its handler, in a thread too") {
  const auto caught = [] {
    try {
      throw std::runtime_error("thrown");
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
  };
  CHECK(caught() == "thrown");
  std::string in_thread;
  std::thread([&] { in_thread = caught(); }).join();
  CHECK(in_thread == "thrown");
}

TEST_CASE("the first versions of exp, log and pow compute the same") {
  for (volatile double x : {1e-3, 0.5, 1.0, 3.0, 77.7}) {
    const long double exact = x;
    CHECK(std::exp(x) == doctest::Approx(static_cast<double>(std::exp(exact))).epsilon(1e-15));
    CHECK(std::exp2(x) == doctest::Approx(static_cast<double>(std::exp2(exact))).epsilon(1e-15));
    CHECK(std::log(x) == doctest::Approx(static_cast<double>(std::log(exact))).epsilon(1e-15));
    CHECK(std::log2(x) == doctest::Approx(static_cast<double>(std::log2(exact))).epsilon(1e-15));
    CHECK(std::pow(x, 1.5) ==
          doctest::Approx(static_cast<double>(std::pow(exact, 1.5L))).epsilon(1e-15));
  }
}

TEST_CASE("a wait lasts as long as it was asked to, and ends when notified") {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  std::mutex mutex;
  std::condition_variable changed;
  bool notified = false;
  std::unique_lock lock(mutex);
  const auto start = Clock::now();
  CHECK_FALSE(changed.wait_for(lock, milliseconds(30), [&] { return notified; }));
  CHECK(Clock::now() - start >= milliseconds(30));
  CHECK_FALSE(changed.wait_for(lock, milliseconds(-30), [&] { return notified; }));

  std::thread other([&] {
    const std::lock_guard theirs(mutex);
    notified = true;
    changed.notify_one();
  });
  CHECK(changed.wait_for(lock, std::chrono::hours(1000), [&] { return notified; }));
  lock.unlock();
  other.join();
}

TEST_CASE("a wait by either clock says that its time is over, then and not before") {
  for (const clockid_t clock : {CLOCK_MONOTONIC, CLOCK_REALTIME}) {
    CAPTURE(clock);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    timespec until{};
    REQUIRE(clock_gettime(clock, &until) == 0);
    until.tv_nsec += 100'000'000;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    pthread_mutex_lock(&mutex);
    // Clocks that are being set right by NTP differ by some microseconds: then once more.
    int status = pthread_cond_clockwait(&changed, &mutex, clock, &until);
    if (status == 0) status = pthread_cond_clockwait(&changed, &mutex, clock, &until);
    CHECK(status == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    timespec end{};
    REQUIRE(clock_gettime(clock, &end) == 0);
    CHECK(std::pair(end.tv_sec, end.tv_nsec) >= std::pair(until.tv_sec, until.tv_nsec));
  }
}

}  // namespace

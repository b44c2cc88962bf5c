#include "base/held_signals.h"

#include <pthread.h>

#include <csignal>

namespace rocvet {
namespace {

class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    sigemptyset(&held);
    // All that end a process unless it says otherwise, and that another one sends: batch systems
    // warn with SIGUSR1, SIGUSR2 and SIGXCPU. Not what a fault of our own raises.
    for (const int one : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
                          SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT})
      sigaddset(&held, one);
    for (int one = SIGRTMIN; one <= SIGRTMAX; ++one) sigaddset(&held, one);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

std::shared_ptr<void> hold_signals() {
  // One for all that live at a time, whatever the order in which they end.
  thread_local std::weak_ptr<HeldSignals> held;
  std::shared_ptr<HeldSignals> now = held.lock();
  if (now == nullptr) held = now = std::make_shared<HeldSignals>();
  return now;
}

}  // namespace rocvet

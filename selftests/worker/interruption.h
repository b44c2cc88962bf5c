// What ends rocvet from outside while workers run.
#pragma once

#include <array>
#include <csignal>

namespace rocvet::worker {

/// While it lives, a signal that would end this process is only noted: workers are killed, with
/// what their libraries have started, then the signal does what it always does. Ctrl-C, kill, a
/// closed terminal, and what batch systems warn with. One inside another gives the signal to that
/// one, so that what was found until then can be told first.
class Interruption {
 public:
  Interruption() {
    if (alive++ == 0) caught = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) { caught = signal; };
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      sigaction(kSignals[i], &action, &before_[i]);
      // Whoever started us did not want it to end us: nohup, a shell's background job.
      if (before_[i].sa_handler == SIG_IGN) sigaction(kSignals[i], &before_[i], nullptr);
    }
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    if (--alive == 0 && caught != 0) raise(caught);
  }
  static bool seen() { return caught != 0; }

 private:
  static constexpr std::array<int, 8> kSignals = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                                  SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM};
  static inline volatile std::sig_atomic_t caught = 0;
  static inline int alive = 0;
  struct sigaction before_[kSignals.size()] = {};
};

}  // namespace rocvet::worker

// Arguments in, exit status out, nothing else.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "selftests/selftest.h"

namespace rocvet::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"run", "the main job: scan, compatibility, checks, self-tests, diagnosis", run_verb},
    {"check", "all but the self-tests: safe, passive, fast (what a bare rocvet does)", check_verb},
    {"scan", "the machine as found", scan_verb},
    {"test", "self-tests only; --list names them", test_verb},
    {"ladder", "self-tests through each layer, bottom up: which of them is broken", ladder_verb},
    {"compat", "ask the database: --gpu, --rocm, --os, --kernel, --driver, --framework",
     compat_verb},
    {"snapshot", "record this machine, redacted, as a folder or archive", snapshot_verb},
    {"advise", "the best supported stack and the commands that install it", advise_verb},
    {"plan", "what an upgrade would break, what moves with it, and the way back", plan_verb},
    {"fix", "print the repair as a commented shell script; changes nothing itself", fix_verb},
    {"report", "convert a saved JSON report to another format", report_verb},
    {"diff", "what changed from one saved report to another", diff_verb},
    {"fleet", "many saved reports side by side: odd ones out, below their peers", fleet_verb},
    {"calibrate", "measure this machine and print rows for db/performance", calibrate_verb},
    {"expect", "what a GPU should reach in each self-test, and what loss would be noticed",
     expect_verb},
    {"policy", "init: a policy file that this machine meets", policy_verb},
    {"explain", "the manual page of a check, self-test or root cause", explain_verb},
    {"db", "check, export or install a database", db_verb},
    {"list", "checks, tests, gpus, causes, releases, oses or frameworks", list_verb},
};

std::string usage() {
  std::string text =
      "rocvet " ROCVET_VERSION
      " vets an AMD GPU / ROCm machine.\n\nusage: rocvet [VERB] [OPTIONS]\n\nverbs:\n";
  for (const Verb& verb : kVerbs) {
    std::string name(verb.name);
    name.resize(10, ' ');
    text += "  " + name + std::string(verb.summary) + "\n";
  }
  return text +
         "\n`rocvet help VERB` (or VERB --help) lists the options of a verb.\n"
         "exit status: 0 nothing failed; 1 something failed; 2 nothing failed, but something that "
         "was asked for\n"
         "could not be judged; 3 bad arguments, bad input or an error of rocvet itself\n";
}

std::vector<std::string> names_of_verbs() {
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
  return names;
}

int dispatch(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  // "rocvet help check" is "rocvet check --help".
  if (word == "help" && argc > 2) {
    char help[] = "--help";
    for (const Verb& verb : kVerbs) {
      if (verb.name != argv[2]) continue;
      char* words[] = {argv[2], help, nullptr};
      return verb.run(2, words);
    }
    return complain("help: unknown verb '" + std::string(argv[2]) + "'" +
                    did_you_mean(argv[2], names_of_verbs()) + " (rocvet --help lists them)");
  }
  if (word == "--help" || word == "-h" || word == "help") return print_only(usage());
  if (word == "--version" || word == "version") {
    const auto database = open_database("");
    return print_only("rocvet " ROCVET_VERSION "\ndatabase " +
                      (database ? (*database)->version() : "none") + "\n");
  }
  if (word == "__worker") return worker_main(argc - 1, argv + 1);
  if (word.empty() || word.front() == '-') return check_verb(argc, argv);
  for (const Verb& verb : kVerbs) {
    if (verb.name == word) return verb.run(argc - 1, argv + 1);
  }
  return complain("unknown verb '" + word + "'" + did_you_mean(word, names_of_verbs()) +
                  " (rocvet --help lists them)");
}

/// The next file that is opened would get the number of a closed standard stream, and what is
/// printed would land in it: the place is held by what cannot be written (or read).
void hold_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

/// A stack below what the parsers and the database need is enlarged where that is allowed.
bool has_stack() {
  constexpr rlim_t kNeeded = 1u << 20, kUsual = 8u << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kNeeded) return true;
  limit.rlim_cur = std::min(limit.rlim_max, kUsual);
  return limit.rlim_cur >= kNeeded && ::setrlimit(RLIMIT_STACK, &limit) == 0;
}

/// Without memory an exception does not get far. It is tried only where a signal would wait too:
/// something half-done has to go (base/held_signals.h).
void say_no_memory() {
  constexpr std::string_view kWords =
      "rocvet: there is not enough memory (ulimit -v or -d, a cgroup, or the machine)\n";
  static_cast<void>(!::write(STDERR_FILENO, kWords.data(), kWords.size()));
  sigset_t held;
  sigemptyset(&held);
  pthread_sigmask(SIG_SETMASK, nullptr, &held);
  if (sigismember(&held, SIGTERM) == 0) ::_exit(kUsageError);
  std::set_new_handler(nullptr);
}

}  // namespace

std::span<const Verb> all_verbs() {
  return kVerbs;
}

}  // namespace rocvet::cli

int main(int argc, char** argv) {
  // A reader that goes away is not our error; writes answer EPIPE instead.
  std::signal(SIGPIPE, SIG_IGN);
  // Nor does a limit on the size of files end us: writes answer EFBIG.
  std::signal(SIGXFSZ, SIG_IGN);
  rocvet::cli::hold_closed_streams();
  if (!rocvet::cli::has_stack()) {
    constexpr std::string_view kWords =
        "rocvet: the stack is limited to less than 1 MiB (ulimit -s)\n";
    static_cast<void>(!::write(STDERR_FILENO, kWords.data(), kWords.size()));
    return rocvet::cli::kUsageError;
  }
  // A self-test that gets no memory says so itself.
  if (argc < 2 || std::string_view(argv[1]) != "__worker")
    std::set_new_handler(rocvet::cli::say_no_memory);
  try {
    return rocvet::cli::dispatch(argc, argv);
  } catch (const std::bad_alloc&) {
    return rocvet::cli::kUsageError;
  } catch (const std::exception& problem) {
    return rocvet::cli::complain(std::string("internal error, please report it: ") +
                                 problem.what());
  }
}

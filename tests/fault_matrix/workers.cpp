#include "tests/fault_matrix/workers.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr unsigned kWallSeconds = 60;
constexpr rlim_t kAddressSpace = rlim_t{4} << 30;

volatile std::sig_atomic_t interrupted = 0;

/// The budget begins anew; the kernel ends a process that spends it.
void begin_budget() {
  itimerval cpu{};
  cpu.it_value.tv_sec = kCpuBudgetSeconds;
  setitimer(ITIMER_PROF, &cpu, nullptr);
  alarm(kWallSeconds);
}

void say(int fd, const std::string& line) {
  std::size_t done = 0;
  const std::string text = line + "\n";
  while (done < text.size()) {
    const ssize_t wrote = write(fd, text.data() + done, text.size() - done);
    if (wrote <= 0) _exit(4);
    done += static_cast<std::size_t>(wrote);
  }
}

/// The targets of a task, in an order that the same seed gives again.
std::vector<const Target*> targets_of(const Prepared& prepared, const Task& task,
                                      const CellFilter& filter, std::uint64_t seed) {
  std::vector<const Target*> all, chosen;
  for (std::size_t i = 0; i < prepared.targets.size(); ++i) {
    const Target& target = prepared.targets[i];
    if (i * task.parts / prepared.targets.size() != task.part) continue;
    if (filter.path.empty() || filter.path == target.name) all.push_back(&target);
  }
  if (task.most_cells == 0) return all;
  std::mt19937_64 random(seed + task.part);
  std::ranges::shuffle(all, random);
  std::size_t cells = 0;
  for (const Target* target : all) {
    if (cells >= task.most_cells) break;
    cells += target->faults().size();
    chosen.push_back(target);
  }
  return chosen;
}

[[noreturn]] void work(const Task& task, CellFilter filter, std::uint64_t seed, int fd) {
#ifndef __SANITIZE_ADDRESS__
  const rlimit space{kAddressSpace, kAddressSpace};
  setrlimit(RLIMIT_AS, &space);
#endif
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGINT, SIG_IGN);
  begin_budget();
  const auto prepared = prepare(task.machine);
  if (!prepared) {
    say(fd, "X\t" + prepared.error().text());
    _exit(3);
  }
  if (filter.path.starts_with('/')) filter.path = prepared->paths->of(filter.path, true);
  CellEvents events;
  events.begins = [&](const Target& target, Fault fault) {
    begin_budget();
    say(fd, "B\t" + target.name + "\t" + std::string(to_string(fault)));
  };
  events.changed = [&](Fault fault, const Change& change) {
    say(fd, "C\t" + std::string(to_string(fault)) + "\t" + std::string(to_string(change.kind)) +
                "\t" + change.check + "\t" + change.what);
  };
  events.ended = [&](double ms) { say(fd, "E\t" + std::to_string(ms)); };
  std::size_t skip = task.skip;
  for (const Target* target : targets_of(*prepared, task, filter, seed)) {
    run_target(*prepared, *target, filter, skip, events);
  }
  _exit(0);
}

/// A child and what it has said.
struct Worker {
  Task task;
  pid_t pid = -1;
  int fd = -1;
  std::string unread;
  CellName cell;
  bool in_cell = false;

  void take(const std::string& line, Tally& tally) {
    const auto parts = split(line, '\t');
    const auto part = [&](std::size_t at) {
      return at < parts.size() ? std::string(parts[at]) : std::string();
    };
    if (part(0) == "B") {
      cell = {task.machine, part(1), part(2)};
      in_cell = true;
      ++task.skip;
    } else if (part(0) == "C") {
      tally.changed({task.machine, cell.path, part(1)}, part(2), part(3), part(4));
    } else if (part(0) == "E") {
      in_cell = false;
      tally.ended(cell, std::strtod(part(1).c_str(), nullptr));
    } else {
      tally.broke({task.machine, "(prepare)", "none"}, "crash", part(1));
    }
  }

  /// True while there may be more.
  bool listen(Tally& tally) {
    char buffer[65536];
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0) return false;
    unread.append(buffer, static_cast<std::size_t>(got));
    for (std::size_t end; (end = unread.find('\n')) != unread.npos;) {
      take(unread.substr(0, end), tally);
      unread.erase(0, end + 1);
    }
    return true;
  }
};

void start(Worker& worker, const CellFilter& filter, std::uint64_t seed) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(3);
  std::fflush(stdout);
  worker.pid = fork();
  if (worker.pid < 0) std::exit(3);
  if (worker.pid == 0) {
    close(ends[0]);
    work(worker.task, filter, seed, ends[1]);
  }
  close(ends[1]);
  worker.fd = ends[0];
}

/// Of a child that ended: whether its task has more cells to run.
bool finish(Worker& worker, Tally& tally) {
  int status = 0;
  waitpid(worker.pid, &status, 0);
  close(worker.fd);
  if (WIFEXITED(status)) return false;
  CellName cell = worker.cell;
  if (!worker.in_cell) cell = {worker.task.machine, "(between cells)", "none"};
  const int signal = WTERMSIG(status);
  if (signal == SIGPROF || signal == SIGALRM) {
    tally.broke(cell, "hang", signal == SIGPROF ? "spent its CPU time" : "did not end");
  } else {
    tally.broke(cell, "crash", strsignal(signal));
  }
  return worker.in_cell;
}

}  // namespace

void run_tasks(std::vector<Task> tasks, const CellFilter& filter, std::uint64_t seed, int jobs,
               Tally& tally) {
  std::ranges::reverse(tasks);
  std::vector<Worker> workers;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  while (!tasks.empty() || !workers.empty()) {
    if (interrupted != 0) tasks.clear();
    if (tasks.empty() && workers.empty()) break;
    while (!tasks.empty() && workers.size() < static_cast<std::size_t>(jobs)) {
      Worker worker;
      worker.task = tasks.back();
      tasks.pop_back();
      start(worker, filter, seed);
      workers.push_back(std::move(worker));
    }
    std::vector<pollfd> waiting;
    for (const Worker& worker : workers) waiting.push_back({worker.fd, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    for (std::size_t i = workers.size(); i-- > 0;) {
      if (waiting[i].revents == 0 || workers[i].listen(tally)) continue;
      if (finish(workers[i], tally)) tasks.push_back(workers[i].task);
      workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace rocvet

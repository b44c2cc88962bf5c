#include "base/children.h"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/read_whole_file.h"
#include "base/text.h"

namespace rocvet {
namespace {

std::mutex& guard() {
  static std::mutex mutex;
  return mutex;
}
std::set<pid_t>& known() {
  static std::set<pid_t> children;
  return children;
}

/// Children of any thread of this process.
std::vector<pid_t> children_now() {
  std::vector<pid_t> found;
  DIR* threads = opendir("/proc/self/task");
  if (threads == nullptr) return found;
  while (const dirent* entry = readdir(threads)) {
    if (!is_digit(entry->d_name[0])) continue;
    const auto list =
        read_whole_file("/proc/self/task/" + std::string(entry->d_name) + "/children", 1u << 20);
    if (!list) continue;
    for (const std::string_view word : words(std::string_view(*list))) {
      if (const auto pid = parse_number(trim(word))) found.push_back(static_cast<pid_t>(*pid));
    }
  }
  closedir(threads);
  return found;
}

/// Whether there was one.
bool end_strangers() {
  bool some = false;
  for (const pid_t child : children_now()) {
    if (known().contains(child)) continue;
    some = true;
    kill(child, SIGKILL);
    for (int i = 0; i < 100 && waitpid(child, nullptr, WNOHANG) == 0; ++i) usleep(1000);
  }
  return some;
}

}  // namespace

pid_t start_child(const std::function<pid_t()>& start) {
  const std::lock_guard lock(guard());
  static const bool adopts = [] {
    // Those of the shell that became this process by exec: `exec rocvet check --log <(…)`.
    for (const pid_t child : children_now()) known().insert(child);
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
  }();
  static_cast<void>(adopts);
  const pid_t child = start();
  if (child > 0) known().insert(child);
  return child;
}

void child_ended(pid_t child) {
  const std::lock_guard lock(guard());
  known().erase(child);
  // What one leaves behind may have children of its own, which are ours once it is gone.
  for (int round = 0; round < 16 && end_strangers(); ++round) continue;
}

}  // namespace rocvet

// A framework in a Python of the user's: imported, and a few small sums on each GPU.
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/text.h"
#include "machine/read_settings.h"
#include "selftests/deep/framework_scripts.h"
#include "selftests/deep/probes.h"
#include "selftests/deep/tell.h"

namespace rocvet::deep {

void probe_framework(const FrameworkScript& framework, const std::string& python,
                     const std::vector<std::string>& folders) {
  std::string program = python, isolated = "-I", clean = "-B", command = "-c",
              script = program_of(framework);
  std::vector<char*> arguments = {program.data(), isolated.data(), clean.data(), command.data(),
                                  script.data()};
  std::vector<std::string> rest = folders;
  for (std::string& folder : rest) arguments.push_back(folder.data());
  arguments.push_back(nullptr);
  tell_calling(python);
  fcntl(3, F_SETFD, 0);  // it goes on telling there
  execv(program.c_str(), arguments.data());
  tell_failure(DeepProbe::Outcome::unloadable,
               python + " does not start: " + std::string(std::strerror(errno)));
}

namespace {

/// Of the environment only what is about GPUs and libraries: root's tokens are not the user's.
void forget_environment() {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (is_gpu_variable(text.substr(0, text.find('=')))) kept.emplace_back(text);
  }
  clearenv();
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  setenv("LANG", "C.UTF-8", 1);
  for (const std::string& text : kept) {
    const std::size_t equals = text.find('=');
    setenv(text.substr(0, equals).c_str(), text.substr(equals + 1).c_str(), 1);
  }
}

/// What a user's own Python does is done with that user's rights, and his groups: it sees the GPU
/// as he does.
bool become(uid_t uid) {
  if (geteuid() == 0) forget_environment();
  if (uid == geteuid()) return true;
  const passwd* entry = getpwuid(uid);
  const gid_t group = entry != nullptr ? entry->pw_gid : static_cast<gid_t>(uid);
  if (entry != nullptr) {
    if (initgroups(entry->pw_name, group) != 0) return false;
    setenv("HOME", entry->pw_dir, 1);
    for (const char* name : {"USER", "LOGNAME"}) setenv(name, entry->pw_name, 1);
  } else if (setgroups(0, nullptr) != 0) {
    return false;
  }
  if (setresgid(group, group, group) != 0 || setresuid(uid, uid, uid) != 0) return false;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // another user's rights have undone that
  return true;
}

/// False, and told, when what belongs to this user cannot be run.
bool become_owner(std::string_view uid) {
  const auto owner = parse_number(uid);
  const bool root_may = geteuid() == 0 && access("/dev/kfd", R_OK | W_OK) == 0;
  if (!owner || !become(static_cast<uid_t>(*owner))) {
    tell_failure(DeepProbe::Outcome::absent,
                 "is not run as root, and its owner's rights could not be taken on");
    return false;
  }
  // In a container root may be the only one who sees the GPU.
  if (root_may && geteuid() != 0 && access("/dev/kfd", R_OK | W_OK) != 0) {
    tell_failure(DeepProbe::Outcome::withheld,
                 "belongs to user " + std::string(uid) +
                     ", who may not open /dev/kfd, and root runs nothing of others; run rocvet "
                     "check --deep as the one who uses it, or give the environment to root");
    return false;
  }
  return true;
}

/// Starts this program anew with these folders first in the loader's search, as the application
/// starts its own runner: the loader reads the variable only then. Comes back when it is so.
void search_first(const std::vector<std::string>& folders, std::string job) {
  if (folders.empty()) return;
  constexpr const char* kPath = "LD_LIBRARY_PATH";
  const char* variable = getenv(kPath);
  const std::string before = variable != nullptr ? variable : "", first = join(folders, ":");
  if (before == first || before.starts_with(first + ":")) return;
  setenv(kPath, (before.empty() ? first : first + ":" + before).c_str(), 1);
  std::string program = "rocvet", verb = "__worker", parent = std::to_string(getppid());
  char* arguments[] = {program.data(), verb.data(), job.data(), parent.data(), nullptr};
  fcntl(3, F_SETFD, 0);
  execv("/proc/self/exe", arguments);
  fcntl(3, F_SETFD, FD_CLOEXEC);  // who may not start this program loads it as it is
}

}  // namespace

bool run_job(const std::string& job) {
  const auto lines = split(job, '\n');
  if (lines.size() < 2 || lines[0] != "deep") return false;
  // libhsakmt says on stderr why it gives up; a level that the user chose stays.
  setenv("HSAKMT_DEBUG_LEVEL", "4", 0);
  const FrameworkScript* const framework = find_framework_script(lines[1]);
  if (framework != nullptr && lines.size() >= 4) {
    if (become_owner(lines[2]))
      probe_framework(*framework, std::string(lines[3]), {lines.begin() + 4, lines.end()});
  } else if (lines[1] == kGgml && lines.size() >= 4) {
    if (!become_owner(lines[2])) return true;
    search_first({lines.begin() + 4, lines.end()}, job);
    probe_ggml(std::string(lines[3]));
  } else if (lines[1] == "hip") {
    probe_hip();
  } else if (lines[1] == "hsa") {
    probe_hsa();
  } else if (lines[1] == "rocm-smi") {
    probe_rocm_smi();
  } else if (lines[1] == "amd-smi") {
    probe_amd_smi();
  } else {
    return false;
  }
  return true;
}

}  // namespace rocvet::deep

// `import torch` in a Python of the user's, and one matrix product on each GPU.
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
#include "selftests/deep/probes.h"
#include "selftests/deep/tell.h"

namespace rocvet::deep {
namespace {

// The product is of small whole numbers, exact in every precision that a library may choose, and
// compared with what Python itself computes.
constexpr const char* kScript = R"python(
import json, os, sys
def tell(**event):
    os.write(3, (json.dumps(event) + "\n").encode())
def fail(call, problem):
    why = (str(problem).strip().splitlines() or [""])[0]
    tell(failed=dict(outcome="refused", call=call, name=type(problem).__name__, why=why[:1000]))
    os._exit(0)
import site
for folder in sys.argv[1:]:
    site.addsitedir(folder)
def main():
    step = "import torch"
    try:
        tell(calling=step)
        import torch
        tell(library=str(torch.__file__), version=str(torch.__version__))
        version = torch.version
        tell(fact=dict(hip=str(getattr(version, "hip", None) or ""), cuda=str(getattr(version, "cuda", None) or "")))
        step = "torch.cuda.is_available()"
        tell(calling=step)
        tell(fact=dict(available="true" if torch.cuda.is_available() else "false"))
        step = "torch.cuda.device_count()"
        tell(calling=step)
        count = torch.cuda.device_count()
        if count > 0:
            step = "torch.cuda.get_arch_list()"
            tell(calling=step)
            tell(fact=dict(arch_list=" ".join(torch.cuda.get_arch_list())))
        n = 32
        a = [[(i + 2 * k) % 5 for k in range(n)] for i in range(n)]
        b = [[(3 * k + j) % 7 for j in range(n)] for k in range(n)]
        right = [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
        for i in range(count):
            step = "torch.cuda.get_device_properties(%d)" % i
            tell(calling=step)
            it = torch.cuda.get_device_properties(i)
            device = dict(index=i, name=str(it.name), memory_bytes=int(it.total_memory))
            if getattr(it, "gcnArchName", None):
                device["gfx"] = str(it.gcnArchName)
            if hasattr(it, "pci_bus_id"):
                device["bdf"] = "%04x:%02x:%02x.0" % (getattr(it, "pci_domain_id", 0), it.pci_bus_id, getattr(it, "pci_device_id", 0))
            step = "a matrix product on cuda:%d" % i
            tell(calling=step)
            place = "cuda:%d" % i
            c = torch.tensor(a, dtype=torch.float32, device=place) @ torch.tensor(b, dtype=torch.float32, device=place)
            device["product_right"] = [[int(x) for x in row] for row in c.cpu().tolist()] == right
            tell(device=device)
    except BaseException as problem:
        fail(step, problem)
    tell(done=True)
    os._exit(0)
main()
)python";

}  // namespace

void probe_torch(const std::string& python, const std::vector<std::string>& folders) {
  std::string program = python, isolated = "-I", clean = "-B", command = "-c", script = kScript;
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

}  // namespace

bool run_job(const std::string& job) {
  const auto lines = split(job, '\n');
  if (lines.size() < 2 || lines[0] != "deep") return false;
  // libhsakmt says on stderr why it gives up; a level that the user chose stays.
  setenv("HSAKMT_DEBUG_LEVEL", "4", 0);
  if (lines[1] == "torch" && lines.size() >= 4) {
    const auto owner = parse_number(lines[2]);
    const bool root_may = geteuid() == 0 && access("/dev/kfd", R_OK | W_OK) == 0;
    if (!owner || !become(static_cast<uid_t>(*owner))) {
      tell_failure(DeepProbe::Outcome::absent,
                   "is not run as root, and its owner's rights could not be taken on");
      return true;
    }
    // In a container root may be the only one who sees the GPU.
    if (root_may && geteuid() != 0 && access("/dev/kfd", R_OK | W_OK) != 0) {
      tell_failure(DeepProbe::Outcome::withheld,
                   "belongs to user " + std::string(lines[2]) +
                       ", who may not open /dev/kfd, and root runs nothing of others; run rocvet "
                       "check --deep as the one who uses it, or give the environment to root");
      return true;
    }
    probe_torch(std::string(lines[3]), {lines.begin() + 4, lines.end()});
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

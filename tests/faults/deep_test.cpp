// --deep against libraries and a torch that fail in every way: each gives its own answer within the
// deadline, and nothing of it reaches the parent.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "selftests/deep/python_places.h"
#include "selftests/deep/run_deep.h"

namespace rocvet {
namespace {

using Outcome = DeepProbe::Outcome;

/// A folder with the fakes under the names that the loader is asked for.
class Fakes {
 public:
  explicit Fakes(const std::vector<std::string>& names = {
                     "libamdhip64.so.7", "libhsa-runtime64.so.1", "librocm_smi64.so.7",
                     "libamd_smi.so.26"}) {
    char pattern[] = "/tmp/rocvet-deep-XXXXXX";
    folder_ = mkdtemp(pattern);
    for (const std::string& name : names)
      std::filesystem::copy_file(ROCVET_FAKE_LIBRARY, folder_ + "/" + name);
  }
  ~Fakes() { std::filesystem::remove_all(folder_); }
  const std::string& folder() const { return folder_; }

  Deep ask(const std::string& how, std::vector<std::string> only, double deadline_s = 20,
           const Machine& machine = {}) const {
    setenv("ROCVET_FAKE_LIBRARIES", how.c_str(), 1);
    setenv("LD_LIBRARY_PATH", folder_.c_str(), 1);
    return run_deep(
        machine,
        {.deadline_s = deadline_s, .worker_program = ROCVET_PROGRAM, .only = std::move(only)});
  }
  DeepProbe one(const std::string& how, const std::string& id, double deadline_s = 20) const {
    Deep deep = ask(how, {id}, deadline_s);
    REQUIRE(deep.probes.size() == 1);
    return deep.probes.front();
  }

 private:
  std::string folder_;
};

struct Library {
  const char *id, *first_call, *later_call;
};
constexpr Library kLibraries[] = {
    {"hip", "hipInit", "hipDeviceGetPCIBusId"},
    {"hsa", "hsa_init", "hsa_iterate_agents"},
    {"rocm-smi", "rsmi_init", "rsmi_dev_pci_id_get"},
    {"amd-smi", "amdsmi_init", "amdsmi_get_gpu_device_bdf"},
};

TEST_CASE("deep: healthy libraries tell the same two GPUs by address") {
  const Deep deep = Fakes().ask("", {"hip", "hsa", "rocm-smi", "amd-smi"});
  REQUIRE(deep.probes.size() == 4);
  for (const DeepProbe& probe : deep.probes) {
    CAPTURE(probe.id);
    CAPTURE(probe.why);
    CHECK(probe.outcome == Outcome::works);
    REQUIRE(probe.devices.size() == 2);
    CHECK(probe.devices[0].bdf == "0000:c1:00.0");
    CHECK(probe.devices[1].bdf == "0000:c2:00.0");
  }
  CHECK(deep.probes[0].version == "7.2.53211");
  CHECK(deep.probes[0].devices[0].gfx == "gfx1100");
  CHECK(deep.probes[0].devices[0].uuid == "GPU-0123456789abcdef");
  CHECK(deep.probes[1].version == "1.18.0-fake");
  CHECK(deep.probes[1].devices[1].kfd_node == 2);
}

TEST_CASE("deep: a crash names the call and the signal, early or late") {
  const Fakes fakes;
  for (const Library& library : kLibraries) {
    for (const char* call : {library.first_call, library.later_call}) {
      CAPTURE(call);
      const DeepProbe crashed = fakes.one(call + std::string("=crash"), library.id);
      CHECK(crashed.outcome == Outcome::crashed);
      CHECK(crashed.signal == 11);
      CHECK(crashed.call == call);
      CHECK(crashed.why.find("SIGSEGV") != std::string::npos);
      const DeepProbe aborted = fakes.one(call + std::string("=abort"), library.id);
      CHECK(aborted.outcome == Outcome::crashed);
      CHECK(aborted.signal == 6);
      CHECK(aborted.words.find("Assertion `healthy' failed") != std::string::npos);
      const DeepProbe left = fakes.one(call + std::string("=exit"), library.id);
      CHECK(left.outcome == Outcome::crashed);
      CHECK(left.exit == 7);
    }
  }
}

TEST_CASE("deep: a hang ends at the deadline, whatever signals it ignores") {
  const Fakes fakes;
  for (const Library& library : kLibraries) {
    for (const char* how : {"=hang", "=stubborn"}) {
      CAPTURE(library.id);
      const auto start = std::chrono::steady_clock::now();
      const DeepProbe probe = fakes.one(library.first_call + std::string(how), library.id, 1);
      CHECK(probe.outcome == Outcome::hung);
      CHECK(probe.call == library.first_call);
      CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(8));
    }
  }
}

TEST_CASE("deep: a status is told with its number and name") {
  const Fakes fakes;
  DeepProbe probe = fakes.one("hipInit=999", "hip");
  CHECK(probe.outcome == Outcome::refused);
  CHECK(probe.status == 999);
  CHECK(probe.status_name == "hipErrorUnknown");
  probe = fakes.one("hipInit=100", "hip");
  CHECK(probe.outcome == Outcome::no_device);
  CHECK(probe.status_name == "hipErrorNoDevice");
  probe = fakes.one("hipInit=101,hipGetDeviceCount=100", "hip");
  CHECK(probe.outcome == Outcome::no_device);
  probe = fakes.one("hsa_init=4104", "hsa");
  CHECK(probe.outcome == Outcome::refused);
  CHECK(probe.call == "hsa_init");
  CHECK(probe.status_name == "HSA_STATUS_ERROR_OUT_OF_RESOURCES");
  probe = fakes.one("rsmi_init=8", "rocm-smi");
  CHECK(probe.status == 8);
  CHECK(probe.status_name == "RSMI_STATUS_INIT_ERROR");
  CHECK(probe.why == "An error occurred during initialization");
  probe = fakes.one("amdsmi_init=30", "amd-smi");
  CHECK(probe.status == 30);
  CHECK(probe.status_name == "AMDSMI_STATUS_INIT_ERROR");
}

TEST_CASE("deep: no device, too many devices and garbage are told apart") {
  const Fakes fakes;
  for (const Library& library : kLibraries) {
    CAPTURE(library.id);
    CHECK(fakes.one("devices=0", library.id).outcome == Outcome::no_device);
    CHECK(fakes.one(library.first_call + std::string("=pipe"), library.id).outcome ==
          Outcome::garbage);
  }
  // JSON so deep that building, writing or destroying it would end the parent.
  for (const Library& library : kLibraries) {
    for (const char* how : {"=nested", "=nested-whole"}) {
      CAPTURE(library.id);
      const DeepProbe probe = fakes.one(library.first_call + std::string(how), library.id);
      CHECK(probe.outcome == Outcome::garbage);
      CHECK(probe.why ==
            "what came back from " + std::string(library.first_call) + " makes no sense");
    }
  }
  CHECK(fakes.one("devices=99999", "hip").outcome == Outcome::garbage);
  CHECK(fakes.one("devices=4000000000", "rocm-smi").outcome == Outcome::garbage);
  CHECK(fakes.one("devices=99999", "amd-smi").outcome == Outcome::garbage);
  CHECK(fakes.one("gfx=none", "hip").outcome == Outcome::garbage);
}

TEST_CASE("deep: absent, unloadable and incomplete libraries are told apart") {
  const Fakes none(std::vector<std::string>{});
  CHECK(none.one("", "amd-smi").outcome == Outcome::absent);
  std::ofstream(none.folder() + "/libamd_smi.so.26") << "no ELF file at all";
  const DeepProbe broken = none.one("", "amd-smi");
  CHECK(broken.outcome == Outcome::unloadable);
  CHECK(broken.why.find("libamd_smi.so.26") != std::string::npos);
  std::filesystem::create_symlink(ROCVET_EMPTY_LIBRARY, none.folder() + "/librocm_smi64.so.7");
  const DeepProbe empty = none.one("", "rocm-smi");
  CHECK(empty.outcome == Outcome::incomplete);
  CHECK(empty.why.find("has no rsmi_init") != std::string::npos);
}

/// One whose Python has `framework` in `site`, below the folder that is its root.
Machine machine_with(const char* framework, const std::string& root, const std::string& site) {
  Machine machine;
  PythonEnvironment& environment = machine.software.python.emplace_back();
  environment.root = root;
  environment.kind = "folder";
  environment.site_packages = {site};
  environment.frameworks.emplace_back().name = framework;
  return machine;
}

/// A torch of Python alone; `body` goes where it starts, `product` is what @ gives.
DeepProbe torch(const std::string& body, const std::string& product = "right",
                double deadline_s = 20) {
  const Fakes fakes(std::vector<std::string>{});
  std::filesystem::create_directories(fakes.folder() + "/torch");
  std::ofstream(fakes.folder() + "/torch/__init__.py") << R"(
import os, signal, sys, time
__version__ = "2.6.0+rocm6.2"
class version:
    hip, cuda = "6.2.41133", None
)" << body << R"(
class Tensor:
    def __init__(self, rows): self.rows = rows
    def __matmul__(self, other):
        n = len(self.rows)
        return Tensor([[sum(self.rows[i][k] * other.rows[k][j] for k in range(n)) for j in range(n)] for i in range(n)])
    def cpu(self): return self
    def tolist(self):
        if ")" << product << R"(" == "wrong": self.rows[3][4] += 1
        return self.rows
float32 = "float32"
def tensor(rows, dtype=None, device=None): return Tensor([list(row) for row in rows])
class Properties: name, total_memory, gcnArchName = "Fake GPU", 1 << 34, "gfx1100"
class cuda:
    is_available = staticmethod(lambda: True)
    device_count = staticmethod(lambda: 1)
    get_arch_list = staticmethod(lambda: ["gfx1100", "gfx942"])
    get_device_properties = staticmethod(lambda i: Properties)
)";
  const Machine machine = machine_with("torch", fakes.folder(), fakes.folder());
  Deep deep = fakes.ask("", {"torch"}, deadline_s, machine);
  REQUIRE(deep.probes.size() == 1);
  CHECK(deep.probes[0].subject == fakes.folder());
  return deep.probes[0];
}

TEST_CASE("deep: torch is imported in its own Python and multiplies" *
          doctest::skip(access("/usr/bin/python3", X_OK) != 0)) {
  DeepProbe probe = torch("");
  CAPTURE(probe.why);
  CAPTURE(probe.words);
  CHECK(probe.outcome == Outcome::works);
  CHECK(probe.version == "2.6.0+rocm6.2");
  CHECK(probe.facts["hip"] == "6.2.41133");
  CHECK(probe.facts["arch_list"] == "gfx1100 gfx942");
  REQUIRE(probe.devices.size() == 1);
  CHECK(probe.devices[0].product_right == true);
  CHECK(probe.devices[0].gfx == "gfx1100");

  CHECK(torch("", "wrong").outcome == Outcome::wrong);

  probe = torch("raise ImportError('libamdhip64.so.6: cannot open shared object file')");
  CHECK(probe.outcome == Outcome::refused);
  CHECK(probe.call == "import torch");
  CHECK(probe.status_name == "ImportError");
  CHECK(probe.why == "libamdhip64.so.6: cannot open shared object file");

  probe = torch("os.kill(os.getpid(), signal.SIGSEGV)");
  CHECK(probe.outcome == Outcome::crashed);
  CHECK(probe.signal == 11);
  CHECK(probe.call == "import torch");

  probe = torch("sys.exit(9)");
  CHECK(probe.outcome == Outcome::refused);
  CHECK(probe.status_name == "SystemExit");

  probe = torch("os._exit(9)");
  CHECK(probe.outcome == Outcome::crashed);
  CHECK(probe.exit == 9);

  probe = torch("time.sleep(1000)", "right", 0.7);
  CHECK(probe.outcome == Outcome::hung);
}

TEST_CASE("deep: jax is asked only where it is named, and multiplies" *
          doctest::skip(access("/usr/bin/python3", X_OK) != 0)) {
  const auto jax = [](const char* platform, const char* more) {
    const Fakes fakes(std::vector<std::string>{});
    std::filesystem::create_directories(fakes.folder() + "/jax/numpy");
    std::ofstream(fakes.folder() + "/jax/__init__.py") << R"(
__version__ = "0.5.0"
class Device:
    platform, device_kind = ")" << platform << R"(", "Fake GPU"
def devices(): return [Device()]
def default_backend(): return Device.platform
def device_put(m, it): return m
)";
    std::ofstream(fakes.folder() + "/jax/numpy/__init__.py") << R"(
class Matrix:
    def __init__(self, rows): self.rows = rows
    def tolist(self): return self.rows
def array(rows, dtype=None): return Matrix(rows)
def matmul(x, y):
    n = range(len(x.rows))
    return Matrix([[sum(x.rows[i][k] * y.rows[k][j] for k in n))"
                                                             << more << R"( for j in n] for i in n])
)";
    const Machine machine = machine_with("jax", fakes.folder(), fakes.folder());
    CHECK(fakes.ask("", {"torch"}, 20, machine).probes.empty());
    Deep deep = fakes.ask("", {"torch", "jax"}, 20, machine);
    REQUIRE(deep.probes.size() == 1);
    return deep.probes[0];
  };
  const DeepProbe works = jax("gpu", "");
  CAPTURE(works.why);
  CAPTURE(works.words);
  CHECK(works.outcome == Outcome::works);
  CHECK(works.id == "jax");
  CHECK(works.version == "0.5.0");
  CHECK(jax("gpu", " + 1").outcome == Outcome::wrong);
  CHECK(jax("cpu", "").outcome == Outcome::no_device);
}

/// What llama.cpp's back end, as an application brings it, comes to when told so.
DeepProbe ggml(const char* how,
               const std::vector<std::string>& files = {"libggml-base.so", "libggml-hip.so"}) {
  const Fakes fakes(std::vector<std::string>{});
  for (const std::string& file : files)
    std::filesystem::copy_file(ROCVET_FAKE_GGML, fakes.folder() + "/" + file);
  setenv("HIP_FAKE_GGML", how, 1);
  Machine machine;
  Application& application = machine.software.applications.emplace_back();
  application.name = "ollama";
  application.path = "/usr/bin/ollama";
  application.bundle = fakes.folder() + "/rocm";  // searched first: the program starts itself anew
  std::filesystem::create_directory(application.bundle);
  application.libraries.push_back(
      {fakes.folder() + "/libggml-hip.so", fakes.folder() + "/libggml-hip.so", {}});
  CHECK(fakes.ask("", {"torch"}, 20, machine).probes.empty());
  Deep deep = fakes.ask("", {"ggml"}, 20, machine);
  unsetenv("HIP_FAKE_GGML");
  REQUIRE(deep.probes.size() == 1);
  CHECK(deep.probes[0].id == "ollama");
  CHECK(deep.probes[0].subject == "/usr/bin/ollama");
  return deep.probes[0];
}

TEST_CASE("deep: llama.cpp's HIP back end computes, or is named with what fails") {
  const DeepProbe works = ggml("");
  CAPTURE(works.why);
  CAPTURE(works.words);
  CHECK(works.outcome == Outcome::works);
  CHECK(works.version == "0.9.9-fake");
  REQUIRE(works.devices.size() == 1);
  CHECK(works.devices[0].name == "Fake GPU");
  CHECK(works.devices[0].memory_bytes == std::uint64_t{1} << 34);

  const DeepProbe wrong = ggml("wrong");
  CHECK(wrong.outcome == Outcome::wrong);
  CHECK(wrong.call == "ggml_mul_mat in single precision, 32 columns, on ROCm0");
  const DeepProbe refused = ggml("refuse");
  CHECK(refused.outcome == Outcome::refused);
  CHECK(refused.status == -1);
  const DeepProbe crashed = ggml("crash");
  CHECK(crashed.outcome == Outcome::crashed);
  CHECK(crashed.call == "ggml_mul_mat in single precision, 1 column, on ROCm0");
  CHECK(ggml("no-device").outcome == Outcome::no_device);
  CHECK(ggml("", {"libggml-hip.so"}).outcome == Outcome::unloadable);
}

TEST_CASE("deep: Triton compiles and runs a kernel, vLLM says what platform it takes" *
          doctest::skip(access("/usr/bin/python3", X_OK) != 0)) {
  const auto ask = [](const char* id,
                      const std::vector<std::pair<std::string, std::string>>& files) {
    const Fakes fakes(std::vector<std::string>{});
    for (const auto& [name, text] : files) {
      const std::string path = fakes.folder() + "/" + name;
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
      std::ofstream(path) << text;
    }
    const Machine machine = machine_with(id, fakes.folder(), fakes.folder());
    Deep deep = fakes.ask("", {id}, 20, machine);
    REQUIRE(deep.probes.size() == 1);
    return deep.probes[0];
  };
  // A kernel that was written down is found again by its source, and called with a grid.
  const std::string triton = R"(
import inspect
__version__ = "3.5.0"
class Kernel:
    def __init__(self, function): self.source = inspect.getsource(function)
    def __getitem__(self, grid):
        def launch(x, y, to, count, BLOCK):
            assert "tl.load(x + at, mask=inside) * 3" in self.source and grid == (4,)
            for i in range(count): to.values[i] = x.values[i] * FACTOR + y.values[i]
        return launch
def jit(function): return Kernel(function)
)",
                    language = "class constexpr: pass\n", torch = R"(
class version: hip, cuda = "6.4", None
int32 = "int32"
class Tensor:
    def __init__(self, values): self.values = values
    def __add__(self, n): return Tensor([v + n for v in self.values])
    def cpu(self): return self
    def tolist(self): return self.values
def arange(n, dtype, device): return Tensor(list(range(n)))
def zeros(n, dtype, device): return Tensor([0] * n)
class Properties: name, gcnArchName = "Fake GPU", "gfx1100"
class cuda:
    device_count = staticmethod(lambda: 1)
    set_device = staticmethod(lambda i: None)
    get_device_properties = staticmethod(lambda i: Properties)
)";
  const auto with_factor = [&](const char* factor) {
    return ask("triton", {{"triton/__init__.py", triton + "FACTOR = " + factor + "\n"},
                          {"triton/language.py", language},
                          {"torch/__init__.py", torch}});
  };
  const DeepProbe works = with_factor("3");
  CAPTURE(works.why);
  CAPTURE(works.words);
  CHECK(works.outcome == Outcome::works);
  CHECK(works.version == "3.5.0");
  CHECK(with_factor("4").outcome == Outcome::wrong);

  const auto vllm = [&](const char* rocm, bool extensions) {
    std::vector<std::pair<std::string, std::string>> files = {
        {"vllm/__init__.py", "__version__ = '0.11.0'\n"},
        {"vllm/platforms/__init__.py",
         std::string("class current_platform:\n") + "    is_rocm = staticmethod(lambda: " + rocm +
             ")\n" + "    get_device_name = staticmethod(lambda i: 'Fake')\n"}};
    if (extensions) {
      files.emplace_back("vllm/_C.py", "");
      files.emplace_back("vllm/_rocm_C.py", "");
    }
    return ask("vllm", files);
  };
  CHECK(vllm("True", true).outcome == Outcome::works);
  CHECK(vllm("False", true).outcome == Outcome::no_device);
  const DeepProbe lacks = vllm("True", false);
  CHECK(lacks.outcome == Outcome::refused);
  CHECK(lacks.call == "import vllm._C");
}

/// torch.py of one who is not root, below a folder of packages that is root's.
DeepProbe torch_of_another(const std::string& code, const std::string& folder_name = "site") {
  const Fakes fakes(std::vector<std::string>{});
  const std::string site = fakes.folder() + "/" + folder_name;
  REQUIRE(chmod(fakes.folder().c_str(), 0755) == 0);
  REQUIRE(mkdir(site.c_str(), 0755) == 0);
  std::ofstream(site + "/torch.py") << "import os\n" << code << "\n";
  REQUIRE(chown((site + "/torch.py").c_str(), 65534, 65534) == 0);
  const Machine machine = machine_with("torch", fakes.folder(), site);
  Deep deep = fakes.ask("", {"torch"}, 20, machine);
  REQUIRE(deep.probes.size() == 1);
  return deep.probes[0];
}

TEST_CASE("deep: root runs nobody else's code as root" *
          doctest::skip(geteuid() != 0 || access("/usr/bin/python3", X_OK) != 0)) {
  setenv("VAULT_TOKEN", "s.secret", 1);
  setenv("HSA_ENABLE_SDMA", "0", 1);
  const DeepProbe probe = torch_of_another(
      "raise ImportError('uid %d, token %s, sdma %s, terminal %s' % (os.geteuid(), "
      "os.environ.get('VAULT_TOKEN'), os.environ.get('HSA_ENABLE_SDMA'), "
      "os.getsid(0) != os.getsid(os.getppid())))");
  unsetenv("VAULT_TOKEN");
  unsetenv("HSA_ENABLE_SDMA");
  CHECK(probe.why == "uid 65534, token None, sdma 0, terminal True");
  // A job is lines: what was looked at would not be what is run.
  CHECK(torch_of_another("", "site\nother").outcome == Outcome::withheld);
}

TEST_CASE("deep: root loads no library that another could have changed" *
          doctest::skip(geteuid() != 0)) {
  const Fakes fakes;
  REQUIRE(chmod(fakes.folder().c_str(), 0755) == 0);
  REQUIRE(chown(fakes.folder().c_str(), 65534, 65534) == 0);
  const DeepProbe probe = fakes.one("", "hip");
  CHECK(probe.outcome == Outcome::withheld);
  CHECK(probe.why.find("libamdhip64.so.7 is not loaded as root: user ") != std::string::npos);
  CHECK(probe.why.find(" could have changed it") != std::string::npos);
}

TEST_CASE(
    "deep: root's loader is led nowhere by entries that no plain folder of root's stands for" *
    doctest::skip(geteuid() != 0)) {
  const Fakes fakes;
  const std::string here = std::filesystem::current_path();
  for (const char* below : {"/here", "/lib/x86_64-linux-gnu", "/caps/glibc-hwcaps/x86-64-v2"}) {
    std::filesystem::create_directories(fakes.folder() + below);
    std::filesystem::copy_file(ROCVET_FAKE_LIBRARY, fakes.folder() + below + "/libamdhip64.so.7");
    REQUIRE(chown((fakes.folder() + below).c_str(), 65534, 65534) == 0);
  }
  REQUIRE(chmod(fakes.folder().c_str(), 0755) == 0);
  std::filesystem::current_path(fakes.folder() + "/here");
  for (const std::string& path :
       {std::string("/nowhere:"), std::string(":/nowhere"), std::string("."),
        fakes.folder() + "/$LIB", fakes.folder() + "/caps"}) {
    CAPTURE(path);
    setenv("ROCVET_FAKE_LIBRARIES", "", 1);
    setenv("LD_LIBRARY_PATH", path.c_str(), 1);
    const Deep deep =
        run_deep({}, {.deadline_s = 20, .worker_program = ROCVET_PROGRAM, .only = {"hip"}});
    REQUIRE(deep.probes.size() == 1);
    CHECK(deep.probes[0].outcome != Outcome::works);
    CHECK(deep.probes[0].library.find(fakes.folder()) == std::string::npos);
  }
  std::filesystem::current_path(here);
}

TEST_CASE("deep: root asks where else a Python takes its code from" *
          doctest::skip(geteuid() != 0)) {
  const Fakes fakes(std::vector<std::string>{});
  const std::string at = fakes.folder(), site = at + "/venv/lib/python3.11/site-packages";
  REQUIRE(chmod(at.c_str(), 0755) == 0);
  for (const std::string& folder : {site, at + "/venv/bin", at + "/home/bin", at + "/tree"})
    std::filesystem::create_directories(folder);
  std::filesystem::copy_file("/bin/true", at + "/venv/bin/python3");
  PythonEnvironment environment;
  environment.root = at + "/venv";
  environment.site_packages = {site};
  const auto asked = [&] { return who_else_puts_into(environment, at + "/venv/bin/python3"); };
  CHECK_FALSE(asked().has_value());
  SUBCASE("the Python that a virtual environment was made from") {
    std::ofstream(at + "/venv/pyvenv.cfg") << "home = " << at << "/home/bin\nversion = 3.11\n";
    CHECK_FALSE(asked().has_value());
    REQUIRE(chown((at + "/home").c_str(), 1234, 1234) == 0);
    CHECK(asked()->uid == 1234);
  }
  SUBCASE("a source tree of pip install -e") {
    std::ofstream(site + "/x.pth") << "import os\n" << at << "/tree\n";
    CHECK_FALSE(asked().has_value());
    std::ofstream(at + "/tree/triton.py") << "";
    REQUIRE(chown((at + "/tree/triton.py").c_str(), 1234, 1234) == 0);
    CHECK(asked()->uid == 1234);
  }
  SUBCASE("the standard library") {
    std::ofstream(at + "/venv/lib/python3.11/json.py") << "";
    REQUIRE(chown((at + "/venv/lib/python3.11/json.py").c_str(), 1234, 1234) == 0);
    CHECK(asked()->uid == 1234);
  }
}

TEST_CASE("deep: a signal ends what libraries left running, in whatever session") {
  const Fakes fakes;
  setenv("ROCVET_FAKE_LIBRARIES", "hipInit=daemon", 1);
  setenv("LD_LIBRARY_PATH", fakes.folder().c_str(), 1);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGXCPU}) {
    CAPTURE(signal);
    const std::string mark = fakes.folder() + "/daemon";
    setenv("ROCVET_FAKE_MARK", mark.c_str(), 1);
    const pid_t rocvet = fork();
    if (rocvet == 0) {
      setpgid(0, 0);
      for (const int one : {SIGTERM, SIGINT, SIGUSR1, SIGXCPU}) std::signal(one, SIG_DFL);
      execl(ROCVET_PROGRAM, "rocvet", "check", "--deep", "--format=json",
            static_cast<char*>(nullptr));
      _exit(9);
    }
    pid_t daemon = 0;
    for (int i = 0; i < 1000 && daemon == 0; ++i) {
      usleep(10'000);
      std::ifstream(mark) >> daemon;
    }
    REQUIRE(daemon > 1);
    usleep(100'000);
    kill(rocvet, signal);
    int status = 0;
    waitpid(rocvet, &status, 0);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    const auto lives = [&] {
      std::string stat;
      std::getline(std::ifstream("/proc/" + std::to_string(daemon) + "/stat"), stat);
      return !stat.empty() && stat.find(") Z ") == stat.npos;
    };
    for (int i = 0; i < 100 && lives(); ++i) usleep(10'000);
    CHECK_FALSE(lives());
    std::filesystem::remove(mark);
  }
}

TEST_CASE("deep: what was found survives being written down") {
  Deep deep = Fakes().ask("hipInit=crash,rsmi_init=8", {"hip", "hsa", "rocm-smi"});
  const std::string text = write_deep(deep);
  const auto again = parse_deep(text);
  REQUIRE(again);
  CHECK(write_deep(*again) == text);
  REQUIRE(again->probes.size() == 3);
  CHECK(again->probes[0].signal == 11);
  CHECK(again->probes[1].devices.size() == 2);
  CHECK(again->probes[2].status == 8);
  for (const char* bad : {"", "{}", "[]", R"({"schema":"rocvet.deep/1"})",
                          R"({"schema":"rocvet.deep/1","probes":[{"id":"hip"}]})",
                          R"({"schema":"rocvet.deep/2","probes":[]})"}) {
    CAPTURE(bad);
    CHECK(parse_deep(bad).is(Error::Kind::malformed));
  }
}

}  // namespace
}  // namespace rocvet

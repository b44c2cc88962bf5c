// The software probe on trees of small but true files, read as on a live machine.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "machine/loader.h"
#include "machine/read_applications.h"
#include "machine/read_dead_paths.h"
#include "machine/read_extensions.h"
#include "machine/read_frameworks.h"
#include "machine/read_loader_cache.h"
#include "machine/read_named_programs.h"
#include "machine/read_package_files.h"
#include "machine/read_packages.h"
#include "machine/read_python.h"
#include "machine/read_repositories.h"
#include "machine/read_rocm.h"
#include "machine/read_software.h"
#include "tests/unit/machine/elf_writer.h"
#include "tests/unit/machine/fake_source.h"

namespace rocvet {
namespace {

/// A folder that stands for the root of a machine.
class Tree {
 public:
  Tree() {
    char name[] = "/tmp/rocvet-software-XXXXXX";
    root_ = mkdtemp(name);
  }
  ~Tree() { std::filesystem::remove_all(root_); }
  Tree& file(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path, std::ios::binary) << text;
    return *this;
  }
  Tree& elf(const std::string& path, const ElfSpec& spec) { return file(path, write_elf(spec)); }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

ElfSpec library(const std::string& soname, std::vector<std::string> needed = {},
                const std::string& runpath = "") {
  ElfSpec spec;
  spec.soname = soname;
  spec.needed = std::move(needed);
  spec.runpath = runpath;
  return spec;
}

ElfSpec device_code(const std::string& soname, const std::vector<std::string>& targets) {
  ElfSpec spec = library(soname, {"libamdhip64.so.6"}, "$ORIGIN");
  std::vector<std::string> ids{"host-x86_64-unknown-linux--"};
  for (const std::string& target : targets) ids.push_back("hipv4-amdgcn-amd-amdhsa--" + target);
  spec.fatbin = plain_bundle(ids);
  return spec;
}

const Framework* find(const PythonEnvironment& python, std::string_view name) {
  for (const Framework& one : python.frameworks) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

constexpr const char* kSite = "/venv/lib/python3.12/site-packages";

}  // namespace

TEST_CASE("twelve layouts of wheels, told apart without importing") {
  Tree tree;
  const std::string site = kSite;
  tree.file("/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n");
  const auto wheel = [&](const std::string& name, const std::string& version) {
    tree.file(site + "/" + name + "-" + version + ".dist-info/METADATA", "");
  };
  ElfSpec cuda = library("", {"libcudart.so.12"});
  cuda.cuda = true;
  struct Expected {
    std::string name, build, hip, cuda;
    std::vector<std::string> gfx;
  };
  std::vector<Expected> expected;
  SUBCASE("ROCm") {
    wheel("torch", "2.5.1+rocm6.2");
    tree.file(site + "/torch/version.py",
              "__version__ = '2.5.1+rocm6.2'\ncuda: Optional[str] = None\n"
              "hip: Optional[str] = '6.2.41133-dd7f95766'\n");
    tree.elf(site + "/torch/lib/libtorch_hip.so",
             device_code("libtorch_hip.so", {"gfx90a", "gfx1100"}));
    // A bundled rocBLAS has more targets; they are not PyTorch's.
    tree.elf(site + "/torch/lib/librocblas.so", device_code("librocblas.so.4", {"gfx1010"}));
    wheel("torchvision", "0.20.1+rocm6.2");
    tree.elf(site + "/torchvision/_C.so", device_code("", {"gfx90a"}));
    wheel("pytorch_triton_rocm", "3.1.0");
    wheel("jax_rocm60_plugin", "0.4.35");
    tree.elf(site + "/jax_rocm60_plugin/_solver.so", library("", {"libamdhip64.so.6"}));
    wheel("onnxruntime_rocm", "1.20.0");
    tree.elf(site + "/onnxruntime/capi/libonnxruntime_providers_rocm.so",
             device_code("libonnxruntime_providers_rocm.so", {"gfx942"}));
    wheel("tensorflow_rocm", "2.16.1");
    tree.file(site + "/tensorflow/python/platform/build_info.py",
              "build_info = collections.OrderedDict([('is_rocm_build', True), "
              "('is_cuda_build', False), ('rocm_version', '6.2.0')])\n");
    wheel("bitsandbytes", "0.44.1.dev0");
    tree.elf(site + "/bitsandbytes/libbitsandbytes_rocm62.so", device_code("", {"gfx1100"}));
    wheel("vllm", "0.6.3+rocm624");
    tree.elf(site + "/vllm/_C.abi3.so", device_code("", {"gfx942"}));
    wheel("flash_attn", "2.7.3");
    tree.elf(site + "/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so",
             device_code("", {"gfx90a"}));
    expected = {{"torch", "rocm", "6.2.41133-dd7f95766", "", {"gfx1100", "gfx90a"}},
                {"torchvision", "rocm", "6.2", "", {"gfx90a"}},
                {"pytorch-triton-rocm", "rocm", "", "", {}},
                {"jax-rocm60-plugin", "rocm", "6.0", "", {}},
                {"onnxruntime-rocm", "rocm", "6", "", {"gfx942"}},
                {"tensorflow-rocm", "rocm", "6.2.0", "", {}},
                {"bitsandbytes", "rocm", "6.2", "", {"gfx1100"}},
                {"vllm", "rocm", "6.2.4", "", {"gfx942"}},
                {"flash-attn", "rocm", "6", "", {"gfx90a"}}};
  }
  SUBCASE("ROCm 7: TheRock's, and packages beside PyTorch") {
    wheel("torch", "2.9.1+rocm7.10.0");  // brings no ROCm: rocm-sdk's packages do
    tree.file(site + "/torch/version.py",
              "__version__ = '2.9.1+rocm7.10.0'\ncuda: Optional[str] = None\n"
              "hip: Optional[str] = '7.10.25413'\nrocm: Optional[str] = '7.10.0'\n");
    tree.elf(site + "/torch/lib/libtorch_hip.so", device_code("libtorch_hip.so", {"gfx1151"}));
    wheel("torchaudio", "2.9.0+rocmsdk20250903");
    wheel("xformers", "0.0.32.post2");
    tree.elf(site + "/xformers/_C.so", device_code("", {"gfx90a", "gfx942"}));
    wheel("deepspeed", "0.16.4");
    wheel("sglang", "0.4.6");
    wheel("sgl_kernel", "0.1.0");
    tree.elf(site + "/sgl_kernel/common_ops.abi3.so", device_code("", {"gfx942"}));
    wheel("amd_aiter", "0.1.5");
    tree.elf(site + "/aiter/jit/module_aiter_core.so", device_code("", {"gfx942", "gfx950"}));
    wheel("jax_rocm7_pjrt", "0.6.0");
    tree.elf(site + "/jax_plugins/xla_rocm7/xla_rocm_plugin.so", library("", {"libamdhip64.so.7"}));
    wheel("onnxruntime_migraphx", "1.22.1");
    tree.elf(site + "/onnxruntime/capi/libonnxruntime_providers_migraphx.so",
             library("", {"libmigraphx_c.so.3", "libamdhip64.so.7"}));
    wheel("triton", "3.5.1");
    tree.file(site + "/triton/backends/amd/compiler.py", "");
    wheel("unsloth", "2026.3.4");
    wheel("flash_attn", "2.8.3");  // the Triton back end: no library at all
    expected = {{"torch", "rocm", "7.10.25413", "", {"gfx1151"}},
                {"torchaudio", "rocm", "", "", {}},
                {"xformers", "rocm", "6", "", {"gfx90a", "gfx942"}},
                {"deepspeed", "unknown", "", "", {}},
                {"sglang", "unknown", "", "", {}},
                {"sgl-kernel", "rocm", "6", "", {"gfx942"}},
                {"amd-aiter", "rocm", "6", "", {"gfx942", "gfx950"}},
                {"jax-rocm7-pjrt", "rocm", "7", "", {}},
                {"onnxruntime-migraphx", "rocm", "7", "", {}},
                {"triton", "rocm", "", "", {}},
                {"unsloth", "unknown", "", "", {}},
                {"flash-attn", "unknown", "", "", {}}};
  }
  SUBCASE("CUDA") {
    wheel("torch", "2.4.1");  // PyPI's has no suffix
    tree.file(site + "/torch/version.py",
              "__version__ = '2.4.1'\ncuda: Optional[str] = '12.1'\nhip: Optional[str] = None\n");
    tree.elf(site + "/torch/lib/libtorch_cuda.so", cuda);
    wheel("vllm", "0.6.3.post1");
    tree.elf(site + "/vllm/_C.abi3.so", cuda);
    wheel("xformers", "0.0.28+cu124");
    expected = {{"torch", "cuda", "", "12.1", {}},
                {"vllm", "cuda", "", "", {}},
                {"xformers", "cuda", "", "12.4", {}}};
  }
  SUBCASE("CPU, or nothing that says") {
    wheel("torch", "2.6.0+cpu");
    tree.file(site + "/torch/version.py", "cuda = None\nhip = None\n");
    wheel("transformers", "4.46.0");
    expected = {{"torch", "cpu", "", "", {}}, {"transformers", "unknown", "", "", {}}};
  }
  auto source = live_source(tree.root());
  Loader loader(*source, {});
  auto found = find_python(*source, {{"VIRTUAL_ENV", "/venv"}}, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "venv");
  CHECK(found[0].python_version == "3.12.3");
  CHECK(found[0].active);
  read_frameworks(*source, loader, found[0]);
  CHECK(found[0].frameworks.size() == expected.size());
  for (const Expected& one : expected) {
    CAPTURE(one.name);
    const Framework* framework = find(found[0], one.name);
    REQUIRE(framework != nullptr);
    CHECK(framework->build == one.build);
    CHECK(framework->hip_version.value_or("") == one.hip);
    CHECK(framework->cuda_version.value_or("") == one.cuda);
    CHECK(framework->gfx == one.gfx);
  }
}

TEST_CASE("compiled modules that ask for ROCm, and those that do not") {
  Tree tree;
  const std::string site = kSite;
  tree.file("/venv/pyvenv.cfg", "version = 3.12.3\n");
  tree.file(site + "/torch-2.5.1+rocm6.2.dist-info/METADATA", "");
  tree.elf(site + "/torch/lib/libtorch_hip.so", device_code("libtorch_hip.so", {"gfx1100"}));
  tree.elf(site + "/apex_C.cpython-312-x86_64-linux-gnu.so", library("", {"libc10_hip.so"}));
  tree.elf(site + "/cupy_backends/cuda/api/runtime.so", library("", {"libamdhip64.so.6"}));
  tree.elf(site + "/torch_scatter/_version_cpu.so", library("", {"libc10.so"}));
  tree.elf(site + "/mine/deeper/than/lib/four.so", library("", {"libamdhip64.so.6"}));
  tree.file(site + "/broken/_C.so", "not an ELF file");
  // What a wheel brings of ROCm is no module that asks for it.
  tree.elf(site + "/_rocm_sdk_core/lib/anything.so", library("", {"libamdhip64.so.7"}));
  tree.elf(site + "/other/lib/libhipblas.so", library("libhipblas.so.3", {"libamdhip64.so.7"}));
  auto source = live_source(tree.root());
  LoaderSettings settings;
  Loader loader(*source, settings);
  auto found = find_python(*source, {{"VIRTUAL_ENV", "/venv"}}, {});
  REQUIRE(found.size() == 1);
  SUBCASE("beside a framework") {
    read_frameworks(*source, loader, found[0]);
    read_extensions(*source, loader, found[0]);
    std::vector<std::string> paths;
    for (const Library& one : found[0].extensions) paths.push_back(one.path);
    CHECK(paths == std::vector<std::string>{site + "/apex_C.cpython-312-x86_64-linux-gnu.so",
                                            site + "/cupy_backends/cuda/api/runtime.so"});
  }
  SUBCASE("an environment without one has modules all the same (llama_cpp)") {
    read_extensions(*source, loader, found[0]);
    CHECK(found[0].extensions.size() == 2);
  }
}

TEST_CASE("libraries of the host that a container's image was given") {
  Tree tree;
  tree.elf("/.singularity.d/libs/libamdhip64.so.6", library("libamdhip64.so.6"));
  tree.elf("/.singularity.d/libs/libdrm.so.2", library("libdrm.so.2"));
  tree.file("/.singularity.d/libs/librocblas.so.4", "not an ELF file");
  auto source = live_source(tree.root());
  Loader loader(*source, {});
  const std::vector<Library> found = read_host_libraries(*source, loader);
  REQUIRE(found.size() == 2);
  CHECK(found[0].elf.soname == "libamdhip64.so.6");
  CHECK(found[1].path == "/.singularity.d/libs/librocblas.so.4");
  CHECK(found[1].elf.soname.empty());
}

TEST_CASE("two majors in one LD_LIBRARY_PATH: which copy wins, and where they meet") {
  Tree tree;
  tree.elf("/opt/a/lib/libamdhip64.so.6", library("libamdhip64.so.6", {"libhsa-runtime64.so.1"}));
  tree.elf("/opt/b/lib/libamdhip64.so.7", library("libamdhip64.so.7", {"libhsa-runtime64.so.1"}));
  tree.elf("/opt/b/lib/libhsa-runtime64.so.1", library("libhsa-runtime64.so.1"));
  tree.elf("/opt/a/lib/libhsa-runtime64.so.1", library("libhsa-runtime64.so.1"));
  tree.elf("/opt/a/lib/librocblas.so.4", library("librocblas.so.4", {"libamdhip64.so.6"}));
  tree.elf("/app/program", library("", {"libamdhip64.so.7", "librocblas.so.4", "libgone.so.1"}));
  auto source = live_source(tree.root());
  LoaderSettings settings;
  settings.library_path = {"/opt/b/lib", "/opt/a/lib"};
  settings.cache = LoaderCache{};
  Loader loader(*source, settings);
  const Replay replay = loader.replay("/app/program");
  REQUIRE(replay.not_found.size() == 1);
  CHECK(replay.not_found[0].first == "libgone.so.1");
  const ProcessLibraries process = summarize_replay(*source, "/app/program", replay);
  REQUIRE(process.clashes.size() == 1);
  CHECK(process.clashes[0].family == "amdhip64");
  CHECK(process.clashes[0].paths ==
        std::vector<std::string>{"/opt/b/lib/libamdhip64.so.7", "/opt/a/lib/libamdhip64.so.6"});
  const auto hsa =
      std::find_if(process.libraries.begin(), process.libraries.end(),
                   [](const LoadedLibrary& one) { return one.soname == "libhsa-runtime64.so.1"; });
  REQUIRE(hsa != process.libraries.end());
  CHECK(hsa->path == "/opt/b/lib/libhsa-runtime64.so.1");
  CHECK(hsa->via == "LD_LIBRARY_PATH");
}

TEST_CASE("the order of the search: RPATH, LD_LIBRARY_PATH, RUNPATH, cache") {
  Tree tree;
  for (const char* folder : {"/r", "/l", "/u", "/c"}) {
    tree.elf(std::string(folder) + "/libx.so.1", library("libx.so.1"));
  }
  ElfSpec program = library("", {"libx.so.1"});
  LoaderSettings settings;
  settings.cache = LoaderCache{{"libx.so.1", "/c/libx.so.1"}};
  std::string expected = "/c/libx.so.1";
  SUBCASE("cache last") {}
  SUBCASE("RUNPATH before it") {
    program.runpath = "/nowhere:/u";
    expected = "/u/libx.so.1";
  }
  SUBCASE("LD_LIBRARY_PATH before RUNPATH") {
    program.runpath = "/u";
    settings.library_path = {"", "/l"};
    expected = "/l/libx.so.1";
  }
  SUBCASE("RPATH before LD_LIBRARY_PATH") {
    program.rpath = "$ORIGIN/../r";
    settings.library_path = {"/l"};
    expected = "/r/libx.so.1";
  }
  SUBCASE("RPATH is ignored beside a RUNPATH") {
    program.rpath = "/r";
    program.runpath = "/u";
    expected = "/u/libx.so.1";
  }
  tree.elf("/bin/program", program);
  auto source = live_source(tree.root());
  const Replay replay = Loader(*source, settings).replay("/bin/program");
  REQUIRE(replay.objects.size() == 2);
  const auto path = source->resolve(replay.objects[1].path);
  CHECK(path.value_or("") == expected);
}

TEST_CASE("files that are loaded before a program, from the variable and from the file of all") {
  CHECK(split_preload("/a.so /b.so:/c.so") == std::vector<std::string>{"/a.so", "/b.so", "/c.so"});
  CHECK(split_preload("/a.so\n\n/b.so\t/c.so\n") ==
        std::vector<std::string>{"/a.so", "/b.so", "/c.so"});
  CHECK(split_preload("").empty());
}

TEST_CASE(
    "LD_PRELOAD comes before what a program needs, and a file that is not there is no matter") {
  Tree tree;
  tree.elf("/c/libx.so.1", library("libx.so.1")).elf("/fix/libx.so.1", library("libx.so.1"));
  tree.elf("/bin/program", library("", {"libx.so.1"}));
  LoaderSettings settings;
  settings.cache = LoaderCache{{"libx.so.1", "/c/libx.so.1"}};
  std::string expected = "/fix/libx.so.1", via = "LD_PRELOAD";
  SUBCASE("there") {
    settings.preload = {"/fix/libx.so.1"};
  }
  SUBCASE("not there") {
    settings.preload = {"/gone/libx.so.1"};
    expected = "/c/libx.so.1", via = "ld.so.cache";
  }
  auto source = live_source(tree.root());
  const Replay replay = Loader(*source, settings).replay("/bin/program");
  REQUIRE(replay.objects.size() == 2);
  CHECK(replay.objects[1].path == expected);
  CHECK(replay.objects[1].via == via);
}

TEST_CASE("programs that a log names") {
  const auto found = program_words(
      "me@host:~/llama.cpp$ sudo HIP_VISIBLE_DEVICES=0 ./build/bin/llama-cli -m /models/a.gguf\n"
      "# vecadd 512\n"
      "myapp: error while loading shared libraries: libx.so.1: cannot open shared object file\n"
      "  File \"/usr/lib/python3/x.py\", line 3\n"
      "costs 5$ and # of GPUs: `rm -rf $HOME`\n"
      "redis://me:x@store:6379/0 and https://me/x, server:/export is stale, see //share/x\n");
  CHECK(found == std::vector<std::string>{"./build/bin/llama-cli", "/models/a.gguf", "vecadd",
                                          "myapp", "/usr/lib/python3/x.py"});
  CHECK(program_words(std::string(1u << 20, '/')).empty());

  Tree tree;
  tree.elf("/home/me/bin/vecadd", library("", {"libamdhip64.so.6"})).file("/etc/passwd", "x");
  std::filesystem::permissions(tree.root() + "/home/me/bin/vecadd",
                               std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add);
  auto source = live_source(tree.root());
  const std::map<std::string, std::string> environment{{"HOME", "/home/me"},
                                                       {"PATH", "/bin:/home/me/bin"}};
  for (const char* log :
       {"$ vecadd 512", "~/bin/vecadd: symbol lookup error: x", "'/home/me/bin/vecadd'"})
    CHECK(read_named_programs(*source, log, environment) ==
          std::vector<std::string>{"/home/me/bin/vecadd"});
  CHECK(
      read_named_programs(*source, "$ /etc/passwd /bin/../../../etc/passwd /dev/zero", environment)
          .empty());
}

TEST_CASE("what was not captured is not missing") {
  FakeSource source;
  source.library("/bin/program", ElfSummary{.needed = {"libhsa-runtime64.so.1"}});
  source.unknown("/lib").unknown("/usr/lib");
  LoaderSettings settings;
  settings.default_folders = {"/lib", "/usr/lib"};
  SUBCASE("without a cache nothing can be said") {
    CHECK(Loader(source, settings).replay("/bin/program").not_found.empty());
  }
  SUBCASE("the cache names all of the default folders") {
    settings.cache = LoaderCache{};
    CHECK(Loader(source, settings).replay("/bin/program").not_found.size() == 1);
  }
}

TEST_CASE("packages of each manager") {
  const auto deb = parse_dpkg_status(
      "Package: amdgpu-dkms\nStatus: install ok half-configured\nVersion: 1:6.3.6-1\n\n"
      "Package: gone\nStatus: deinstall ok not-installed\n\n"
      "Package: hip\nStatus: install ok installed\nArchitecture: amd64\nVersion: 6.0\n");
  REQUIRE(deb.size() == 2);
  CHECK(deb[0].state == "half-configured");
  CHECK(deb[1].arch == "amd64");
  const auto rpm =
      parse_rpm_list("rocm-core6.2.4-6.2.4.60204-139.el9.x86_64\nbad\ngpg-pubkey-1-2\n");
  REQUIRE(rpm.size() == 2);
  CHECK(rpm[0].name == "rocm-core6.2.4");
  CHECK(rpm[0].version == "6.2.4.60204-139.el9");
  CHECK(rpm[0].arch == "x86_64");
  CHECK(parse_apk_installed("P:musl\nV:1.2\nA:x86_64\n\n").size() == 1);
}

TEST_CASE("AMD's repositories and pins") {
  const auto apt = parse_apt_list(
      "deb [arch=amd64 signed-by=/k] https://repo.radeon.com/amdgpu/6.2.2/ubuntu jammy main\n"
      "# deb https://repo.radeon.com/rocm/apt/6.2 noble main\n"
      "deb-src https://repo.radeon.com/rocm/apt/6.2 noble main\ndeb http://deb.debian.org/debian "
      "sid main\n",
      "/etc/apt/sources.list.d/a.list");
  REQUIRE(apt.size() == 2);
  CHECK(apt[0].product == "amdgpu");
  CHECK(apt[0].release == "6.2.2");
  CHECK(apt[0].codename == "jammy");
  CHECK(apt[0].enabled);
  CHECK_FALSE(apt[1].enabled);
  const auto dnf = parse_repo_file(
      "[ROCm-6.2]\nname=ROCm\nbaseurl=https://repo.radeon.com/rocm/rhel9/6.2/main\nenabled=1\n"
      "priority=50\n[other]\nbaseurl=https://example.org/\n",
      "/etc/yum.repos.d/rocm.repo");
  REQUIRE(dnf.size() == 1);
  CHECK(dnf[0].codename == "rhel9");
  CHECK(dnf[0].release == "6.2");
  CHECK(dnf[0].priority == 50);
  const auto good = parse_apt_preferences(
      "Package: *\nPin: release o=repo.radeon.com\nPin-Priority: 600\n", "/p/rocm-pin-600");
  REQUIRE(good.size() == 1);
  CHECK(good[0].well_formed);
  CHECK(good[0].priority == 600);
  const auto bad = parse_apt_preferences(
      "Package: *\\nPin: release o=repo.radeon.com\\nPin-Priority: 600\n", "/p/rocm-pin-600");
  REQUIRE(bad.size() == 1);
  CHECK_FALSE(bad[0].well_formed);
}

TEST_CASE("package sources as the systems write them") {
  // deb822, as Debian 13 and Ubuntu 24.04 write it; two suites, one switched off.
  const auto sources = parse_apt_sources(
      "# AMD\nTypes: deb\nURIs: https://repo.radeon.com/rocm/apt/7.0.2\nSuites: noble\n"
      "Components: main\nSigned-By: /etc/apt/keyrings/rocm.gpg\n\n"
      "Types: deb deb-src\nURIs: https://repo.radeon.com/graphics/7.0.2/ubuntu\nSuites: noble "
      "jammy\n"
      "Components: main\nEnabled: no\n\nTypes: deb\nURIs: http://deb.debian.org/debian\n"
      "Suites: trixie\n",
      "/etc/apt/sources.list.d/rocm.sources");
  REQUIRE(sources.size() == 3);
  CHECK(sources[0].product == "rocm");
  CHECK(sources[0].release == "7.0.2");
  CHECK(sources[0].codename == "noble");
  CHECK(sources[0].enabled);
  CHECK(sources[1].product == "graphics");
  CHECK_FALSE(sources[1].enabled);
  CHECK(sources[2].codename == "jammy");
  // dnf: the driver's repository carries the release of the system; zypper has one file a
  // repository.
  const auto dnf = parse_repo_file(
      "[amdgpu]\nname=amdgpu\nbaseurl=https://repo.radeon.com/amdgpu/6.4.1/el/9.6/main/x86_64/\n"
      "enabled=1\npriority=50\ngpgcheck=1\n\n[rocm]\nname=rocm\n"
      "baseurl=https://repo.radeon.com/rocm/el9/6.4.1/main\nenabled=0\n",
      "/etc/yum.repos.d/amdgpu.repo");
  REQUIRE(dnf.size() == 2);
  CHECK(dnf[0].product == "amdgpu");
  CHECK(dnf[0].codename == "el9.6");
  CHECK(dnf[0].release == "6.4.1");
  CHECK(dnf[1].codename == "el9");
  CHECK(dnf[1].release == "6.4.1");
  CHECK_FALSE(dnf[1].enabled);
  const auto zypper = parse_repo_file(
      "[rocm]\nenabled=1\nautorefresh=0\nbaseurl=https://repo.radeon.com/rocm/zyp/6.2/main\n"
      "type=rpm-md\npriority=50\n",
      "/etc/zypp/repos.d/rocm.repo");
  REQUIRE(zypper.size() == 1);
  CHECK(zypper[0].release == "6.2");
  CHECK(zypper[0].priority == 50);
}

TEST_CASE("files of packages that are not on the disk") {
  CHECK(parse_package_files(
            "%FILES%\nusr/\nusr/lib/libamdhip64.so.6\n\n%BACKUP%\netc/x.icd\tabc\n") ==
        std::vector<std::string>{"/usr/lib/libamdhip64.so.6"});
  CHECK(is_working_file("/usr/lib/libhsa-runtime64.so.1.14.0"));
  CHECK(is_working_file("/opt/rocm-6.2.0/bin/rocminfo"));
  CHECK_FALSE(is_working_file("/usr/share/doc/rocminfo/bin/a.so"));
  CHECK_FALSE(is_working_file("/usr/share/man/man1/rocminfo.1.gz"));
  CHECK(is_data_folder("/opt/rocm-6.4.3/lib/rocblas/library"));
  CHECK(is_data_folder("/usr/lib/x86_64-linux-gnu/rocblas/4.4.1/library"));
  CHECK(is_data_folder("opt/rocm/share/miopen/db/"));
  CHECK_FALSE(is_data_folder("/opt/rocm-6.4.3/lib/rocblas/library/TensileLibrary.dat"));
  CHECK_FALSE(is_data_folder("/usr/share/rocfft/library"));
  FakeSource source;
  source.file("/var/lib/pacman/local/rocblas-6.4.3-1/desc", "")
      .file("/var/lib/pacman/local/rocblas-6.4.3-1/files",
            "%FILES%\nopt/rocm/\nopt/rocm/lib/librocblas.so.4\nopt/rocm/lib/librocblas.so.4.4\n"
            "opt/rocm/lib/rocblas/library/\nopt/rocm/lib/rocblas/library/TensileLibrary.dat\n")
      .file("/var/lib/pacman/local/zlib-1.3-1/files", "%FILES%\nusr/lib/libz.so.1\n")
      .file("/opt/rocm/lib/librocblas.so.4.4", "");
  Software software;
  read_packages(source, software);
  const auto found = read_package_files(source, software);
  REQUIRE(found);
  CHECK(found->packages == 1);
  CHECK(found->present == 1);
  REQUIRE(found->gone.size() == 2);
  CHECK(found->gone[0].path == "/opt/rocm/lib/librocblas.so.4");
  CHECK(found->gone[0].package == "rocblas");
  CHECK_FALSE(found->gone[0].data_folder);
  CHECK(found->gone[1].path == "/opt/rocm/lib/rocblas/library");
  CHECK(found->gone[1].data_folder);

  // A list without sense names nothing; one that may not be read judges nothing; no list of rpm's.
  FakeSource dpkg;
  dpkg.file("/var/lib/dpkg/status",
            "Package: rccl\nStatus: install ok installed\nVersion: 2.20\nArchitecture: amd64\n\n")
      .file("/var/lib/dpkg/info/rccl:amd64.list", std::string("\xff\x00/x\n\n//\n", 8));
  Software debian;
  read_packages(dpkg, debian);
  CHECK(read_package_files(dpkg, debian)->gone.empty());
  dpkg.error("/var/lib/dpkg/info/rccl:amd64.list", Error::Kind::denied, "EACCES");
  CHECK(read_package_files(dpkg, debian)->packages == 0);
  debian.package_manager = "rpm";
  CHECK(read_package_files(dpkg, debian).is_missing());
}

TEST_CASE("environment modules and conda environments hold ROCm too") {
  CHECK(prefixes_of_modulefile("#%Module1.0\nset base /sw/rocm/6.2.0\n"
                               "prepend-path PATH /sw/rocm/6.2.0/bin\n"
                               "prepend-path LD_LIBRARY_PATH \"/sw/rocm/6.2.0/lib64\"\n") ==
        std::vector<std::string>{"/sw/rocm/6.2.0"});
  CHECK(prefixes_of_modulefile("-- /not/this\nlocal base = \"/sw/rocm-6.3.1\"\n"
                               "prepend_path(\"PATH\", pathJoin(base, \"bin\"))\n") ==
        std::vector<std::string>{"/sw/rocm-6.3.1"});
  FakeSource source;
  for (const char* root : {"/sw/rocm/6.2.0", "/sw/rocm-6.3.1", "/opt/conda/envs/amd"}) {
    source.library(std::string(root) + "/lib/libamdhip64.so.6", {.soname = "libamdhip64.so.6"});
    source.library(std::string(root) + "/lib/libhsa-runtime64.so.1",
                   {.soname = "libhsa-runtime64.so.1"});
  }
  source.file("/sw/modules/rocm/6.2.0", "#%Module\nprepend-path PATH /sw/rocm/6.2.0/bin\n");
  source.file("/sw/modules/rocm/6.3.1.lua", "prepend_path(\"PATH\", \"/sw/rocm-6.3.1/bin\")\n");
  source.file("/sw/modules/gcc/13", "prepend-path PATH /sw/gcc/13/bin\n");
  source.file("/opt/conda/conda-meta/history", "")
      .file("/opt/conda/envs/amd/conda-meta/history", "");
  source.file("/opt/conda/envs/amd/lib/python3.12/site-packages/six-1.0.dist-info/METADATA", "");
  Machine machine;
  machine.process.environment = std::map<std::string, std::string>{
      {"MODULEPATH", "/none:/sw/modules"}, {"LOADEDMODULES", "gcc/13:rocm/6.2.0"}};
  const auto find_root = [&](const std::string& root) -> const RocmInstall* {
    for (const RocmInstall& one : machine.software.rocm)
      if (one.root == root) return &one;
    return nullptr;
  };
  read_software(source, machine, {});
  const RocmInstall* loaded = find_root("/sw/rocm/6.2.0");
  REQUIRE(loaded != nullptr);
  CHECK(loaded->pointed_by == std::vector<std::string>{"module rocm/6.2.0"});
  REQUIRE(find_root("/sw/rocm-6.3.1") != nullptr);
  CHECK(find_root("/sw/rocm-6.3.1")->version.value_or("") == "6.3.1");
  CHECK(find_root("/sw/rocm-6.3.1")->pointed_by.empty());
  REQUIRE(find_root("/opt/conda/envs/amd") != nullptr);
  CHECK(find_root("/opt/conda/envs/amd")->owner == RocmOwner::conda);
  CHECK(machine.software.rocm.size() == 3);
}

TEST_CASE("web UIs, and the places where their environments lie") {
  FakeSource source;
  source.file("/home/a/ComfyUI/main.py", "").dir("/home/a/ComfyUI/comfy");
  source.file("/home/a/webui/webui.py", "").dir("/home/a/webui/modules");
  source.file("/home/a/sdnext/webui.py", "").file("/home/a/sdnext/installer.py", "");
  source.dir("/home/a/sdnext/modules").file("/home/a/invokeai/invokeai.yaml", "");
  source.file("/home/a/other/main.py", "");
  for (const char* root :
       {"/home/a/ComfyUI/venv", "/home/a/invokeai/.venv", "/opt/ui/.venv",
        "/home/a/.local/share/uv/tools/x", "/home/a/.local/share/virtualenvs/y-abc",
        "/home/a/.cache/pypoetry/virtualenvs/z-py3.12", "/home/a/.pyenv/versions/3.12.3"}) {
    source.file(std::string(root) + "/pyvenv.cfg", "version = 3.12.3\n");
    source.file(std::string(root) + "/lib/python3.12/site-packages/six-1.0.dist-info/METADATA", "");
  }
  Machine machine;
  machine.process.environment = std::map<std::string, std::string>{{"HOME", "/home/a"}};
  read_software(source, machine, {});
  std::vector<std::string> names;
  for (const Application& one : machine.software.applications) names.push_back(one.name);
  std::sort(names.begin(), names.end());
  CHECK(names ==
        std::vector<std::string>{"ComfyUI", "InvokeAI", "SD.Next", "Stable Diffusion WebUI"});
  CHECK(machine.software.python.size() == 7);
}

TEST_CASE("what an image is for lies at its top") {
  FakeSource source;
  source.file("/llama.cpp/build/bin/llama-server", "").file("/app/whisper.cpp/whisper-cli", "");
  source.file("/usr/llama-cli", "").file("/data/other", "");
  const auto names_in = [&](bool container) {
    Machine machine;
    machine.surroundings.container = container;
    read_software(source, machine, {});
    std::vector<std::string> paths;
    for (const Application& one : machine.software.applications) paths.push_back(one.path);
    std::sort(paths.begin(), paths.end());
    return paths;
  };
  CHECK(names_in(true) == std::vector<std::string>{"/app/whisper.cpp/whisper-cli",
                                                   "/llama.cpp/build/bin/llama-server"});
  CHECK(names_in(false).empty());
}

TEST_CASE("a Python that a person names") {
  FakeSource source;
  source.file("/x/venv/pyvenv.cfg", "version = 3.11.4\n");
  source.file("/x/venv/lib/python3.11/site-packages/torch-2.5.1.dist-info/METADATA", "");
  source.file("/x/venv/bin/python3", "").file("/etc/passwd", "").dir("/empty");
  source.file("/usr/lib/python3/dist-packages/six-1.0.dist-info/METADATA", "");
  source.file("/usr/bin/python3", "");
  CHECK(*python_environment_of(source, "/x/venv") == "/x/venv");
  CHECK(*python_environment_of(source, "/x/venv/") == "/x/venv");
  CHECK(*python_environment_of(source, "/x/venv/bin/python3") == "/x/venv");
  CHECK(*python_environment_of(source, "/x/venv/lib/python3.11/site-packages") ==
        "/x/venv/lib/python3.11/site-packages");
  CHECK(python_environment_of(source, "/gone").is_missing());
  CHECK(python_environment_of(source, "/etc/passwd").is(Error::Kind::malformed));
  CHECK(python_environment_of(source, "/empty").is(Error::Kind::malformed));
  for (const char* path : {"/x/venv", "/x/venv/bin/python3"}) {
    const auto found = find_python(source, {}, {path});
    REQUIRE(found.size() == 2);
    CHECK(found[0].root == "/x/venv");
    CHECK(found[0].active);
    CHECK(found[0].python_version == "3.11.4");
  }
  const auto system = find_python(source, {}, {"/usr/bin/python3"});
  REQUIRE(system.size() == 1);
  CHECK(system[0].kind == "system");
  CHECK(system[0].active);
}

TEST_CASE("names and versions") {
  CHECK(parse_metadata_name("Torch_Vision-0.20.1+rocm6.2.dist-info")->name == "torch-vision");
  CHECK(parse_metadata_name("PyYAML-6.0-py3.11.egg-info")->version == "6.0");
  CHECK_FALSE(parse_metadata_name("~orch-2.5.1.dist-info").has_value());
  CHECK(parse_build_tag("2.4.1+cu121") == BuildTag{"cuda", "12.1"});
  CHECK(parse_build_tag("0.6.3+rocm624") == BuildTag{"rocm", "6.2.4"});
  CHECK(parse_build_tag("2.8.0a0+gitba56102") == BuildTag{});
  CHECK(rocm_version_of("6.2.0-66") == "6.2.0");
  CHECK(rocm_version_of("6.2.0.60200-66~22.04") == "6.2.0");
  CHECK(rocm_version_of("1:7.13") == "7.13");
  CHECK(rocm_version_of("latest") == "");
  CHECK(is_version_unmet("GLIBCXX_3.4.30", {"GLIBCXX_3.4.9", "GLIBCXX_3.4.29"}));
  CHECK_FALSE(is_version_unmet("GLIBCXX_3.4.9", {"GLIBCXX_3.4.29"}));
  CHECK_FALSE(is_version_unmet("GLIBCXX_3.4.30", {}));
  const BuildTargets targets = parse_cmake_cache(
      "AMDGPU_TARGETS:STRING=gfx1030;gfx1100\nGPU_TARGETS:STRING=\nCMAKE_BUILD_TYPE:STRING=x\n",
      "f");
  CHECK(targets.variable == "AMDGPU_TARGETS");
  CHECK(targets.targets == std::vector<std::string>{"gfx1030", "gfx1100"});
}

TEST_CASE("the loader's cache") {
  CHECK(parse_ldconfig("2 libs found in cache `/etc/ld.so.cache'\n"
                       "\tlibz.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libz.so.1\n"
                       "\tlibz.so.1 (libc6) => /lib/i386-linux-gnu/libz.so.1\n") ==
        LoaderCache{{"libz.so.1", "/lib/x86_64-linux-gnu/libz.so.1"}});
  std::string cache = "glibc-ld.so.cache1.1";
  for (const std::uint32_t number : {1u, 0u, 2u, 0u, 0u, 0u, 0u}) put(cache, number);
  put(cache, std::int32_t{0x303});
  for (const std::uint32_t number : {72u, 82u, 0u, 0u, 0u}) put(cache, number);
  cache += std::string("libz.so.1\0/lib/libz.so.1\0", 25);
  const auto parsed = parse_loader_cache(cache, "c");
  REQUIRE(parsed.has_value());
  CHECK(*parsed == LoaderCache{{"libz.so.1", "/lib/libz.so.1"}});
  cache[20] = '\x7f';  // more entries than the file has
  CHECK(parse_loader_cache(cache, "c").is(Error::Kind::malformed));
}

TEST_CASE("read_dead_paths: what is named and not there") {
  FakeSource source;
  source.dir("/opt/rocm-6.4.0/lib").file("/usr/lib/libfoo.so", "");
  source.symlink("/etc/alternatives/rocminfo", "/opt/rocm-6.2.0/bin/rocminfo");
  source.symlink("/etc/alternatives/hipcc", "/opt/rocm-6.4.0/lib");
  source.symlink("/etc/alternatives/editor", "/usr/bin/gone");
  source.unknown("/opt/rocm-unseen");
  const auto dead = read_dead_paths(
      source, {"/opt/rocm-6.2.0/lib", "/opt/rocm-6.4.0/lib", "/usr/local/cuda/lib64"},
      {{"LD_PRELOAD", "/usr/lib/libfoo.so libbar.so:/usr/lib/libgone.so"},
       {"PATH", "/usr/games:/opt/rocm-unseen/bin:/opt/rocm-5.7.0/bin"}});
  REQUIRE(dead.size() == 4);
  CHECK(dead[0].named_by == "ld.so.conf");
  CHECK(dead[0].path == "/opt/rocm-6.2.0/lib");
  CHECK(dead[1].named_by == "/etc/alternatives/rocminfo");
  CHECK(dead[2].path == "/usr/lib/libgone.so");
  CHECK(dead[3].path == "/opt/rocm-5.7.0/bin");
  Kernel kernel;
  kernel.settings["dead paths"] = dead_paths_text(dead);
  const auto again = dead_paths(kernel);
  REQUIRE(again.size() == 4);
  CHECK(again[1].named_by == dead[1].named_by);
  CHECK(again[3].path == dead[3].path);
}

TEST_CASE("files of the loader that include each other are each read once") {
  FakeSource source;
  std::string all = "/opt/rocm/lib\n";
  for (int i = 0; i < 60; ++i) all += "include /etc/ld.so.conf.d/*.conf\ninclude *.conf\n";
  source.file("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n/usr/local/lib\n");
  for (const char* name : {"a", "b", "c"})
    source.file("/etc/ld.so.conf.d/" + std::string(name) + ".conf", all + "/opt/" + name + "\n");
  CHECK(read_loader_folders(source) ==
        std::vector<std::string>{"/opt/rocm/lib", "/opt/a", "/opt/b", "/opt/c", "/usr/local/lib"});
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "/x/" + std::to_string(i) + "\n";
  source.file("/etc/ld.so.conf", many);
  CHECK(read_loader_folders(source).size() == 4096);
}

}  // namespace rocvet

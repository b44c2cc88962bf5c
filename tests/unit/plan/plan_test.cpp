#include "plan/plan.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace rocvet;

namespace {

/// A machine with one GPU, as the tables call it.
struct Sketch {
  std::string gpu, gfx, os, version, kernel, rocm;
};

Machine machine_of(const Sketch& sketch) {
  Machine machine;
  Distro distro;
  distro.id = sketch.os;
  distro.version = sketch.version;
  machine.distro = distro;
  machine.kernel.release = sketch.kernel;
  machine.driver.origin = DriverOrigin::in_tree;
  Gpu gpu;
  gpu.name = sketch.gpu;
  gpu.gfx = sketch.gfx;
  gpu.kind = GpuKind::dgpu;
  machine.gpus.push_back(gpu);
  if (!sketch.rocm.empty()) {
    RocmInstall install;
    install.root = "/opt/rocm-" + sketch.rocm;
    install.version = sketch.rocm;
    install.is_default = true;
    machine.software.rocm.push_back(install);
  }
  return machine;
}

void drive_by_dkms(Machine& machine, const std::string& package) {
  machine.driver.origin = DriverOrigin::dkms;
  machine.software.packages = std::vector<Package>{{"amdgpu-dkms", package, "all", "installed"}};
}

PythonEnvironment& add_environment(Machine& machine, const std::string& python,
                                   std::vector<PythonPackage> packages) {
  PythonEnvironment environment;
  environment.root = "/home/user/venv";
  environment.python_version = python;
  environment.kind = "venv";
  environment.packages = std::move(packages);
  machine.software.python.push_back(environment);
  return machine.software.python.back();
}

Plan planned(const Machine& machine, const std::string& to) {
  const auto upgrade = parse_upgrade(Database::embedded(), to);
  REQUIRE_MESSAGE(upgrade, to);
  const auto plan = plan_upgrade(machine, Database::embedded(), *upgrade);
  REQUIRE(plan);
  return *plan;
}

bool breaks(const Plan& plan, const std::string& subject, const std::string& words) {
  return std::ranges::any_of(plan.breaks, [&](const Break& each) {
    return each.subject == subject && each.because.find(words) != std::string::npos;
  });
}

bool holds(const std::vector<std::string>& texts, const std::string& words) {
  return std::ranges::any_of(
      texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

const Sketch kMi300x = {"Instinct MI300X",    "gfx942", "ubuntu", "22.04",
                        "5.15.0-122-generic", "6.2.4"};

}  // namespace

TEST_CASE("a GPU that the target dropped breaks, one that it lists does not") {
  const Sketch vega = {"Radeon VII", "gfx906", "ubuntu", "22.04", "5.15.0-122-generic", "5.7.1"};
  CHECK(breaks(planned(machine_of(vega), "rocm=7.0.0"), "gpu × rocm", "Radeon VII"));
  CHECK(planned(machine_of(kMi300x), "rocm=6.3.0").breaks.empty());
}

TEST_CASE("a system that the target does not list any more breaks") {
  Sketch focal = kMi300x;
  focal.version = "20.04";
  focal.rocm = "6.1.2";
  CHECK(breaks(planned(machine_of(focal), "rocm=6.3.0"), "os × rocm", "20.04"));
}

TEST_CASE("what was not listed before is no break of the upgrade") {
  Sketch arch = kMi300x;
  arch.os = "arch";
  arch.version = "";
  for (const Break& each : planned(machine_of(arch), "rocm=6.3.0").breaks)
    CHECK_MESSAGE(each.subject != "os × rocm", each.because);
}

TEST_CASE(
    "AMD's driver: a kernel that it does not build on breaks, and it moves with the release") {
  Machine machine = machine_of(kMi300x);
  drive_by_dkms(machine, "1:6.8.5.60204-2070768.22.04");
  CHECK(breaks(planned(machine, "kernel=6.11.0-21-generic"), "dkms-build", "6.8.5"));
  CHECK(planned(machine, "kernel=6.8.0-51-generic").breaks.empty());
  const Plan far = planned(machine, "rocm=7.2.0");
  CHECK(holds(far.moves, "the driver, from 6.2.4 to 30.30"));
  // The way back names what was there.
  CHECK(std::ranges::any_of(
      far.back, [](const AdviceStep& step) { return step.title == "The driver 6.2.4"; }));
  // Named, it is taken at its word.
  CHECK(planned(machine, "rocm=7.2.0,driver=30.30").moves.empty());
}

TEST_CASE("packages that are compiled against the torch that goes") {
  Machine machine = machine_of(kMi300x);
  add_environment(machine, "3.12",
                  {{"torch", "2.8.0"}, {"torchvision", "0.23.0"}, {"vllm", "0.10.1"}});
  const Plan plan = planned(machine, "torch=2.9.1");
  CHECK(breaks(plan, "package × torch", "vllm 0.10.1"));
  CHECK(holds(plan.moves, "torchvision"));
  CHECK_FALSE(breaks(planned(machine, "torch=2.9.1,vllm=0.11.0"), "package × torch", "vllm"));
  CHECK_FALSE(breaks(planned(machine, "torch=2.8.1"), "package × torch", "vllm"));
}

TEST_CASE("wheels: for the GPU, the Python and the ROCm that is named") {
  Sketch polaris = {"Radeon RX 580", "gfx803", "ubuntu", "22.04", "5.15.0-122-generic", ""};
  CHECK(breaks(planned(machine_of(polaris), "torch=2.9"), "wheel × gpu", "gfx803"));
  Machine machine = machine_of(kMi300x);
  Framework torch;
  torch.name = "torch";
  torch.version = "2.8.0";
  add_environment(machine, "3.8", {{"torch", "2.8.0"}}).frameworks.push_back(torch);
  CHECK(breaks(planned(machine, "torch=2.9"), "wheel × python", "3.8"));
  CHECK_FALSE(breaks(planned(machine, "torch=2.9,python=3.12"), "wheel × python", ""));
  const Plan unknown = planned(machine, "torch=2.9+rocm1.2,python=3.12");
  CHECK_FALSE(unknown.judged);
  CHECK(holds(unknown.notes, "nothing is known of a wheel of pytorch 2.9 for ROCm 1.2"));
}

TEST_CASE("what is linked to a library whose number changes") {
  Machine machine = machine_of(kMi300x);
  Application application;
  application.name = "llama-server";
  Library binary;
  binary.path = "/usr/local/bin/llama-server";
  binary.elf.needed = {"libamdhip64.so.6", "libc.so.6"};
  application.libraries.push_back(binary);
  machine.software.applications.push_back(application);
  CHECK(breaks(planned(machine, "rocm=7.0.1"), "soname", "libamdhip64.so.6"));
  CHECK_FALSE(breaks(planned(machine, "rocm=6.4.1"), "soname", ""));
  // One that it brings along is not ROCm's.
  Library own;
  own.path = "/usr/local/bin/libamdhip64.so.6";
  own.elf.soname = "libamdhip64.so.6";
  machine.software.applications.back().libraries.push_back(own);
  CHECK_FALSE(breaks(planned(machine, "rocm=7.0.1"), "soname", ""));
}

TEST_CASE("a new system takes its Python along") {
  Machine machine = machine_of(kMi300x);
  Framework torch;
  torch.name = "torch";
  torch.version = "2.8.0";
  add_environment(machine, "3.10.12", {{"torch", "2.8.0"}}).frameworks.push_back(torch);
  CHECK(holds(planned(machine, "os=ubuntu-24.04").moves, "/home/user/venv"));
  machine.software.python.back().kind = "conda";
  CHECK_FALSE(holds(planned(machine, "os=ubuntu-24.04").moves, "/home/user/venv"));
}

TEST_CASE("steps stand in the order in which they are made, the way back with them") {
  const Plan plan =
      planned(machine_of(kMi300x), "torch=2.9,rocm=7.0.2,kernel=6.8.0-51-generic,os=ubuntu-24.04");
  std::vector<std::string> titles;
  for (const AdviceStep& step : plan.steps) titles.push_back(step.title);
  const std::vector<std::string> wanted = {"Upgrade the system to ubuntu-24.04",
                                           "Install and boot Linux 6.8.0-51-generic",
                                           "Install ROCm 7.0.2", "Install PyTorch 2.9", "Check it"};
  CHECK(titles == wanted);
  CHECK(plan.back.size() == 4);
}

TEST_CASE("what nobody knows is not said to work") {
  const Plan plan = planned(machine_of(kMi300x), "rocm=99.1");
  CHECK(plan.breaks.empty());
  CHECK_FALSE(plan.judged);
  CHECK(holds(plan.notes, "newer than this database"));
}

TEST_CASE("what --to cannot mean") {
  const auto error = [](const std::string& to) {
    const auto upgrade = parse_upgrade(Database::embedded(), to);
    return upgrade ? std::string("taken") : upgrade.error().text();
  };
  CHECK(error("").find("say what is to be upgraded") != std::string::npos);
  CHECK(error("rocm").find("names no version") != std::string::npos);
  CHECK(error("rocm=").find("names no version") != std::string::npos);
  CHECK(error("rocm=six").find("rocm") != std::string::npos);
  CHECK(error("rocm=6.2;rm -rf /").find("has a character that no version has") !=
        std::string::npos);
  CHECK(error("kernel=6.8$(id)").find("has a character that no version has") != std::string::npos);
  CHECK(error("rocm=6.2 beta").find("has a character") != std::string::npos);
  CHECK(error("rocm=6.2,rocm=6.3").find("named twice") != std::string::npos);
  CHECK(error("torch=2.8,pytorch=2.9").find("named twice") != std::string::npos);
  CHECK(error("rokm=6.2").find("did you mean 'rocm'") != std::string::npos);
  CHECK(error("os=beos-5").find("os") != std::string::npos);
  CHECK(error("torch=2.9+cu128").find("is no build for ROCm") != std::string::npos);
  CHECK(error("rocm=6.4,torch=2.9.1+rocm6.4, python=3.12") == "taken");
}

TEST_CASE("what was not seen is not said to work") {
  const auto unjudged = [](const Machine& machine, const std::string& to, const std::string& why) {
    const Plan plan = planned(machine, to);
    CAPTURE(to);
    CHECK_FALSE(plan.judged);
    CHECK_MESSAGE(holds(plan.notes, why), why);
  };
  Machine machine = machine_of(kMi300x);
  // No list of packages, as in a saved report.
  unjudged(machine, "rocm=6.3.0", "a saved report holds none");
  machine.software.packages = std::vector<Package>{};
  CHECK(planned(machine, "rocm=6.3.0").judged);
  machine.driver.origin = DriverOrigin::unknown;
  unjudged(machine, "kernel=6.8.0-51-generic", "whose driver runs");
  machine.driver.origin = DriverOrigin::in_tree;
  Gpu nameless;
  machine.gpus.push_back(nameless);
  unjudged(machine, "rocm=6.3.0", "the target is not known");
  machine.gpus.pop_back();
  unjudged(machine, "python=9.1", "nothing is known of Python 9.1");
  machine.distro->id = "plan9";
  unjudged(machine, "rocm=6.3.0", "plan9");
}

TEST_CASE("a saved report's driver is judged by its module") {
  Machine machine = machine_of(kMi300x);
  machine.driver.origin = DriverOrigin::dkms;
  Module module;
  module.loaded = true;
  module.version = std::string("6.8.5");
  machine.driver.amdgpu = module;
  CHECK(breaks(planned(machine, "kernel=6.11.0-21-generic"), "dkms-build", "6.8.5"));
}

TEST_CASE("where there was no ROCm before, the new one is judged by itself") {
  Sketch polaris = {"Radeon RX 580", "gfx803", "ubuntu", "22.04", "5.15.0-122-generic", ""};
  CHECK(breaks(planned(machine_of(polaris), "rocm=7.0.2"), "gpu × rocm", "RX 580"));
}

TEST_CASE("a framework that uses the installed ROCm has to be for it, and for the Python") {
  Machine machine = machine_of(kMi300x);
  CHECK(breaks(planned(machine, "jax=0.11.1"), "wheel × rocm", "not for 6.2.4"));
  // The system's Python serves where no environment is named.
  machine.distro->version = "20.04";
  CHECK(breaks(planned(machine, "torch=2.9"), "wheel × python", "which is this system's"));
}

TEST_CASE("an iGPU beside the GPU that computes does not keep torch back") {
  Machine machine =
      machine_of({"Radeon RX 7900 XTX", "gfx1100", "ubuntu", "24.04", "6.8.0-45-generic", "6.4.1"});
  Gpu apu;
  apu.gfx = std::string("gfx1036");
  apu.kind = GpuKind::apu;
  machine.gpus.push_back(apu);
  const Plan plan = planned(machine, "torch=2.9.1+rocm6.4");
  CHECK_FALSE(breaks(plan, "wheel × gpu", ""));
  CHECK(holds(plan.notes, "gfx1036"));
}

TEST_CASE("each step has the commands of what was asked and judged") {
  const Machine machine =
      machine_of({"Radeon RX 7900 XTX", "gfx1100", "ubuntu", "24.04", "6.8.0-45-generic", "6.4.1"});
  const auto commands = [&](const std::string& to, const std::string& title) {
    std::string all;
    for (const AdviceStep& step : planned(machine, to).steps) {
      if (!step.title.starts_with(title)) continue;
      for (const Step& command : step.commands) all += command.text() + "\n";
    }
    return all;
  };
  CHECK(commands("torch=2.9.1+rocm6.4", "Install PyTorch").find("/whl/rocm6.4") !=
        std::string::npos);
  CHECK(commands("torch=2.9.1+rocm6.4,python=3.12", "Install PyTorch").find("python3.12 -m venv") !=
        std::string::npos);
  // A driver's repository is that of its own release, not of the ROCm beside it.
  CHECK(commands("driver=30.10.1", "Install the driver").find("amdgpu/30.10.1/") !=
        std::string::npos);
  CHECK(commands("torch=2.0", "Install PyTorch").empty());
}

TEST_CASE("the way back removes what was not there") {
  Machine machine = machine_of(kMi300x);
  const Plan plan = planned(machine, "driver=6.4.1");
  CHECK(std::ranges::any_of(plan.back, [](const AdviceStep& step) {
    return step.title == "Remove the package amdgpu-dkms" && step.commands.empty();
  }));
}

TEST_CASE("WSL gets no driver and no kernel") {
  Machine machine = machine_of(
      {"Radeon RX 7900 XTX", "gfx1100", "ubuntu", "24.04", "6.6.87.2-microsoft-standard", "6.4.1"});
  machine.surroundings.wsl = true;
  const Plan plan = planned(machine, "driver=30.10.1,kernel=6.14");
  CHECK_FALSE(plan.judged);
  CHECK(holds(plan.notes, "wsl --update"));
  CHECK(plan.steps.empty());
}

TEST_CASE("the same thing in other words does not move") {
  const Machine machine = machine_of(kMi300x);
  CHECK(holds(planned(machine, "os=Ubuntu 22.04").notes, "all of this is here already"));
  CHECK(holds(planned(machine, "rocm=6.2").notes, "all of this is here already"));
  // A new system takes ROCm's packages along.
  const Plan plan = planned(machine, "os=ubuntu-24.04,kernel=6.8");
  CHECK(holds(plan.moves, "ROCm's packages"));
  CHECK(std::ranges::any_of(plan.steps, [](const AdviceStep& step) {
    return step.title == "Install ROCm 6.2.4" && !step.commands.empty();
  }));
}

TEST_CASE("versions that are none") {
  for (const char* to : {"rocm=7", "rocm=7.2.4-rc1", "rocm=7.2.4.", "rocm=6.9.9", "rocm=0",
                         "driver=6.10.5", "driver=1", "torch=2.9.1;id", "torch=2..9", "python=3",
                         "os=ubuntu-24.04;id", "kernel=6.8;id"}) {
    CAPTURE(to);
    CHECK_FALSE(parse_upgrade(Database::embedded(), to));
  }
}

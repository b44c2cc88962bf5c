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

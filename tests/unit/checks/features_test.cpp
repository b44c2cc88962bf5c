// Features of a GPU: the hardware's, and what the software found makes of them.
#include "checks/features.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace rocvet {
namespace {

Machine machine_with(const std::string& gfx) {
  Machine machine;
  Gpu gpu;
  gpu.gfx = gfx;
  machine.gpus.push_back(gpu);
  machine.process.environment = std::map<std::string, std::string>{};
  machine.software.python.push_back({.root = "/venv", .kind = "venv"});
  return machine;
}

Framework framework(const std::string& name, const std::string& version,
                    std::vector<std::string> gfx) {
  Framework out;
  out.name = name;
  out.version = version;
  out.build = "rocm";
  out.hip_version = missing(name, "not set");
  out.cuda_version = missing(name, "not set");
  out.gfx = std::move(gfx);
  return out;
}

Library library(const std::string& path, std::vector<std::string> gfx = {}) {
  Library out{path, path, {}};
  out.elf.gfx = std::move(gfx);
  return out;
}

Framework torch(const std::string& version, std::vector<std::string> gfx,
                const std::string& aotriton, std::vector<std::string> images) {
  Framework out = framework("torch", version, gfx);
  out.libraries = {library("/venv/torch/lib/libtorch_hip.so", gfx)};
  if (!aotriton.empty()) out.libraries.push_back(library("/venv/torch/lib/" + aotriton));
  if (!images.empty()) out.kernel_targets["aotriton"] = std::move(images);
  return out;
}

FeatureRow row_of(const Machine& machine, const std::string& feature) {
  const auto all = judge_features(machine, Database::embedded());
  REQUIRE(all.size() == 1);
  for (const FeatureRow& row : all[0].rows) {
    if (row.feature == feature) return row;
  }
  return {};
}

FeatureVerdict verdict(const Machine& machine, const std::string& feature) {
  return row_of(machine, feature).answer.verdict;
}

using enum FeatureVerdict;

}  // namespace

TEST_CASE("the hardware alone, each row with its source") {
  const auto hardware = [](const char* gfx, const char* feature) {
    const FeatureRow row = row_of(machine_with(gfx), feature);
    CHECK_MESSAGE(!row.answer.source.empty(), gfx << " " << feature);
    return row.answer.verdict;
  };
  CHECK(hardware("gfx942", "bf16") == supported);
  CHECK(hardware("gfx1030", "bf16") == slow);
  CHECK(hardware("gfx906", "bf16") == slow);
  CHECK(hardware("gfx803", "fp16") == slow);
  CHECK(hardware("gfx900", "fp16") == supported);
  CHECK(hardware("gfx1100", "fp8") == slow);
  CHECK(hardware("gfx90a", "fp8") == slow);
  CHECK(hardware("gfx1010", "int8") == slow);
  CHECK(hardware("gfx1012", "int8") == supported);
  CHECK(hardware("gfx942", "fp4-fp6") == slow);
  CHECK(hardware("gfx950", "fp4-fp6") == supported);
  CHECK(row_of(machine_with("gfx942"), "fp8").format == "FNUZ");
  CHECK(row_of(machine_with("gfx950"), "fp8").format == "OCP");
  CHECK(row_of(machine_with("gfx1201"), "fp8").format == "OCP");
  CHECK(verdict(machine_with("gfx942"), "flash-attention") == FeatureVerdict::unknown);
  // A target that nobody described.
  CHECK(verdict(machine_with("gfx9999"), "fp8") == FeatureVerdict::unknown);
}

TEST_CASE("every target of the database has every feature of hardware") {
  const Database& database = Database::embedded();
  for (const GpuInfo& gpu : database.gpus()) {
    const auto facts = database.hardware_features(gpu.gfx);
    for (const char* feature : {"fp16", "bf16"}) {
      const auto count = std::count_if(facts.begin(), facts.end(), [&](const FeatureFact& fact) {
        return fact.feature == feature;
      });
      CHECK_MESSAGE(count == 1, gpu.gfx << " " << feature);
    }
  }
}

TEST_CASE("PyTorch's attention: AOTriton's version, its kernels and its experiments") {
  Machine machine = machine_with("gfx1100");
  auto& frameworks = machine.software.python[0].frameworks;
  frameworks = {torch("2.9.1+rocm6.4", {"gfx1100", "gfx942"}, "libaotriton_v2.so.0.11.0",
                      {"gfx90a", "gfx942", "gfx11xx"})};
  FeatureRow row = row_of(machine, "flash-attention");
  CHECK(row.answer.verdict == slow);
  CHECK(row.answer.condition == "set TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL=1");
  CHECK(row.answer.source.find("aotriton") != std::string::npos);
  machine.process.environment->emplace("TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL", "1");
  CHECK(verdict(machine, "flash-attention") == supported);
  machine.process.environment->clear();

  // A point release made Navi 31 official; the file's name says which one it is.
  frameworks = {torch("2.9.1+rocm6.4", {"gfx1100"}, "libaotriton_v2.so.0.11.1", {"gfx11xx"})};
  CHECK(verdict(machine, "flash-attention") == supported);
  // The name says nothing: PyTorch's release tells.
  frameworks = {torch("2.6.0+rocm6.2.4", {"gfx1100"}, "libaotriton_v2.so", {})};
  CHECK(verdict(machine, "flash-attention") == slow);
  frameworks = {torch("2.8.0+rocm6.4", {"gfx1100"}, "libaotriton_v2.so", {"gfx11xx"})};
  CHECK(verdict(machine, "flash-attention") == supported);

  // Kernels of other targets only; no AOTriton at all; no code for the GPU; CUDA.
  frameworks = {torch("2.8.0+rocm6.4", {"gfx1100"}, "libaotriton_v2.so.0.10.0", {"gfx942"})};
  row = row_of(machine, "flash-attention");
  CHECK(row.answer.verdict == slow);
  CHECK(row.answer.because.find("no kernels for gfx1100") != std::string::npos);
  frameworks = {torch("2.6.0", {"gfx1100"}, "", {})};
  CHECK(verdict(machine, "flash-attention") == slow);
  frameworks = {torch("2.8.0+rocm6.4", {"gfx942"}, "libaotriton_v2.so.0.10.0", {"gfx942"})};
  CHECK(verdict(machine, "flash-attention") == unsupported);
  frameworks[0].build = "cuda";
  CHECK(row_of(machine, "flash-attention").answer.because.find("CUDA") != std::string::npos);
  // Its libraries were not captured.
  frameworks = {framework("torch", "2.8.0+rocm6.4", {})};
  CHECK(verdict(machine, "flash-attention") == FeatureVerdict::unknown);
}

TEST_CASE("the override is what the runtime sees") {
  Machine machine = machine_with("gfx1031");
  machine.software.python[0].frameworks = {framework("vllm", "0.9.0", {"gfx1030", "gfx90a"})};
  CHECK(verdict(machine, "4-bit") == unsupported);
  machine.process.environment->emplace("HSA_OVERRIDE_GFX_VERSION", "10.3.0");
  CHECK(verdict(machine, "4-bit") == supported);
}

TEST_CASE("FP8 needs both: instructions, and a framework that lets them be used") {
  Machine machine = machine_with("gfx1201");
  auto& frameworks = machine.software.python[0].frameworks;
  Framework wheel = torch("2.8.0+rocm6.4", {"gfx1201"}, "libaotriton_v2.so.0.10.0", {"gfx120x"});
  wheel.hip_version = std::string("6.4.43484");
  frameworks = {wheel};
  CHECK(verdict(machine, "fp8") == supported);
  wheel.version = "2.5.1+rocm6.2";
  wheel.hip_version = std::string("6.2.41133");
  frameworks = {wheel};
  CHECK(verdict(machine, "fp8") == unsupported);
  machine.gpus[0].gfx = std::string("gfx1100");
  frameworks[0].gfx = {"gfx1100"};
  const FeatureRow row = row_of(machine, "fp8");
  CHECK(row.answer.verdict == unsupported);
  CHECK(row.software.size() == 1);
}

TEST_CASE("bitsandbytes: the library of PyTorch's ROCm must hold the target") {
  Machine machine = machine_with("gfx1201");
  auto& frameworks = machine.software.python[0].frameworks;
  Framework wheel = torch("2.8.0+rocm6.4", {"gfx1201"}, "libaotriton_v2.so.0.10.0", {"gfx120x"});
  wheel.hip_version = std::string("6.4.43484");
  Framework bnb = framework("bitsandbytes", "0.49.1", {"gfx1201", "gfx90a"});
  bnb.libraries = {library("/venv/bitsandbytes/libbitsandbytes_rocm63.so", {"gfx90a"}),
                   library("/venv/bitsandbytes/libbitsandbytes_rocm64.so", {"gfx90a", "gfx1201"})};
  frameworks = {wheel, bnb};
  CHECK(verdict(machine, "4-bit") == supported);
  CHECK(verdict(machine, "prequantised") == supported);  // 32-wide wavefronts
  // The same release on 64-wide ones, and the next.
  machine.gpus[0].gfx = std::string("gfx90a");
  CHECK(verdict(machine, "4-bit") == supported);
  CHECK(verdict(machine, "prequantised") == unsupported);
  frameworks[1].version = "0.49.2";
  CHECK(verdict(machine, "prequantised") == supported);
  // unsloth asks as well, and its own age counts.
  frameworks.push_back(framework("unsloth", "2025.10.5", {}));
  auto row = row_of(machine, "prequantised");
  REQUIRE(row.software.size() == 2);
  CHECK(row.software[1].answer.verdict == unsupported);
  frameworks[2].version = "2026.3.4";
  CHECK(row_of(machine, "prequantised").software[1].answer.verdict == supported);
  // PyTorch of a ROCm that it has no library for: exact before 0.50, the nearest since.
  frameworks[0].hip_version = std::string("6.2.41133");
  CHECK(verdict(machine, "4-bit") == unsupported);
  CHECK(row_of(machine, "4-bit").answer.because.find("6.3, 6.4") != std::string::npos);
  frameworks[1].version = "0.50.1";
  CHECK(verdict(machine, "4-bit") == supported);
  // gfx1201 is in the one for 6.4 only.
  machine.gpus[0].gfx = std::string("gfx1201");
  frameworks[0].hip_version = std::string("6.3.42131");
  CHECK(verdict(machine, "4-bit") == unsupported);
}

TEST_CASE("torch.compile needs a Triton that knows the target") {
  Machine machine = machine_with("gfx1100");
  auto& frameworks = machine.software.python[0].frameworks;
  frameworks = {torch("2.8.0+rocm6.4", {"gfx1100"}, "libaotriton_v2.so.0.10.0", {"gfx11xx"})};
  CHECK(verdict(machine, "torch-compile") == unsupported);
  frameworks.push_back(framework("pytorch-triton-rocm", "3.4.0", {}));
  CHECK(verdict(machine, "torch-compile") == supported);
  machine.gpus[0].gfx = std::string("gfx1030");
  CHECK(verdict(machine, "torch-compile") == slow);
  machine.gpus[0].gfx = std::string("gfx906");
  CHECK(verdict(machine, "torch-compile") == unsupported);
}

TEST_CASE("applications answer for their own code") {
  Machine machine = machine_with("gfx1100");
  Application ollama;
  ollama.name = "ollama";
  ollama.path = "/usr/local/bin/ollama";
  ollama.gfx = {"gfx1030", "gfx1100"};
  machine.software.applications = {ollama};
  CHECK(verdict(machine, "4-bit") == supported);
  machine.software.applications[0].gfx = {"gfx1030"};
  CHECK(verdict(machine, "4-bit") == unsupported);
  machine.software.applications[0].gfx.clear();  // a build for the CPU says nothing
  CHECK(verdict(machine, "4-bit") == FeatureVerdict::unknown);
}

TEST_CASE("GPUs of one target share a table") {
  Machine machine = machine_with("gfx942");
  machine.gpus.push_back(machine.gpus[0]);
  machine.gpus[1].index = 1;
  Gpu other;
  other.index = 2;
  other.gfx = missing("gfx", "not known");
  machine.gpus.push_back(other);
  const auto all = judge_features(machine, Database::embedded());
  REQUIRE(all.size() == 1);
  CHECK(all[0].gpus == std::vector<int>{0, 1});
  CHECK(kernel_folder_fits("gfx11xx", "gfx1151"));
  CHECK(kernel_folder_fits("gfx120x", "gfx1201"));
  CHECK_FALSE(kernel_folder_fits("gfx120x", "gfx1250"));
  CHECK_FALSE(kernel_folder_fits("gfx90a", "gfx908"));
}

}  // namespace rocvet

// Expected values are of the documents that the rows name, read apart from them.
#include "db/advise.h"

#include <doctest/doctest.h>

#include "db/listing.h"

using namespace rocvet;

namespace {

std::string all_of(const Advice& advice) {
  std::string text = advice.summary + "\n";
  for (const std::string& note : advice.notes) text += note + "\n";
  for (const AdviceStep& step : advice.steps) {
    text += step.title + ": " + step.why + "\n";
    for (const Step& command : step.commands) text += command.text() + "\n";
  }
  return text;
}

std::string advised(const AdviceRequest& request) {
  const auto advice = advise(Database::embedded(), request);
  return advice ? all_of(*advice) : "error: " + advice.error().text();
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a release that is installed and lists the GPU stays") {
  const std::string text =
      advised({.gpu = "MI100", .os = "ubuntu-24.04", .installed = "6.4.3", .framework = "none"});
  CHECK(says(text, "ROCm 6.4.3, which is installed, lists MI100 on Ubuntu 24.04: keep it"));
  CHECK_FALSE(says(text, "apt install"));
}

TEST_CASE("a framework for the Python that is there, or the Pythons that there are") {
  const std::string right =
      advised({.gpu = "MI300X", .os = "ubuntu-24.04", .framework = "vllm", .python = "3.12"});
  CHECK(says(right, "wheels.vllm.ai/rocm"));
  const std::string other =
      advised({.gpu = "MI300X", .os = "ubuntu-24.04", .framework = "jax", .python = "3.9"});
  CHECK(says(other, "is published for Python 3.9: make an environment of Python"));
  CHECK(says(advised({.gpu = "MI300X", .os = "ubuntu-24.04", .framework = "mxnet"}), "error: "));
  CHECK(says(advised({.gpu = "MI300X", .os = "ubuntu-24.04", .framework = "pytorch=abc"}),
             "error: --framework"));
  const std::string version =
      advised({.gpu = "MI300X", .os = "ubuntu-24.04", .framework = "pytorch=2.8"});
  CHECK(says(version, "torch 2.8"));
  CHECK_FALSE(says(version, "2.14"));
  CHECK(says(advised({.gpu = "MI300X", .os = "ubuntu-24.04", .framework = "pytorch=99.9"}),
             "no published PyTorch wheel is known to hold gfx942 in version 99.9"));
}

TEST_CASE("a wheel that the system's C library cannot load is not advised") {
  const std::string text =
      advised({.gpu = "MI325X", .os = "rhel-9.4", .framework = "vllm", .python = "3.12"});
  CHECK_FALSE(says(text, "install vllm"));
  CHECK(says(text, "need glibc 2.35"));
  CHECK(says(text, "rocm/vllm:"));
}

TEST_CASE("WSL: Windows drives the GPU") {
  const std::string listed = advised({.gpu = "RX 7900 XTX", .os = "wsl2-ubuntu-24.04"});
  CHECK(says(listed, "Adrenalin"));
  CHECK(says(listed, "amdgpu-dkms must not be installed"));
  CHECK(says(listed, "--device=/dev/dxg"));
  CHECK_FALSE(says(listed, "usermod"));
  CHECK(says(advised({.gpu = "RX 7700 XT", .os = "wsl2-ubuntu-22.04"}), "no ROCm release lists"));
}

TEST_CASE("a GPU that no ROCm works on is told what does without") {
  const std::string text = advised({.gpu = "RX 580", .os = "debian-12", .framework = "llama.cpp"});
  CHECK(says(text, "-DGGML_VULKAN=ON"));
}

TEST_CASE("a virtual function is its card") {
  const std::string card = advised({.gpu = "MI325X", .os = "ubuntu-22.04"});
  std::string function = advised({.gpu = "MI325X VF", .os = "ubuntu-22.04"});
  for (std::size_t at = function.find(" VF"); at != function.npos; at = function.find(" VF"))
    function.erase(at, 3);
  CHECK(function == card);
}

TEST_CASE(
    "a release that has no build of the framework for the GPU is passed over, and why is told") {
  const std::string text =
      advised({.gpu = "MI250X", .os = "ubuntu-22.04", .framework = "tensorflow", .python = "3.12"});
  CHECK(says(text, "ROCm 10.0.0 is the newest release that lists MI250X"));
  CHECK(says(text, "no build of tensorflow for ROCm 10.1.0 has code for gfx90a"));
}

TEST_CASE("lists") {
  const auto names = [](const std::vector<Listed>& rows) {
    std::string text;
    for (const Listed& row : rows) text += row.name + " | " + row.about + "\n";
    return text;
  };
  const std::string releases = names(listed_releases(Database::embedded()));
  CHECK(says(releases, "10.1.0 | 2026-10-05, driver 31.60\n"));
  CHECK(says(releases, "7.12.0 | "));
  CHECK(says(names(listed_systems(Database::embedded())), "SLES 15 SP7 | "));
  const std::string frameworks = names(listed_frameworks(Database::embedded()));
  CHECK(says(frameworks, "pytorch | "));
  CHECK(says(frameworks, "jax | "));
  CHECK(python_of_system(Database::embedded(), "ubuntu-24.04") == "3.12");
  CHECK(python_of_system(Database::embedded(), "ubuntu-24.04.3") == "3.12");
  CHECK(python_of_system(Database::embedded(), "arch").empty());
}

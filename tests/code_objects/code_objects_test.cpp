// Every code object that this build has embedded, for every AMD target, against what no kernel of
// ours may do. No GPU and no tool of LLVM is needed, but for the dot products, whose encodings are
// ambiguous: they are counted by llvm-objdump where there is one.
#include "selftests/gpu/code_objects.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "tests/code_objects/kernel_notes.h"

namespace rocvet::code {
namespace {

std::vector<std::byte> file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

bool contains(const std::vector<std::string>& list, const std::string& part) {
  for (const std::string& word : list) {
    if (word.find(part) != std::string::npos) return true;
  }
  return false;
}

/// A kernel without fault.
Kernel good() {
  Kernel kernel;
  kernel.name = "gemm_fp16";
  kernel.vgprs = 128;
  kernel.lds = 65536;
  kernel.kernarg = 16;
  kernel.kernarg_align = 8;
  kernel.max_threads = 256;
  kernel.wave_size = 64;
  kernel.arguments = {{"global_buffer", 0, 8}, {"by_value", 8, 4}};
  kernel.mfma = 16;
  return kernel;
}

/// Lines of `kernel` in llvm-objdump's output per first word of the instruction's name: "v_dot".
using Counts = std::map<std::string, std::map<std::string, int>>;
Counts disassembled(const std::vector<std::byte>& code) {
  const std::string path = ROCVET_BINARY_DIR "/tests/disassembled.co";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(code.data()), static_cast<std::streamsize>(code.size()));
  FILE* pipe = popen((ROCVET_OBJDUMP " -d --no-show-raw-insn " + path).c_str(), "r");
  REQUIRE(pipe != nullptr);
  Counts counts;
  std::string kernel;
  for (std::array<char, 512> buffer; fgets(buffer.data(), buffer.size(), pipe) != nullptr;) {
    const std::string line = buffer.data();
    if (const auto open = line.find(" <"); line[0] == '0' && open != std::string::npos) {
      kernel = line.substr(open + 2, line.find('>') - open - 2);
      counts[kernel];
    }
    for (const char* family : {"mfma", "wmma", "dot", "smfmac", "swmmac", "cvt_f16_f32",
                               "cvt_pk_bf16_f32", "cvt_pk_fp8_f32", "cvt_pk_bf8_f32",
                               "cvt_pk_f32_fp8", "cvt_pk_f32_bf8", "cvt_scalef32_"}) {
      if (line.starts_with(std::string("\tv_") + family)) ++counts[kernel][family];
    }
  }
  CHECK(pclose(pipe) == 0);
  return counts;
}

}  // namespace

TEST_CASE("no kernel of this build spills, uses scratch memory or lacks its matrix instructions") {
  int targets = 0, kernels = 0;
  for (const std::string& target : gpu::built_targets()) {
    if (!target.starts_with("gfx")) continue;
    ++targets;
    for (const std::string& module : gpu::built_modules(target)) {
      const auto code = gpu::code_object(target, module);
      REQUIRE(code);
      const auto all = read_kernels(*code);
      REQUIRE(all);
      CHECK(!all->empty());
      for (const Kernel& kernel : *all) {
        ++kernels;
        for (const std::string& complaint : complaints(target, kernel)) FAIL_CHECK(complaint);
      }
    }
  }
  if (targets == 0) MESSAGE("this build has no device code for AMD GPUs: nothing was read");
  MESSAGE(targets << " targets, " << kernels << " kernels");
}

TEST_CASE("llvm-objdump counts the same matrix instructions, and the dot products") {
  if (std::string(ROCVET_OBJDUMP).empty()) {
    MESSAGE("skipped: there is no llvm-objdump of the compiler's version");
    return;
  }
  for (const std::string& target : gpu::built_targets()) {
    if (!target.starts_with("gfx")) continue;
    if (matrix_family(target, "gemm_fp16").empty()) continue;  // time
    for (const std::string module : {"gemm", "gemm_mx", "attention"}) {
      const auto code = gpu::code_object(target, module);
      REQUIRE(code);
      const auto kernels = read_kernels(*code);
      REQUIRE(kernels);
      Counts counts = disassembled(*code);
      for (const Kernel& kernel : *kernels) {
        CAPTURE(target);
        CAPTURE(kernel.name);
        REQUIRE(counts.count(kernel.name) == 1);
        CHECK(kernel.mfma == counts[kernel.name]["mfma"]);
        CHECK(kernel.wmma == counts[kernel.name]["wmma"]);
        if (matrix_family(target, kernel.name) == "dot") CHECK(counts[kernel.name]["dot"] >= 64);
      }
    }
  }
}

TEST_CASE("conversions and sparse products use the instructions that they are about") {
  if (std::string(ROCVET_OBJDUMP).empty()) {
    MESSAGE("skipped: there is no llvm-objdump of the compiler's version");
    return;
  }
  for (const std::string target : {"gfx942", "gfx950", "gfx1200", "gfx1201"}) {
    CAPTURE(target);
    const auto conversions = gpu::code_object(target, "convert");
    const auto products = gpu::code_object(target, "sparse");
    if (!conversions || !products) continue;  // not built
    Counts counts = disassembled(*conversions);
    CHECK(counts["narrow_fp16"]["cvt_f16_f32"] == 1);
    CHECK(counts["narrow_e4m3"]["cvt_pk_fp8_f32"] == 2);
    CHECK(counts["narrow_e5m2"]["cvt_pk_bf8_f32"] == 2);
    CHECK(counts["widen_e4m3"]["cvt_pk_f32_fp8"] == 2);
    CHECK(counts["widen_e5m2"]["cvt_pk_f32_bf8"] == 2);
    const bool scales = target == "gfx950";
    CHECK(counts["narrow_bf16"]["cvt_pk_bf16_f32"] == (scales ? 1 : 0));
    CHECK(counts["narrow_e2m3"]["cvt_scalef32_"] == (scales ? 1 : 0));
    CHECK(counts["widen_e3m2"]["cvt_scalef32_"] == (scales ? 1 : 0));
    CHECK(counts["narrow_e2m1"]["cvt_scalef32_"] == (scales ? 4 : 0));
    CHECK(counts["widen_e2m1"]["cvt_scalef32_"] == (scales ? 4 : 0));
    counts = disassembled(*products);
    const char* family = target.starts_with("gfx9") ? "smfmac" : "swmmac";
    for (const char* kernel : {"sparse_fp16", "sparse_bf16", "sparse_fp8", "sparse_int8"}) {
      CAPTURE(kernel);
      CHECK(counts[kernel][family] >= 2);
    }
    for (const char* kernel :
         {"sparse_fp16_deep", "sparse_bf16_deep", "sparse_fp8_deep", "sparse_int8_deep"}) {
      CHECK(counts[kernel][family] == (scales ? 1 : 0));
    }
  }
}

TEST_CASE("a kernel that spills is complained of") {
  const std::string path = ROCVET_SPILLING_CODE_OBJECT;
  if (path.empty()) {
    MESSAGE("skipped: this build has no compiler for AMD GPUs");
    return;
  }
  const auto kernels = read_kernels(file_bytes(path));
  REQUIRE(kernels);
  REQUIRE(kernels->size() == 1);
  const auto words = complaints("gfx942", kernels->front());
  CHECK(contains(words, "gfx942 spills: vector registers spilled:"));
  CHECK(contains(words, "bytes of scratch memory"));
}

TEST_CASE("each fault has its complaint") {
  CHECK(complaints("gfx942", good()).empty());
  const auto one = [](auto change, const std::string& target = "gfx942") {
    Kernel kernel = good();
    change(kernel);
    const auto words = complaints(target, kernel);
    return words.size() == 1 ? words.front() : std::to_string(words.size()) + " complaints";
  };
  CHECK(one([](Kernel& k) { k.sgpr_spills = 3; }) ==
        "gfx942 gemm_fp16: scalar registers spilled: 3");
  CHECK(one([](Kernel& k) { k.lds += 16; }) ==
        "gfx942 gemm_fp16: bytes of LDS, more than a block may have: 65552");
  CHECK(one([](Kernel& k) { k.lds = 160 * 1024; }, "gfx950") == "0 complaints");
  CHECK(one([](Kernel& k) { k.lds = 160 * 1024 + 4; }, "gfx950") ==
        "gfx950 gemm_fp16: bytes of LDS, more than a block may have: 163844");
  CHECK(one([](Kernel& k) { k.mfma = 0; }) == "gfx942 gemm_fp16: MFMA instructions: 0");
  CHECK(one([](Kernel& k) { k.hasty_loads = 2; }, "gfx950") ==
        "gfx950 gemm_fp16: loads to LDS too soon after M0 is written: 2");
  CHECK(one([](Kernel& k) { k.wave_size = 32; }, "gfx1100") ==
        "gfx1100 gemm_fp16: WMMA instructions: 0");
  CHECK(one([](Kernel& k) { k.wave_size = 32; }) == "gfx942 gemm_fp16: wave size 32");
  CHECK(one([](Kernel& k) { k.arguments[1].offset = 4; }) ==
        "gfx942 gemm_fp16: an argument overlaps the one before, at 4");
  CHECK(one([](Kernel& k) { k.arguments[1].size = 16; }) ==
        "gfx942 gemm_fp16: arguments past the end of their segment, at 24");
  CHECK(one([](Kernel& k) { k.arguments[1].kind = "hidden_block_count_x"; }) ==
        "gfx942 gemm_fp16: hidden argument at 8");
}

TEST_CASE("what is no code object is refused") {
  CHECK(!read_kernels({}));
  std::vector<std::byte> code = file_bytes("/proc/self/exe");
  const auto own = read_kernels(code);
  REQUIRE(!own);
  CHECK(own.error().text().find("no AMDGPU metadata note") != std::string::npos);
  code.resize(64);
  CHECK(!read_kernels(code));
}

}  // namespace rocvet::code

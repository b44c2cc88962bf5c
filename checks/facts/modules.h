// Python packages with device code, PyTorch and its likes told from what is built upon them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// Whether a package is a framework whose build decides which GPUs an environment has code for:
/// PyTorch and its own packages, TensorFlow, JAX, ONNX Runtime, Triton, MIGraphX. Others (vLLM,
/// llama-cpp-python, flash-attn …) are modules beside it.
bool is_base_framework(std::string_view package);

/// The device code of one Python package that is no base framework. Its kernels may be spread over
/// several files: together they are what it has.
struct DeviceFile {
  std::string path;
  std::vector<std::string> targets;
};
struct DeviceModule {
  std::string name;                  ///< "llama_cpp", "flash_attn_2_cuda"
  std::string environment;           ///< the environment's root
  bool beside_framework = false;     ///< a base framework is in that environment too
  std::vector<DeviceFile> files;     ///< those with device code
  std::vector<std::string> targets;  ///< of all its files
};
std::vector<DeviceModule> device_modules(const Machine& machine);

/// Files of a module none of whose code fits one of `wanted`, though other files of it have some.
/// One that is made for a target by its name ("libggml-hip-gfx11.so"), or that has such a sibling
/// that fits, is one of several to choose from and does not count.
std::vector<const DeviceFile*> files_that_lack(const DeviceModule& module,
                                               const std::vector<std::string>& wanted);
/// "ck_fused_attn" of ".../libck_fused_attn.so": what messages and sources call it.
std::string_view stem_of_file(std::string_view path);

/// Whether ROCm is installed and nothing here that computes is built for it: no framework and no
/// application. Then a framework for the processor is hardly what was meant.
bool lacks_gpu_framework(const Machine& machine);
/// Whether a program says that there is no code for its GPU.
bool complains_of_missing_code(const Context& context);

}  // namespace rocvet

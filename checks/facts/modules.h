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
struct DeviceModule {
  std::string name;                ///< "llama_cpp", "flash_attn_2_cuda"
  std::string environment;         ///< the environment's root
  bool beside_framework = false;   ///< a base framework is in that environment too
  std::vector<std::string> files;  ///< those with device code
  std::vector<std::string> targets;
};
std::vector<DeviceModule> device_modules(const Machine& machine);

/// Whether a program says that there is no code for its GPU.
bool complains_of_missing_code(const Context& context);

}  // namespace rocvet

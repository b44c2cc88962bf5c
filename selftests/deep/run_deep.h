// --deep from the parent's side: a worker for each library, with a deadline; whatever a worker does
// becomes a result.
#pragma once

#include <string>

#include "machine/deep.h"
#include "machine/machine.h"

namespace rocvet {

struct DeepRequest {
  double deadline_s = 60;  ///< of each worker; `import torch` gets three times that
  std::string worker_program = "/proc/self/exe";  ///< what answers to `__worker`
  /// Which of "hip", "hsa", "rocm-smi", "amd-smi", "torch", "jax", "tensorflow", "onnxruntime",
  /// "triton", "vllm", "ggml" (applications that bring llama.cpp's HIP back end); empty: the first
  /// five.
  std::vector<std::string> only;
};

/// Loads HIP, ROCr, ROCm SMI and AMD SMI, and frameworks in each Python environment of `machine`
/// that has them, with the environment of this process. Never hangs, never throws.
Deep run_deep(const Machine& machine, const DeepRequest& request = {});

}  // namespace rocvet

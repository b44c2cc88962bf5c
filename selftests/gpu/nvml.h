// NVIDIA's management library (libnvidia-ml.so.1), loaded when it is needed. In a process of its
// own only: it is the vendor's code, and its calls can hang.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "selftests/judge/gpu_sample.h"

namespace rocvet::gpu {

class Nvml {
 public:
  /// Error::missing without the library.
  static Result<Nvml> open();
  Nvml(Nvml&&) noexcept;
  ~Nvml();
  /// All GPUs, now. What a GPU does not tell is left out.
  std::vector<GpuSample> sample();

 private:
  struct State;
  explicit Nvml(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rocvet::gpu

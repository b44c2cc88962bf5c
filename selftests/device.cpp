#include "selftests/device.h"

#include <algorithm>
#include <chrono>

#include "selftests/gpu/code_objects.h"

namespace rocvet {

Buffer::Buffer(gpu::Runtime& runtime, std::size_t bytes, Where where)
    : runtime_(&runtime), bytes_(bytes), where_(where) {
  pointer_ = must(where == Where::device ? runtime.allocate(std::max<std::size_t>(bytes, 1))
                                         : runtime.allocate_host(std::max<std::size_t>(bytes, 1)));
}

Buffer::~Buffer() {
  if (pointer_ == 0) return;
  // A failure here follows from one that was reported, or shows in the next call.
  if (where_ == Where::device) {
    (void)runtime_->free(pointer_);
  } else {
    (void)runtime_->free_host(pointer_);
  }
}

Device::~Device() {
  for (const auto& [name, handle] : modules_) (void)runtime().unload_module(handle);
}

gpu::Handle Device::kernel(const std::string& module, const std::string& name) {
  for (const auto& [loaded, handle] : modules_) {
    if (loaded == module) return must(runtime().function(handle, name));
  }
  const auto code = must(gpu::code_object(info().arch, module));
  modules_.emplace_back(module, must(runtime().load_module(code)));
  return must(runtime().function(modules_.back().second, name));
}

std::vector<double> Device::time_ms(const std::function<void()>& work, double limit_s) {
  constexpr double kShortestMs = 2;  // below it the resolution of event clocks shows
  constexpr int kSamples = 20, kFewest = 5;
  const Event start(runtime()), stop(runtime());
  const auto sample = [&](int repeats) {
    must(runtime().record(start.handle(), stream()));
    for (int i = 0; i < repeats; ++i) work();
    must(runtime().record(stop.handle(), stream()));
    return must(runtime().elapsed_ms(start.handle(), stop.handle())) / repeats;
  };
  if (limit_s <= 0) return {sample(1), sample(1)};
  const auto begin = std::chrono::steady_clock::now();
  const auto spent_s = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  (void)sample(1);  // code and pages arrive
  const double once = std::max(sample(1), 1e-4);
  const int repeats = static_cast<int>(std::clamp(kShortestMs / once, 1.0, 1000.0));
  std::vector<double> samples;
  while (samples.size() < kSamples && (samples.size() < kFewest || spent_s() < limit_s)) {
    samples.push_back(sample(repeats));
  }
  return samples;
}

}  // namespace rocvet

// What a Python of the user's runs for us: imports a framework and computes on each of its GPUs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocvet::deep {

struct FrameworkScript {
  std::string_view id;                     ///< "torch"
  std::vector<std::string_view> packages;  ///< any of them: the environment has it
  std::string_view body;                   ///< after the lines that all have in common
};

/// torch, jax, tensorflow, onnxruntime, triton, vllm.
std::span<const FrameworkScript> framework_scripts();
/// nullptr: there is none of that name.
const FrameworkScript* find_framework_script(std::string_view id);
/// The whole program for `python -c`; it tells on file descriptor 3.
std::string program_of(const FrameworkScript& script);

}  // namespace rocvet::deep

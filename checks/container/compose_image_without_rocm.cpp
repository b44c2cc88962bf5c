#include <algorithm>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"

namespace rocvet {
namespace {

constexpr std::string_view kComposeImageWithoutRocmDoc = R"(
## What it looks for
Services that are given /dev/kfd while their image is the one for NVIDIA or for the processor:
ollama/ollama without a rocm tag, llama.cpp's server or -cuda images, vllm/vllm-openai, images with
"cuda" in their name.

## Why it matters
The container starts, finds no library for AMD in the image and computes on the processor.

## How to mend it
Use the image for ROCm: ollama/ollama:rocm, ghcr.io/ggml-org/llama.cpp:server-rocm, rocm/vllm,
rocm/pytorch.

## Not this
A service that is given no devices: RV703.

## References
- https://hub.docker.com/r/ollama/ollama
- https://github.com/ggml-org/llama.cpp/blob/master/docs/docker.md
- https://hub.docker.com/u/rocm
)";

/// What to use instead; "" when nothing is wrong with the image.
std::string better_image(const std::string& image) {
  const std::string name = lower(image);
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  if (has("rocm") || has("vulkan") || has("hip") || has("amd")) return "";
  if (has("ollama/ollama")) return "ollama/ollama:rocm";
  if (has("llama.cpp:")) return "ghcr.io/ggml-org/llama.cpp:server-rocm";
  if (has("vllm/vllm-openai")) return "rocm/vllm";
  if (has("cuda") || has("nvidia")) return "rocm/pytorch";
  return "";
}

std::vector<Finding> run_compose_image_without_rocm(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.settings.compose.empty()) return {none_here("there is no compose file here")};
  std::vector<Finding> findings;
  for (const ComposeService& service : machine.settings.compose) {
    const bool given = std::any_of(
        service.devices.begin(), service.devices.end(),
        [](const std::string& device) { return device.find("/dev/kfd") != std::string::npos; });
    const std::string better = given ? better_image(service.image) : "";
    if (better.empty()) continue;
    const bool cuda =
        lower(service.image).find("cuda") != std::string::npos || better == "rocm/vllm";
    findings.push_back(
        warning("compose service " + service.name + " gives the GPU to an image without ROCm")
            .about(service.file)
            .saw("image: " + service.image)
            .sees(cuda ? ObservationName("compose-image-for-cuda")
                       : ObservationName("compose-image-without-rocm-libraries"))
            .fix({Step("image: {}   # in service {}", better, service.name)}));
  }
  return or_pass(std::move(findings), "the images that are given the GPU can use it");
}

}  // namespace

extern const Check kComposeImageWithoutRocm;
constinit const Check kComposeImageWithoutRocm{
    .code = "RV715",
    .id = "compose-image-without-rocm",
    .topic = "container",
    .title = "A compose file gives the GPU to an image that cannot use it",
    .doc = kComposeImageWithoutRocmDoc,
    .run = run_compose_image_without_rocm};

}  // namespace rocvet

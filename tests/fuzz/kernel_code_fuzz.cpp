// What a code object says of its kernels, as the runtimes below HIP read it: a compiler of the
// machine may have written it.
#include <array>
#include <span>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "selftests/gpu/amdgpu_code.h"

using namespace rocvet;

FUZZ_TARGET(kernel_code) {
  const auto image = gpu::read_amdgpu_code(std::as_bytes(std::span(bytes)));
  if (!image) return fuzz::use(image.error().text());
  fuzz::must(!image->kernels.empty(), "there is a kernel");
  for (const gpu::CodeRelocation& one : image->relocations)
    fuzz::must(one.offset + 8 <= image->bytes.size(), "a relocation lies within");
  std::array<std::byte, 4096> value{};
  for (const auto& [name, kernel] : image->kernels) {
    fuzz::must(kernel.descriptor + 64 <= image->bytes.size(), "a descriptor lies within");
    if (kernel.argument_bytes > 1 << 20) continue;
    std::vector<void*> given;
    bool small = true;
    for (const gpu::KernelArgument& argument : kernel.arguments) {
      small &= argument.bytes <= value.size();
      if (argument.hidden == gpu::Hidden::none) given.push_back(value.data());
    }
    if (!small) continue;
    if (const auto memory = gpu::kernel_arguments(kernel, given, 2, 64, 0))
      fuzz::must(memory->size() == kernel.argument_bytes, "all arguments, and no more");
  }
}

#include "selftests/gpu/amdgpu_code.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "selftests/gpu/code_objects.h"

namespace rocvet::gpu {
namespace {

std::uint32_t word(const std::vector<std::byte>& bytes, std::uint64_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

TEST_CASE("every code object for AMD that was built is read") {
  int kernels = 0;
  for (const std::string& target : built_targets()) {
    if (!target.starts_with("gfx")) continue;
    for (const std::string& module : built_modules(target)) {
      CAPTURE(target);
      CAPTURE(module);
      const auto code = code_object(target, module);
      REQUIRE(code);
      const auto image = read_amdgpu_code(*code);
      REQUIRE_MESSAGE(image, image.error().text());
      for (const auto& [name, kernel] : image->kernels) {
        CAPTURE(name);
        ++kernels;
        CHECK(kernel.private_bytes == 0);
        CHECK_FALSE(kernel.dynamic_stack);
        // The descriptor, which the hardware reads, says the same: LDS, scratch, arguments.
        CHECK(word(image->bytes, kernel.descriptor) == kernel.group_bytes);
        CHECK(word(image->bytes, kernel.descriptor + 4) == 0);
        CHECK(word(image->bytes, kernel.descriptor + 8) == kernel.argument_bytes);
        CHECK(kernel.argument_bytes <= 1024);
      }
    }
  }
  const auto targets = built_targets();
  const bool any = std::any_of(targets.begin(), targets.end(),
                               [](const std::string& name) { return name.starts_with("gfx"); });
  CHECK((kernels > 0) == any);
}

TEST_CASE("arguments lie where the kernel reads them") {
  KernelCode kernel;
  kernel.argument_bytes = 32;
  kernel.arguments = {{0, 8, Hidden::none},           {8, 4, Hidden::none},
                      {16, 4, Hidden::block_count_x}, {20, 2, Hidden::group_size_x},
                      {22, 2, Hidden::group_size_y},  {24, 2, Hidden::dimensions},
                      {28, 4, Hidden::dynamic_lds}};
  std::uint64_t pointer = 0x1122334455667788;
  std::uint32_t number = 77;
  void* given[] = {&pointer, &number};
  const auto memory = kernel_arguments(kernel, given, 5, 256, 4096);
  REQUIRE(memory);
  CHECK(word(*memory, 0) == 0x55667788);
  CHECK(word(*memory, 4) == 0x11223344);
  CHECK(word(*memory, 8) == 77);
  CHECK(word(*memory, 16) == 5);
  CHECK(word(*memory, 20) == (256 | 1u << 16));
  CHECK((word(*memory, 24) & 0xffff) == 1);
  CHECK(word(*memory, 28) == 4096);
  CHECK_FALSE(kernel_arguments(kernel, std::span(given, 1), 5, 256, 0));
  kernel.arguments.pop_back();
  kernel.arguments.push_back({30, 4, Hidden::dynamic_lds});
  CHECK_FALSE(kernel_arguments(kernel, given, 5, 256, 0));
}

TEST_CASE("what is no code object for an AMD GPU is refused with a word") {
  const auto none = read_amdgpu_code({});
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == Error::Kind::malformed);
  for (const std::string& target : built_targets()) {
    if (!target.starts_with("gfx")) continue;
    auto code = code_object(target, "units");
    REQUIRE(code);
    for (const std::size_t length : {std::size_t{63}, std::size_t{200}, code->size() / 2})
      CHECK_FALSE(read_amdgpu_code(std::span(*code).first(length)));
    (*code)[8] = std::byte{9};  // EI_ABIVERSION
    const auto later = read_amdgpu_code(*code);
    REQUIRE_FALSE(later);
    CHECK(later.is(Error::Kind::unsupported));
    break;
  }
}

}  // namespace
}  // namespace rocvet::gpu

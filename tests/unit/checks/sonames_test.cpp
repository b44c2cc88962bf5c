// Whose a library is, by where it lies.
#include "checks/facts/sonames.h"

#include <doctest/doctest.h>

using namespace rocvet;

TEST_CASE("a wheel or a bundle is what neither the distribution nor ROCm has brought") {
  for (const char* path :
       {"/home/me/venv/lib/python3.12/site-packages/torch/lib/libtorch.so", "/opt/app/bin/server",
        "/root/x", "/usr/WS1/me/bin/roofline", "/app/llama-server",
        "/opt/conda/lib/python3.8/site-packages/torch_scatter/_version_cuda.so"}) {
    CAPTURE(path);
    CHECK(is_of_wheel_or_bundle(path));
  }
  for (const char* path :
       {"/opt/rocm-6.4.3/lib/libamdhip64.so", "/opt/rocm/lib/python3.12/site-packages/amdsmi/x.so",
        "/usr/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6", "/usr/lib64/libm.so.6",
        "/usr/libexec/x", "/usr/lib/python3/dist-packages/x.so", "/nix/store/abc/lib/libx.so",
        "/opt/amdgpu/lib/libdrm.so", "libx.so", ""}) {
    CAPTURE(path);
    CHECK_FALSE(is_of_wheel_or_bundle(path));
  }
}

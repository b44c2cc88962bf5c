#include "selftests/deep/framework_scripts.h"

#include <algorithm>

namespace rocvet::deep {
namespace {

// The sums are of small whole numbers, exact in every precision that a library may choose, and
// compared with what Python itself computes.
constexpr std::string_view kCommon = R"python(
import json, os, sys
def tell(**event):
    os.write(3, (json.dumps(event) + "\n").encode())
at = ["python"]
def doing(step):
    at[0] = step
    tell(calling=step)
def fail(outcome, name, why):
    why = (str(why).strip().splitlines() or [""])[0]
    tell(failed=dict(outcome=outcome, call=at[0], name=name, why=why[:1000]))
    os._exit(0)
def must(right, what):
    if not right:
        fail("wrong", "", "%s has wrong numbers" % what)
import site
for folder in sys.argv[1:]:
    site.addsitedir(folder)
n = 32
a = [[(i + 2 * k) % 5 for k in range(n)] for i in range(n)]
b = [[(3 * k + j) % 7 for j in range(n)] for k in range(n)]
product = [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
def whole(rows):
    return [[int(x) for x in row] for row in rows]
)python";

constexpr std::string_view kEnd = R"python(
try:
    main()
except BaseException as problem:
    fail("refused", type(problem).__name__, problem)
tell(done=True)
os._exit(0)
)python";

constexpr std::string_view kTorch = R"python(
# Weights of attention over equal keys are equal: the result is the mean of the values.
def attention(torch, place):
    call = torch.nn.functional.scaled_dot_product_attention
    q = torch.ones((1, 1, 4, 64), dtype=torch.float32, device=place)
    v = torch.arange(8, dtype=torch.float32, device=place).reshape(1, 1, 8, 1).expand(1, 1, 8, 64).contiguous()
    k = torch.ones((1, 1, 8, 64), dtype=torch.float32, device=place)
    rows = call(q, k, v).reshape(-1).cpu().tolist()
    return all(abs(x - 3.5) < 1e-3 for x in rows)
def convolution(torch, place):
    image = [[(i * 3 + j) % 4 for j in range(8)] for i in range(8)]
    mask = [[1, 2, 0], [0, 1, 1], [2, 0, 1]]
    right = [[sum(mask[p][q] * image[i + p][j + q] for p in range(3) for q in range(3)) for j in range(6)] for i in range(6)]
    x = torch.tensor([[image]], dtype=torch.float32, device=place)
    w = torch.tensor([[mask]], dtype=torch.float32, device=place)
    y = torch.nn.functional.conv2d(x, w).cpu().tolist()[0][0]
    return [[round(v) for v in row] for row in y] == right and all(abs(v - round(v)) < 1e-3 for row in y for v in row)
def main():
    doing("import torch")
    import torch
    tell(library=str(torch.__file__), version=str(torch.__version__))
    version = torch.version
    tell(fact=dict(hip=str(getattr(version, "hip", None) or ""), cuda=str(getattr(version, "cuda", None) or "")))
    doing("torch.cuda.is_available()")
    tell(fact=dict(available="true" if torch.cuda.is_available() else "false"))
    doing("torch.cuda.device_count()")
    count = torch.cuda.device_count()
    if count > 0:
        doing("torch.cuda.get_arch_list()")
        tell(fact=dict(arch_list=" ".join(torch.cuda.get_arch_list())))
    for i in range(count):
        doing("torch.cuda.get_device_properties(%d)" % i)
        it = torch.cuda.get_device_properties(i)
        device = dict(index=i, name=str(it.name), memory_bytes=int(it.total_memory))
        if getattr(it, "gcnArchName", None):
            device["gfx"] = str(it.gcnArchName)
        if hasattr(it, "pci_bus_id"):
            device["bdf"] = "%04x:%02x:%02x.0" % (getattr(it, "pci_domain_id", 0), it.pci_bus_id, getattr(it, "pci_device_id", 0))
        place = "cuda:%d" % i
        doing("a matrix product on " + place)
        c = torch.tensor(a, dtype=torch.float32, device=place) @ torch.tensor(b, dtype=torch.float32, device=place)
        device["product_right"] = whole(c.cpu().tolist()) == product
        tell(device=device)
        functional = getattr(getattr(torch, "nn", None), "functional", None)
        if device["product_right"] and hasattr(functional, "conv2d"):
            doing("a convolution on " + place)
            must(convolution(torch, place), at[0])
        if device["product_right"] and hasattr(functional, "scaled_dot_product_attention"):
            doing("attention on " + place)
            must(attention(torch, place), at[0])
)python";

constexpr std::string_view kJax = R"python(
def main():
    doing("import jax")
    import jax
    tell(library=str(jax.__file__), version=str(jax.__version__))
    import jax.numpy as numbers
    doing("jax.devices()")
    devices = [d for d in jax.devices() if d.platform in ("gpu", "rocm", "cuda")]
    tell(fact=dict(platform=str(jax.default_backend())))
    for i, it in enumerate(devices):
        device = dict(index=i, name=str(it.device_kind))
        doing("a matrix product on %s" % it)
        x, y = (jax.device_put(numbers.array(m, dtype="float32"), it) for m in (a, b))
        device["product_right"] = whole(numbers.matmul(x, y).tolist()) == product
        tell(device=device)
)python";

constexpr std::string_view kTensorflow = R"python(
def main():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
    doing("import tensorflow")
    import tensorflow as tf
    tell(library=str(tf.__file__), version=str(tf.__version__))
    build = tf.sysconfig.get_build_info()
    tell(fact=dict(hip=str(build.get("rocm_version", "")) if build.get("is_rocm_build") else "", cuda=str(build.get("cuda_version", "")) if build.get("is_cuda_build") else ""))
    doing("tf.config.list_physical_devices('GPU')")
    gpus = tf.config.list_physical_devices("GPU")
    for i, it in enumerate(gpus):
        device = dict(index=i, name=str(tf.config.experimental.get_device_details(it).get("device_name", it.name)))
        doing("a matrix product on /GPU:%d" % i)
        with tf.device("/GPU:%d" % i):
            c = tf.linalg.matmul(tf.constant(a, dtype=tf.float32), tf.constant(b, dtype=tf.float32))
        device["product_right"] = whole(c.numpy().tolist()) == product
        tell(device=device)
)python";

constexpr std::string_view kOnnxruntime = R"python(
# A model of one MatMul, as ONNX's protocol buffers have it.
def number(n):
    out = b""
    while True:
        out += bytes([n & 127 | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            return out
def field(at, value):
    if isinstance(value, int):
        return number(at << 3) + number(value)
    value = value.encode() if isinstance(value, str) else value
    return number(at << 3 | 2) + number(len(value)) + value
def matrix(name):
    size = field(1, field(1, n))
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, size + size)))
def model():
    node = field(1, "a") + field(1, "b") + field(2, "c") + field(4, "MatMul")
    graph = field(1, node) + field(2, "g") + field(11, matrix("a")) + field(11, matrix("b")) + field(12, matrix("c"))
    return field(1, 7) + field(7, graph) + field(8, field(1, "") + field(2, 13))
def main():
    doing("import onnxruntime")
    import onnxruntime, numpy
    tell(library=str(onnxruntime.__file__), version=str(onnxruntime.__version__))
    doing("onnxruntime.get_available_providers()")
    providers = list(onnxruntime.get_available_providers())
    tell(fact=dict(providers=" ".join(providers), cuda="yes" if "CUDAExecutionProvider" in providers else ""))
    mine = [p for p in ("MIGraphXExecutionProvider", "ROCMExecutionProvider") if p in providers]
    for i, provider in enumerate(mine):
        doing("a matrix product through " + provider)
        session = onnxruntime.InferenceSession(model(), providers=[provider])
        if provider not in session.get_providers():
            fail("no-device", "", "%s is there and gives the work to the CPU" % provider)
        c, = session.run(None, dict(a=numpy.array(a, dtype="float32"), b=numpy.array(b, dtype="float32")))
        tell(device=dict(index=i, name=provider, product_right=whole(c.tolist()) == product))
)python";

constexpr std::string_view kTriton = R"python(
# Triton reads its kernels out of a file.
source = """
import triton
import triton.language as tl
@triton.jit
def multiply_add(x, y, to, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(to + at, tl.load(x + at, mask=inside) * 3 + tl.load(y + at, mask=inside), mask=inside)
"""
def main():
    import importlib.util, shutil, tempfile
    doing("import triton")
    import triton
    tell(library=str(triton.__file__), version=str(triton.__version__))
    doing("import torch")
    import torch
    tell(fact=dict(hip=str(getattr(torch.version, "hip", None) or ""), cuda=str(getattr(torch.version, "cuda", None) or "")))
    folder = tempfile.mkdtemp(prefix="rocvet-triton-")
    try:
        os.environ["TRITON_CACHE_DIR"] = folder + "/cache"
        path = folder + "/rocvet_kernel.py"
        with open(path, "w") as file:
            file.write(source)
        spec = importlib.util.spec_from_file_location("rocvet_kernel", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["rocvet_kernel"] = module
        spec.loader.exec_module(module)
        doing("torch.cuda.device_count()")
        for i in range(torch.cuda.device_count()):
            place = "cuda:%d" % i
            it = torch.cuda.get_device_properties(i)
            device = dict(index=i, name=str(it.name))
            if getattr(it, "gcnArchName", None):
                device["gfx"] = str(it.gcnArchName)
            doing("compiling and running a kernel on " + place)
            torch.cuda.set_device(i)
            count = 1000
            x = torch.arange(count, dtype=torch.int32, device=place)
            y = torch.arange(count, dtype=torch.int32, device=place) + 7
            to = torch.zeros(1024, dtype=torch.int32, device=place)
            module.multiply_add[((count + 255) // 256,)](x, y, to, count, BLOCK=256)
            device["product_right"] = to.cpu().tolist() == [4 * n + 7 for n in range(count)] + [0] * 24
            tell(device=device)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
)python";

constexpr std::string_view kVllm = R"python(
def main():
    doing("import vllm")
    import vllm
    tell(library=str(vllm.__file__), version=str(getattr(vllm, "__version__", "")))
    doing("import vllm.platforms")
    from vllm.platforms import current_platform as platform
    if not platform.is_rocm():
        fail("no-device", "", "vLLM takes this for the platform %s, not for ROCm" % type(platform).__name__)
    # Its kernels are in extensions of their own, which it imports without complaining.
    for module in ("vllm._C", "vllm._rocm_C"):
        doing("import " + module)
        __import__(module)
    doing("vllm's platform.get_device_name(0)")
    tell(device=dict(index=0, name=str(platform.get_device_name(0))))
)python";

}  // namespace

std::span<const FrameworkScript> framework_scripts() {
  static const FrameworkScript kAll[] = {
      {"torch", {"torch"}, kTorch},
      {"jax", {"jax"}, kJax},
      {"tensorflow", {"tensorflow", "tensorflow-rocm", "tensorflow-cpu"}, kTensorflow},
      {"onnxruntime",
       {"onnxruntime", "onnxruntime-rocm", "onnxruntime-migraphx", "onnxruntime-gpu"},
       kOnnxruntime},
      {"triton", {"triton", "pytorch-triton-rocm", "triton-rocm"}, kTriton},
      {"vllm", {"vllm"}, kVllm}};
  return kAll;
}

const FrameworkScript* find_framework_script(std::string_view id) {
  const auto all = framework_scripts();
  const auto found = std::ranges::find(all, id, &FrameworkScript::id);
  return found == all.end() ? nullptr : &*found;
}

std::string program_of(const FrameworkScript& script) {
  return std::string(kCommon) + std::string(script.body) + std::string(kEnd);
}

}  // namespace rocvet::deep

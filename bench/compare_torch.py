#!/usr/bin/env python3
"""Our kernels beside PyTorch's libraries on one NVIDIA GPU: same process, shapes and data; medians.

    compare_torch.py gemm.cubin [attention.cubin [bandwidth.cubin]] [--only WHAT]

attention_fp32.cubin is taken from beside attention.cubin.

Each result is first compared with float64. Needs torch and cuda-bindings; timing is with events, our
kernel and the library's in turn, so that clocks and temperature are the same for both. The table at the
end has the floor of each: its bytes or operations over the highest rate that anything reached here.
"""
import argparse
import ctypes
import pathlib
import statistics
import sys

import torch
from cuda.bindings import driver

TYPES = ["fp16", "bf16", "fp8", "int8", "fp32", "fp64"]
TORCH = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp8": torch.float8_e4m3fn, "int8": torch.int8,
         "fp32": torch.float32, "fp64": torch.float64}
SIZE = {"fp16": 2, "bf16": 2, "fp8": 1, "int8": 1, "fp32": 4, "fp64": 8}


def check(result):
    status, *rest = result
    if int(status) != 0:
        raise RuntimeError(str(driver.cuGetErrorString(status)[1]))
    return rest[0] if rest else None


class U64(int):
    """An argument of 64 bits."""


class Module:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.module = check(driver.cuModuleLoadData(file.read()))
        self.functions = {}

    def launch(self, name, blocks, threads, shared, arguments):
        """`arguments`: tensors (their address), ints (u32), floats, or bytes (passed by value)."""
        if name not in self.functions:
            function = check(driver.cuModuleGetFunction(self.module, name.encode()))
            if shared > 48 << 10:
                attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                check(driver.cuFuncSetAttribute(function, attribute, shared))
            self.functions[name] = function
        keep, pointers = [], (ctypes.c_void_p * len(arguments))()
        for i, value in enumerate(arguments):
            if isinstance(value, torch.Tensor):
                cell = ctypes.c_uint64(value.data_ptr())
            elif isinstance(value, U64):
                cell = ctypes.c_uint64(value)
            elif isinstance(value, int):
                cell = ctypes.c_uint32(value)
            elif isinstance(value, float):
                cell = ctypes.c_float(value)
            else:  # a tensor map: 128 bytes at a multiple of 64
                space = ctypes.create_string_buffer(len(value) + 64)
                start = (ctypes.addressof(space) + 63) & ~63
                ctypes.memmove(start, value, len(value))
                keep.append(space)
                pointers[i] = start
                continue
            keep.append(cell)
            pointers[i] = ctypes.addressof(cell)
        stream = torch.cuda.current_stream().cuda_stream
        check(driver.cuLaunchKernel(self.functions[name], blocks, 1, 1, threads, 1, 1, shared, stream,
                                    ctypes.addressof(pointers), 0))


def tensor_map(tensor, element_bytes, dims, strides, box):
    """Innermost dimension first; strides in bytes, without the innermost; 128-byte swizzle."""
    kinds = driver.CUtensorMapDataType
    kind = {1: kinds.CU_TENSOR_MAP_DATA_TYPE_UINT8, 2: kinds.CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
            4: kinds.CU_TENSOR_MAP_DATA_TYPE_UINT32, 8: kinds.CU_TENSOR_MAP_DATA_TYPE_UINT64}[element_bytes]
    made = check(driver.cuTensorMapEncodeTiled(
        kind, len(dims), tensor.data_ptr(), [driver.cuuint64_t(d) for d in dims],
        [driver.cuuint64_t(s) for s in strides], [driver.cuuint32_t(b) for b in box],
        [driver.cuuint32_t(1)] * len(dims), driver.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
        driver.CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B,
        driver.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        driver.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
    return ctypes.string_at(int(made.getPtr()), 128)


def times_ms(actions, rounds):
    """Median time of each action, the actions taking turns."""
    samples = [[] for _ in actions]
    for action in actions:
        action()
        action()
    for _ in range(rounds):
        for i, action in enumerate(actions):
            start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            action()
            stop.record()
            samples[i].append((start, stop))
    torch.cuda.synchronize()
    return [statistics.median(a.elapsed_time(b) for a, b in s) for s in samples]


ROWS = []  # (name, shape, unit that limits, operations, bytes, our ms, {library: ms})


def table():
    """The floor of each row: what it must move and compute, at the highest rates measured here."""
    stream, rates = 0.0, {}
    for _, _, unit, work, moved, ours, theirs in ROWS:
        best = min([ours, *theirs.values()])
        if unit == "memory":
            stream = max(stream, moved / best)
        else:
            rates[unit] = max(rates.get(unit, 0.0), work / best)
    print(f"\nceilings: memory {stream / 1e6:.0f} GB/s, " +
          ", ".join(f"{unit} {rate / 1e9:.1f} T/s" for unit, rate in rates.items()))
    print(f"{'':26} {'':26} {'floor':>9} {'ours':>9} {'of floor':>8}  {'torch':>9} {'ours/torch':>10}")
    for name, shape, unit, work, moved, ours, theirs in ROWS:
        floor = max(work / rates[unit] if unit in rates else 0.0, moved / stream if stream else 0.0)
        best = min(theirs, key=theirs.get)
        print(f"{name:26} {shape:26} {floor:7.3f}ms {ours:7.3f}ms {floor / ours:8.3f}  "
              f"{theirs[best]:7.3f}ms {theirs[best] / ours:10.3f}  {best}")


def report(name, shape, error, tolerance, ours, theirs, unit, work, note=""):
    verdict = "ok   " if error <= tolerance else "WRONG"
    line = f"{name:22} {shape:24} {verdict} err {error:.1e}"
    if ours:
        line += f"  ours {work / ours:8.1f}"
    if theirs:
        best = min(theirs.values())
        line += f"  {min(theirs, key=theirs.get)} {work / best:8.1f} {unit}  ratio {best / ours:.3f}"
    print(line + ("  " + note if note else ""), flush=True)


def random(kind, rows, columns, integers=False):
    """Rows are padded with zeros to a multiple of 16 bytes."""
    step = 16 // SIZE[kind]
    padded = (columns + step - 1) // step * step
    if kind == "int8":
        data = torch.randint(-127, 128, (rows, padded), device="cuda", dtype=torch.int8)
    elif integers:
        data = torch.randint(-2, 3, (rows, padded), device="cuda").to(TORCH[kind])
    elif kind == "fp8":
        data = torch.randn(rows, padded, device="cuda").to(TORCH[kind])
    else:
        data = torch.randn(rows, padded, device="cuda", dtype=TORCH[kind])
    if padded > columns:
        data.view(torch.uint8).view(rows, -1)[:, columns * SIZE[kind]:] = 0
    return data


class Gemm:
    def __init__(self, path):
        self.module = Module(path)
        table = torch.zeros(len(TYPES), 6, dtype=torch.int32, device="cuda")
        self.module.launch("gemm_geometry", 1, 64, 0, [table])
        self.geometry = dict(zip(TYPES, table.tolist()))

    def action(self, kind, a, b, c, m, n, k, plain=False):
        threads, block_m, block_n, shared, maps, _ = self.geometry[kind]
        size = SIZE[kind]
        if maps and not plain:
            cluster = 2
            arguments = [tensor_map(x, size, (k, rows), (x.shape[1] * size,), (128 // size, box))
                         for x, rows, box in ((a, m, block_m), (b, n, block_n // cluster))]
            sum_size = c.element_size()
            arguments += [tensor_map(c, sum_size, (n, m), (c.shape[1] * sum_size,), (128 // sum_size, 16)), m, n, k]
            grid = torch.cuda.get_device_properties(0).multi_processor_count // cluster * cluster
            return lambda: self.module.launch(f"gemm_{kind}_sm90", grid, threads, shared, arguments)
        if maps:
            threads, block_m, block_n, shared = (256, 128, 128, 3 * 256 * 128) if kind == "fp64" else (
                256, 128, 256, 3 * 384 * 64)
        blocks = -(-m // block_m) * -(-n // block_n)
        arguments = [a, b, c, m, n, k, a.shape[1], b.shape[1], c.shape[1]]
        return lambda: self.module.launch(f"gemm_{kind}", blocks, threads, shared, arguments)

    def compare(self, kind, m, n, k, library=(), rounds=0, integers=False, plain=False):
        a, b = random(kind, m, k, integers), random(kind, n, k, integers)
        out = {"int8": torch.int32, "fp64": torch.float64}.get(kind, torch.float32)
        c = torch.full((m, (n + 3) // 4 * 4), -77, dtype=out, device="cuda")
        action = self.action(kind, a, b, c, m, n, k, plain)
        action()
        rows = torch.arange(m, device="cuda") if m <= 1024 else torch.randint(0, m, (512,), device="cuda")
        expected = a[rows].double() @ b.double().T
        error = ((c[rows, :n].double() - expected).norm() / expected.norm()).item()
        worst = ((c[rows, :n].double() - expected).abs().max() / expected.abs().max()).item()
        left = c[:, n:]  # the tensor copy engine writes whole chunks of 16 bytes: zeros
        if not bool(((left == -77) | (left == 0)).all()):
            error = float("inf")
        del expected
        tolerance = 0 if integers or kind == "int8" else {"fp64": 1e-14}.get(kind, 2e-5 if kind != "fp8" else 4e-3)
        ours, theirs = None, {}
        if rounds:
            a2, b2 = a[:, :k], b[:, :k]
            candidates = {}
            if kind == "int8":
                candidates["_int_mm"] = lambda: torch._int_mm(a2, b2.T)
            elif kind == "fp8":
                one = torch.ones((), device="cuda")
                for label, out_dtype in (("bf16", torch.bfloat16), ("fp32", torch.float32)):
                    candidates[f"_scaled_mm({label} out)"] = lambda dtype=out_dtype: torch._scaled_mm(
                        a2, b2.T, one, one, out_dtype=dtype, use_fast_accum=True)
            else:
                candidates["mm"] = lambda: torch.mm(a2, b2.T)
                if kind in ("fp16", "bf16"):
                    candidates["mm(fp32 out)"] = lambda: torch.mm(a2, b2.T, out_dtype=torch.float32)
            ours, *rest = times_ms([action, *candidates.values()], rounds)
            theirs = dict(zip(candidates, rest))
        name = f"gemm.{kind}" + (" (mma.sync)" if plain else "") + (" int" if integers else "")
        if rounds and not plain:
            moved = (m + n) * k * SIZE[kind] + m * n * (8 if kind == "fp64" else 4)
            ROWS.append((name, f"{m}x{n}x{k}", kind, 2 * m * n * k, moved, ours, theirs))
        note = f"worst {worst:.1e}" if not rounds else " ".join(
            f"{label} {2 * m * n * k / t / 1e9:.1f} ({t / ours:.3f})" for label, t in theirs.items())
        report(name, f"{m}x{n}x{k}", error, tolerance, ours, theirs, "TF", 2 * m * n * k / 1e9, note)


class Attention:
    MODULES = {"attention": [("fp16", 64), ("fp16", 128), ("bf16", 64), ("bf16", 128)],
               "attention_fp32": [("fp32", 64), ("fp32", 128)]}
    KINDS = [kind for kinds in MODULES.values() for kind in kinds]

    def __init__(self, path):
        self.modules, self.geometry = {}, {}
        for name, kinds in self.MODULES.items():
            module = Module(pathlib.Path(path).with_stem(name))
            table = torch.zeros(len(kinds), 6, dtype=torch.int32, device="cuda")
            module.launch(f"{name}_geometry", 1, 64, 0, [table])
            self.geometry.update(zip(kinds, table.tolist()))
            self.modules.update(dict.fromkeys(kinds, module))

    def compare(self, kind, d, batch, heads, kv_heads, queries, keys, causal, rounds=0, plain=False):
        make = lambda h, n: torch.randn(batch, h, n, d, device="cuda", dtype=TORCH[kind])
        q, k, v = make(heads, queries), make(kv_heads, keys), make(kv_heads, keys)
        out = torch.full_like(q, -77)
        threads, block, tile, shared, maps, _ = self.geometry[kind, d]
        scale = d ** -0.5
        tail = [out, heads, kv_heads, queries, keys, int(causal), scale * 1.4426950408889634]
        name = f"attention_{kind}_d{d}"
        if maps and not plain:
            arguments = [tensor_map(x, 2, (d, x.shape[2], x.shape[0] * x.shape[1]),
                                    (d * 2, x.shape[2] * d * 2), (64, rows, 1))
                         for x, rows in ((q, block), (k, tile), (v, tile))] + tail
            name += "_sm90"
        else:
            arguments = [q, k, v] + tail
            if maps:
                threads, block, shared = 256, 64, 0
        blocks = grid = batch * heads * -(-queries // block)
        if maps and not plain:
            arguments.append(blocks)
            if not causal:
                grid = min(blocks, torch.cuda.get_device_properties(0).multi_processor_count)
        action = lambda: self.modules[kind, d].launch(name, grid, threads, shared, arguments)
        action()
        # float64 on some heads and queries
        error = worst = 0.0
        for h in sorted({0, heads // 2, heads - 1}):
            rows = torch.arange(queries, device="cuda")
            if queries > 512:
                rows = torch.randint(0, queries, (256,), device="cuda")
            g = h // (heads // kv_heads)
            s = q[-1, h, rows].double() @ k[-1, g].double().T * scale
            if causal:
                hidden = torch.arange(keys, device="cuda")[None] > rows[:, None] + keys - queries
                s.masked_fill_(hidden, float("-inf"))
            expected = torch.nan_to_num(s.softmax(-1)) @ v[-1, g].double()
            difference = out[-1, h, rows].double() - expected
            error = max(error, (difference.norm() / expected.norm().clamp(min=1e-9)).item())
            if not error == error:
                error = float("inf")
            worst = max(worst, (difference.abs().max() / expected.abs().max()).item())
        ours, theirs = None, {}
        if rounds:
            def with_backend(backend):
                def call():
                    with torch.nn.attention.sdpa_kernel(backend):
                        torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
                return call
            backends = torch.nn.attention.SDPBackend
            candidates = {"EFFICIENT": with_backend(backends.EFFICIENT_ATTENTION)} if kind == "fp32" else {
                "FLASH": with_backend(backends.FLASH_ATTENTION), "CUDNN": with_backend(backends.CUDNN_ATTENTION)}
            ours, *rest = times_ms([action, *candidates.values()], rounds)
            theirs = dict(zip(candidates, rest))
        work = 4 * batch * heads * queries * keys * d / 1e9 * (0.5 if causal else 1)
        note = f"worst {worst:.1e}" if not rounds else " ".join(
            f"{label} {work / t:.1f}" for label, t in theirs.items())
        if rounds:
            note += "".join(f"  over {label} {t / ours:.3f}" for label, t in theirs.items())
            moved = 2 * 2 * batch * d * (heads * queries + kv_heads * keys)
            ROWS.append((f"attention.{kind} d{d}" + (" causal" if causal else ""),
                         f"{batch}x{heads} {queries}x{keys}", kind, work * 1e9, moved, ours,
                         dict([min(theirs.items(), key=lambda entry: entry[1])])))
        report(f"attention.{kind} d{d}" + (" causal" if causal else "") + (" plain" if plain else ""),
               f"{batch}x{heads}/{kv_heads} {queries}x{keys}", error,
               {"fp32": 2e-6, "fp16": 1e-3, "bf16": 6e-3}[kind], ours, theirs, "TF", work, note)


class Bandwidth:
    THREADS = 256

    def __init__(self, path):
        self.module = Module(path)

    def compare(self, gib, rounds):
        words = gib << 28
        a, b, c = (torch.randn(words, device="cuda") for _ in range(3))
        chunks = words // 4
        units = torch.cuda.get_device_properties(0).multi_processor_count
        whole = -(-chunks // self.THREADS)  # what the self-test does for kernels that write
        best = {}
        copy_threads = 128  # as the self-test launches it
        for per_unit in (16, 0):
            blocks = per_unit * units if per_unit else whole
            sums = torch.zeros(blocks * self.THREADS, dtype=torch.int32, device="cuda")
            launch = lambda name, *arguments, blocks=blocks, threads=self.THREADS: (
                lambda: self.module.launch(name, blocks, threads, 0, [*arguments, U64(chunks), blocks]))
            copy_blocks = 2 * blocks if not per_unit else blocks
            c.fill_(7)
            copy = launch("bandwidth_copy", c, a, blocks=copy_blocks, threads=copy_threads)
            copy()
            copied = bool((c == a).all())
            launch("bandwidth_triad", c, a, b, 3.0)()
            triad = (c - (a + 3 * b)).abs().max().item() < 1e-5
            launch("bandwidth_read", sums, a)()
            total = a.view(torch.int32).sum().item()
            read = (sums.sum().item() - total) % (1 << 32) == 0
            launch("bandwidth_write", b, 0x3f800000)()
            wrote = bool((b == 1).all())
            b.normal_()
            actions = {"copy": copy, "triad": launch("bandwidth_triad", c, a, b, 3.0),
                       "read": launch("bandwidth_read", sums, a), "write": launch("bandwidth_write", c, 1)}
            # One after the other: what another kernel left in the cache must still be written back.
            for (name, action), right in zip(actions.items(), (copied, triad, read, wrote)):
                t = times_ms([action], rounds)[0]
                gb = words * 4 / 1e6 * {"copy": 2, "triad": 3}.get(name, 1) / t
                best.setdefault(name, []).append((gb, f"{per_unit or 'whole'}", right))
        theirs = {"copy": [lambda: c.copy_(a), lambda: torch.mul(a, 1.5, out=c)],
                  "triad": [lambda: torch.add(a, b, alpha=3, out=c)],
                  "read": [lambda: a.sum(), lambda: a.max(), lambda: a.view(torch.int32).sum()],
                  "write": [lambda: c.fill_(1), lambda: c.zero_()]}
        for name, actions in theirs.items():
            t = min(times_ms([action], rounds)[0] for action in actions)
            torch_gb = words * 4 / 1e6 * {"copy": 2, "triad": 3}.get(name, 1) / t
            gb, blocks, _ = max(best[name])
            moved = words * 4 * {"copy": 2, "triad": 3}.get(name, 1)
            ROWS.append((f"bandwidth.{name}", f"{gib} GiB", "memory", 0, moved, moved / 1e6 / gb,
                         {"torch": moved / 1e6 / torch_gb}))
            print(f"bandwidth.{name:6} {gib} GiB  {'ok' if all(r for *_, r in best[name]) else 'WRONG'}  "
                  f"ours {gb:.0f} GB/s (blocks a unit {blocks})  torch {torch_gb:.0f}  ratio {gb / torch_gb:.3f}  "
                  + " ".join(f"{n}:{g:.0f}" for g, n, _ in best[name]), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gemm")
    parser.add_argument("attention", nargs="?")
    parser.add_argument("bandwidth", nargs="?")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.zeros(1, device="cuda")
    print(torch.cuda.get_device_name(0), "torch", torch.__version__)

    if options.bandwidth:
        Bandwidth(options.bandwidth).compare(2, 20)
    if options.only == "bandwidth":
        return
    if options.attention:
        attention = Attention(options.attention)
        for kind, d in Attention.KINDS:
            for plain in (False, True):
                for causal in (False, True):
                    for shape in ((1, 1, 1, 128, 128), (2, 4, 2, 100, 77), (1, 2, 1, 257, 515),
                                  (1, 3, 3, 300, 40), (1, 1, 1, 1, 1)):
                        attention.compare(kind, d, *shape, causal, plain=plain)
        for kind, d in (("bf16", 128), ("fp16", 128), ("bf16", 64), ("fp32", 128), ("fp32", 64)):
            for causal in (False, True):
                for batch, length in ((4, 4096), (2, 8192), (1, 16384)) if kind != "fp32" else ((2, 4096),):
                    attention.compare(kind, d, batch, 2048 // d, 2048 // d, length, length, causal, 20)
    if options.only == "attention":
        return
    gemm = Gemm(options.gemm)
    for kind in TYPES:
        for plain in (False, True):
            if plain and not gemm.geometry[kind][4]:
                continue
            for m, n, k in ((128, 256, 64), (1, 1, 1), (257, 300, 77), (130, 514, 1000), (1000, 999, 333)):
                gemm.compare(kind, m, n, k, plain=plain)
            gemm.compare(kind, 512, 640, 1024, integers=True, plain=plain)
    for kind in TYPES:
        for size in (4096, 8192):
            gemm.compare(kind, size, size, size, rounds=20 if kind != "fp64" else 8)
        if gemm.geometry[kind][4]:
            gemm.compare(kind, 8192, 8192, 8192, rounds=8, plain=True)
    table()


if __name__ == "__main__":
    sys.exit(main())

// Breaks what a device computes, on purpose, in every way that the self-tests claim to notice.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "selftests/selftest.h"

namespace rocvet {
namespace {

using gpu::Handle;
using gpu::Pointer;

/// Nobody tells how wide an argument is: as much as the widest is read, past the end of a narrower
/// one.
[[gnu::no_sanitize_address]] void copy_widest(std::array<std::byte, 16>& to, const void* from) {
  const auto* bytes = static_cast<const volatile std::byte*>(from);
  for (std::size_t i = 0; i < 8; ++i) to[i] = bytes[i];
}

/// The host device, with a saboteur between it and the test.
class Mutant final : public gpu::Runtime {
 public:
  /// Changes the arguments of a launch.
  using BeforeLaunch = std::function<void(const std::string& kernel, std::span<void*> arguments)>;
  /// Changes bytes on their way from the device.
  using OnDownload = std::function<void(std::byte* data, std::size_t bytes)>;

  explicit Mutant(gpu::HostOptions options = {}) : host_(*gpu::host_runtime(options)) {}
  BeforeLaunch before_launch;
  OnDownload on_download;

  std::string name() const override { return "host"; }
  std::string library() const override { return ""; }
  std::string version() const override { return ""; }
  Result<int> device_count() override { return 1; }
  Result<gpu::DeviceInfo> use_device(int index) override { return host_->use_device(index); }
  Result<Pointer> allocate(std::size_t bytes) override { return host_->allocate(bytes); }
  Result<Done> free(Pointer pointer) override { return host_->free(pointer); }
  Result<Pointer> allocate_host(std::size_t bytes) override { return host_->allocate_host(bytes); }
  Result<Done> free_host(Pointer pointer) override { return host_->free_host(pointer); }
  Result<Done> copy(Pointer to, Pointer from, std::size_t bytes, gpu::CopyKind kind) override {
    auto done = host_->copy(to, from, bytes, kind);
    if (kind == gpu::CopyKind::device_to_host && on_download) {
      on_download(reinterpret_cast<std::byte*>(to), bytes);
    }
    return done;
  }
  Result<Done> copy_async(Pointer to, Pointer from, std::size_t bytes, gpu::CopyKind kind,
                          Handle) override {
    return copy(to, from, bytes, kind);
  }
  Result<Done> fill(Pointer to, unsigned char value, std::size_t bytes) override {
    return host_->fill(to, value, bytes);
  }
  Result<Handle> load_module(std::span<const std::byte> code) override {
    return host_->load_module(code);
  }
  Result<Handle> function(Handle module, const std::string& kernel) override {
    auto made = host_->function(module, kernel);
    if (made) names_[*made] = kernel;
    return made;
  }
  Result<Done> launch(Handle function, gpu::Launch shape, std::span<void*> arguments,
                      Handle stream) override {
    if (!before_launch) return host_->launch(function, shape, arguments, stream);
    // The copies: an argument that is changed must not stay so for the caller.
    std::vector<std::array<std::byte, 16>> values(arguments.size());
    std::vector<void*> pointers(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      copy_widest(values[i], arguments[i]);
      pointers[i] = values[i].data();
    }
    if (before_launch) before_launch(names_[function], pointers);
    return host_->launch(function, shape, pointers, stream);
  }
  Result<Handle> create_stream() override { return host_->create_stream(); }
  Result<Handle> create_event() override { return host_->create_event(); }
  Result<Done> record(Handle event, Handle stream) override { return host_->record(event, stream); }
  Result<double> elapsed_ms(Handle start, Handle stop) override {
    return host_->elapsed_ms(start, stop);
  }
  Result<Done> synchronize() override { return host_->synchronize(); }
  Result<Done> synchronize_stream(Handle) override { return Done{}; }
  Result<Done> wait_event(Handle, Handle) override { return Done{}; }

 private:
  std::unique_ptr<gpu::Runtime> host_;
  std::map<Handle, std::string> names_;
};

template <typename T>
T& argument(std::span<void*> arguments, std::size_t index) {
  return *static_cast<T*>(arguments[index]);
}

/// True when the test says that something is wrong.
bool notices(const std::string& id, Mutant& mutant, std::string* words = nullptr) {
  for (const SelfTest* test : all_selftests()) {
    if (test->id != id) continue;
    const DeviceRun run{mutant, *mutant.use_device(0), *mutant.create_stream()};
    Params params;
    params.size = Size::tiny;
    params.time_limit_s = 0;
    const auto measured = test->run(run, params);
    if (words != nullptr) {
      *words = measured ? measured->verification.detail : measured.error().text();
    }
    return !measured || !measured->verification.ok();
  }
  FAIL("no such self-test: " << id);
  return false;
}

/// Arguments of the GEMM kernels: a b c m n k lda ldb ldc.
constexpr std::size_t kGemmK = 5, kGemmLdb = 7;
/// Of attention_fp16 and bf16: q k v o heads kv_heads queries keys causal scale.
constexpr std::size_t kCausal = 8, kKeys = 7;
const std::vector<std::string> kGemms = {"gemm.fp64", "gemm.fp32", "gemm.fp16",
                                         "gemm.bf16", "gemm.fp8",  "gemm.int8"};
/// Of the block-scaled products: a b scales_a scales_b c m n k.
constexpr std::size_t kMxA = 0, kMxScalesA = 2, kMxScalesB = 3, kMxK = 7;
const std::vector<std::string> kMxGemms = {"gemm.mxfp8", "gemm.mxfp6", "gemm.mxfp4"};
const std::vector<std::string> kAttentions = {"attention.fp32", "attention.fp16", "attention.bf16"};

/// Results, not the few bytes that say how to launch.
constexpr std::size_t kResultBytes = 1000;

}  // namespace

TEST_CASE("an honest device passes") {
  for (const SelfTest* test : all_selftests()) {
    if (test->id == "bandwidth.p2p" || test->id.starts_with("library.") || test->id == "jit") {
      continue;
    }
    CAPTURE(test->id);
    Mutant honest;
    std::string words;
    CHECK_FALSE(notices(std::string(test->id), honest, &words));
    CHECK(words == "");
  }
}

TEST_CASE("any bit of a result that flips is noticed") {
  std::vector<std::string> ids = kGemms;
  ids.insert(ids.end(), kAttentions.begin(), kAttentions.end());
  ids.insert(ids.end(), kMxGemms.begin(), kMxGemms.end());
  for (const char* id :
       {"bandwidth.copy", "bandwidth.triad", "bandwidth.write", "bandwidth.d2h", "memory.alloc"}) {
    ids.emplace_back(id);
  }
  for (const std::string& id : ids) {
    for (const int bit : {0, 3, 7}) {
      CAPTURE(id);
      CAPTURE(bit);
      Mutant mutant;
      int downloads = 0;
      // Only once: a fault that comes and goes.
      mutant.on_download = [&](std::byte* data, std::size_t bytes) {
        if (bytes < kResultBytes || downloads++ > 0) return;
        data[bytes / 8 * 4] ^= std::byte{1} << bit;
      };
      CHECK(notices(id, mutant));
    }
  }
}

TEST_CASE("the lowest bit that flips in the last of repeated runs is noticed") {
  for (const std::string id : {"gemm.fp32", "gemm.fp16", "attention.fp32"}) {
    CAPTURE(id);
    int downloads = 0, all = 0;
    Mutant counting;
    counting.on_download = [&](std::byte*, std::size_t bytes) { all += bytes >= kResultBytes; };
    CHECK_FALSE(notices(id, counting));
    Mutant mutant;
    mutant.on_download = [&](std::byte* data, std::size_t bytes) {
      if (bytes >= kResultBytes && ++downloads == all) data[40] ^= std::byte{1};
    };
    CHECK(notices(id, mutant));
  }
}

TEST_CASE("a product that leaves out one step of k is noticed") {
  for (const std::string& id : kGemms) {
    CAPTURE(id);
    Mutant mutant;
    mutant.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
      // Rows are padded with zeros to 16 bytes: leave out as much as surely holds numbers.
      if (kernel != "gemm_geometry") argument<std::uint32_t>(arguments, kGemmK) -= 16;
    };
    CHECK(notices(id, mutant));
  }
}

TEST_CASE("swapped rows are noticed") {
  for (const std::string& id : kGemms) {
    CAPTURE(id);
    Mutant mutant;
    mutant.on_download = [&](std::byte* data, std::size_t bytes) {
      constexpr std::size_t kRows = 70;  // of the product of whole numbers
      if (bytes < kResultBytes || bytes % kRows != 0) return;
      const std::size_t row = bytes / kRows;
      std::swap_ranges(data + 4 * row, data + 5 * row, data + 8 * row);
    };
    CHECK(notices(id, mutant));
  }
}

TEST_CASE("a wrong leading dimension is noticed") {
  for (const std::string& id : kGemms) {
    CAPTURE(id);
    Mutant mutant;
    mutant.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
      if (kernel == "gemm_geometry") return;
      argument<std::uint32_t>(arguments, kGemmLdb) -= 16;
    };
    CHECK(notices(id, mutant));
  }
}

TEST_CASE("a block-scaled product notices one wrong scale, element, or step of k") {
  const auto changed = [](std::size_t operand, std::size_t at, std::byte bits) {
    return [=, done = false](const std::string& kernel, std::span<void*> arguments) mutable {
      if (kernel == "gemm_mx_geometry" || std::exchange(done, true)) return;
      reinterpret_cast<std::byte*>(argument<Pointer>(arguments, operand))[at] ^= bits;
    };
  };
  // Rows of 205 elements of K: 7 blocks of 8 scales are in use.
  constexpr std::size_t kScale = 20 * 8 + 5;
  for (const std::string& id : kMxGemms) {
    CAPTURE(id);
    Mutant of_a, of_b, element, shorter, of_the_other;
    of_a.before_launch = changed(kMxScalesA, kScale, std::byte{1});
    of_b.before_launch = changed(kMxScalesB, kScale, std::byte{1});
    element.before_launch = changed(kMxA, 777, std::byte{1});
    shorter.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
      if (kernel != "gemm_mx_geometry") argument<std::uint32_t>(arguments, kMxK) -= 128;
    };
    of_the_other.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
      if (kernel == "gemm_mx_geometry") return;
      // A has more rows: nothing is read past its end.
      argument<Pointer>(arguments, kMxScalesB) = argument<Pointer>(arguments, kMxScalesA);
    };
    std::string words;
    CHECK(notices(id, of_a, &words));
    CHECK(words.find("row 20, column ") != std::string::npos);
    CHECK(notices(id, of_b, &words));
    CHECK(words.find("column 20: ") != std::string::npos);
    CHECK(notices(id, element));
    CHECK(notices(id, shorter));
    CHECK(notices(id, of_the_other));
  }
}

TEST_CASE("a conversion that is wrong is named") {
  const std::vector<std::string> conversions = {"convert.fp16", "convert.bf16", "convert.fp8",
                                                "convert.fp6", "convert.fp4"};
  for (const std::string& id : conversions) {
    for (const std::string kernel_of : {"narrow_", "widen_"}) {
      CAPTURE(id);
      CAPTURE(kernel_of);
      Mutant mutant;
      // The sign of a number, or the lowest bit of a code.
      mutant.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
        if (!kernel.starts_with(kernel_of)) return;
        auto* from = reinterpret_cast<std::uint32_t*>(argument<Pointer>(arguments, 0));
        from[777] ^= kernel_of == "widen_" ? 1 : 0x80000000u;
      };
      std::string words;
      CHECK(notices(id, mutant, &words));
      CHECK(words.find(", in block ") != std::string::npos);
      CHECK(words.find(" (4 are wrong, on 1 of 1 units)") != std::string::npos);
    }
  }
  // 6624, whose sign was turned.
  Mutant sign;
  sign.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
    if (kernel != "narrow_fp16") return;
    reinterpret_cast<std::uint32_t*>(argument<Pointer>(arguments, 0))[777] ^= 0x80000000u;
  };
  std::string words;
  CHECK(notices("convert.fp16", sign, &words));
  CHECK(words.starts_with("fp32 to fp16: of 0x45cf0000 came 0xee78, 0x6e78 is right, in block "));
}

TEST_CASE("a comparison on the device that finds nothing is not believed") {
  Mutant mutant;
  mutant.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
    if (kernel != "narrow_e4m3") return;
    for (const std::size_t operand : {0u, 1u}) {  // what is converted, and what is expected
      auto* words = reinterpret_cast<std::uint32_t*>(argument<Pointer>(arguments, operand));
      words[707] = words[708];  // 1.04 and 1.22
    }
  };
  std::string words;
  CHECK(notices("convert.fp8", mutant, &words));
  CHECK(words.find("narrow_e4m3: block 0 on unit 0 has results whose digest is another") == 0);
}

TEST_CASE("a sparse product notices one wrong element, index or wave") {
  for (const std::string id : {"sparse.fp16", "sparse.bf16", "sparse.fp8", "sparse.int8"}) {
    CAPTURE(id);
    std::string words;
    // The sign of an element of A (of int8: 64), of row 3 of the second product.
    Mutant element;
    const std::size_t size = id == "sparse.fp16" || id == "sparse.bf16" ? 2 : 1;
    const std::size_t row_bytes = 64;  // 32 or 64 elements
    element.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
      if (kernel == "sparse_shape") return;
      auto* a = reinterpret_cast<std::uint8_t*>(argument<Pointer>(arguments, 0));
      for (std::size_t at = 0; at < row_bytes; at += size)
        a[(16 + 3) * row_bytes + at + size - 1] ^= id == "sparse.int8" ? 64 : 128;
    };
    CHECK(notices(id, element, &words));
    CHECK(words.find(", product 1, block 0 on unit 0, whole numbers, row 3, column ") !=
          std::string::npos);
    Mutant index;
    index.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
      if (kernel == "sparse_shape") return;
      constexpr std::size_t kLast = 8 * 16 * 16 - 1;  // of 16-bit types
      auto* places = reinterpret_cast<std::uint8_t*>(argument<Pointer>(arguments, 1));
      places[kLast] = places[kLast] == 0b1110 ? 0b0100 : 0b1110;
    };
    CHECK(notices(id, index));
    // One wave alone, whose sums come on the second look.
    constexpr std::size_t kWaves = 16, kSums = 8 * 16 * 16;
    int looks = 0;
    Mutant wave;
    wave.on_download = [&](std::byte* data, std::size_t bytes) {
      if (bytes == kWaves * 8) data[8 * 5] ^= std::byte{1};
      if (bytes == kSums * 4 && ++looks == 2) data[4 * (3 * 256 + 2 * 16 + 7)] ^= std::byte{1};
    };
    CHECK(notices(id, wave, &words));
    CHECK(words.find(", block 0, wave 5 on unit 0, product 3, row 2, column 7: 0x") !=
          std::string::npos);
    CHECK(words.ends_with(" (1 of 16 waves got others than the first, on 1 of 1 units)"));
  }
}

TEST_CASE("a causal mask that is left out, and keys that are left out, are noticed") {
  for (const std::string& id : kAttentions) {
    CAPTURE(id);
    Mutant no_mask, fewer_keys;
    no_mask.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
      if (!kernel.ends_with("_geometry")) argument<std::uint32_t>(arguments, kCausal) = 0;
    };
    fewer_keys.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
      if (!kernel.ends_with("_geometry")) argument<std::uint32_t>(arguments, kKeys) -= 1;
    };
    CHECK(notices(id, no_mask));
    CHECK(notices(id, fewer_keys));
  }
}

TEST_CASE("a barrier that is left out is noticed, whatever the order of threads") {
  struct Removed {
    std::string id;
    int barrier;  ///< the first that anything depends on: attention.fp16 has an idle one before it
  };
  const Removed all[] = {{"gemm.fp64", 0},      {"gemm.fp32", 0},      {"gemm.fp16", 0},
                         {"attention.fp32", 0}, {"attention.fp16", 1}, {"cu.uniform", 0}};
  for (const Removed& removed : all) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      CAPTURE(removed.id);
      CAPTURE(seed);
      Mutant mutant({.seed = seed, .removed_barrier = removed.barrier});
      CHECK(notices(removed.id, mutant));
    }
  }
}

TEST_CASE("operands in the other fp8 format are noticed") {
  Mutant mutant;
  // The device claims FNUZ, so that operands are made in it, and computes in OCP.
  mutant.on_download = [&](std::byte* data, std::size_t bytes) {
    constexpr std::size_t kGeometryBytes = 24, kFp8 = 2, kFormat = 20;
    if (bytes != 6 * kGeometryBytes) return;
    data[kFp8 * kGeometryBytes + kFormat] = std::byte{2};
  };
  CHECK(notices("gemm.fp8", mutant));
}

TEST_CASE("memory that loses a bit, or repeats its addresses, is noticed") {
  Mutant stuck, aliased;
  // A bit of one word that stays zero, between writing and checking.
  stuck.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
    if (kernel != "pattern_check") return;
    reinterpret_cast<std::uint32_t*>(argument<Pointer>(arguments, 0))[777] &= ~(1u << 13);
  };
  aliased.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
    if (kernel != "pattern_check") return;
    auto* words = reinterpret_cast<std::uint32_t*>(argument<Pointer>(arguments, 0));
    std::memcpy(words + 1024, words, 4096);
  };
  std::string words;
  CHECK(notices("memory.pattern", stuck, &words));
  CHECK(words.find("bits 0x00002000") != std::string::npos);
  CHECK(words.find("byte 0xc24") != std::string::npos);
  CHECK(notices("memory.pattern", aliased));
}

TEST_CASE("an array that the device filled, computed or holds wrongly is noticed by the host") {
  // What the device says of itself is not believed alone: its comparison finds nothing here.
  for (const std::string id : {"bandwidth.copy", "bandwidth.triad", "bandwidth.write"}) {
    CAPTURE(id);
    Mutant mutant;
    mutant.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
      constexpr std::size_t kCount = 3;  // words found count first seed of pattern_check
      if (kernel == "pattern_check") argument<std::uint64_t>(arguments, kCount) = 0;
      if (kernel == "bandwidth_copy" || kernel == "bandwidth_write")
        argument<std::uint64_t>(arguments, 2) -= 1;
      if (kernel == "bandwidth_triad") argument<std::uint64_t>(arguments, 4) -= 1;
    };
    CHECK(notices(id, mutant));
  }
  Mutant reader;
  reader.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
    if (kernel == "bandwidth_read") argument<std::uint64_t>(arguments, 2) -= 1;
  };
  CHECK(notices("bandwidth.read", reader));
}

TEST_CASE("an array that changes where the host does not look is noticed by the device") {
  Mutant mutant;
  mutant.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
    if (kernel != "pattern_check") return;
    reinterpret_cast<std::uint32_t*>(argument<Pointer>(arguments, 0))[777] ^= 1u << 13;
  };
  for (const std::string id : {"bandwidth.copy", "bandwidth.triad", "bandwidth.write"}) {
    std::string words;
    CAPTURE(id);
    CHECK(notices(id, mutant, &words));
    CHECK(words.find("byte 3108: ") != std::string::npos);
  }
}

TEST_CASE("lost atomics, lost launches and a dead flag are noticed") {
  Mutant fewer, lost;
  fewer.before_launch = [](const std::string& kernel, std::span<void*> arguments) {
    if (kernel == "atomic_count") argument<std::uint32_t>(arguments, 1) -= 1;
  };
  CHECK(notices("atomics.system", fewer));
  int launches = 0;
  lost.before_launch = [&](const std::string& kernel, std::span<void*> arguments) {
    if (kernel == "ordered_step" && ++launches == 5) argument<std::uint32_t>(arguments, 2) += 1;
  };
  CHECK(notices("stream.order", lost));
}

}  // namespace rocvet

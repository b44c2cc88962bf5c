// rocRAND: a sequence that mathematics knows, and numbers that must look like chance.
#include <cmath>

#include "base/text.h"
#include "selftests/library/calls.h"
#include "selftests/library/random_numbers.h"
#include "selftests/library/vendor_library.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

namespace rand = library::rocrand;

std::vector<int> majors(int) {
  return {1};
}
constexpr library::Name kName{"rocRAND", "librocrand", majors};

const char* status_text(int status) {
  switch (status) {
    case 100:
      return "version mismatch";
    case 101:
      return "generator was not created";
    case 102:
      return "allocation failed";
    case 103:
      return "wrong type of generator";
    case 104:
      return "out of range";
    case 105:
      return "length is not a multiple";
    case 106:
      return "the GPU has no double precision";
    case 107:
      return "launch failure";
    case 108:
      return "internal error";
    default:
      return "unknown status";
  }
}

class RocRand {
 public:
  explicit RocRand(Device& device) : device_(device), library_(device, kName) {
    int version = 0;
    auto* get = library_.optional_call<rand::GetVersion>("rocrand_get_version");
    if (get != nullptr && get(&version) == 0) {
      library_.introduce(device, version);
    }
  }

  std::vector<std::uint32_t> sobol(std::size_t count) {
    return generate<std::uint32_t>(rand::kSobol32, 0, count, [&](void* generator, void* to) {
      check("rocrand_generate", call<rand::Generate>("rocrand_generate")(
                                    generator, static_cast<std::uint32_t*>(to), count));
    });
  }
  std::vector<float> uniform(int type, std::uint64_t seed, std::size_t count) {
    return generate<float>(type, seed, count, [&](void* generator, void* to) {
      check("rocrand_generate_uniform", call<rand::GenerateUniform>("rocrand_generate_uniform")(
                                            generator, static_cast<float*>(to), count));
    });
  }
  std::vector<float> normal(std::uint64_t seed, std::size_t count, float mean, float deviation) {
    return generate<float>(rand::kPhilox, seed, count, [&](void* generator, void* to) {
      check("rocrand_generate_normal",
            call<rand::GenerateNormal>("rocrand_generate_normal")(
                generator, static_cast<float*>(to), count, mean, deviation));
    });
  }

 private:
  template <typename Number, typename Fill>
  std::vector<Number> generate(int type, std::uint64_t seed, std::size_t count, const Fill& fill) {
    void* generator = nullptr;
    check("rocrand_create_generator",
          call<rand::Create>("rocrand_create_generator")(&generator, type));
    check("rocrand_set_stream", call<rand::SetStream>("rocrand_set_stream")(
                                    generator, reinterpret_cast<void*>(device_.stream())));
    if (seed != 0)
      check("rocrand_set_seed", call<rand::SetSeed>("rocrand_set_seed")(generator, seed));
    const Buffer to = device_.buffer(count * sizeof(Number));
    device_.fill(to, 0xff);
    fill(generator, reinterpret_cast<void*>(to.pointer()));
    std::vector<Number> numbers = device_.download<Number>(to, count);
    check("rocrand_destroy_generator", call<rand::Destroy>("rocrand_destroy_generator")(generator));
    return numbers;
  }
  template <typename Signature>
  Signature* call(const char* symbol) const {
    return library_.call<Signature>(symbol);
  }
  void check(const char* name, int status) const {
    if (status == 0) return;
    fail("", std::string(name) + " failed: " + status_text(status) + " (" + std::to_string(status) +
                 ")");
  }

  Device& device_;
  library::VendorLibrary library_;
};

Measurement run(Device& device, const Params& params) {
  RocRand rocrand(device);
  const std::size_t count = params.size == Size::tiny ? 4096 : 1 << 18;
  Verification all =
      library::check_sobol(rocrand.sobol(params.size == Size::tiny ? 1000 : 1 << 16));
  const std::uint64_t seed = params.seed + 1;
  // XORWOW's generator first makes a state for every thread of a full GPU.
  std::vector<int> types = {rand::kPhilox};
  if (params.size != Size::tiny) types.push_back(rand::kXorwow);
  for (const int type : types) {
    const std::vector<float> numbers = rocrand.uniform(type, seed, count);
    all = worse_of(all, library::check_uniform(numbers));
    if (rocrand.uniform(type, seed, count) != numbers)
      all = {INFINITY, 0, "the same seed gives other numbers the second time"};
    if (rocrand.uniform(type, seed + 1, count) == numbers)
      all = {INFINITY, 0, "another seed gives the same numbers"};
  }
  all = worse_of(all, library::check_normal(rocrand.normal(seed, count, 3, 0.5f), 3, 0.5));
  Measurement result;
  result.verification = all;
  result.metric = "rocRAND's numbers right: Sobol's sequence, Philox" +
                  std::string(types.size() > 1 ? ", XORWOW" : "") + ", normal; " +
                  std::to_string(count) + " each";
  return result;
}

constexpr std::string_view kDoc = R"(
## What it does
Loads the machine's own rocRAND into a process of its own. Its Sobol sequence (first dimension) is
compared bit for bit with the mathematical one; numbers of XORWOW and Philox must be as evenly spread
and independent as chance allows, normal ones have the moments of their distribution; the same seed
must give the same numbers and another one others. Not installed: the test does not apply.

## What a failure means
- has no kernels for this GPU: librocrand.so was not built for the target. Dropout and random
  initialisation of every framework on top fail with it.
- wrong result, while gemm.int8 and memory.pattern pass: the library's kernels are at fault here.
)";

}  // namespace

extern const SelfTest kLibraryRocrand;
constinit const SelfTest kLibraryRocrand{.id = "library.rocrand",
                                         .title = "the installed rocRAND makes random numbers",
                                         .doc = kDoc,
                                         .why_skip = library::why_skip_of<kName>,
                                         .run = guarded<run>,
                                         .own_process = true,
                                         .deadline_s = 45,
                                         .explain = library::explain_of<kName>};

}  // namespace rocvet

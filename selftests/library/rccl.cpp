// RCCL: sums up a vector over all GPUs; on one GPU its sum is itself.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "base/median.h"
#include "base/text.h"
#include "selftests/library/calls.h"
#include "selftests/library/explain.h"
#include "selftests/library/vendor_library.h"
#include "selftests/random.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

std::vector<int> majors(int) {
  return {1};
}
constexpr library::Name kName{"RCCL", "librccl", majors};

/// The buffers and stream of one GPU. They are made while it is in use.
struct Rank {
  explicit Rank(Device& device, const std::vector<float>& numbers)
      : stream(reinterpret_cast<void*>(must(device.runtime().create_stream()))),
        in(device.upload(numbers)),
        out(device.buffer(in.bytes())) {
    device.fill(out, 0xff);
  }
  void* stream;
  Buffer in, out;
};

class Rccl {
 public:
  explicit Rccl(Device& device) : device_(device), library_(device, kName) {
    int version = 0;
    if (auto* get = library_.optional_call<library::rccl::GetVersion>("ncclGetVersion");
        get != nullptr && get(&version) == 0) {
      library_.introduce(device, "with the interface of NCCL " + std::to_string(version / 10000) +
                                     "." + std::to_string(version / 100 % 100) + "." +
                                     std::to_string(version % 100));
    }
    words_ = library_.optional_call<library::rccl::ErrorText>("ncclGetErrorString");
    last_ = library_.optional_call<library::rccl::LastError>("ncclGetLastError");
  }
  Rccl(const Rccl&) = delete;
  ~Rccl() {
    auto* destroy = library_.optional_call<library::rccl::Destroy>("ncclCommDestroy");
    for (void* one : communicators_) {
      if (destroy != nullptr && one != nullptr) destroy(one);
    }
  }

  void connect(const std::vector<int>& devices) {
    communicators_.assign(devices.size(), nullptr);
    check("ncclCommInitAll",
          library_.call<library::rccl::InitAll>("ncclCommInitAll")(
              communicators_.data(), static_cast<int>(devices.size()), devices.data()));
  }
  /// Asks for the sums of `count` numbers on every rank's stream.
  void sum_up(std::vector<std::unique_ptr<Rank>>& ranks, std::size_t count) {
    auto* all_reduce = library_.call<library::rccl::AllReduce>("ncclAllReduce");
    check("ncclGroupStart", library_.call<library::rccl::Group>("ncclGroupStart")());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      check("ncclAllReduce", all_reduce(reinterpret_cast<void*>(ranks[i]->in.pointer()),
                                        reinterpret_cast<void*>(ranks[i]->out.pointer()), count,
                                        library::rccl::kFloat, library::rccl::kSum,
                                        communicators_[i], ranks[i]->stream));
    }
    check("ncclGroupEnd", library_.call<library::rccl::Group>("ncclGroupEnd")());
  }

 private:
  void check(const char* name, int status) const {
    if (status == 0) return;
    const std::string words = words_ != nullptr ? words_(status) : "status";
    const char* more = last_ != nullptr ? last_(nullptr) : nullptr;
    // Not always the reason: a warning from before may be the last that it kept.
    if (more != nullptr && *more != 0) device_.note(std::string("its last warning: ") + more);
    fail("", std::string(name) + " failed: " + words + " (" + std::to_string(status) + ")");
  }

  Device& device_;
  library::VendorLibrary library_;
  library::rccl::ErrorText* words_ = nullptr;
  library::rccl::LastError* last_ = nullptr;
  std::vector<void*> communicators_;
};

Measurement run(Device& device, const Params& params) {
  gpu::Runtime& runtime = device.runtime();
  const int own = device.info().index;
  // The worker of the first GPU takes all of them, the others their own.
  std::vector<int> devices = {own};
  if (own == 0) {
    for (int i = 1; i < must(runtime.device_count()); ++i) devices.push_back(i);
  }
  const std::size_t count = params.size == Size::tiny ? 1000 : 16 << 20;
  // One way for the data is enough for a few numbers; setting up all takes a while.
  if (params.size == Size::tiny) {
    ::setenv("NCCL_MIN_NCHANNELS", "1", 0);
    ::setenv("NCCL_MAX_NCHANNELS", "1", 0);
  }
  // Where it hangs or gives up is in its log alone.
  ::setenv("NCCL_DEBUG", "INFO", 0);
  ::setenv("NCCL_DEBUG_FILE", "/dev/stderr", 0);
  Rccl rccl(device);
  rccl.connect(devices);

  std::vector<double> sums(count, 0), sizes(count, 0);
  std::vector<std::unique_ptr<Rank>> ranks;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const Random random(params.seed, rank);
    std::vector<float> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = static_cast<float>(random.uniform(i));
      sums[i] += numbers[i];
      sizes[i] += std::fabs(numbers[i]);
    }
    must(runtime.use_device(devices[rank]));
    ranks.push_back(std::make_unique<Rank>(device, numbers));
  }
  rccl.sum_up(ranks, count);

  Worst worst;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    must(runtime.use_device(devices[rank]));
    const auto got = device.download<float>(ranks[rank]->out, count);
    for (std::size_t i = 0; i < count; ++i) {
      worst.see_at(got[i], sums[i], sizes[i], [&] {
        return "sum " + std::to_string(i) + " on GPU " + std::to_string(devices[rank]);
      });
    }
  }
  Measurement result;
  result.verification = worst.verification(0x1p-24 * static_cast<double>(devices.size()));
  // Beside collective.all_reduce, which needs no library: bus bandwidth as nccl-tests define it.
  if (devices.size() > 1 && result.verification.ok()) {
    const auto ranks_count = static_cast<double>(devices.size());
    const double moved = 2 * (ranks_count - 1) / ranks_count * static_cast<double>(count) * 4;
    std::vector<double> rates;
    for (int i = 0; i < (params.time_limit_s > 0 ? 10 : 2); ++i) {
      const auto start = std::chrono::steady_clock::now();
      rccl.sum_up(ranks, count);
      for (const int one : devices) {
        must(runtime.use_device(one));
        must(runtime.synchronize());
      }
      rates.push_back(
          moved * 1e-9 /
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    result.notes.push_back("bus bandwidth of its all-reduce of " +
                           std::to_string(count * 4 / 1024) + " KiB: " + fixed(median(rates), 1) +
                           " GB/s");
  }
  must(runtime.use_device(own));
  result.metric = "RCCL sums up right over " + std::to_string(devices.size()) +
                  (devices.size() == 1 ? " GPU" : " GPUs");
  return result;
}

void explain(TestResult& result, const std::string& said) {
  library::explain(result, kName.title, said);
  // "[FATAL ERROR]: HSA_NO_SCRATCH_RECLAIM=1 must be set …" of RCCL 7 on old firmware, and the
  // like.
  auto at = result.evidence.begin();
  for (const std::string_view line : split(said, '\n')) {
    const std::size_t fatal = line.find("FATAL ERROR");
    if (fatal != line.npos) at = 1 + result.evidence.insert(at, std::string(line.substr(fatal)));
  }
}

constexpr std::string_view kDoc = R"(
## What it does
Loads the machine's own RCCL into a process of its own and adds up a vector with ncclAllReduce: on
the first GPU over all GPUs that the process sees, on the others over that one alone. Every sum is
compared with double precision. Not installed: the test does not apply.

## What a failure means
- hangs with several GPUs, while bandwidth.p2p of the same pair fails or is slow: the way between the
  GPUs (IOMMU, PCIe access control, large BAR; see the checks on PCIe and XGMI). NCCL_DEBUG=INFO and
  NCCL_P2P_DISABLE=1 tell more.
- has no kernels for this GPU: librccl.so was not built for the target.
- system error: often /dev/shm or the locked-memory limit of a container.
)";

}  // namespace

extern const SelfTest kLibraryRccl;
constinit const SelfTest kLibraryRccl{.id = "library.rccl",
                                      .title = "the installed RCCL adds up over all GPUs",
                                      .doc = kDoc,
                                      .why_skip = library::why_skip_of<kName>,
                                      .run = guarded<run>,
                                      .own_process = true,
                                      .deadline_s = 45,
                                      .explain = explain,
                                      .all_devices = true};

}  // namespace rocvet

#include "selftests/gpu/kfd/kfd_device.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include "base/errno_name.h"

namespace rocvet::gpu::kfd {
namespace {

constexpr char kPath[] = "/dev/kfd";
constexpr std::uint64_t kPage = 4096, kLargePage = 2 << 20;
constexpr std::uint64_t kDoorbellFrame = 8192, kEventPage = 32768;

/// What an errno of a request means, as kfd_chardev.c of Linux 6.12 gives it.
struct Meaning {
  const char* request;
  int number;
  const char* words;
};
constexpr Meaning kMeanings[] = {
    {"ACQUIRE_VM", EBUSY, "this process uses the GPU through another runtime already"},
    {"ACQUIRE_VM", EINVAL, "the render node is not this GPU's"},
    {"ALLOC_MEMORY_OF_GPU", ENOMEM, "out of memory"},
    {"ALLOC_MEMORY_OF_GPU", EINVAL,
     "the kernel does not give memory of this kind or size (the CPU may not "
     "see all of the GPU's)"},
    {"CREATE_QUEUE", EINVAL, "the kernel wants other queue sizes; its log names them"},
    {"CREATE_QUEUE", ENOSPC, "the GPU has no queue left"},
    {"CREATE_QUEUE", EBUSY, "the GPU has no queue left"},
    {"CREATE_QUEUE", ENOMEM, "the GPU has no queue left, or no memory for one"},
    {"CREATE_QUEUE", EIO, "the GPU is being reset"},
    {"CREATE_QUEUE", EPERM, "amdgpu's sched_policy allows no queue of this kind"},
    {"CREATE_QUEUE", ESRCH, "the GPU's address space is gone"},
    {"DESTROY_QUEUE", ETIME, "the GPU did not stop; the driver resets it"},
};

Error error_of(const std::string& where, int number, const char* words) {
  Error error = open_error(where, errno_name(number));
  // A node that stays closed was not looked at; a request that is refused on an open one is broken.
  if (error.kind == Error::Kind::denied) error.kind = Error::Kind::failed;
  if (words != nullptr) error.what += std::string(": ") + words;
  return error;
}

Result<File> open_node(const std::string& path) {
  const int number = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (number < 0) return open_error(path, errno_name(errno));
  return File(number);
}

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// The kernel's flags of a kind of memory.
std::uint32_t flags_of(MemoryKind kind, bool on_cpu) {
  constexpr std::uint32_t kAll = kWritable | kExecutable | kNoSubstitute;
  switch (kind) {
    case MemoryKind::host:
      return kAll | kGtt | kCoherent;
    case MemoryKind::control:
      return kAll | kGtt | kCoherent | kUncached;
    default:
      return kAll | kVram | (on_cpu ? kPublic : 0u);
  }
}

/// "": the queue runs.
std::string stop_reason(const aql::Signal& stopped) {
  constexpr std::uint64_t kIdle = 0x10;  // of the simulator
  const auto value = static_cast<std::uint64_t>(stopped.value.load(std::memory_order_acquire));
  for (const aql::StopReason& one : aql::kStopReasons) {
    if ((value & one.bits) != 0) return one.words;
  }
  return value == 0 || value == kIdle ? "" : "it says " + hex(value);
}

void unreserve(std::uint64_t address, std::uint64_t bytes) {
  if (bytes > 0) munmap(reinterpret_cast<void*>(address), bytes);
}

/// Addresses that neither the CPU nor the GPU uses, on a large page.
Result<std::uint64_t> reserve(std::uint64_t bytes) {
  void* const raw = mmap(nullptr, bytes + kLargePage, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return error_of("mmap", errno, "no addresses left");
  const auto begin = reinterpret_cast<std::uint64_t>(raw);
  const std::uint64_t address = (begin + kLargePage - 1) / kLargePage * kLargePage;
  unreserve(begin, address - begin);
  unreserve(address + bytes, begin + kLargePage - address);
  return address;
}

}  // namespace

File::~File() {
  if (number_ >= 0) ::close(number_);
}
File::File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
File& File::operator=(File&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Result<std::unique_ptr<KfdDevice>> KfdDevice::open(const KfdNode& node) {
  const auto minor = node.property("drm_render_minor");
  if (!minor) return minor.error();
  auto kfd = open_node(kPath);
  if (!kfd) return kfd.error();
  auto render = open_node("/dev/dri/renderD" + std::to_string(*minor));
  if (!render) return render.error();
  std::unique_ptr<KfdDevice> device(new KfdDevice(node, std::move(*kfd), std::move(*render)));
  if (auto done = device->start(); !done) return done.error();
  return device;
}

Result<Done> KfdDevice::start() {
  if (!node_.gpu_id) return node_.gpu_id.error();
  gpu_id_ = static_cast<std::uint32_t>(*node_.gpu_id);
  // heap_type 1: the CPU sees it; 2: it does not.
  all_vram_on_cpu_ =
      std::ranges::none_of(node_.banks, [](const MemoryBank& bank) { return bank.heap_type == 2; });
  if (auto done = ask(kGetVersion, &version_); !done) return done;
  if (version_.major != 1) {
    return Error{Error::Kind::unsupported, kPath,
                 "its interface is " + std::to_string(version_.major) + "." +
                     std::to_string(version_.minor) + ", and this program knows 1.x"};
  }
  GetApertures get;
  if (auto done = ask(kGetApertures, &get); !done) return done;
  std::vector<Aperture> apertures(std::min<std::uint32_t>(get.count, 1024));
  get = {reinterpret_cast<std::uint64_t>(apertures.data()),
         static_cast<std::uint32_t>(apertures.size())};
  if (auto done = ask(kGetApertures, &get); !done) return done;
  const auto found = std::ranges::find(apertures, gpu_id_, &Aperture::gpu_id);
  if (found == apertures.end()) return missing(kPath, "the driver does not give this GPU");
  aperture_ = *found;
  AcquireVm acquire{static_cast<std::uint32_t>(render_.number()), gpu_id_};
  if (auto done = ask(kAcquireVm, &acquire); !done) return done;
  if (auto done = create_events(); !done) return done;
  const auto now = clocks();
  if (!now) return now.error();
  first_clocks_ = *now;
  return Done{};
}

Result<Done> KfdDevice::create_events() {
  auto page = allocate(kEventPage, MemoryKind::control);
  if (!page) return page.error();
  page_ = *page;
  signal_.page_offset = page_.handle;
  if (auto done = ask(kCreateEvent, &signal_); !done) return done;
  memory_fault_.type = EventType::memory;
  if (auto done = ask(kCreateEvent, &memory_fault_); !done) return done;
  reset_.type = EventType::hardware;
  return ask(kCreateEvent, &reset_);
}

KfdDevice::~KfdDevice() {
  for (CreateEvent* event : {&signal_, &memory_fault_, &reset_}) {
    OneEvent one{event->event_id};
    if (event->event_id != 0) (void)ask(kDestroyEvent, &one);
  }
  if (doorbell_at_ != 0) munmap(reinterpret_cast<void*>(doorbell_at_), kDoorbellFrame);
  // The driver keeps the event page until the process ends.
}

Result<Done> KfdDevice::ask(const Request& request, void* argument) const {
  constexpr int kMostTries = 1000;  // while the GPU is being reset
  int status;
  for (int tries = 0;; ++tries) {
    status = ioctl(kfd_.number(), request.code, argument);
    if (status == 0) return Done{};
    if (errno == EAGAIN && tries < kMostTries)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    else if (errno != EINTR)
      break;
  }
  const int number = errno;
  const char* words = nullptr;
  for (const Meaning& one : kMeanings) {
    if (one.number == number && std::string_view(one.request) == request.name) words = one.words;
  }
  return error_of(std::string(kPath) + " " + request.name, number, words);
}

Result<Memory> KfdDevice::allocate(std::uint64_t bytes, MemoryKind kind) {
  const bool of_gpu = kind == MemoryKind::vram || kind == MemoryKind::code;
  Memory memory;
  memory.bytes = (std::max<std::uint64_t>(bytes, 1) + kPage - 1) / kPage * kPage;
  memory.on_cpu = of_gpu ? all_vram_on_cpu_ : kind != MemoryKind::queue_save;
  memory.keep_address = kind == MemoryKind::code;
  if (memory.bytes < bytes) return error_of("allocate", ENOMEM, "no GPU has so much memory");
  const auto address = reserve(memory.bytes);
  if (!address) return address.error();
  memory.address = *address;

  AllocateMemory allocate{memory.address, memory.bytes};
  allocate.gpu_id = gpu_id_;
  allocate.flags = flags_of(kind, memory.on_cpu);
  if (auto done = ask(kAllocateMemory, &allocate); !done) {
    unreserve(memory.address, memory.bytes);
    return done.error();
  }
  memory.handle = allocate.handle;
  FreeMemory release{memory.handle};
  if (memory.on_cpu &&
      mmap(memory.as<void>(), memory.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
           render_.number(), static_cast<off_t>(allocate.mmap_offset)) == MAP_FAILED) {
    const Error error = error_of("mmap of the render node", errno, nullptr);
    (void)ask(kFreeMemory, &release);
    unreserve(memory.address, memory.bytes);
    return error;
  }
  MapMemory map{memory.handle, reinterpret_cast<std::uint64_t>(&gpu_id_), 1};
  auto done = ask(kMapMemory, &map);
  if (done && map.succeeded == 1) return memory;
  (void)ask(kFreeMemory, &release);
  unreserve(memory.address, memory.bytes);
  return done ? Error{Error::Kind::failed, kMapMemory.name, "the GPU did not map it"}
              : done.error();
}

Result<Done> KfdDevice::free(const Memory& memory) {
  MapMemory map{memory.handle, reinterpret_cast<std::uint64_t>(&gpu_id_), 1};
  FreeMemory release{memory.handle};
  // What the GPU still maps must not come to another's address.
  if (auto unmapped = ask(kUnmapMemory, &map); !unmapped) return unmapped;
  Result<Done> kept = Done{};
  if (!memory.keep_address) {
    unreserve(memory.address, memory.bytes);
  } else if (memory.on_cpu) {
    // No later allocation gets the address, at which the GPU may still hold old instructions.
    if (mmap(memory.as<void>(), memory.bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
      kept = error_of("mmap", errno, nullptr);
  }
  auto freed = ask(kFreeMemory, &release);
  return freed ? kept : freed;
}

Result<std::uint64_t> KfdDevice::available_bytes() {
  AvailableMemory available{0, gpu_id_};
  if (auto done = ask(kAvailableMemory, &available); !done) return done.error();
  return available.bytes;
}

Result<std::uint64_t*> KfdDevice::doorbell(std::uint64_t offset) {
  const std::uint64_t frame = offset & ~(kDoorbellFrame - 1);
  if (doorbell_at_ == 0) {
    void* const at = mmap(nullptr, kDoorbellFrame, PROT_READ | PROT_WRITE, MAP_SHARED,
                          kfd_.number(), static_cast<off_t>(frame));
    if (at == MAP_FAILED) return error_of("mmap of the doorbells", errno, nullptr);
    doorbell_at_ = reinterpret_cast<std::uint64_t>(at);
    doorbell_frame_ = frame;
  }
  if (frame != doorbell_frame_) {
    return Error{Error::Kind::failed, "doorbell", "the kernel gave one of another frame"};
  }
  return reinterpret_cast<std::uint64_t*>(doorbell_at_ + (offset & (kDoorbellFrame - 1)));
}

Result<Done> KfdDevice::faults(std::uint32_t wait_ms) {
  EventData events[3] = {};
  events[0].event_id = memory_fault_.event_id;
  events[1].event_id = reset_.event_id;
  events[2].event_id = signal_.event_id;
  events[2].signal.last_age = signal_age_;
  WaitEvents wait{reinterpret_cast<std::uint64_t>(events), 3, 0, wait_ms};
  if (auto done = ask(kWaitEvents, &wait); !done) return done;
  if (events[2].signal.last_age != 0) signal_age_ = events[2].signal.last_age;
  const auto& fault = events[0].memory;
  if (fault.gpu_id == gpu_id_) {
    const char* const kind = fault.type == 1          ? "an uncorrectable memory error"
                             : fault.type == 2        ? "poisoned data"
                             : fault.type == 3        ? "a hang"
                             : fault.not_present != 0 ? "memory that is not mapped"
                             : fault.read_only != 0   ? "a write to read-only memory"
                             : fault.no_execute != 0  ? "code where none may run"
                                                      : "a page fault";
    return Error{Error::Kind::failed, "the GPU reports",
                 std::string(kind) + " at " + hex(fault.address) +
                     (fault.imprecise != 0 ? " or near it" : "")};
  }
  const auto& reset = events[1].hardware;
  if (reset.gpu_id == gpu_id_) {
    return Error{Error::Kind::failed, "the GPU was reset",
                 std::string(reset.cause == 1 ? "after an ECC error" : "after a hang") +
                     (reset.memory_lost != 0 ? "; its memory is lost" : "")};
  }
  return Done{};
}

/// Whether queues and GPU still do what they are told.
Result<Done> KfdDevice::look(std::uint32_t wait_ms) {
  for (const aql::Signal* stopped : watched_) {
    if (const std::string why = stop_reason(*stopped); !why.empty())
      usable_ = Error{Error::Kind::failed, "the GPU stopped a queue", why};
  }
  if (usable_) usable_ = faults(wait_ms);
  return usable_;
}

Result<Done> KfdDevice::wait_for(const std::function<bool()>& done, bool asleep) {
  constexpr auto kSpin = std::chrono::microseconds(100),
                 kBetweenLooks = std::chrono::microseconds(1000);
  constexpr std::uint32_t kSliceMs = 200;
  if (!usable_) return usable_;
  bool told = !on_long_wait;
  const auto long_wait = std::chrono::steady_clock::now() + std::chrono::seconds(long_wait_s);
  while (true) {
    if (!told && std::chrono::steady_clock::now() > long_wait) {
      told = true;
      on_long_wait();
    }
    for (const auto end = std::chrono::steady_clock::now() + (asleep ? kSpin : kBetweenLooks);
         std::chrono::steady_clock::now() < end;) {
      if (done()) return Done{};
    }
    if (auto good = look(asleep ? kSliceMs : 0); !good) return good;
  }
}

Result<ClockCounters> KfdDevice::clocks() const {
  ClockCounters counters;
  counters.gpu_id = gpu_id_;
  if (auto done = ask(kGetClockCounters, &counters); !done) return done.error();
  return counters;
}

Result<double> KfdDevice::ticks_per_ns() {
  // Over less than this the two clocks cannot be compared to a thousandth.
  constexpr std::uint64_t kShortestNs = 20'000'000;
  auto now = clocks();
  if (!now) return now.error();
  if (now->boot_ns - first_clocks_.boot_ns < kShortestNs) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kShortestNs));
    now = clocks();
    if (!now) return now.error();
  }
  const double ns = static_cast<double>(now->boot_ns - first_clocks_.boot_ns);
  const double ticks = static_cast<double>(now->gpu_ticks - first_clocks_.gpu_ticks);
  if (ns <= 0 || ticks <= 0)
    return malformed(kGetClockCounters.name, "the GPU's clock stands still");
  return ticks / ns;
}

}  // namespace rocvet::gpu::kfd

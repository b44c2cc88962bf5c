#include "selftests/gpu/kfd/kfd_queue.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "selftests/gpu/kfd/queue_sizes.h"

namespace rocvet::gpu::kfd {
namespace {

constexpr std::uint64_t kCopyRing = 64 << 10;
constexpr std::uint64_t kReadPointer = 128;  // of a copy queue, in its page of pointers
constexpr std::uint64_t kQueuePage = 4096;

std::uint64_t property_or_zero(const KfdNode& node, const char* name) {
  return node.property(name).value_or(std::uint64_t{0});
}

WaveSlots wave_slots(const KfdNode& node) {
  WaveSlots slots;
  slots.target_version = property_or_zero(node, "gfx_target_version");
  slots.simd_count = property_or_zero(node, "simd_count");
  slots.simd_per_cu = property_or_zero(node, "simd_per_cu");
  slots.array_count = property_or_zero(node, "array_count");
  slots.simd_arrays_per_engine = property_or_zero(node, "simd_arrays_per_engine");
  slots.xccs = property_or_zero(node, "num_xcc");
  slots.cwsr_size = property_or_zero(node, "cwsr_size");
  slots.ctl_stack_size = property_or_zero(node, "ctl_stack_size");
  return slots;
}

std::uint64_t address_of(const void* memory) {
  return reinterpret_cast<std::uint64_t>(memory);
}

}  // namespace

Queue::~Queue() {
  // Memory of a queue that runs must stay: the driver would stop the GPU's other queues of ours.
  DestroyQueue destroy{id_};
  if (created_ && !device_.ask(kDestroyQueue, &destroy)) return;  // it may still run in its memory
  for (const Memory& memory : memory_) (void)device_.free(memory);
}

Result<Memory> Queue::allocate(std::uint64_t bytes, MemoryKind kind) {
  auto memory = device_.allocate(bytes, kind);
  if (memory) memory_.push_back(*memory);
  return memory;
}

Result<Done> Queue::create(CreateQueue& request) {
  request.gpu_id = device_.gpu_id();
  if (auto done = device_.ask(kCreateQueue, &request); !done) return done;
  id_ = request.queue_id;
  created_ = true;
  const auto doorbell = device_.doorbell(request.doorbell_offset);
  if (!doorbell) return doorbell.error();
  doorbell_ = *doorbell;
  return Done{};
}

void Queue::ring(std::uint64_t value) {
  std::atomic_ref<std::uint64_t>(*doorbell_).store(value, std::memory_order_release);
}

Result<std::unique_ptr<AqlQueue>> ComputeQueue::create(KfdDevice& device) {
  std::unique_ptr<ComputeQueue> queue(new ComputeQueue(device));
  if (auto done = queue->start(); !done) return done.error();
  return std::unique_ptr<AqlQueue>(std::move(queue));
}

Result<Done> ComputeQueue::start() {
  const QueueSizes sizes = queue_sizes(wave_slots(device_.node()));
  const auto ring = allocate(kPackets * sizeof(aql::Packet), MemoryKind::control);
  const auto page = allocate(kQueuePage, MemoryKind::control);
  const auto arguments = allocate(kPackets * kMostArguments, MemoryKind::control);
  const auto stopped = allocate(sizeof(aql::Signal), MemoryKind::control);
  const auto end_of_pipe = allocate(sizes.end_of_pipe, MemoryKind::queue_save);
  const auto save = allocate(sizes.mapping, MemoryKind::queue_save);
  for (const auto* memory : {&ring, &page, &arguments, &stopped, &end_of_pipe, &save}) {
    if (!*memory) return memory->error();
  }
  auto* const packets = ring->as<aql::Packet>();
  std::fill(packets, packets + kPackets, aql::Packet{});
  auto* const shared = new (page->as<void>()) aql::QueueMemory;
  shared->ring = ring->address;
  shared->packets = kPackets;
  shared->group_aperture_high = static_cast<std::uint32_t>(device_.aperture().lds_base >> 32);
  shared->private_aperture_high = static_cast<std::uint32_t>(device_.aperture().scratch_base >> 32);
  const std::uint64_t units =
      property_or_zero(device_.node(), "simd_count") /
      std::max<std::uint64_t>(property_or_zero(device_.node(), "simd_per_cu"), 1);
  shared->last_unit = static_cast<std::uint32_t>(std::max<std::uint64_t>(units, 1) - 1);
  shared->last_wave = 31;  // of a unit, as ROCr says of all
  shared->properties = aql::kPointersOf64Bits | aql::kTimestamps;
  stopped_ = new (stopped->as<void>()) aql::Signal;
  device_.watch(stopped_);
  shared->inactive_signal = stopped->address;
  use(packets, arguments->as<std::byte>(), shared);

  CreateQueue request;
  request.type = QueueType::compute_aql;
  request.ring_base = ring->address;
  request.ring_size = static_cast<std::uint32_t>(ring->bytes);
  request.write_pointer = address_of(&shared->write_index);
  request.read_pointer = address_of(&shared->read_index);
  request.eop_buffer = end_of_pipe->address;
  request.eop_size = sizes.end_of_pipe;
  request.context_save = save->address;
  request.context_save_size = static_cast<std::uint32_t>(sizes.context_save);
  request.control_stack_size = static_cast<std::uint32_t>(sizes.control_stack);
  return Queue::create(request);
}

ComputeQueue::~ComputeQueue() {
  if (stopped_ != nullptr) device_.unwatch(stopped_);
}

Result<std::unique_ptr<CopyQueue>> CopyQueue::create(KfdDevice& device) {
  std::unique_ptr<CopyQueue> queue(new CopyQueue(device));
  if (auto done = queue->start(); !done) return done.error();
  return queue;
}

Result<Done> CopyQueue::start() {
  const auto ring = allocate(kCopyRing, MemoryKind::control);
  const auto pointers = allocate(kQueuePage, MemoryKind::control);
  for (const auto* memory : {&ring, &pointers}) {
    if (!*memory) return memory->error();
  }
  ring_ = *ring;
  pointers_ = *pointers;
  std::memset(ring_.as<void>(), 0, ring_.bytes);
  std::memset(pointers_.as<void>(), 0, pointers_.bytes);
  const std::uint64_t target = property_or_zero(device_.node(), "gfx_target_version");
  generation_ = sdma::generation_of(target);
  constexpr std::size_t kLeastOfVega10 = 64;
  if (target == 90000) least_words_ = kLeastOfVega10;
  CreateQueue request;
  request.type = QueueType::sdma;
  request.ring_base = ring_.address;
  request.ring_size = static_cast<std::uint32_t>(ring_.bytes);
  request.write_pointer = pointers_.address;
  request.read_pointer = pointers_.address + kReadPointer;
  return Queue::create(request);
}

std::string CopyQueue::state() const {
  auto& read = *pointers_.as<std::uint64_t>(kReadPointer);
  return std::to_string(std::atomic_ref<std::uint64_t>(read).load(std::memory_order_acquire)) +
         " of " + std::to_string(written_) + " bytes of the copy engine's packets were read";
}

Result<Done> CopyQueue::put(std::span<const std::uint32_t> words) {
  const std::uint64_t bytes = words.size() * sizeof(std::uint32_t);
  const std::uint64_t to_end = kCopyRing - written_ % kCopyRing;
  const std::uint64_t gap = bytes > to_end ? to_end : 0;  // no packet goes on at the beginning
  auto& read = *pointers_.as<std::uint64_t>(kReadPointer);
  const auto room = [&] {
    return written_ + gap + bytes <
           std::atomic_ref<std::uint64_t>(read).load(std::memory_order_acquire) + kCopyRing;
  };
  if (auto done = device_.wait_for(room, false); !done) return done;
  if (gap > 0) std::memset(ring_.as<void>(written_ % kCopyRing), 0, gap);  // no operation
  written_ += gap;
  std::memcpy(ring_.as<void>(written_ % kCopyRing), words.data(), bytes);
  written_ += bytes;
  auto& write = *pointers_.as<std::uint64_t>();
  std::atomic_ref<std::uint64_t>(write).store(written_, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  ring(written_);
  return Done{};
}

Result<Done> CopyQueue::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes,
                             const aql::Signal* before, const aql::Signal* after) {
  // Of a few packets each: the engine begins while the rest is written, and the ring is small.
  std::vector<std::uint32_t> words;
  const auto add = [&](const auto& packet) {
    words.insert(words.end(), packet.begin(), packet.end());
  };
  if (before != nullptr) add(sdma::wait_for_zero(address_of(&before->value)));
  add(sdma::caches(generation_));
  constexpr std::size_t kMostWords = 1024;
  for (std::uint64_t done = 0; done < bytes; done += sdma::kMostBytes) {
    if (words.size() > kMostWords) {
      if (auto put_done = put(words); !put_done) return put_done;
      words.clear();
    }
    add(sdma::copy(generation_, to + done, from + done, std::min(bytes - done, sdma::kMostBytes)));
  }
  add(sdma::caches(generation_));
  add(sdma::write_word(generation_, address_of(&after->value), 0));
  if (after->event_id != 0) {
    add(sdma::write_word(generation_, after->mailbox, after->event_id));
    add(sdma::interrupt(after->event_id));
  }
  if (words.size() < least_words_) words.resize(least_words_, sdma::kNop);
  return put(words);
}

}  // namespace rocvet::gpu::kfd

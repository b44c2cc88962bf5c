// Who has touched each byte of a block's shared array since the last barrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rocvet::gpu {

/// Two threads that touched the same byte between the same barriers.
struct Race {
  std::size_t byte;
  std::uint32_t first, second;  ///< threads, in the order in which they ran
  bool first_writes, second_writes;
};

class AccessLog {
 public:
  explicit AccessLog(std::size_t bytes) : bytes_(bytes) {}
  void clear() { bytes_.assign(bytes_.size(), {}); }

  /// `interval`: how many barriers the thread has passed.
  std::optional<Race> add(std::size_t first, std::size_t count, std::uint32_t thread,
                          std::uint32_t interval, bool write) {
    for (std::size_t at = first; at < first + count && at < bytes_.size(); ++at) {
      Byte& byte = bytes_[at];
      if (byte.interval != interval) byte = {interval, kNobody, {kNobody, kNobody}};
      if (byte.writer != kNobody && byte.writer != thread) {
        return Race{at, byte.writer, thread, true, write};
      }
      if (write) {
        for (const std::uint32_t reader : byte.readers) {
          if (reader != kNobody && reader != thread) return Race{at, reader, thread, false, true};
        }
        byte.writer = thread;
      } else if (byte.readers[0] == kNobody || byte.readers[0] == thread) {
        byte.readers[0] = thread;
      } else {
        byte.readers[1] = thread;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kNobody = ~0u;
  struct Byte {
    std::uint32_t interval = kNobody, writer = kNobody;
    std::uint32_t readers[2] = {kNobody,
                                kNobody};  ///< two are enough: one of them is not the writer
  };
  std::vector<Byte> bytes_;
};

}  // namespace rocvet::gpu

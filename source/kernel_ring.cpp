#include "source/kernel_ring.h"

#include <sys/klog.h>

#include <cerrno>

#include "base/errno_name.h"

namespace rocvet {

std::string drop_message_levels(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    const std::size_t end = raw.find('\n');
    std::string_view line = raw.substr(0, end);
    const std::size_t close = line.find('>');
    if (line.starts_with('<') && close != std::string_view::npos && close <= 4) {
      line.remove_prefix(close + 1);
    }
    out += line;
    out += '\n';
    if (end == std::string_view::npos) break;
    raw.remove_prefix(end + 1);
  }
  return out;
}

Result<CommandOutput> read_kernel_ring() {
  constexpr int kReadAll = 3, kBufferSize = 10;  // syslog(2)
  constexpr int kMostBytes = 32 << 20;
  const int size = klogctl(kBufferSize, nullptr, 0);
  if (size <= 0) return errno_error("dmesg", errno_name(size < 0 ? errno : ENOSYS));
  std::string buffer(static_cast<std::size_t>(size < kMostBytes ? size : kMostBytes), '\0');
  const int got = klogctl(kReadAll, buffer.data(), static_cast<int>(buffer.size()));
  if (got < 0) return errno_error("dmesg", errno_name(errno));
  buffer.resize(static_cast<std::size_t>(got));
  return CommandOutput{drop_message_levels(buffer), 0};
}

}  // namespace rocvet

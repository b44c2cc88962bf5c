#include "selftests/worker/kernel_messages.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace rocvet::worker {
namespace {

constexpr std::size_t kMost = 20;

bool concerns_us(std::string_view line) {
  constexpr std::string_view kWords[] = {"amdgpu",        "kfd",      "drm",  "AMD-Vi",
                                         "pcieport",      "AER",      "NVRM", "nvidia",
                                         "Out of memory", "oom-kill", "mce:"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) {
    return line.find(word) != std::string_view::npos;
  });
}

}  // namespace

KernelMessages::KernelMessages() : fd_(::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (fd_ >= 0) ::lseek(fd_, 0, SEEK_END);
}

KernelMessages::~KernelMessages() {
  if (fd_ >= 0) ::close(fd_);
}

std::vector<std::string> KernelMessages::take() {
  std::vector<std::string> lines;
  char record[8192];
  // Each read gives one record: "priority,sequence,microseconds,flags;text\n continuation…".
  while (fd_ >= 0 && lines.size() < kMost) {
    const ssize_t count = ::read(fd_, record, sizeof record);
    if (count <= 0) break;
    std::string_view text(record, static_cast<std::size_t>(count));
    text.remove_prefix(std::min(text.find(';') + 1, text.size()));
    text = text.substr(0, text.find('\n'));
    if (concerns_us(text)) lines.emplace_back(text);
  }
  return lines;
}

}  // namespace rocvet::worker

// Kernel messages that appear while a worker runs.
#pragma once

#include <string>
#include <vector>

namespace rocvet::worker {

/// Starts at the end of the log. Without the right to read it, there is simply nothing.
class KernelMessages {
 public:
  KernelMessages();
  ~KernelMessages();
  KernelMessages(const KernelMessages&) = delete;
  KernelMessages& operator=(const KernelMessages&) = delete;
  /// What came since the last call, of GPU, PCIe, memory-management and machine-check code.
  std::vector<std::string> take();

 private:
  int fd_;
};

}  // namespace rocvet::worker

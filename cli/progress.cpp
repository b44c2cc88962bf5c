#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "base/printable.h"

namespace rocvet::cli {
namespace {

constexpr const char* kErase = "\r\x1b[K";

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// UTF-8: a character of several bytes takes one column.
std::string cut(const std::string& text, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (begins && seen++ == columns) return text.substr(0, i);
  }
  return text;
}

}  // namespace

void Progress::update(const std::string& device, const std::string& test, bool done) {
  if (done) {
    ++done_;
    running_.erase(device);
  } else {
    running_[device] = test;
  }
}

std::string Progress::line(std::size_t width) const {
  std::string text = "self-tests: " + std::to_string(done_) + " done";
  for (const auto& [device, test] : running_) text += " · " + device + " " + test;
  return cut(printable(text), width);
}

void show_progress(TestRequest& request, bool quiet) {
  if (quiet || !isatty(STDERR_FILENO)) return;
  const auto progress = std::make_shared<Progress>();
  request.progress = [progress](const std::string& device, const std::string& test, bool done) {
    if (device.empty()) {
      std::fputs(kErase, stderr);
      return;
    }
    progress->update(device, test, done);
    // The last column stays free: some terminals go to the next line when it is written.
    const std::string line = progress->line(terminal_width() - 1);
    std::fprintf(stderr, "%s%s", kErase, line.c_str());
  };
}

}  // namespace rocvet::cli

#include "cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "base/printable.h"
#include "cli/terminal.h"
#include "selftests/soak/soak.h"

namespace rocvet::cli {
namespace {

constexpr const char* kErase = "\r\x1b[K";

std::size_t terminal_width() {
  const std::size_t columns = terminal_columns(STDERR_FILENO);
  return columns > 0 ? columns : 80;
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

std::string Progress::line(std::size_t width, std::optional<double> left_s) const {
  std::string text = left_s ? "soak: " + clock_text(*left_s) + " left, " : "self-tests: ";
  text += std::to_string(done_) + " done";
  for (const auto& [device, test] : running_) text += " · " + device + " " + test;
  return cut(printable(text), width);
}

void show_progress(TestRequest& request, bool quiet) {
  // A line that is written over needs a terminal that can go back.
  if (quiet || !isatty(STDERR_FILENO) || terminal_is_dumb()) return;
  const auto progress = std::make_shared<Progress>();
  const auto began = std::chrono::steady_clock::now();
  const double for_s = request.repeat.for_s;
  request.progress = [progress, began, for_s](const std::string& device, const std::string& test,
                                              bool done) {
    if (device.empty()) {
      std::fputs(kErase, stderr);
      return;
    }
    progress->update(device, test, done);
    // The last column stays free: some terminals go to the next line when it is written.
    std::optional<double> left_s;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    if (for_s > 0) left_s = for_s - passed.count();
    const std::string line = progress->line(terminal_width() - 1, left_s);
    std::fprintf(stderr, "%s%s", kErase, line.c_str());
  };
}

}  // namespace rocvet::cli

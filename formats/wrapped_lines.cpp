#include "formats/wrapped_lines.h"

#include "base/text.h"

namespace rocvet {
namespace {

// No program fills more with one message; what goes on longer is something else.
constexpr std::size_t kMostBytes = 4096;
constexpr std::size_t kMostWrappedMessages = 256;

class Joiner {
 public:
  void take(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.starts_with("CMake Error") || text.starts_with("CMake Warning")) {
      end();
      in_cmake_ = true;
    } else if (in_cmake_ && (text.empty() || line.starts_with("  "))) {
      text.empty() ? end() : add(line, text);
    } else if (open_ == Open::list) {
      add(line, text);
      if (!text.ends_with(" or")) end();
    } else if (text.ends_with(" or") && text.find("Depends: ") != text.npos) {
      end();
      open_ = Open::list;
      add(line, text);
    } else {
      end();
      in_cmake_ = false;
    }
  }
  std::vector<WrappedMessage> messages() && {
    end();
    return std::move(messages_);
  }

 private:
  enum class Open { none, paragraph, list };

  void add(std::string_view line, std::string_view text) {
    if (now_.text.size() + text.size() > kMostBytes) return;
    if (lines_++ == 0) now_.first = line;
    if (!now_.text.empty()) now_.text += ' ';
    now_.text += text;
    if (open_ == Open::none) open_ = Open::paragraph;
  }
  void end() {
    if (lines_ > 1 && messages_.size() < kMostWrappedMessages) messages_.push_back(std::move(now_));
    now_ = {};
    lines_ = 0;
    open_ = Open::none;
  }

  std::vector<WrappedMessage> messages_;
  WrappedMessage now_;
  std::size_t lines_ = 0;
  Open open_ = Open::none;
  bool in_cmake_ = false;
};

}  // namespace

std::vector<WrappedMessage> wrapped_messages(std::string_view log) {
  Joiner joiner;
  each_line(log, [&](std::string_view line) { joiner.take(line); });
  return std::move(joiner).messages();
}

}  // namespace rocvet

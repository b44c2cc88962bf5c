#include "machine/read_app_log.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "base/terminal_codes.h"
#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostBytes = 4u << 20;
// A device that never ends is no log.
constexpr std::size_t kMostRead = 1u << 30;

Result<std::string> read_tail(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (errno == ENOENT) return missing(path);
    const bool denied = errno == EACCES || errno == EPERM;
    return Error{denied ? Error::Kind::denied : Error::Kind::failed, path, "cannot be read"};
  }
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  constexpr auto kTail = static_cast<std::streamoff>(kMostBytes);
  if (size > kTail) {
    file.seekg(size - kTail);
  } else {
    file.clear();  // a pipe has no end to seek to
    file.seekg(0);
    file.clear();
  }
  // read() of the stream notes a folder as a fault; the buffer itself would throw.
  std::string text;
  std::size_t read = 0;
  char part[65536];
  while (file.read(part, sizeof part) || file.gcount() > 0) {
    const auto got = static_cast<std::size_t>(file.gcount());
    text.append(part, got);
    if (text.size() > 2 * kMostBytes) text.erase(0, text.size() - kMostBytes);
    if ((read += got) > kMostRead) return Error{Error::Kind::failed, path, "does not end"};
  }
  if (file.bad()) return Error{Error::Kind::failed, path, "cannot be read (is it a folder?)"};
  return text;
}

}  // namespace

Result<std::string> read_app_log(Source& source, const std::string& file) {
  const auto clean = [](const std::string& text) {
    const std::string_view all = text;
    return strip_terminal_codes(all.substr(all.size() - std::min(all.size(), kMostBytes)));
  };
  if (!file.empty()) return read_tail(file).transform(clean);
  // Nothing is run for it: on the live machine there is no such command.
  if (source.kind() == "live") return not_captured("--log");
  const Result<CommandOutput> output = source.run("app.log");
  if (!output) return output.error();
  return clean(output->out);
}

}  // namespace rocvet

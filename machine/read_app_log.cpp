#include "machine/read_app_log.h"

#include <cerrno>
#include <fstream>

#include "machine/text.h"

namespace rocvet {
namespace {

constexpr std::streamoff kMostBytes = 4 << 20;

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
  if (size > kMostBytes) {
    file.seekg(size - kMostBytes);
  } else {
    file.clear();  // a pipe has no end to seek to
    file.seekg(0);
    file.clear();
  }
  // read() of the stream notes a folder as a fault; the buffer itself would throw.
  std::string text;
  char part[65536];
  while (file.read(part, sizeof part) || file.gcount() > 0) {
    text.append(part, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return Error{Error::Kind::failed, path, "cannot be read (is it a folder?)"};
  return text;
}

}  // namespace

std::string strip_terminal_codes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else if (text[i] != '\r' && text[i] != '\0') {
      out += text[i];
    }
  }
  return out;
}

Result<std::string> read_app_log(Source& source, const std::string& file) {
  const auto clean = [](const std::string& text) { return strip_terminal_codes(text); };
  if (!file.empty()) return read_tail(file).transform(clean);
  // Nothing is run for it: on the live machine there is no such command.
  if (source.kind() == "live") return not_captured("--log");
  const Result<CommandOutput> output = source.run("app.log");
  if (!output) return output.error();
  return clean(output->out);
}

}  // namespace rocvet

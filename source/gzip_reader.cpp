#include "source/gzip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/errno_name.h"

namespace rocvet {

void GzipReader::Closer::operator()(gzFile_s* file) const {
  gzclose_r(file);
}

GzipReader::GzipReader(std::string path)
    : path_(std::move(path)), file_(gzopen(path_.c_str(), "rbe")) {}

Result<std::string_view> GzipReader::next() {
  if (!file_) return errno_error(path_, errno_name(errno));
  const int got = gzread(file_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int status = Z_OK;
  const char* reason = gzerror(file_.get(), &status);
  if (status == Z_BUF_ERROR) return malformed(path_, "the gzip file is cut off");
  if (got < 0) {
    if (status == Z_ERRNO) return errno_error(path_, errno_name(errno));
    // zlib says which file first.
    const std::string said = reason;
    return malformed(
        path_, "the gzip file is damaged" + said.substr(std::min(said.rfind(": "), said.size())));
  }
  return std::string_view(buffer_.data(), static_cast<std::size_t>(got));
}

Result<Done> GzipReader::check_rest(std::size_t most) {
  for (std::size_t read = 0; read < most;) {
    const auto bytes = next();
    if (!bytes) return bytes.error();
    if (bytes->empty()) return Done{};
    read += bytes->size();
  }
  return malformed(path_, "more than " + std::to_string(most >> 20) + " MiB when unpacked");
}

}  // namespace rocvet

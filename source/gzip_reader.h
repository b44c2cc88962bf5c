// The bytes of a file that gzip may have packed, with its checksum asked for.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct gzFile_s;

namespace rocvet {

class GzipReader {
 public:
  explicit GzipReader(std::string path);

  /// The next bytes, up to 64 KiB, unpacked; of a file that gzip did not pack as they are. Empty at
  /// the end. Errors: unreadable, cut off, damaged. They last until the next call.
  Result<std::string_view> next();

  /// Reads to the end, `most` bytes at most, for what only the end tells.
  Result<Done> check_rest(std::size_t most);

 private:
  struct Closer {
    void operator()(gzFile_s* file) const;
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Closer> file_;
  std::array<char, 1u << 16> buffer_{};
};

}  // namespace rocvet

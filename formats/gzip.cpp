#include "formats/gzip.h"

#include <zlib.h>

namespace rocvet {

Result<std::string> gunzip(const std::string& bytes, std::string_view where) {
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  constexpr std::size_t kLimit = 16u << 20;
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) {
    return Error{Error::Kind::failed, std::string(where), "zlib does not start"};
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  int status = Z_OK;
  while (status == Z_OK && text.size() < kLimit) {
    char buffer[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof buffer - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) return malformed(std::string(where), "no whole gzip file");
  return text;
}

}  // namespace rocvet

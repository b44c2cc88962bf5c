#include "source/tar_writer.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>

namespace rocvet {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameBytes = 100;

/// `value` in octal, zeros before it, into `digits` bytes; the NUL after them is there already.
void put_octal(char* field, std::size_t digits, unsigned long long value) {
  for (std::size_t i = digits; i-- > 0; value >>= 3)
    field[i] = static_cast<char>('0' + (value & 7));
}

}  // namespace

void TarWriter::header(std::string_view name, std::size_t size, std::string_view target,
                       char type) {
  std::array<char, kBlock> block{};
  std::ranges::copy(name.substr(0, kNameBytes), block.data());
  put_octal(&block[100], 7, type == '2' ? 0777 : 0644);
  put_octal(&block[108], 7, 0);
  put_octal(&block[116], 7, 0);
  put_octal(&block[124], 11, size);
  put_octal(&block[136], 11, 0);
  block[156] = type;
  std::ranges::copy(target.substr(0, kNameBytes), &block[157]);
  std::copy_n(
      "ustar\0"
      "00",
      8, &block[257]);
  // The sum counts its own field as blanks; a NUL and a blank end it.
  std::fill_n(&block[148], 8, ' ');
  unsigned sum = 0;
  for (char c : block) sum += static_cast<unsigned char>(c);
  put_octal(&block[148], 6, sum);
  block[154] = '\0';
  out_.append(block.data(), block.size());
}

void TarWriter::data(std::string_view content) {
  out_ += content;
  out_.append((kBlock - content.size() % kBlock) % kBlock, '\0');
}

void TarWriter::add(std::string_view name, std::string_view content, std::string_view target,
                    char type) {
  // A name too long for its field comes before, as the content of an entry of its own (GNU).
  for (const auto& [text, kind] : {std::pair(name, 'L'), std::pair(target, 'K')}) {
    if (text.size() <= kNameBytes) continue;
    const std::string ended = std::string(text) + '\0';
    header("././@LongLink", ended.size(), "", kind);
    data(ended);
  }
  header(name, content.size(), target, type);
  data(content);
}

void TarWriter::add_file(std::string_view name, std::string_view content) {
  add(name, content, "", '0');
}

void TarWriter::add_link(std::string_view name, std::string_view target) {
  add(name, "", target, '2');
}

std::string TarWriter::finish() {
  out_.append(2 * kBlock, '\0');
  return std::move(out_);
}

Result<std::string> zstd_compressed(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 9);
  if (ZSTD_isError(size) != 0) return Error{Error::Kind::failed, "zstd", ZSTD_getErrorName(size)};
  out.resize(size);
  return out;
}

Result<std::string> gzip_compressed(std::string_view bytes) {
  z_stream stream{};
  constexpr int kGzip = 16;  // added to the window bits: a gzip header instead of zlib's
  if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return Error{Error::Kind::failed, "zlib", "cannot start"};
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = bytes.size() < (1u << 31) ? deflate(&stream, Z_FINISH) : Z_BUF_ERROR;
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) return Error{Error::Kind::failed, "zlib", "cannot compress"};
  return out;
}

}  // namespace rocvet

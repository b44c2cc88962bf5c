#include "base/bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "base/open_regular.h"

namespace rocvet {
namespace {

std::atomic<std::uint64_t> total_read{0};

/// pread that goes on after signals and short reads; what could not be read is left out.
std::size_t read_at(int fd, std::uint64_t offset, char* to, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = pread(fd, to + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  total_read += done;
  return done;
}

}  // namespace

std::uint64_t bytes_read_from_files() {
  return total_read;
}

std::string Bytes::some(std::uint64_t offset, std::size_t limit) {
  if (offset >= size()) return "";
  std::string out(static_cast<std::size_t>(std::min<std::uint64_t>(limit, size() - offset)), '\0');
  if (!read(offset, out.data(), out.size())) out.clear();
  return out;
}

bool Bytes::text(std::uint64_t offset, std::uint64_t end, std::size_t limit, std::string& out) {
  out.clear();
  end = std::min(end, size());
  while (offset < end && out.size() <= limit) {
    const std::string part =
        some(offset, static_cast<std::size_t>(std::min<std::uint64_t>(64, end - offset)));
    if (part.empty()) return false;
    const std::size_t stop = part.find('\0');
    out.append(part, 0, stop);
    if (stop != std::string::npos) return out.size() <= limit;
    offset += part.size();
  }
  return false;
}

bool MemoryBytes::read(std::uint64_t offset, void* to, std::size_t count) {
  if (offset > bytes_.size() || count > bytes_.size() - offset) return false;
  if (count != 0) std::memcpy(to, bytes_.data() + offset, count);
  return true;
}

Result<std::unique_ptr<FileBytes>> FileBytes::open(const std::string& path) {
  struct stat info {};
  const auto fd = open_regular(path, info, path);
  if (!fd) return fd.error();
  return std::unique_ptr<FileBytes>(new FileBytes(*fd, static_cast<std::uint64_t>(info.st_size)));
}

FileBytes::FileBytes(int fd, std::uint64_t size)
    : fd_(fd), size_(size), pieces_(std::make_unique<std::array<Piece, kPieces>>()) {
  // The headers lie far apart: reading ahead would fetch megabytes that nobody asks for.
  posix_fadvise(fd_, 0, 0, POSIX_FADV_RANDOM);
}

FileBytes::~FileBytes() {
  close(fd_);
}

const FileBytes::Piece* FileBytes::piece(std::uint64_t number) {
  Piece& slot = (*pieces_)[number % kPieces];
  if (slot.number != number) {
    slot.filled = read_at(fd_, number * kPiece, slot.bytes.data(), kPiece);
    slot.number = number;
  }
  return &slot;
}

bool FileBytes::read(std::uint64_t offset, void* to, std::size_t count) {
  if (offset > size_ || count > size_ - offset) return false;
  char* out = static_cast<char*>(to);
  if (count > 2 * kPiece) return read_at(fd_, offset, out, count) == count;
  while (count > 0) {
    const Piece* from = piece(offset / kPiece);
    const std::size_t at = offset % kPiece;
    if (at >= from->filled) return false;  // the file became shorter since it was opened
    const std::size_t part = std::min(count, from->filled - at);
    std::memcpy(out, from->bytes.data() + at, part);
    out += part;
    offset += part;
    count -= part;
  }
  return true;
}

}  // namespace rocvet

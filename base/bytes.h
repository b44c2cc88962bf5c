// Bytes at offsets, from memory or from a file, without reading the whole of it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace rocvet {

/// Every access is checked against the size; nothing here throws or aborts on bad offsets.
class Bytes {
 public:
  virtual ~Bytes() = default;
  virtual std::uint64_t size() const = 0;
  /// All of [offset, offset + count) or false with `to` in an unknown state.
  virtual bool read(std::uint64_t offset, void* to, std::size_t count) = 0;

  /// A number or packed record in the file's own byte order (little-endian here).
  template <typename T>
  bool get(std::uint64_t offset, T& out) {
    static_assert(std::is_trivially_copyable_v<T>);
    return read(offset, &out, sizeof out);
  }
  /// Up to `limit` bytes; shorter at the end of the file.
  std::string some(std::uint64_t offset, std::size_t limit);
  /// A NUL-terminated string of at most `limit` characters that ends before `end`; false when there
  /// is none.
  bool text(std::uint64_t offset, std::uint64_t end, std::size_t limit, std::string& out);
};

class MemoryBytes : public Bytes {
 public:
  explicit MemoryBytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  bool read(std::uint64_t offset, void* to, std::size_t count) override;

 private:
  std::string_view bytes_;
};

/// A regular file, read by pieces through a small cache. Not a memory map: a file that a package
/// manager truncates while we look would end the process with SIGBUS.
class FileBytes : public Bytes {
 public:
  static Result<std::unique_ptr<FileBytes>> open(const std::string& path);
  ~FileBytes() override;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::uint64_t size() const override { return size_; }
  bool read(std::uint64_t offset, void* to, std::size_t count) override;

 private:
  static constexpr std::size_t kPiece = 4096, kPieces = 16;
  struct Piece {
    std::uint64_t number = UINT64_MAX;
    std::size_t filled = 0;
    std::array<char, kPiece> bytes;
  };

  FileBytes(int fd, std::uint64_t size);
  const Piece* piece(std::uint64_t number);

  int fd_;
  std::uint64_t size_;
  std::unique_ptr<std::array<Piece, kPieces>> pieces_;
};

/// Bytes that all FileBytes of this process have read from files so far.
std::uint64_t bytes_read_from_files();

}  // namespace rocvet

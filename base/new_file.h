// Files that appear whole or not at all, and cannot be led astray: under a name that nobody can
// guess, never through a link that somebody planted.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocvet {

/// An open file beside the one it is to become. Not placed, it is removed; signals that would end
/// the process before that are held back (base/held_signals.h).
class NewFile {
 public:
  /// Creates "PATH.XXXXXX" with exactly these permissions. Errors name `path`.
  static Result<NewFile> beside(const std::string& path, mode_t mode);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  ~NewFile();

  Result<Done> write(std::string_view bytes);
  /// Gives it the name it was made for, in the place of a file or link that has it.
  Result<Done> replace();
  /// The same, but "already exists" when anything has that name.
  Result<Done> place();

 private:
  NewFile(std::string path, std::string name, int fd, std::shared_ptr<void> held);
  Result<Done> close();

  std::string path_, name_;  ///< name_: "" once it is placed
  int fd_ = -1;
  std::shared_ptr<void> held_;
};

/// Permissions of a file that a plain open creates: 0666 without the umask.
mode_t plain_file_mode();

/// A file that must not be there yet, 0600; a link of that name is not followed.
Result<Done> write_private_file(const std::string& path, std::string_view bytes);

/// All of it; errors name `where`.
Result<Done> write_all(int fd, std::string_view bytes, const std::string& where);

/// "cannot write: No space left on device"; the kind tells denied from failed. Of errno.
Error write_error(const std::string& path);

}  // namespace rocvet

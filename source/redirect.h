// The standard streams of a child.
#pragma once

#include <unistd.h>

namespace rocvet {

/// In a child before it runs anything: makes `stream` another name of `fd`. Where there is no `fd`
/// (a machine without /dev/null) the stream is closed: the parent's must not stay open.
/// Async-signal-safe.
inline void redirect(int fd, int stream) {
  if (fd >= 0) {
    dup2(fd, stream);
  } else {
    close(stream);
  }
}

}  // namespace rocvet

// Asks the live file system through a process of its own, which can be left behind: a dead NFS
// server, a hung FUSE daemon or a driver that waits for a lost GPU holds whoever asks.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "source/file_calls.h"
#include "source/hung_places.h"

namespace rocvet {

class FileReader {
 public:
  /// The first wait lasts `patience`, those that follow half of it, and after four an eighth.
  explicit FileReader(std::chrono::milliseconds patience = std::chrono::seconds(4))
      : first_patience_(patience) {}
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader();

  /// The answer, or Error::timed_out after some time; from then on at once for all that would wait
  /// for the same. Where no process can be had it is asked without a deadline.
  Result<FileReply> ask(const FileCall& call);

 private:
  bool start();
  void stop();
  /// The child never came back: it is killed, which works once what it waits for ends.
  void leave();
  void note_hung(const FileCall& call);
  std::chrono::milliseconds patience() const;

  std::chrono::milliseconds first_patience_;
  pid_t child_ = -1;
  int socket_ = -1;
  int waits_ = 0;  ///< how often nothing came
  HungPlaces hung_;
};

}  // namespace rocvet

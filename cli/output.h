// Reports go to standard output and to files; a file appears whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/terminal.h"
#include "report/policy.h"
#include "report/report.h"

namespace rocvet::cli {

/// A file that is known to be writable and appears, whole, on commit(); until then nothing is
/// there.
class PendingFile {
 public:
  static Result<PendingFile> open(const std::string& path);
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;
  PendingFile(const PendingFile&) = delete;
  ~PendingFile();
  /// What cannot be printed is written as an escape.
  Result<Done> commit(const std::string& text);
  /// Opens and commits bytes as they are.
  static Result<Done> write_bytes(const std::string& path, std::string_view bytes);

 private:
  Result<Done> commit_bytes(std::string_view bytes);
  PendingFile(std::string path, int fd);
  std::string path_;
  int fd_;  ///< of what cannot be replaced (a pipe), else -1
};

/// Where a report is to go: checked before the run, so that minutes of testing are not lost.
class ReportSink {
 public:
  static Result<ReportSink> open(const CommonOptions& options);
  /// Judges by policy and baseline where there are, writes everything; the exit status.
  int finish(Report report);

 private:
  std::string format_;
  TextOptions text_;
  Terminal terminal_;
  std::optional<Policy> policy_;
  std::vector<Policy> expected_;  ///< of --expect
  std::vector<std::string> ignored_;
  std::string fail_on_ = "fail";
  std::optional<Report> baseline_;
  std::vector<std::pair<std::string, PendingFile>> files_;
};

/// --format of the verbs that have no full report to write.
Result<Done> text_or_json(const std::string& format);

/// To standard output, whatever cannot be printed as an escape; our colours stay where there are
/// any. A reader that has gone (a closed pipe) is no error.
Result<Done> print(const std::string& text, bool colored = false);
/// The same where nothing else was asked for (--help, --version): the exit status.
int print_only(const std::string& text);

}  // namespace rocvet::cli

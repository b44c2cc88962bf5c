#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/new_file.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/own_descriptor.h"
#include "cli/pipeline.h"
#include "report/baseline.h"
#include "report/gate.h"
#include "report/read_report.h"
#include "report/sanitise.h"
#include "report/share.h"

namespace rocvet::cli {
namespace {

struct Format {
  const char* name;
  std::string (*write)(const Report&);  ///< nullptr: text, which has options
};
constexpr Format kFormats[] = {
    {"text", nullptr},
    {"json", write_json},
    {"html", write_html},
    {"markdown", write_markdown},
    {"junit", write_junit},
    {"sarif", write_sarif},
    {"github", write_github},
    {"gitlab", write_gitlab},
    {"prometheus", write_prometheus},
    {"line", write_line},
    {"nagios", write_nagios},
};

Result<Done> check_format(const std::string& format) {
  std::vector<std::string> names;
  for (const Format& known : kFormats) {
    if (format == known.name) return Done{};
    names.emplace_back(known.name);
  }
  return Error{Error::Kind::malformed, "--format",
               "unknown format '" + format + "'" + did_you_mean(format, names) + " (" +
                   join(names, ", ") + ")"};
}

std::string formatted(const Report& report, const std::string& format, const TextOptions& text) {
  for (const Format& known : kFormats) {
    if (format == known.name && known.write != nullptr) return known.write(report);
  }
  return write_text(report, text);
}

/// Opens what cannot be replaced, and was `seen` there. A pipe that nobody reads would keep us
/// waiting: it is given some seconds, in which somebody could put another file in its place.
Result<int> open_in_place(const std::string& path, const struct stat& seen) {
  using namespace std::chrono_literals;
  const auto deadline = std::chrono::steady_clock::now() + 3s;
  for (;;) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0) {
      struct stat opened {};
      const bool same = ::fstat(fd, &opened) == 0 && opened.st_dev == seen.st_dev &&
                        opened.st_ino == seen.st_ino && opened.st_mode == seen.st_mode;
      if (!same) {
        ::close(fd);
        return Error{Error::Kind::failed, path, "cannot write: another file took its place"};
      }
      static_cast<void>(::fcntl(fd, F_SETFL, O_WRONLY));  // a slow reader is waited for
      return fd;
    }
    if (errno != ENXIO || !S_ISFIFO(seen.st_mode)) return write_error(path);
    if (std::chrono::steady_clock::now() > deadline)
      return Error{Error::Kind::timed_out, path, "cannot write: nobody reads this pipe"};
    std::this_thread::sleep_for(50ms);
  }
}

/// A link that another user may have planted: what it leads to is not what was asked for.
bool is_planted(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode) && info.st_uid != 0 &&
         info.st_uid != ::geteuid();
}

}  // namespace

PendingFile::PendingFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

PendingFile::~PendingFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<PendingFile> PendingFile::open(const std::string& path) {
  if (const auto number = own_descriptor(path)) {
    const int fd = ::fcntl(*number, F_DUPFD_CLOEXEC, 3);
    if (fd < 0) return write_error(path);
    return PendingFile(path, fd);
  }
  struct stat info {};
  const bool there = !is_planted(path) && ::stat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode))
    return Error{Error::Kind::failed, path, "cannot write: it is a directory"};
  if (there && S_ISBLK(info.st_mode))
    return Error{Error::Kind::failed, path, "cannot write: it is a block device"};
  // A pipe or /dev/stdout cannot be replaced: write to it in place.
  if (there && !S_ISREG(info.st_mode)) {
    const auto fd = open_in_place(path, info);
    if (!fd) return fd.error();
    return PendingFile(path, *fd);
  }
  // Try now and leave nothing behind: the run may be ended by a signal.
  if (auto trial = NewFile::beside(path, plain_file_mode()); !trial) return trial.error();
  return PendingFile(path, -1);
}

Result<Done> PendingFile::commit(const std::string& text) {
  return commit_bytes(printable_lines(text));
}

Result<Done> PendingFile::write_bytes(const std::string& path, std::string_view bytes) {
  auto file = open(path);
  if (!file) return file.error();
  return file->commit_bytes(bytes);
}

Result<Done> PendingFile::commit_bytes(std::string_view content) {
  if (fd_ >= 0) return write_all(fd_, content, path_);
  auto file = NewFile::beside(path_, plain_file_mode());
  if (!file) return file.error();
  if (auto written = file->write(content); !written) return written;
  return file->replace();
}

Result<Done> text_or_json(const std::string& format) {
  if (format == "text" || format == "json") return Done{};
  return malformed("--format", "takes text or json, not '" + format + "'");
}

Result<Done> print(const std::string& text, bool colored) {
  auto written = write_all(STDOUT_FILENO, colored ? printable_colored(text) : printable_lines(text),
                           "standard output");
  if (!written && errno == EPIPE) return Done{};
  return written;
}

int print_only(const std::string& text) {
  const auto done = print_words(text);
  return done ? 0 : complain(done.error().text());
}

Result<ReportSink> ReportSink::open(const CommonOptions& options) {
  if (auto ok = check_format(options.format); !ok) return ok.error();
  ReportSink sink;
  sink.format_ = options.format;
  sink.terminal_ = standard_output(options.no_color ? "never" : options.color);
  sink.text_.color = sink.terminal_.color;
  sink.text_.verbose = options.verbose;
  sink.text_.quiet = options.quiet;
  if (!options.policy.empty() || !options.ignored.empty()) {
    // They may be about a check of the site's own.
    const auto database = open_database(options.database);
    if (!database) return database.error();
    if (!options.policy.empty()) {
      auto policy = load_policy(options.policy, **database);
      if (!policy) return policy.error();
      sink.policy_ = std::move(*policy);
    }
    for (const std::string& pattern : options.ignored) {
      if (auto known = names_a_part(pattern, **database); !known) return known.error();
    }
  }
  for (const std::string& text : options.expected) {
    auto policy = expected_by(text);
    if (!policy) return policy.error();
    sink.expected_.push_back(std::move(*policy));
  }
  sink.ignored_ = options.ignored;
  sink.fail_on_ = options.fail_on;
  if (options.fail_on == "regression" && options.baseline.empty())
    return malformed("--fail-on", "regression needs --baseline REPORT");
  if (!options.baseline.empty()) {
    auto baseline = load_report(options.baseline);
    if (!baseline) return baseline.error();
    sink.baseline_ = std::move(*baseline);
  }
  for (const std::string& output : options.outputs) {
    const std::size_t equals = output.find('=');
    if (equals == std::string::npos || equals + 1 == output.size()) {
      return Error{Error::Kind::malformed, "--output", "'" + output + "' is not FORMAT=FILE"};
    }
    const std::string format = output.substr(0, equals);
    if (auto ok = check_format(format); !ok)
      return Error{Error::Kind::malformed, "--output", ok.error().what};
    auto file = PendingFile::open(output.substr(equals + 1));
    if (!file) return file.error();
    sink.files_.emplace_back(format, std::move(*file));
  }
  return sink;
}

int ReportSink::finish(Report report) {
  const std::string today = report_time().substr(0, 10);
  if (policy_) apply_policy(report, *policy_, today);
  for (const Policy& expected : expected_) apply_policy(report, expected, today);
  // Last of these: what the site demands may have been missed before, too.
  if (baseline_) apply_baseline(report, *baseline_, fail_on_ == "regression");
  ignore(report, ignored_);
  if (fail_on_ == "warn") fail_on_warnings(report);
  const int status =
      format_ == "nagios" ? nagios_status(report.verdict) : exit_status(report.verdict);
  TextOptions plain = text_;
  plain.color = false;
  // The text on the terminal is for the one who asked, who types its commands; files and all other
  // formats are passed on.
  const bool for_owner = format_ == "text";
  // A report may be large: it is copied only where both are written.
  Report shared, own;
  if (for_owner) {
    if (!files_.empty()) shared = shareable(report);
    own = for_its_owner(std::move(report));
  } else {
    shared = shareable(std::move(report));
  }
  // Last, for the names that were to be found are those of the machine.
  sanitise(shared);
  sanitise(own);
  for (auto& [format, file] : files_) {
    if (auto done = file.commit(formatted(shared, format, plain)); !done)
      return complain(done.error().text());
  }
  const Report& shown = for_owner ? own : shared;
  std::string text = formatted(shown, format_, text_);
  if (for_owner) text = fitted(printable_colored(text), terminal_);
  if (auto done = print(text, for_owner && text_.color); !done)
    return complain(done.error().text());
  return status;
}

}  // namespace rocvet::cli

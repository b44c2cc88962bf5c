#include "source/watched.h"

#include "source/plausible.h"

namespace rocvet {
bool was_not_seen(const Error& error) {
  if (error.kind == Error::Kind::denied || error.kind == Error::Kind::timed_out) return true;
  if (error.kind != Error::Kind::failed) return false;
  for (const std::string_view answer : {"EISDIR", "ENOTDIR", "EINVAL", "ELOOP", "ENAMETOOLONG"}) {
    if (error.what.starts_with(answer)) return false;
  }
  return !error.what.starts_with("is not a regular file") && !error.what.starts_with("larger than");
}

template <typename T>
Result<T> WatchedSource::noted(std::string_view place, Result<T> answer) {
  if (!answer && was_not_seen(answer.error()) && !known_.contains(place)) {
    known_.emplace(place);
    unread_.push_back({std::string(place), answer.error()});
  }
  return answer;
}

Result<std::string> WatchedSource::read(std::string_view path, std::size_t limit) {
  return noted(path, plausible_text(path, inner().read(path, limit)));
}
Result<std::string> WatchedSource::read_as(FileKind kind, std::string_view path,
                                           std::size_t limit) {
  return noted(path, inner().read_as(kind, path, limit));
}
Result<std::string> WatchedSource::read_head(std::string_view path, std::size_t bytes) {
  return noted(path, inner().read_head(path, bytes));
}
Result<std::vector<std::string>> WatchedSource::list(std::string_view path) {
  return noted(path, plausible_names(path, inner().list(path)));
}
Result<std::string> WatchedSource::link(std::string_view path) {
  return noted(path, inner().link(path));
}
Result<std::string> WatchedSource::resolve(std::string_view path) {
  return noted(path, inner().resolve(path));
}
Result<FileStat> WatchedSource::lstat(std::string_view path) {
  return noted(path, inner().lstat(path));
}
Result<FileStat> WatchedSource::stat(std::string_view path) {
  return noted(path, inner().stat(path));
}
Result<ElfSummary> WatchedSource::elf(std::string_view path) {
  return noted(path, plausible_elf(path, inner().elf(path)));
}
Result<CommandOutput> WatchedSource::run(std::string_view name) {
  return noted("cmd:" + std::string(name), inner().run(name));
}

}  // namespace rocvet

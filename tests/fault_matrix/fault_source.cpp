#include "tests/fault_matrix/fault_source.h"

#include "base/errno_name.h"

namespace rocvet {
namespace {

/// The same in every build, unlike std::hash.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

constexpr std::string_view kProcess = "process:";

}  // namespace

FaultSource::FaultSource(Source& inner, CanonicalPaths& paths, const Target& target, Fault fault)
    : ForwardingSource(inner),
      paths_(paths),
      target_(target),
      fault_(fault),
      seed_(hash_of(target.name) + static_cast<std::uint64_t>(fault)),
      process_(inner.process()) {
  if (!target.name.starts_with(kProcess)) return;
  process_ = spoilt(fault, std::move(process_), target.name.substr(kProcess.size()), seed_);
}

FaultSource::Reach FaultSource::reach(std::string_view path, bool follow) {
  const std::string& real = paths_.of(path, follow);
  if (!real.starts_with(target_.name)) return Reach::none;
  if (real.size() == target_.name.size()) return Reach::itself;
  return real[target_.name.size()] == '/' ? Reach::below : Reach::none;
}

std::optional<Error> FaultSource::error_at(Reach reach, bool reads, std::string_view path) const {
  if (reach == Reach::none || errno_of(fault_).empty()) return std::nullopt;
  const bool only_looked_at = !target_.content && !target_.names && !target_.elf;
  const bool all_of_it = fault_ == Fault::estale || fault_ == Fault::blocked ||
                         fault_ == Fault::enoent || only_looked_at;
  if (reach == Reach::itself && !reads && !all_of_it) return std::nullopt;
  // A file that cannot be read is one; a folder without permission hides what is in it.
  if (reach == Reach::below && fault_ == Fault::eio) return std::nullopt;
  return errno_error(std::string(path), errno_of(fault_));
}

std::optional<Error> FaultSource::read_error(std::string_view path) {
  return error_at(reach(path, true), true, path);
}

std::optional<Error> FaultSource::look_error(std::string_view path, bool follow) {
  return error_at(reach(path, follow), false, path);
}

Result<std::string> FaultSource::read(std::string_view path, std::size_t limit) {
  if (auto error = read_error(path)) return *error;
  Result<std::string> answer = inner().read(path, limit);
  return answer && spoils(path) ? spoilt(fault_, *answer, seed_, limit) : answer;
}
Result<std::string> FaultSource::read_as(FileKind kind, std::string_view path, std::size_t limit) {
  if (auto error = read_error(path)) return *error;
  Result<std::string> answer = inner().read_as(kind, path, limit);
  return answer && spoils(path) ? spoilt(fault_, *answer, seed_, limit) : answer;
}
Result<std::string> FaultSource::read_head(std::string_view path, std::size_t bytes) {
  if (auto error = read_error(path)) return *error;
  Result<std::string> answer = inner().read_head(path, bytes);
  return answer && spoils(path) ? spoilt(fault_, *answer, seed_, bytes) : answer;
}

Result<std::vector<std::string>> FaultSource::list(std::string_view path) {
  if (auto error = read_error(path)) return *error;
  Result<std::vector<std::string>> answer = inner().list(path);
  return answer && spoils(path) ? spoilt(fault_, *answer) : answer;
}

Result<std::string> FaultSource::link(std::string_view path) {
  if (auto error = look_error(path, false)) return *error;
  return inner().link(path);
}
Result<std::string> FaultSource::resolve(std::string_view path) {
  if (auto error = look_error(path, true)) return *error;
  if (auto error = look_error(path, false)) return *error;
  return inner().resolve(path);
}
Result<FileStat> FaultSource::lstat(std::string_view path) {
  if (auto error = look_error(path, false)) return *error;
  return inner().lstat(path);
}
Result<FileStat> FaultSource::stat(std::string_view path) {
  if (auto error = look_error(path, true)) return *error;
  return inner().stat(path);
}

Result<Done> FaultSource::open_device(std::string_view path) {
  if (read_error(path)) return open_error(std::string(path), errno_of(fault_));
  return inner().open_device(path);
}

Result<ElfSummary> FaultSource::elf(std::string_view path) {
  if (auto error = read_error(path)) return *error;
  Result<ElfSummary> answer = inner().elf(path);
  return answer && spoils(path) ? spoilt(fault_, *answer, seed_) : answer;
}

Result<CommandOutput> FaultSource::run(std::string_view name) {
  Result<CommandOutput> answer = inner().run(name);
  if (target_.name != "cmd:" + std::string(name)) return answer;
  if (fault_ == Fault::blocked) {
    return Error{Error::Kind::timed_out, std::string(name), "no answer within 3000 ms"};
  }
  if (fault_ == Fault::enoent) return missing(std::string(name), "is not installed");
  if (!errno_of(fault_).empty()) return errno_error(std::string(name), errno_of(fault_));
  if (answer) answer->out = spoilt(fault_, answer->out, seed_, 64u << 20);
  return answer;
}

}  // namespace rocvet

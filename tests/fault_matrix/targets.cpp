#include "tests/fault_matrix/targets.h"

namespace rocvet {
namespace {

/// Whether a field of the process is a text, or has texts.
bool has_text(std::string_view target) {
  return target == "process:user" || target == "process:cgroup" ||
         target == "process:environment" || target.ends_with("_map");
}

}  // namespace

std::vector<Fault> Target::faults() const {
  std::vector<Fault> out;
  const bool command = name.starts_with("cmd:"), process = name.starts_with("process:");
  for (const Fault fault : all_faults()) {
    if (fault == Fault::estale && (command || process)) continue;
    // What is not there can fail otherwise; it has nothing that could be cut.
    if (!admits_it(fault) && !answered) continue;
    const bool of_text = fault >= Fault::half && fault != Fault::endless;
    if (process && !admits_it(fault) && fault != Fault::zeros && !has_text(name)) continue;
    if (process && fault == Fault::endless) continue;
    if (fault >= Fault::half && !process && !command && !content && !names && !elf) continue;
    const bool of_names = fault == Fault::half || fault == Fault::empty || fault == Fault::endless;
    if (names && !content && !elf && !command && of_text && !of_names) continue;
    out.push_back(fault);
  }
  return out;
}

std::vector<Target> AskedSource::targets() const {
  std::vector<Target> out;
  for (const auto& [name, target] : asked_) out.push_back(target);
  for (const std::string& field : process_fields()) {
    Target target;
    target.name = "process:" + field;
    target.answered = true;
    out.push_back(target);
  }
  return out;
}

template <typename T>
Result<T> AskedSource::note(std::string_view path, bool follow, bool Target::*how,
                            Result<T> answer) {
  const std::string& name = paths_.of(path, follow);
  Target& target = asked_[name];
  target.name = name;
  target.*how = true;
  target.answered |= answer.has_value();
  return answer;
}

Result<std::string> AskedSource::read(std::string_view path, std::size_t limit) {
  return note(path, true, &Target::content, inner().read(path, limit));
}
Result<std::string> AskedSource::read_as(FileKind kind, std::string_view path, std::size_t limit) {
  return note(path, true, &Target::content, inner().read_as(kind, path, limit));
}
Result<std::string> AskedSource::read_head(std::string_view path, std::size_t bytes) {
  return note(path, true, &Target::content, inner().read_head(path, bytes));
}
Result<std::vector<std::string>> AskedSource::list(std::string_view path) {
  return note(path, true, &Target::names, inner().list(path));
}
Result<std::string> AskedSource::link(std::string_view path) {
  return note(path, false, &Target::looked, inner().link(path));
}
Result<std::string> AskedSource::resolve(std::string_view path) {
  static_cast<void>(note(path, false, &Target::looked, inner().lstat(path)));
  return note(path, true, &Target::looked, inner().resolve(path));
}
Result<FileStat> AskedSource::lstat(std::string_view path) {
  return note(path, false, &Target::looked, inner().lstat(path));
}
Result<FileStat> AskedSource::stat(std::string_view path) {
  return note(path, true, &Target::looked, inner().stat(path));
}
Result<Done> AskedSource::open_device(std::string_view path) {
  return note(path, true, &Target::looked, inner().open_device(path));
}
Result<ElfSummary> AskedSource::elf(std::string_view path) {
  return note(path, true, &Target::elf, inner().elf(path));
}

Result<CommandOutput> AskedSource::run(std::string_view name) {
  Result<CommandOutput> answer = inner().run(name);
  Target& target = asked_["cmd:" + std::string(name)];
  target.name = "cmd:" + std::string(name);
  target.content = true;
  target.answered |= answer.has_value();
  return answer;
}

}  // namespace rocvet

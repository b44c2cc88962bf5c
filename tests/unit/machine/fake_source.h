// A machine in memory, for tests of probes: say what exists, read it through Source.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "source/source.h"

namespace rocvet {

/// Files, links, devices and command outputs by path; folders above them exist by themselves.
/// What was not added is missing; below a prefix given to `unknown` it is not captured.
class FakeSource : public Source {
 public:
  FakeSource& file(std::string path, std::string text, std::uint32_t mode = 0644) {
    FileStat stat;
    stat.type = FileStat::Type::file;
    stat.mode = mode;
    stat.uid = stat.gid = 0;
    stat.size = text.size();
    nodes_[path].stat = stat;
    nodes_[path].text = std::move(text);
    return *this;
  }
  FakeSource& dir(std::string path, std::uint32_t mode = 0755, std::uint32_t uid = 0,
                  std::uint32_t gid = 0) {
    FileStat stat;
    stat.type = FileStat::Type::dir;
    stat.mode = mode;
    stat.uid = uid;
    stat.gid = gid;
    nodes_[path].stat = stat;
    return *this;
  }
  FakeSource& symlink(std::string path, std::string target) {
    FileStat stat;
    stat.type = FileStat::Type::link;
    stat.mode = 0777;
    stat.uid = stat.gid = 0;
    nodes_[path].stat = stat;
    nodes_[path].text = std::move(target);
    return *this;
  }
  /// `open_errno` is what opening it read-write gives ("EACCES"); "" when it works.
  FakeSource& device(std::string path, std::uint32_t mode, std::uint32_t uid, std::uint32_t gid,
                     std::string open_errno = "") {
    FileStat stat;
    stat.type = FileStat::Type::char_device;
    stat.mode = mode;
    stat.uid = uid;
    stat.gid = gid;
    nodes_[path].stat = stat;
    nodes_[path].open_errno = std::move(open_errno);
    return *this;
  }
  /// What ELF files are, libraries too, they may be executed.
  FakeSource& library(std::string path, ElfSummary summary) {
    file(path, "");
    nodes_[path].stat.mode = 0755;
    nodes_[path].elf = std::move(summary);
    return *this;
  }
  /// Takes away a path and all below it.
  FakeSource& erase(const std::string& path) {
    for (auto at = nodes_.begin(); at != nodes_.end();) {
      const bool below = at->first == path || at->first.starts_with(path + "/");
      at = below ? nodes_.erase(at) : std::next(at);
    }
    return *this;
  }
  /// Reading or listing the path gives this error.
  FakeSource& error(std::string path, Error::Kind kind, std::string what) {
    errors_[path] = Error{kind, path, std::move(what)};
    return *this;
  }
  /// Below this prefix, what was not added is "not captured" instead of missing.
  FakeSource& unknown(std::string prefix) {
    unknown_.push_back(std::move(prefix));
    return *this;
  }
  FakeSource& command(std::string name, std::string out, int status = 0) {
    commands_[std::move(name)] = {std::move(out), status};
    return *this;
  }
  FakeSource& set_kind(std::string kind) {
    kind_ = std::move(kind);
    return *this;
  }
  ProcessFacts& facts() { return process_; }
  const std::vector<std::string>& commands_run() const { return commands_run_; }

  Result<std::string> read(std::string_view path, std::size_t limit = 16u << 20) override {
    const Result<std::string> real = resolve(path);
    if (!real) return real.error();
    if (const auto found = errors_.find(*real); found != errors_.end()) return found->second;
    const auto found = nodes_.find(*real);
    if (found == nodes_.end() || found->second.stat.type != FileStat::Type::file) {
      return Error{Error::Kind::failed, std::string(path), "is no file"};
    }
    if (found->second.text.size() > limit) {
      return Error{Error::Kind::failed, std::string(path),
                   "larger than " + std::to_string(limit) + " bytes"};
    }
    return found->second.text;
  }
  Result<std::vector<std::string>> list(std::string_view path) override {
    const Result<std::string> real = resolve(path);
    if (!real) return real.error();
    if (const auto found = errors_.find(*real); found != errors_.end()) return found->second;
    const std::string prefix = *real == "/" ? "/" : *real + "/";
    std::set<std::string> names;
    for (auto at = nodes_.lower_bound(prefix);
         at != nodes_.end() && at->first.compare(0, prefix.size(), prefix) == 0; ++at) {
      names.insert(
          at->first.substr(prefix.size(), at->first.find('/', prefix.size()) - prefix.size()));
    }
    return std::vector<std::string>(names.begin(), names.end());
  }
  Result<std::string> link(std::string_view path) override {
    const Result<std::string> real = walk(path, false, 0);
    if (!real) return real.error();
    const auto found = nodes_.find(*real);
    if (found == nodes_.end()) return absent(std::string(path));
    if (found->second.stat.type != FileStat::Type::link) {
      return Error{Error::Kind::failed, std::string(path), "is no link"};
    }
    return found->second.text;
  }
  Result<std::string> resolve(std::string_view path) override { return walk(path, true, 0); }
  Result<FileStat> lstat(std::string_view path) override { return stat_of(walk(path, false, 0)); }
  Result<FileStat> stat(std::string_view path) override { return stat_of(walk(path, true, 0)); }
  Result<Done> open_device(std::string_view path) override {
    const Result<FileStat> found = stat(path);
    if (!found) return Error{found.error().kind, std::string(path), "ENOENT: no such file"};
    const std::string& name = nodes_[*resolve(path)].open_errno;
    if (name.empty()) return Done{};
    const bool denied = name == "EACCES" || name == "EPERM";
    return Error{denied ? Error::Kind::denied : Error::Kind::failed, std::string(path),
                 name + ": open failed"};
  }
  Result<ElfSummary> elf(std::string_view path) override {
    const Result<std::string> real = resolve(path);
    if (!real) return real.error();
    const auto found = nodes_.find(*real);
    if (found == nodes_.end() || !found->second.elf)
      return malformed(std::string(path), "no ELF file");
    return *found->second.elf;
  }
  Result<CommandOutput> run(std::string_view name) override {
    commands_run_.emplace_back(name);
    const auto found = commands_.find(std::string(name));
    if (found == commands_.end()) return not_captured("cmd/" + std::string(name));
    return found->second;
  }
  std::vector<std::string> outputs() override {
    std::vector<std::string> names;
    for (const auto& [name, output] : commands_) names.push_back(name);
    return names;
  }
  const ProcessFacts& process() override { return process_; }
  std::string kind() const override { return kind_; }
  std::string origin() const override { return "fake"; }

 private:
  struct Node {
    FileStat stat;
    std::string text;
    std::string open_errno;
    std::optional<ElfSummary> elf;
  };

  Error absent(const std::string& path) const {
    for (const std::string& prefix : unknown_) {
      if (path == prefix || path.starts_with(prefix + "/")) return not_captured(path);
    }
    return missing(path);
  }
  bool is_folder(const std::string& path) const {
    const std::string prefix = path == "/" ? path : path + "/";
    const auto at = nodes_.lower_bound(prefix);
    return at != nodes_.end() && at->first.starts_with(prefix);
  }
  Result<std::string> walk(std::string_view path, bool follow_last, int depth) {
    if (depth > 40) return Error{Error::Kind::failed, std::string(path), "too many links"};
    std::string here;
    std::string_view rest = path;
    while (!rest.empty()) {
      while (rest.starts_with('/')) rest.remove_prefix(1);
      const std::string part(rest.substr(0, rest.find('/')));
      rest.remove_prefix(part.size());
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        here.erase(here.empty() ? 0 : here.rfind('/'));
        continue;
      }
      const std::string folder = here;
      here += "/" + part;
      const auto found = nodes_.find(here);
      if (found == nodes_.end() || found->second.stat.type != FileStat::Type::link) continue;
      if (rest.find_first_not_of('/') == std::string_view::npos && !follow_last) continue;
      const std::string& target = found->second.text;
      const Result<std::string> next =
          walk(target.starts_with('/') ? target : folder + "/" + target, true, depth + 1);
      if (!next) return next;
      here = *next;
    }
    if (here.empty()) return std::string("/");
    if (nodes_.count(here) == 0 && errors_.count(here) == 0 && !is_folder(here))
      return absent(here);
    return here;
  }
  Result<FileStat> stat_of(const Result<std::string>& real) {
    if (!real) return real.error();
    const auto found = nodes_.find(*real);
    if (found != nodes_.end()) return found->second.stat;
    if (const auto error = errors_.find(*real); error != errors_.end() && !is_folder(*real)) {
      return error->second;
    }
    FileStat folder;
    folder.type = FileStat::Type::dir;
    folder.mode = 0755;
    folder.uid = folder.gid = 0;
    return folder;
  }

  std::map<std::string, Node> nodes_;
  std::map<std::string, Error> errors_;
  std::map<std::string, CommandOutput> commands_;
  std::vector<std::string> unknown_, commands_run_;
  ProcessFacts process_;
  std::string kind_ = "snapshot";
};

}  // namespace rocvet

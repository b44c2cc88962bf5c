#include "source/recording.h"

#include "base/path_walk.h"

namespace rocvet {
namespace {

/// "EACCES (permission denied)" -> "EACCES"; missing has its own words.
std::string errno_of(const Error& error) {
  if (error.kind == Error::Kind::missing) return "ENOENT";
  if (error.kind == Error::Kind::not_captured) return "not_captured";
  std::string word = error.what.substr(0, error.what.find(' '));
  if (word.size() > 1 && word[0] == 'E' &&
      word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == std::string::npos) {
    return word;
  }
  if (error.what.starts_with("larger than")) return "EFBIG";
  return "EINVAL";
}

}  // namespace

class RecordingSource::Impl {
 public:
  explicit Impl(Source& inner)
      : source(inner), walk([this](const std::string& path) { return look(path); }) {
    recording.process = inner.process();
    recording.source_kind = inner.kind();
  }

  /// Notes what is at a path whose parent has no links in it.
  Result<PathWalk::Step> look(const std::string& path) {
    const Result<FileStat> stat = source.lstat(path);
    if (!stat) {
      note_error(path, stat.error());
      return stat.error();
    }
    RecordedPath& entry = recording.paths[path];
    entry.stat = *stat;
    if (stat->type != FileStat::Type::link) return PathWalk::Step{};
    const Result<std::string> target = source.link(path);
    if (!target) return target.error();
    entry.target = *target;
    return PathWalk::Step{true, *target};
  }

  void note_error(const std::string& path, const Error& error) {
    if (error.kind == Error::Kind::not_captured) return;  // nothing to write down
    RecordedPath& entry = recording.paths[path];
    if (error.kind == Error::Kind::missing) {
      entry.absent = true;
    } else {
      entry.error = errno_of(error);
    }
  }

  /// The entry of a path after every link, or nullptr when the way there is broken (noted).
  RecordedPath* entry_of(std::string_view path, bool follow) {
    if (!path.starts_with('/')) return nullptr;
    const Result<std::string> real = walk.resolve(path, follow);
    if (!real) return nullptr;
    if (const auto known = recording.paths.find(*real);
        known == recording.paths.end() || !known->second.stat) {
      static_cast<void>(look(*real));
    }
    return &recording.paths[*real];
  }

  /// An answer that is an error, beside what lstat says of the path.
  void note(std::string_view path, bool follow, const Error& error) {
    RecordedPath* entry = entry_of(path, follow);
    if (entry == nullptr || entry->absent) return;
    if (error.kind == Error::Kind::not_captured) return;
    if (error.kind == Error::Kind::missing) {  // a file asked for its names is there all the same
      entry->absent = !entry->stat;
      return;
    }
    const std::string name = errno_of(error);
    // Asking a folder for its content, or a file for its names, says nothing new.
    if (name != "EISDIR" && name != "ENOTDIR" && name != "EINVAL") entry->error = name;
  }

  Source& source;
  Recording recording;
  PathWalk walk;
};

RecordingSource::RecordingSource(Source& inner)
    : ForwardingSource(inner), impl_(std::make_unique<Impl>(inner)) {}
RecordingSource::~RecordingSource() = default;

Result<std::string> RecordingSource::read(std::string_view path, std::size_t limit) {
  return read_as(kind_of_file(path), path, limit);
}

Result<std::string> RecordingSource::read_as(FileKind kind, std::string_view path,
                                             std::size_t limit) {
  Result<std::string> answer = inner().read_as(kind, path, limit);
  if (answer) {
    if (RecordedPath* entry = impl_->entry_of(path, true)) {
      entry->content = *answer;
      // Asked for by two names (a link): the one that knows more of it says what it is.
      if (entry->kind == FileKind::other || entry->kind == FileKind::variables) {
        entry->kind = kind;
        entry->asked = path;
      }
    }
  } else {
    impl_->note(path, true, answer.error());
  }
  return answer;
}

Result<std::vector<std::string>> RecordingSource::list(std::string_view path) {
  Result<std::vector<std::string>> answer = inner().list(path);
  if (!answer) {
    impl_->note(path, true, answer.error());
    return answer;
  }
  const Result<std::string> real = impl_->walk.resolve(path, true);
  if (!real) return answer;
  if (!impl_->recording.paths[*real].listed) {
    impl_->recording.paths[*real].listed = true;
    for (const std::string& name : *answer) static_cast<void>(impl_->look(join_path(*real, name)));
  }
  return answer;
}

Result<std::string> RecordingSource::link(std::string_view path) {
  static_cast<void>(impl_->entry_of(path, false));
  return inner().link(path);
}

Result<std::string> RecordingSource::resolve(std::string_view path) {
  static_cast<void>(impl_->entry_of(path, true));
  return inner().resolve(path);
}

Result<FileStat> RecordingSource::lstat(std::string_view path) {
  static_cast<void>(impl_->entry_of(path, false));
  return inner().lstat(path);
}

Result<FileStat> RecordingSource::stat(std::string_view path) {
  static_cast<void>(impl_->entry_of(path, true));
  return inner().stat(path);
}

Result<Done> RecordingSource::open_device(std::string_view path) {
  Result<Done> answer = inner().open_device(path);
  if (RecordedPath* entry = impl_->entry_of(path, true)) {
    if (answer || answer.error().kind != Error::Kind::not_captured) {
      entry->opened = true;
      entry->open_error = answer ? "" : errno_of(answer.error());
    }
  }
  return answer;
}

Result<ElfSummary> RecordingSource::elf(std::string_view path) {
  Result<ElfSummary> answer = inner().elf(path);
  RecordedPath* entry = impl_->entry_of(path, true);
  const bool is_file = entry != nullptr && entry->stat && entry->stat->type == FileStat::Type::file;
  if (answer ? entry != nullptr : is_file && answer.error().kind != Error::Kind::not_captured) {
    entry->elf = answer;
  } else if (!answer) {
    impl_->note(path, true, answer.error());
  }
  return answer;
}

Result<CommandOutput> RecordingSource::run(std::string_view name) {
  Result<CommandOutput> answer = inner().run(name);
  RecordedCommand& command = impl_->recording.commands[std::string(name)];
  if (answer) {
    command.output = *answer;
    command.error.reset();
  } else {
    command.error = answer.error();
  }
  return answer;
}

void RecordingSource::add_output(const std::string& name, std::string text) {
  impl_->recording.commands[name] = {{std::move(text), 0}, std::nullopt};
}
const Recording& RecordingSource::recording() const {
  return impl_->recording;
}

}  // namespace rocvet

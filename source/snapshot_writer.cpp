// A recording as files, and the files as a folder or an archive.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/held_signals.h"
#include "base/new_file.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "source/recording.h"
#include "source/snapshot_facts.h"
#include "source/tar_writer.h"

namespace rocvet {
namespace {

namespace fs = std::filesystem;

std::string octal(std::uint32_t mode) {
  char text[8];
  std::snprintf(text, sizeof text, "%04o", mode & 07777);
  return text;
}

std::string device_numbers(const FileStat& stat) {
  return std::to_string(stat.major) + ":" + std::to_string(stat.minor);
}

/// The texts of a summary: who built or packed the file chose all of them.
std::vector<std::string*> texts_of(ElfSummary& elf) {
  std::vector<std::string*> texts = {&elf.soname, &elf.interpreter};
  for (auto* list : {&elf.needed, &elf.rpath, &elf.runpath, &elf.gfx, &elf.needs_versions,
                     &elf.defines_versions}) {
    for (std::string& text : *list) texts.push_back(&text);
  }
  return texts;
}

Result<ElfSummary> redacted(Result<ElfSummary> elf, Redactor& redactor) {
  if (!elf) return Error{elf.error().kind, elf.error().where, redactor.text(elf.error().what)};
  for (std::string* text : texts_of(*elf)) *text = redactor.text(*text);
  return elf;
}

std::string_view type_hint(const FileStat& stat) {
  switch (stat.type) {
    case FileStat::Type::dir:
      return " dir";
    case FileStat::Type::char_device:
      return " char ";
    default:
      return "";
  }
}

/// kind and extra of one path; nothing for one that says nothing.
std::optional<std::pair<std::string, std::string>> kind_and_extra(const RecordedPath& entry,
                                                                  Redactor* redactor) {
  using Pair = std::pair<std::string, std::string>;
  if (entry.absent || (entry.opened && entry.open_error == "ENOENT")) return Pair("absent", "-");
  if (!entry.stat) {
    if (entry.error.empty()) return std::nullopt;
    return Pair("error", entry.error + " unseen");
  }
  const FileStat& stat = *entry.stat;
  const std::string numbers = device_numbers(stat);
  if (stat.type == FileStat::Type::link) {
    if (!entry.target || entry.target->empty()) return std::nullopt;
    return Pair("link", redactor != nullptr ? redactor->path(*entry.target) : *entry.target);
  }
  if (stat.type == FileStat::Type::char_device) {
    // A device nobody tried to open must not look as if it opened.
    if (!entry.opened) return Pair("error", "open:not_captured char " + numbers);
    if (entry.open_error.empty()) return Pair("char", numbers);
    return Pair("error", "open:" + entry.open_error + " char " + numbers);
  }
  if (!entry.error.empty()) {
    std::string extra = entry.error + std::string(type_hint(stat));
    if (stat.type == FileStat::Type::file && stat.size) {
      extra += " size " + std::to_string(*stat.size);
    }
    return Pair("error", extra);
  }
  if (stat.type == FileStat::Type::dir) return Pair("dir", entry.listed ? "complete" : "-");
  // Where the bytes are kept too, the replay reads the summary from them.
  if (entry.elf && !entry.content)
    return Pair("elf",
                write_elf_json(redactor != nullptr ? redacted(*entry.elf, *redactor) : *entry.elf));
  if (stat.type == FileStat::Type::block_device) return Pair("block", numbers);
  if (stat.type != FileStat::Type::file) return Pair("error", "ENXIO");
  return Pair("file", stat.size ? std::to_string(*stat.size) : "-");
}

/// Where a link of `path` leads, relative to its folder and never above the snapshot's root.
std::string relative_target(const std::string& path, const std::string& target) {
  const std::string folder(parent_path(path));
  const std::string real = clean_path(target.starts_with('/') ? target : join_path(folder, target));
  return fs::path(real).lexically_relative(folder).string();
}

std::string command_error(const Error& error) {
  return std::string(to_word(error.kind)) + " " + error.what;
}

const std::string* content_of(const Recording& recording, const char* path) {
  const auto found = recording.paths.find(path);
  if (found == recording.paths.end() || !found->second.content) return nullptr;
  return &*found->second.content;
}

void add_accounts(const Recording& recording, Redactor& redactor) {
  if (const std::string* passwd = content_of(recording, "/etc/passwd")) {
    for (std::string_view line : split(*passwd, '\n')) {
      const auto fields = split(line, ':');
      if (fields.size() < 6) continue;
      const auto uid = parse_number(fields[2]);
      if (!uid) continue;
      if (is_person(*uid, fields[5]))
        redactor.add_user(fields[0]);
      else
        redactor.keep_user(fields[0]);
    }
  }
  if (const std::string* groups = content_of(recording, "/etc/group")) {
    for (std::string_view line : split(*groups, '\n')) {
      const auto fields = split(line, ':');
      if (fields.size() < 4) continue;
      // Members whom passwd does not know come from a directory of people.
      for (std::string_view member : split(fields[3], ','))
        if (!member.empty() && !redactor.keeps(member)) redactor.add_user(member);
    }
  }
}

/// What is named anywhere in the snapshot, before its first file is written.
void add_names_to_redact(const Recording& recording, Redactor& redactor) {
  for (const char* file : {"/proc/sys/kernel/hostname", "/etc/hostname"}) {
    if (const std::string* host = content_of(recording, file)) redactor.add_host(trim(*host));
  }
  if (const auto uname = recording.commands.find("uname"); uname != recording.commands.end()) {
    const auto parts = words(std::string_view(uname->second.output.out));
    if (parts.size() > 2 && parts[0] == "Linux") redactor.add_host(parts[1]);
  }
  add_accounts(recording, redactor);
  if (recording.process.user) redactor.add_user(*recording.process.user);
  if (recording.process.environment) redactor.add_home(*recording.process.environment);
  if (recording.process.environment) {
    for (const auto& [name, value] : *recording.process.environment) redactor.variable(name, value);
  }
  for (const auto& [path, entry] : recording.paths) {
    redactor.learn(path);
    if (entry.target) redactor.learn(*entry.target);
    if (entry.elf && *entry.elf && !entry.content) {
      ElfSummary elf = **entry.elf;
      for (const std::string* text : texts_of(elf)) redactor.learn(*text);
    }
    // Of a directory service, which no file of accounts lists.
    if (entry.stat && is_person(entry.stat->uid.value_or(0), "") &&
        !redactor.keeps(entry.stat->owner))
      redactor.add_user(entry.stat->owner);
    if (entry.content && entry.kind != FileKind::other) redactor.learn(*entry.content);
  }
  for (const auto& [name, command] : recording.commands) redactor.learn(command.output.out);
}

ProcessFacts redacted(ProcessFacts facts, Redactor& redactor) {
  if (facts.user) facts.user = redactor.user(*facts.user);
  if (facts.cgroup) facts.cgroup = redactor.text(*facts.cgroup);
  if (facts.environment) {
    for (auto& [name, value] : *facts.environment) value = redactor.variable(name, value);
  }
  return facts;
}

std::string about_text(const Recording& recording, const SnapshotOptions& options,
                       const std::vector<std::string>& redacted_things) {
  std::string out = "format = 1\ntool = \"rocvet " ROCVET_VERSION "\"\n";
  if (!options.created.empty()) out += "created = " + toml_quoted(options.created) + "\n";
  out += "source = " + toml_quoted(recording.source_kind) + "\nredacted = [";
  for (std::size_t i = 0; i < redacted_things.size(); ++i) {
    out += (i == 0 ? "" : ", ") + toml_quoted(redacted_things[i]);
  }
  // What was listed is complete by its own line in the index.
  return out + "]\ncomplete = []\n";
}

/// In a folder of our own, which nobody else can put a link into.
Result<Done> write_below(const std::string& folder, const SnapshotFiles& snapshot) {
  const auto make_folders = [&](const std::string& name) -> Result<Done> {
    for (std::size_t slash = name.find('/'); slash != std::string::npos;
         slash = name.find('/', slash + 1)) {
      const std::string path = folder + "/" + name.substr(0, slash);
      if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return write_error(path);
    }
    return Done{};
  };
  for (const auto& [name, content] : snapshot.files) {
    if (auto done = make_folders(name); !done) return done;
    if (auto done = write_private_file(folder + "/" + name, content); !done) return done;
  }
  for (const auto& [name, target] : snapshot.links) {
    if (auto done = make_folders(name); !done) return done;
    const std::string path = folder + "/" + name;
    if (symlink(target.c_str(), path.c_str()) != 0) return write_error(path);
  }
  return Done{};
}

Result<Done> write_folder(const SnapshotFiles& snapshot, const std::string& out_path) {
  const auto held = hold_signals();
  std::string temporary = out_path + ".part-XXXXXX";
  if (mkdtemp(temporary.data()) == nullptr) return write_error(out_path);  // 0700
  const auto give_up = [&](Error error) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    if (error.where.starts_with(temporary)) error.where.replace(0, temporary.size(), out_path);
    return error;
  };
  if (auto done = write_below(temporary, snapshot); !done) return give_up(done.error());
  // rename() would replace an empty folder without a word, and that is fine: nothing was in it.
  if (rename(temporary.c_str(), out_path.c_str()) != 0) {
    if (errno != ENOTEMPTY && errno != EEXIST) return give_up(write_error(out_path));
    return give_up({Error::Kind::failed, out_path, "already exists"});
  }
  return Done{};
}

Result<Done> write_archive(const SnapshotFiles& snapshot, const std::string& out_path) {
  TarWriter tar;
  for (const auto& [name, content] : snapshot.files) tar.add_file(name, content);
  for (const auto& [name, target] : snapshot.links) tar.add_link(name, target);
  Result<std::string> bytes = tar.finish();
  if (out_path.ends_with(".zst")) bytes = zstd_compressed(*bytes);
  if (out_path.ends_with(".gz")) bytes = gzip_compressed(*bytes);
  if (!bytes) return bytes.error();

  auto file = NewFile::beside(out_path, 0600);
  if (!file) return file.error();
  if (auto written = file->write(*bytes); !written) return written;
  return file->place();
}

}  // namespace

SnapshotFiles snapshot_files(const Recording& recording, const SnapshotOptions& options,
                             const RecordFilter& filter) {
  Redactor redactor(options.salt != 0 ? repeatable_key(options.salt) : random_key());
  Redactor* used = options.redact ? &redactor : nullptr;
  if (used != nullptr) add_names_to_redact(recording, redactor);
  SnapshotFiles out;
  std::map<std::string, std::string> lines;  // by redacted path: the index is sorted and unique
  for (const auto& [raw_path, entry] : recording.paths) {
    const std::string path = used != nullptr ? redactor.path(raw_path) : raw_path;
    // A name that would break a line cannot be written down; no probe asks for one.
    if (path.find_first_of("\t\n\r") != std::string::npos) continue;
    const auto line = kind_and_extra(entry, used);
    if (!line || line->second.find_first_of("\t\n\r") != std::string::npos) continue;
    const auto id = [](const std::optional<std::uint32_t>& number) {
      return number ? std::to_string(*number) : std::string("-");
    };
    const auto name = [&](const std::string& word) {
      if (word.empty()) return std::string("-");
      return used != nullptr ? redactor.user(word) : word;
    };
    const FileStat stat = entry.stat.value_or(FileStat{});
    const std::string mode = entry.stat ? octal(stat.mode) : "-";
    lines[path] = line->first + "\t" + path + "\t" + mode + "\t" + id(stat.uid) + "\t" +
                  id(stat.gid) + "\t" + name(stat.owner) + "\t" + name(stat.group) + "\t" +
                  line->second + "\n";
    if (entry.content && line->first == "file") {
      if (used == nullptr) {
        out.files["files" + path] = *entry.content;
      } else if (entry.kind != FileKind::other) {
        out.files["files" + path] =
            redactor.content(raw_path, filter.content(entry.kind, *entry.content, entry.asked));
      }
    }
    if (line->first == "link") out.links["files" + path] = relative_target(path, line->second);
  }
  std::string index = "kind\tpath\tmode\tuid\tgid\towner\tgroup\textra\n";
  for (const auto& [path, line] : lines) index += line;
  out.files["index.tsv"] = std::move(index);
  for (const auto& [name, command] : recording.commands) {
    const bool log = name == "dmesg" || name == "journalctl-k";
    const std::string& raw = command.output.out;
    const std::string text = used == nullptr ? raw : redactor.text(log ? filter.log(raw) : raw);
    if (command.error) {
      if (command.error->kind == Error::Kind::not_captured) continue;
      out.files["cmd/" + name] = "";
      const std::string error = command_error(*command.error);
      out.files["cmd/" + name + ".rc"] = (used == nullptr ? error : redactor.text(error)) + "\n";
      continue;
    }
    out.files["cmd/" + name] = text;
    if (command.output.status != 0) {
      out.files["cmd/" + name + ".rc"] = std::to_string(command.output.status) + "\n";
    }
  }
  out.files["process.toml"] =
      write_process(used != nullptr ? redacted(recording.process, redactor) : recording.process);
  out.files["about.toml"] = about_text(
      recording, options, used != nullptr ? redactor.done() : std::vector<std::string>{});
  return out;
}

Result<Done> write_snapshot(const SnapshotFiles& snapshot, const std::string& out_path) {
  struct stat info {};
  std::string path = out_path;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const bool archive =
      path.ends_with(".tar") || path.ends_with(".tar.gz") || path.ends_with(".tar.zst");
  if (lstat(path.c_str(), &info) == 0 && (archive || !S_ISDIR(info.st_mode))) {
    return Error{Error::Kind::failed, out_path, "already exists"};
  }
  return archive ? write_archive(snapshot, path) : write_folder(snapshot, path);
}

}  // namespace rocvet

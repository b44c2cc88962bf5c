#include "source/file_calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <vector>

#include "base/errno_name.h"
#include "base/read_whole_file.h"

namespace rocvet {
namespace {

Result<FileReply> with_bytes(Result<std::string> bytes) {
  if (!bytes) return bytes.error();
  FileReply reply;
  reply.bytes = std::move(*bytes);
  return reply;
}

Result<FileReply> list_names(const std::string& path) {
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return errno_error(path, errno_name(errno));
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  const int problem = errno;
  closedir(folder);
  if (problem != 0) return errno_error(path, errno_name(problem));
  std::sort(names.begin(), names.end());
  FileReply reply;
  for (const std::string& name : names) reply.bytes.append(name).push_back('\0');
  return reply;
}

Result<FileReply> link_text(const std::string& path) {
  char target[4096];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  if (length < 0) return errno_error(path, errno_name(errno));
  FileReply reply;
  reply.bytes.assign(target, static_cast<std::size_t>(length));
  return reply;
}

Result<FileReply> without_links(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return errno_error(path, errno_name(errno));
  FileReply reply;
  reply.bytes = real;
  std::free(real);
  return reply;
}

Result<FileReply> info_of(const FileCall& call) {
  FileReply reply;
  const int failed = call.what == FileCall::What::lstat ? lstat(call.path.c_str(), &reply.info)
                                                        : stat(call.path.c_str(), &reply.info);
  if (failed != 0) return errno_error(call.path, errno_name(errno));
  return reply;
}

Result<FileReply> use_of(const FileCall& call) {
  Result<FileReply> reply = info_of(call);
  if (reply && statvfs(call.path.c_str(), &reply->use) != 0) {
    return errno_error(call.path, errno_name(errno));
  }
  return reply;
}

Result<FileReply> try_device(const std::string& path) {
  // Only a device is ever opened for writing.
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return open_error(path, errno_name(errno));
  if (!S_ISCHR(info.st_mode) && !S_ISBLK(info.st_mode)) return open_error(path, "ENODEV");
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return open_error(path, errno_name(errno));
  close(fd);
  return FileReply{};
}

}  // namespace

Result<FileReply> make_file_call(const FileCall& call) {
  switch (call.what) {
    case FileCall::What::read:
      return with_bytes(read_whole_file(call.path, call.limit));
    case FileCall::What::head:
      return with_bytes(read_file_head(call.path, call.limit, call.path));
    case FileCall::What::touch:
      return read_file_head(call.path, 64, call.path).transform([](const std::string&) {
        return FileReply{};
      });
    case FileCall::What::list:
      return list_names(call.path);
    case FileCall::What::link:
      return link_text(call.path);
    case FileCall::What::resolve:
      return without_links(call.path);
    case FileCall::What::lstat:
    case FileCall::What::stat:
      return info_of(call);
    case FileCall::What::use:
      return use_of(call);
    case FileCall::What::executable:
      if (access(call.path.c_str(), X_OK) != 0) return errno_error(call.path, errno_name(errno));
      return FileReply{};
    case FileCall::What::open_device:
      return try_device(call.path);
  }
  return Error{Error::Kind::unsupported, call.path, "no such question"};
}

}  // namespace rocvet

#include "update/installed.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "base/new_file.h"
#include "base/read_whole_file.h"
#include "base/text.h"
#include "db/blob.h"
#include "db/blob_database.h"
#include "db/version.h"

namespace rocvet::update {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMachineFolder = "/var/lib/rocvet";
constexpr const char* kMachineKeys = "/etc/rocvet/keys";
constexpr const char* kArchiveName = "database.rocvetdb";
constexpr const char* kBlobName = "database.blob";
constexpr std::size_t kMostBlobBytes = 256u << 20;
constexpr std::size_t kMostKeyBytes = 4096;
constexpr std::size_t kSealBytes = 32;
constexpr auto kOldPiece = std::chrono::hours(1);

/// $NAME/rocvet, or ~/FALLBACK/rocvet; "" where there is neither.
std::string user_folder(const char* name, const char* fallback) {
  if (const char* set = std::getenv(name); set != nullptr && set[0] == '/')
    return std::string(set) + "/rocvet";
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + fallback : std::string();
}

/// Why a file may have been written by others; "" when it cannot.
std::string distrust(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return "cannot be read";
  if (!S_ISREG(info.st_mode)) return "is no regular file";
  if (info.st_uid != 0 && info.st_uid != ::geteuid()) return "belongs to another user";
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "may be written by others";
  return {};
}

bool is_newer(const std::string& version, const std::string& than) {
  const auto left = Version::parse(version), right = Version::parse(than);
  return left && right && *left > *right;
}

/// The bytes of the blob beside an archive, where they are those that were made of it; else none.
std::optional<std::string> compiled_beside(const std::string& folder, const Archive& archive) {
  const std::string path = folder + "/" + kBlobName;
  if (!distrust(path).empty()) return std::nullopt;
  auto bytes = read_whole_file(path, kMostBlobBytes);
  if (!bytes || bytes->size() < kSealBytes) return std::nullopt;
  const std::string seal = bytes->substr(bytes->size() - kSealBytes);
  bytes->resize(bytes->size() - kSealBytes);
  if (seal != seal_of(archive, *bytes)) return std::nullopt;
  return std::move(*bytes);
}

/// The blob beside an archive, where it is of this build's form and of this archive; else it is
/// made anew of the archive.
Result<std::shared_ptr<const Database>> database_of(const std::string& folder,
                                                    const Archive& archive) {
  if (auto bytes = compiled_beside(folder, archive)) {
    auto database = db::BlobDatabase::own(std::move(*bytes));
    if (database && (*database)->version() == archive.version)
      return std::shared_ptr<const Database>(std::move(*database));
  }
  const auto tables = rows_of(archive, folder + "/" + kArchiveName);
  if (!tables) return tables.error();
  auto database = db::BlobDatabase::own(db::encode(*tables));
  if (!database) return database.error();
  return std::shared_ptr<const Database>(std::move(*database));
}

Result<Done> write_file(const std::string& path, std::string_view content) {
  auto file = NewFile::beside(path, 0644);
  if (!file) return file.error();
  if (auto written = file->write(content); !written) return written;
  return file->replace();
}

/// What an install that was killed left, unless one may be at work on it.
void clear_pieces(const std::string& folder) {
  std::error_code problem;
  std::vector<fs::path> pieces;
  for (auto it = fs::directory_iterator(folder, problem);
       !problem && it != fs::directory_iterator(); it.increment(problem)) {
    const std::string name = it->path().filename().string();
    const bool is_piece = name.starts_with(std::string(kBlobName) + ".") ||
                          name.starts_with(std::string(kArchiveName) + ".");
    const auto written = fs::last_write_time(it->path(), problem);
    if (is_piece && !problem && fs::file_time_type::clock::now() - written > kOldPiece)
      pieces.push_back(it->path());
  }
  for (const fs::path& piece : pieces) fs::remove(piece, problem);
}

Result<Done> add_keys(const std::string& folder, std::vector<PublicKey>& keys) {
  std::error_code problem;
  for (auto it = fs::directory_iterator(folder, problem);
       !problem && it != fs::directory_iterator(); it.increment(problem)) {
    const std::string path = it->path().string();
    if (it->path().extension() != ".pub") continue;
    if (const std::string why = distrust(path); !why.empty()) return malformed(path, why);
    const auto text = read_whole_file(path, kMostKeyBytes);
    if (!text) return text.error();
    const auto key = parse_public_key(*text, path);
    if (!key) return key.error();
    keys.push_back(*key);
  }
  if (problem && problem != std::errc::no_such_file_or_directory)
    return Error{Error::Kind::denied, folder, "cannot be read: " + problem.message()};
  return Done{};
}

}  // namespace

std::string own_folder() {
  return ::geteuid() == 0 ? kMachineFolder : user_folder("XDG_DATA_HOME", "/.local/share/rocvet");
}

Result<std::vector<PublicKey>> trusted_keys() {
  std::vector<PublicKey> keys;
  std::vector<std::string> folders = {kMachineKeys};
  if (::geteuid() != 0) {
    const std::string own = user_folder("XDG_CONFIG_HOME", "/.config/rocvet");
    if (!own.empty()) folders.push_back(own + "/keys");
  }
  for (const std::string& folder : folders) {
    if (auto done = add_keys(folder, keys); !done) return done.error();
  }
  return keys;
}

Result<Installed> install(std::string_view bytes, const std::string& where,
                          const std::vector<PublicKey>& trusted, const std::string& present) {
  const auto archive = open(bytes, where);
  if (!archive) return archive.error();
  if (std::ranges::find(trusted, archive->key) == trusted.end())
    return Error{Error::Kind::denied, where,
                 "is signed by a key that is not trusted here (" +
                     std::string(trim(text_of(archive->key))) + "); --key FILE, or put it into " +
                     kMachineKeys + " as a file *.pub"};
  if (!is_newer(archive->version, present))
    return malformed(
        where, "is of " + archive->version + ", not newer than " + present + ", which is here");
  const auto tables = rows_of(*archive, where);
  if (!tables) return tables.error();
  const std::string folder = own_folder();
  if (folder.empty()) return missing("HOME", "is not set: there is no place to install to");
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return Error{Error::Kind::failed, folder, problem.message()};
  clear_pieces(folder);
  // The archive last: it is what counts, and a blob of another one is made anew.
  const std::string compiled = db::encode(*tables), blob = folder + "/" + kBlobName;
  if (auto done = write_file(blob, compiled + seal_of(*archive, compiled)); !done)
    return done.error();
  if (auto done = write_file(folder + "/" + kArchiveName, bytes); !done) {
    fs::remove(blob, problem);
    return done.error();
  }
  return Installed{archive->version, folder + "/" + kArchiveName};
}

Result<Installed> remove() {
  const std::string folder = own_folder(), path = folder + "/" + kArchiveName;
  if (folder.empty()) return missing("HOME", "is not set: nothing can be installed");
  std::error_code problem;
  if (!fs::exists(fs::symlink_status(path, problem)))
    return missing(path, "is not there: no database is installed");
  std::string version = "that cannot be read";
  if (const auto bytes = read_whole_file(path, kMostArchiveBytes)) {
    if (const auto archive = open(*bytes, path)) version = archive->version;
  }
  fs::remove(path, problem);
  if (problem) return Error{Error::Kind::failed, path, problem.message()};
  fs::remove(folder + "/" + kBlobName, problem);
  clear_pieces(folder);
  return Installed{version, path};
}

Found newest() {
  Found found;
  std::string best = Database::embedded().version();
  std::vector<std::string> folders = {own_folder()};
  if (folders.front() != kMachineFolder) folders.emplace_back(kMachineFolder);
  for (const std::string& folder : folders) {
    std::string path = folder;
    path.append("/").append(kArchiveName);
    std::error_code problem;
    if (folder.empty() || !fs::exists(fs::symlink_status(path, problem))) continue;
    if (const std::string why = distrust(path); !why.empty()) {
      found.ignored.push_back(std::string(path).append(" ").append(why));
      continue;
    }
    const auto bytes = read_whole_file(path, kMostArchiveBytes);
    if (!bytes) {
      found.ignored.push_back(bytes.error().text());
      continue;
    }
    const auto archive = open(*bytes, path);
    if (!archive) {
      found.ignored.push_back(archive.error().text());
      continue;
    }
    if (!is_newer(archive->version, best)) continue;
    auto database = database_of(folder, *archive);
    if (!database) {
      found.ignored.push_back(database.error().text());
      continue;
    }
    best = archive->version;
    found.database = *std::move(database);
    found.path = path;
  }
  return found;
}

}  // namespace rocvet::update

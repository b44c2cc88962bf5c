#include "cli/db_archive.h"

#include <unistd.h>

#include "base/new_file.h"
#include "base/read_whole_file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "update/archive.h"
#include "update/installed.h"

namespace rocvet::cli {
namespace {

constexpr std::size_t kMostKeyBytes = 4096;

int said(const std::string& text) {
  const auto done = print(text);
  return done ? 0 : complain(done.error().text());
}

/// The public key is the second half of a secret one.
Result<update::KeyPair> read_secret_key(const std::string& file) {
  const auto text = read_whole_file(file, kMostKeyBytes);
  if (!text) return text.error();
  const auto secret = update::parse_secret_key(*text, file);
  if (!secret) return secret.error();
  update::KeyPair pair{{}, *secret};
  std::copy(secret->begin() + 32, secret->end(), pair.open.begin());
  return pair;
}

}  // namespace

int make_keys(const std::string& file) {
  if (file.empty()) return complain("db: key takes a file to write the secret key to");
  const auto pair = update::new_key_pair();
  if (!pair) return complain("db: " + pair.error().text());
  auto open = NewFile::beside(file + ".pub", plain_file_mode());
  if (!open) return complain("db: " + open.error().text());
  if (auto done = open->write(update::text_of(pair->open)); !done)
    return complain("db: " + done.error().text());
  if (auto done = write_private_file(file, update::text_of(pair->secret)); !done)
    return complain("db: " + done.error().text());
  if (auto done = open->place(); !done) {
    // Half a pair is none, and would be in the way of the next try.
    ::unlink(file.c_str());
    return complain("db: " + done.error().text());
  }
  return said("secret key: " + file + "\npublic key: " + file +
              ".pub: " + update::text_of(pair->open));
}

int export_archive(const std::string& folder, const std::string& archive, const std::string& key) {
  if (folder.empty()) return complain("db: --archive takes the folder of a whole database too");
  if (key.empty()) return complain("db: --archive takes --sign KEYFILE too (rocvet db key FILE)");
  const auto pair = read_secret_key(key);
  if (!pair) return complain("db: " + pair.error().text());
  const auto bytes = update::pack(folder, *pair);
  if (!bytes) return complain("db: " + bytes.error().text());
  const auto packed = update::open(*bytes, archive);
  if (!packed) return complain("db: " + packed.error().text());
  if (auto done = PendingFile::write_bytes(archive, *bytes); !done)
    return complain("db: " + done.error().text());
  return said("database " + packed->version + ": " + archive + ", " +
              std::to_string(bytes->size()) + " bytes\n");
}

int install_archive(const std::string& archive, const std::vector<std::string>& keys) {
  if (archive.empty()) return complain("db: install takes the archive's file");
  auto trusted = update::trusted_keys();
  if (!trusted) return complain("db: " + trusted.error().text());
  for (const std::string& file : keys) {
    const auto text = read_whole_file(file, kMostKeyBytes);
    if (!text) return complain("db: " + text.error().text());
    const auto key = update::parse_public_key(*text, file);
    if (!key) return complain("db: " + key.error().text());
    trusted->push_back(*key);
  }
  const auto bytes = read_whole_file(archive, update::kMostArchiveBytes);
  if (!bytes) return complain("db: " + bytes.error().text());
  const auto present = open_database("");
  if (!present) return complain("db: " + present.error().text());
  const auto done = update::install(*bytes, archive, *trusted, (*present)->version());
  if (!done) return complain("db: " + done.error().text());
  return said("database " + done->version + " is installed: " + done->path + "\n");
}

int remove_installed() {
  const auto gone = update::remove();
  if (!gone) return complain("db: " + gone.error().text());
  return said("removed database " + gone->version + ": " + gone->path + "\n");
}

int show_database() {
  const update::Found found = update::newest();
  std::string text = found.database == nullptr
                         ? "database " + Database::embedded().version() + ", in the program\n"
                         : "database " + found.database->version() + ": " + found.path +
                               "\nin the program: " + Database::embedded().version() + "\n";
  for (const std::string& why : found.ignored) text += "passed over: " + why + "\n";
  return said(text);
}

}  // namespace rocvet::cli

// Layout: lines "rocvet database 1", "version: V", "key: HEX", "signature: HEX", an empty line,
// then a tar.zst of TOML files. The signature is of the first three lines and what follows the
// empty one.
#include "update/archive.h"

#include <sodium.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

#include "base/read_whole_file.h"
#include "base/text.h"
#include "db/check.h"
#include "db/load.h"
#include "source/snapshot_store.h"
#include "source/tar_writer.h"

namespace rocvet::update {
namespace {

constexpr std::string_view kMagic = "rocvet database 1";
constexpr std::size_t kMostFileBytes = 16u << 20;

static_assert(std::tuple_size_v<PublicKey> == crypto_sign_PUBLICKEYBYTES);
static_assert(std::tuple_size_v<SecretKey> == crypto_sign_SECRETKEYBYTES);
using Signature = std::array<std::uint8_t, crypto_sign_BYTES>;

bool is_ready() {
  static const bool ready = sodium_init() >= 0;
  return ready;
}

template <std::size_t kSize>
std::string hex(const std::array<std::uint8_t, kSize>& bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

template <std::size_t kSize>
Result<std::array<std::uint8_t, kSize>> from_hex(std::string_view text, const std::string& where,
                                                 const char* what) {
  std::array<std::uint8_t, kSize> bytes{};
  text = trim(text);
  std::size_t length = 0;
  const char* end = nullptr;
  if (text.size() != 2 * kSize ||
      sodium_hex2bin(bytes.data(), kSize, text.data(), text.size(), nullptr, &length, &end) != 0 ||
      length != kSize)
    return malformed(where, std::string("is no ") + what + ": " + std::to_string(2 * kSize) +
                                " hexadecimal digits");
  return bytes;
}

/// What the signature is of.
std::string signed_part(std::string_view version, const PublicKey& key, std::string_view payload) {
  return std::string(kMagic) + "\nversion: " + std::string(version) + "\nkey: " + hex(key) +
         "\n\n" + std::string(payload);
}

/// The value of the next line, which has to be "NAME: VALUE"; "" when it is not.
std::string_view take_line(std::string_view& bytes, std::string_view name) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos || end > 200) return {};
  std::string_view line = bytes.substr(0, end);
  if (!line.starts_with(name)) return {};
  line.remove_prefix(name.size());
  if (!line.starts_with(": ")) return {};
  line.remove_prefix(2);
  bytes.remove_prefix(end + 1);
  return line;
}

/// The version of a database that stands alone; "" where it does not.
std::string version_of(const db::Tables& tables) {
  const auto& rows = tables.rows[*db::table_index("database")];
  const bool whole = !tables.rows[*db::table_index("release")].empty();
  return whole && rows.size() == 1 ? rows.front().front() : std::string();
}

/// "2026.11.27.1": a year and one to three numbers.
bool is_version(std::string_view text) {
  constexpr std::size_t kMostDigits = 6;
  const auto parts = split(text, '.');
  return parts.size() >= 2 && parts.size() <= 4 && parts.front().size() == 4 &&
         std::ranges::all_of(parts, [](std::string_view part) {
           return !part.empty() && part.size() <= kMostDigits &&
                  std::ranges::all_of(part, [](unsigned char c) { return std::isdigit(c) != 0; });
         });
}

Error no_random() {
  return {Error::Kind::failed, "libsodium", "cannot be initialised"};
}

}  // namespace

Result<KeyPair> new_key_pair() {
  if (!is_ready()) return no_random();
  KeyPair pair{};
  if (crypto_sign_keypair(pair.open.data(), pair.secret.data()) != 0) return no_random();
  return pair;
}

std::string text_of(const PublicKey& key) {
  return hex(key) + "\n";
}

std::string text_of(const SecretKey& key) {
  return hex(key) + "\n";
}

Result<PublicKey> parse_public_key(std::string_view text, const std::string& where) {
  return from_hex<std::tuple_size_v<PublicKey>>(text, where, "public key");
}

Result<SecretKey> parse_secret_key(std::string_view text, const std::string& where) {
  return from_hex<std::tuple_size_v<SecretKey>>(text, where, "secret key");
}

Result<std::string> pack(const std::string& directory, const KeyPair& keys) {
  namespace fs = std::filesystem;
  if (!is_ready()) return no_random();
  const auto tables = db::load_directory(directory);
  if (!tables) return tables.error();
  const std::string version = version_of(*tables);
  if (version.empty())
    return malformed(directory, "is no whole database: it has no releases or not one version");
  if (!is_version(version))
    return malformed(directory, "is of version '" + version + "', which is none (2026.11.27.1)");
  if (const auto problems = db::check(*tables); !problems.empty())
    return malformed(problems.front().where, problems.front().what);
  std::vector<std::string> files;
  std::error_code problem;
  for (auto it = fs::recursive_directory_iterator(directory, problem);
       !problem && it != fs::recursive_directory_iterator(); it.increment(problem)) {
    if (it->is_directory(problem) && it->path().filename() == "performance")
      it.disable_recursion_pending();
    if (it->path().extension() == ".toml" && it->is_regular_file(problem))
      files.push_back(fs::relative(it->path(), directory, problem).string());
  }
  if (problem) return Error{Error::Kind::failed, directory, problem.message()};
  std::ranges::sort(files);
  TarWriter tar;
  for (const std::string& file : files) {
    const auto text = read_whole_file((fs::path(directory) / file).string(), kMostFileBytes);
    if (!text) return text.error();
    tar.add_file(file, *text);
  }
  const auto payload = zstd_compressed(tar.finish());
  if (!payload) return payload.error();
  const std::string message = signed_part(version, keys.open, *payload);
  Signature signature{};
  crypto_sign_detached(signature.data(), nullptr,
                       reinterpret_cast<const unsigned char*>(message.data()), message.size(),
                       keys.secret.data());
  return std::string(kMagic) + "\nversion: " + version + "\nkey: " + hex(keys.open) +
         "\nsignature: " + hex(signature) + "\n\n" + *payload;
}

Result<Archive> open(std::string_view bytes, const std::string& where) {
  if (!is_ready()) return no_random();
  const auto is_none = [&] { return malformed(where, "is no database archive of rocvet"); };
  if (!bytes.starts_with(std::string(kMagic) + "\n")) return is_none();
  bytes.remove_prefix(kMagic.size() + 1);
  const std::string version(take_line(bytes, "version"));
  const auto key = parse_public_key(take_line(bytes, "key"), where);
  const auto signature =
      from_hex<crypto_sign_BYTES>(take_line(bytes, "signature"), where, "signature");
  if (!is_version(version) || !key || !signature || !bytes.starts_with("\n")) return is_none();
  bytes.remove_prefix(1);
  const std::string message = signed_part(version, *key, bytes);
  if (crypto_sign_verify_detached(signature->data(),
                                  reinterpret_cast<const unsigned char*>(message.data()),
                                  message.size(), key->data()) != 0)
    return malformed(where, "is damaged: its signature does not fit its content");
  return Archive{version, *key, std::string(bytes)};
}

std::string seal_of(const Archive& archive, std::string_view compiled) {
  std::array<unsigned char, 32> digest{};
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, digest.size());
  for (const std::string_view bytes : {std::string_view(archive.payload), compiled})
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(bytes.data()),
                              bytes.size());
  crypto_generichash_final(&state, digest.data(), digest.size());
  return {digest.begin(), digest.end()};
}

Result<db::Tables> rows_of(const Archive& archive, const std::string& where) {
  const auto store = archive_store_from_memory(archive.payload, where);
  if (!store) return store.error();
  std::vector<std::string> folders = {""};
  db::Tables tables;
  while (!folders.empty()) {
    const std::string folder = folders.back();
    folders.pop_back();
    const auto names = (*store)->list(folder);
    if (!names) return names.error();
    for (const std::string& name : *names) {
      std::string path = folder;
      if (!path.empty()) path += '/';
      path += name;
      const auto entry = (*store)->look(path);
      if (!entry) return entry.error();
      if (entry->kind == StoredEntry::Kind::dir) folders.push_back(path);
      if (entry->kind != StoredEntry::Kind::file || !path.ends_with(".toml")) continue;
      const auto text = (*store)->read(path, kMostFileBytes);
      if (!text) return text.error();
      if (const auto done = db::load_text(*text, path, tables); !done) return done.error();
    }
  }
  if (version_of(tables) != archive.version)
    return malformed(where, "holds another version than it says (" + archive.version + ")");
  if (const auto problems = db::check(tables); !problems.empty())
    return malformed(where + ": " + problems.front().where, problems.front().what);
  return tables;
}

}  // namespace rocvet::update

// A database as one signed file, to be handed to machines without a new binary.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "db/schema.h"

namespace rocvet::update {

/// Ed25519, as libsodium has them.
using PublicKey = std::array<std::uint8_t, 32>;
using SecretKey = std::array<std::uint8_t, 64>;

struct KeyPair {
  PublicKey open;
  SecretKey secret;
};
Result<KeyPair> new_key_pair();

/// Keys as text: hexadecimal digits, a line. Errors name `where`.
std::string text_of(const PublicKey& key);
std::string text_of(const SecretKey& key);
Result<PublicKey> parse_public_key(std::string_view text, const std::string& where);
Result<SecretKey> parse_secret_key(std::string_view text, const std::string& where);

/// What an archive says of itself; nothing is unpacked yet.
struct Archive {
  std::string version;  ///< of the database: "2026.12.01"
  PublicKey key;        ///< it was signed by this one
  std::string payload;  ///< a tar.zst of TOML files
};

/// Packs the TOML files of a folder, a whole database: one with releases and a version. Errors:
/// what load_directory() says, a row that `rocvet db check` would not take, a folder without a
/// version, or with one that is not YEAR.N, with up to two more numbers.
Result<std::string> pack(const std::string& directory, const KeyPair& keys);

/// Reads and verifies: an error is a file that is no archive, is cut short or does not carry the
/// signature of the key that it names. Whether that key is trusted is the caller's question.
Result<Archive> open(std::string_view bytes, const std::string& where);

/// The rows of a verified archive.
Result<db::Tables> rows_of(const Archive& archive, const std::string& where);

/// Binds what was compiled of an archive to it: 32 bytes, BLAKE2b of both.
std::string seal_of(const Archive& archive, std::string_view compiled);

/// At most this much is read of a file that is called an archive.
inline constexpr std::size_t kMostArchiveBytes = 64u << 20;

}  // namespace rocvet::update

#include "update/archive.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "db/blob.h"
#include "db/blob_database.h"
#include "db/load.h"
#include "update/installed.h"

using namespace rocvet;
using namespace rocvet::update;

namespace {

const std::string kDatabase = std::string(ROCVET_SOURCE_DIR) + "/db";

const KeyPair& keys() {
  static const KeyPair pair = *new_key_pair();
  return pair;
}

const std::string& packed() {
  static const std::string bytes = *pack(kDatabase, keys());
  return bytes;
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("an archive holds the database that it was made of") {
  const auto archive = update::open(packed(), "x.rocvetdb");
  REQUIRE(archive);
  CHECK(archive->key == keys().open);
  CHECK(archive->version == Database::embedded().version());
  const auto rows = rows_of(*archive, "x.rocvetdb");
  REQUIRE(rows);
  // The folder itself, read without an archive, tells as much.
  const auto folder = db::load_directory(kDatabase);
  REQUIRE(folder);
  for (std::size_t table = 0; table < db::tables().size(); ++table) {
    CAPTURE(db::tables()[table].name);
    CHECK(rows->rows[table].size() == folder->rows[table].size());
  }
}

TEST_CASE("whatever byte of an archive is changed, it is refused") {
  for (std::size_t at = 0; at < packed().size(); at += packed().size() / 97 + 1) {
    CAPTURE(at);
    std::string bytes = packed();
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    CHECK_FALSE(update::open(bytes, "x"));
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{20}, packed().size() - 1}) {
    CAPTURE(length);
    CHECK_FALSE(update::open(packed().substr(0, length), "x"));
  }
  CHECK_FALSE(update::open(packed() + "x", "x"));
}

TEST_CASE("an archive is installed for those who trust its key, once, and never an older one") {
  const auto refused = [](const std::vector<PublicKey>& trusted, const std::string& present) {
    const auto done = install(packed(), "x.rocvetdb", trusted, present);
    return done ? std::string() : done.error().text();
  };
  CHECK(says(refused({}, "2020.01.01"), "is signed by a key that is not trusted here"));
  CHECK(says(refused({new_key_pair()->open}, "2020.01.01"), "not trusted here"));
  CHECK(says(refused({keys().open}, "2099.01.01"), "not newer than 2099.01.01"));
  CHECK(says(refused({keys().open}, Database::embedded().version()), "not newer than"));
}

TEST_CASE("a folder that is no whole database is not packed") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "rocvet-archive-test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "a.toml") << "schema = 1\n";
  const auto none = pack(folder.string(), keys());
  REQUIRE_FALSE(none);
  CHECK(says(none.error().text(), "is no whole database"));
  std::ofstream(folder / "a.toml") << "schema = 1\n[[nothing]]\n";
  const auto bad = pack(folder.string(), keys());
  REQUIRE_FALSE(bad);
  CHECK(says(bad.error().text(), "a.toml:2:"));
  fs::remove_all(folder);
}

TEST_CASE("keys are hexadecimal digits, all of them") {
  CHECK(*parse_public_key(text_of(keys().open), "k.pub") == keys().open);
  CHECK(*parse_secret_key(text_of(keys().secret), "k") == keys().secret);
  for (const char* text : {"", "00", "zz", "0x00"}) {
    CAPTURE(text);
    const auto key = parse_public_key(text, "k.pub");
    REQUIRE_FALSE(key);
    CHECK(says(key.error().text(), "k.pub: is no public key"));
  }
  CHECK_FALSE(parse_public_key(text_of(keys().secret), "k.pub"));
}

TEST_CASE("a database whose version is none is neither packed nor opened") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "rocvet-archive-version-test";
  for (const char* version : {"9", "abc", "2028.1\\nkey: 00", "2028..1", "2028.-1", "12028.1",
                              "2028.1\\u001b[31m", "2027.10.99999999999"}) {
    CAPTURE(version);
    fs::remove_all(folder);
    fs::copy(kDatabase, folder, fs::copy_options::recursive);
    std::ofstream(folder / "database.toml")
        << "schema = 1\n[[database]]\nversion = \"" << version << "\"\n";
    CHECK_FALSE(pack(folder.string(), keys()));
  }
  fs::remove_all(folder);
}

TEST_CASE("what was compiled of an archive is bound to it") {
  const auto archive = update::open(packed(), "x");
  REQUIRE(archive);
  const std::string seal = seal_of(*archive, "compiled");
  CHECK(seal.size() == 32);
  CHECK(seal == seal_of(*archive, "compiled"));
  CHECK(seal != seal_of(*archive, "compiler"));
  Archive other = *archive;
  other.payload.back() ^= 1;
  CHECK(seal != seal_of(other, "compiled"));
}

// A database that is handed over as one signed file: the file, its keys, and what is inside, which
// a signature vouches for and which is read all the same. (A compiled database, db/blob.h, is read
// in place and unchecked: it is in the binary, or bound to its archive by a seal.)
#include <string>

#include "fuzz/target.h"
#include "update/archive.h"

using namespace rocvet;

FUZZ_TARGET(update) {
  if (const auto key = update::parse_public_key(bytes, "x.pub")) {
    const auto again = update::parse_public_key(update::text_of(*key), "x.pub");
    fuzz::must(again && *again == *key, "a key is read back");
  }
  fuzz::use(update::parse_secret_key(bytes, "x.key"));
  if (const auto archive = update::open(bytes, "x")) fuzz::use(update::rows_of(*archive, "x"));
  const update::Archive unsigned_one{"2026.12.01", {}, std::string(bytes)};
  fuzz::use(update::rows_of(unsigned_one, "x"));
  fuzz::use(update::seal_of(unsigned_one, bytes));
}

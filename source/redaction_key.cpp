#include "source/redaction_key.h"

#include <sodium.h>

#include <algorithm>

#include "base/read_whole_file.h"
#include "base/text.h"
#include "source/characters.h"

namespace rocvet {
namespace {

// So that no other program that hashes the machine-id gets the same: machine-id(5) asks for it.
constexpr std::string_view kPurpose = "rocvet: stand-ins of ids, 1";

StandInKey keyed_hash(std::string_view text) {
  StandInKey key{};
  crypto_generichash(key.data(), key.size(), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), reinterpret_cast<const unsigned char*>(kPurpose.data()),
                     kPurpose.size());
  return key;
}

}  // namespace

StandInKey random_key() {
  StandInKey key{};
  randombytes_buf(key.data(), key.size());
  return key;
}

std::optional<StandInKey> key_of_machine(std::string_view machine_id) {
  constexpr std::size_t kDigits = 32;
  const std::string_view id = trim(machine_id);
  if (id.size() != kDigits || !std::all_of(id.begin(), id.end(), is_hex)) return std::nullopt;
  // 000… and the like were written by hand.
  if (id.find_first_not_of(id[0]) == id.npos) return std::nullopt;
  return keyed_hash(lower(id));
}

const StandInKey& own_key() {
  static const StandInKey key = [] {
    constexpr std::size_t kMost = 256;  // 32 digits and a line end
    const auto id = read_whole_file("/etc/machine-id", kMost);
    return (id ? key_of_machine(*id) : std::nullopt).value_or(random_key());
  }();
  return key;
}

StandInKey repeatable_key(std::uint64_t seed) {
  return keyed_hash(std::to_string(seed));
}

}  // namespace rocvet

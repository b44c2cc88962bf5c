// Keys and tokens that are known by their form alone, wherever they stand.
#pragma once

#include <cstddef>
#include <string_view>

namespace rocvet {

/// How long the key or token at the beginning of `rest` is; 0 when there is none. By the prefix
/// that its service gives it, as a JSON web token, a bot's token (number:letters), or a payment
/// card.
std::size_t token_length(std::string_view rest);

/// How long the word at the beginning of `rest` is, if it looks like drawn at random: 30 letters or
/// more of both cases and digits that alternate as no name does, as base64 and base64url write
/// them; 0 otherwise. Names of kernels, digests and paths are not. `before` is the character before
/// it.
std::size_t random_length(std::string_view rest, char before);

/// Letters and something that is none, as passwords have and words of prose have not.
bool mixes_letters(std::string_view word);

/// Whether a word of 12 letters or more looks like drawn at random. Weaker than random_length():
/// for places where a key or password stands more often than a name.
bool looks_drawn(std::string_view word);

/// How long the hash of a password at the beginning of `rest` is, as crypt(5) writes it
/// ($6$salt$…); 0 for none.
std::size_t crypt_length(std::string_view rest);

/// How much of a URL's `path` (from its / on) is an address that only its owner knows, by `host`:
/// webhooks and bots; 0 for other hosts.
std::size_t secret_path_length(std::string_view host, std::string_view path);

}  // namespace rocvet

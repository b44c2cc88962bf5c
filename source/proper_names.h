// What people, accounts and machines are called, and the words that stand where their names do and
// are none.
#pragma once

#include <cstddef>
#include <string_view>

namespace rocvet {

/// Letters, digits and "_-.".
bool is_name_char(char c);

/// Of the name at the beginning; the point or dash that ends it belongs to the sentence.
std::size_t name_length(std::string_view text);

/// "1000", "$USER", "<name>": no name.
bool is_name(std::string_view name);

bool has_number(std::string_view word);
bool is_digit_word(std::string_view word);

/// What stands where host names do, but is a device, an architecture, a file or a version.
bool is_technical(std::string_view word);

/// "google.protobuf.internal", "config.yaml.example", "rd.lvm.lv=": no machine, though the last
/// word is one of inner networks or of a country.
bool is_module_or_file(std::string_view name);

/// Machines have a number, or parts.
bool looks_like_host(std::string_view word);

/// Whether a name is hardly a word of anything else: it may be looked for everywhere.
bool is_distinctive(std::string_view name);

/// Words that are names of accounts, distributions and parts of this field: one that happens to be
/// called so is not found by it.
bool is_everyday_name(std::string_view name);

/// Whether a host name with dots tells whose it is by what stands behind its first label:
/// "server.acme.example", not "rc.local" or "server.lan".
bool names_a_domain(std::string_view host);

}  // namespace rocvet

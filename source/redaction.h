// What a snapshot or report for other people must not say: who and where the machine is. The same
// thing gets the same stand-in everywhere, so that what belonged together still does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/marked_words.h"
#include "source/redaction_key.h"

namespace rocvet {

class Source;

/// Which machine it is.
struct Identity {
  std::string host;
  std::optional<StandInKey> key;  ///< of the stand-ins for ids; none of a saved report
};
Identity read_identity(Source& source);

/// Whether an account is somebody's, not a service's: by its number, or by a home among those of
/// people.
bool is_person(std::uint64_t uid, std::string_view home);

class Redactor {
 public:
  /// `key` makes the stand-ins of ids unguessable.
  explicit Redactor(const StandInKey& key) : key_(key) {}
  /// With stand-ins that anybody can repeat: for tests.
  explicit Redactor(std::uint64_t seed) : key_(repeatable_key(seed)) {}

  /// Names that must go, as whole words; an everyday word ("ubuntu") goes only where it plainly is
  /// a user. A host may have its domain with it, and is found in small letters and capitals; so is
  /// the domain, and every other host in it.
  void add_host(std::string_view name);
  void add_user(std::string_view name);
  /// HOME of these variables, a folder called after somebody, who need not be the user.
  void add_home(const std::map<std::string, std::string>& environment);
  /// A service's account, which says something about the machine: it stays wherever it stands.
  void keep_user(std::string_view name);
  bool keeps(std::string_view name) const { return kept_.contains(name); }

  /// Takes note of the people and hosts that a text mentions (source/mentions.h) and whose names
  /// are no words of anything else, and of the numbers that are addresses by the words around
  /// them: from now on they go everywhere. text() replaces what a text mentions in any case, at
  /// that place.
  void learn(std::string_view text);

  /// Any text: secrets, names, home folders, mail addresses, UUIDs, GUIDs and GPU ids, MAC and IP
  /// addresses, serial and phone numbers.
  std::string text(std::string_view text);
  /// The value of a variable, which may be a name for its name alone.
  std::string variable(std::string_view name, std::string_view value);
  /// The content of the file at `path`: whole serial files go, ids are replaced, then text().
  std::string content(std::string_view path, std::string_view content);
  /// A path or link target: home folders and names.
  std::string path(std::string_view path);
  /// The unique id, UUID or XGMI hive id of a GPU on its own, decimal or hex; 0 and "N/A" are none.
  std::string gpu_id(std::string_view id);
  /// A user or group name on its own.
  std::string user(std::string_view name) const;

  /// What was replaced at least once, for about.toml, sorted.
  std::vector<std::string> done() const;

 private:
  using Names = std::map<std::string, std::string, std::less<>>;

  struct Place {
    std::size_t at, length;
    std::string stand_in;
  };

  std::vector<Place> places_in(std::string_view text, const std::vector<MarkedWord>& marked);
  void add_odd_places(std::string_view text, std::vector<Place>& places) const;
  std::string stand_in_of_user(std::string_view name);
  std::string stand_in_of_host(std::string_view name);
  std::string hex_stand_in(std::string_view id) const;
  std::string decimal_stand_in(std::string_view id) const;
  // Of the rest of a text: append to `out` what stands for its first `used` characters.
  bool take_id(std::string_view rest, std::string& out, std::size_t& used);
  bool take_uuid(std::string_view rest, std::string& out, std::size_t& used);
  bool take_mac(std::string_view rest, std::string& out, std::size_t& used);
  bool take_bare_mac(std::string_view rest, std::string& out, std::size_t& used);
  bool take_guid(std::string_view rest, std::string& out, std::size_t& used);
  bool take_machine_id(std::string_view rest, std::string& out, std::size_t& used);
  void learn_logins(std::string_view text);
  void learn_addresses(std::string_view text);
  bool take_ipv4(std::string_view rest, std::string& out, std::size_t& used);
  bool take_glued_ipv4(std::string_view rest, std::string& out, std::size_t& used);
  bool take_hex_ipv4(std::string_view rest, std::string& out, std::size_t& used);
  bool take_ipv6(std::string_view rest, std::string& out, std::size_t& used);
  bool take_gpu_id(std::string_view rest, std::string& out, std::size_t& used);
  bool take_marked_id(std::string_view rest, std::string& out, std::size_t& used);
  bool take_serial(std::string_view rest, std::string& out, std::size_t& used);
  bool take_disk(std::string_view rest, std::string& out, std::size_t& used);
  bool take_container(std::string_view rest, std::string& out, std::size_t& used);
  bool take_account_number(std::string_view rest, std::string& out, std::size_t& used);
  bool take_phone(std::string_view rest, std::string& out, std::size_t& used);
  bool take_mail(std::string_view rest, std::string& out, std::size_t& used);
  bool take_home(std::string_view rest, std::string& out, std::size_t& used);
  bool take_name(std::string_view rest, std::string& out, std::size_t& used);
  bool take_host_of_domain(std::string_view name, std::string& out, std::size_t& used);
  std::string accounts(std::string_view path, std::string_view content);
  void note(const char* what) { done_[what] = true; }

  StandInKey key_;
  std::size_t machines_ = 0;                      ///< hosts, however many names each has
  Names users_;                                   ///< user -> stand-in
  Names words_;                                   ///< those of them that go as whole words
  Names odd_;                                     ///< users like "DOMAIN\\user" and "o'hara"
  Names met_hosts_;                               ///< those that go only where they are mentioned
  Names hosts_;                                   ///< host in small letters -> stand-in
  std::set<std::string, std::less<>> domains_;    ///< of those hosts
  std::set<std::string, std::less<>> addresses_;  ///< that look like versions
  std::map<std::string, bool, std::less<>> kept_;
  std::map<std::string, bool> done_;
};

}  // namespace rocvet

// What a snapshot or report for other people must not say: who and where the machine is. The same
// thing gets the same stand-in everywhere, so that what belonged together still does.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rocvet {

class Source;

/// Which machine it is.
struct Identity {
  bool names_people = false;  ///< names in its facts are real, not stand-ins already
  std::string host;
  std::uint64_t salt = 0;  ///< of the stand-ins for ids: the same for the same machine
};
Identity read_identity(Source& source);

class Redactor {
 public:
  /// `salt` makes the stand-ins of ids unguessable; a fixed one makes them repeatable (tests).
  explicit Redactor(std::uint64_t salt) : salt_(salt) {}

  /// Names that must go: the host's whole words; a user's too, unless the name is an everyday word
  /// ("ubuntu"), which goes only where it plainly is a user.
  void add_host(std::string_view name);
  void add_user(std::string_view name);

  /// Any text: secrets, names, home folders, UUIDs, GPU ids, MAC and IP addresses, serial numbers.
  std::string text(std::string_view text);
  /// The content of the file at `path`: whole serial files go, ids are replaced, then text().
  std::string content(std::string_view path, std::string_view content);
  /// A path or link target: home folders and names.
  std::string path(std::string_view path);
  /// A user or group name on its own.
  std::string user(std::string_view name) const;

  /// What was replaced at least once, for about.toml, sorted.
  std::vector<std::string> done() const;

 private:
  std::uint64_t stand_in(std::string_view id) const;
  std::string hex_stand_in(std::string_view id) const;
  bool take_uuid(std::string_view rest, std::string& out, std::size_t& used);
  bool take_mac(std::string_view rest, std::string& out, std::size_t& used);
  bool take_ipv4(std::string_view rest, std::string& out, std::size_t& used);
  bool take_ipv6(std::string_view rest, std::string& out, std::size_t& used);
  bool take_home(std::string_view rest, std::string& out, std::size_t& used);
  bool take_gpu_id(std::string_view rest, std::string& out, std::size_t& used);
  bool take_serial(std::string_view rest, std::string& out, std::size_t& used);
  bool take_name(std::string_view rest, std::string& out, std::size_t& used);
  std::string home_user(std::string_view name);

  std::uint64_t salt_;
  std::map<std::string, std::string, std::less<>> words_;  ///< whole word -> stand-in
  std::map<std::string, std::string, std::less<>> users_;  ///< user -> stand-in
  std::map<std::string, bool> done_;
};

}  // namespace rocvet

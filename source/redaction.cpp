#include "source/redaction.h"

#include <algorithm>

#include "base/path_walk.h"
#include "base/text.h"
#include "source/characters.h"
#include "source/mentions.h"
#include "source/proper_names.h"
#include "source/public_hosts.h"
#include "source/secrets.h"
#include "source/source.h"

namespace rocvet {
namespace {

// A text that names more is no log of a machine.
constexpr std::size_t kMostNames = 20000;
// Each is looked for in every text.
constexpr std::size_t kMostOddNames = 200;

/// Part of a word, of any alphabet.
bool is_any_word(char c) {
  return is_word(c) || is_wide(c);
}

/// "user", "user2", … in the order in which they are met.
std::string next_stand_in(std::string_view word, std::size_t known) {
  return std::string(word) + (known == 0 ? "" : std::to_string(known + 1));
}

}  // namespace

Identity read_identity(Source& source) {
  Identity identity;
  for (const char* file : {"/etc/hostname", "/proc/sys/kernel/hostname"}) {
    const Result<std::string> name = source.read(file);
    if (name && !trim(*name).empty()) identity.host = trim(*name);
  }
  // The same for the same machine: two reports of it are compared.
  if (const Result<std::string> id = source.read("/etc/machine-id"))
    identity.key = key_of_machine(*id);
  if (!identity.key) identity.key = own_key();
  return identity;
}

bool is_person(std::uint64_t uid, std::string_view home) {
  constexpr std::uint64_t kNobody = 65534;
  if (uid == kNobody || home.starts_with("/var/empty") || home.starts_with("/nonexistent"))
    return false;
  if (uid >= 1000) return true;
  // Older systems began to count people at 500, and some sites take what is free.
  constexpr std::uint64_t kFirstOfSystem = 100;
  const std::string small = lower(home);
  return uid >= kFirstOfSystem &&
         (small.find("/home/") != small.npos || small.find("/users/") != small.npos ||
          small.starts_with("/export/") || small.starts_with("/people/"));
}

void Redactor::add_host(std::string_view name) {
  const std::string full = lower(name), first = full.substr(0, full.find('.'));
  // "server" alone says nothing, "server.lab-of-somebody.org" does.
  const bool everyday = is_everyday_name(first);
  const std::string stand_in = stand_in_of_host(name);
  if (everyday && !names_a_domain(full)) return;
  if (!everyday) hosts_.emplace(first, stand_in);
  hosts_.emplace(full, stand_in);
  if (!names_a_domain(full)) return;
  const std::string domain = full.substr(first.size() + 1);
  if (domain.find('.') != domain.npos && !is_public_host(domain)) domains_.insert(domain);
}

void Redactor::add_user(std::string_view name) {
  if (name.empty() || name == "root" || name == "nobody") return;
  const std::string stand_in = stand_in_of_user(name);
  if (is_everyday_name(name)) return;
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](char c) { return is_word(c) || c == '-' || c == '.'; });
  if (plain) {
    words_.emplace(name, stand_in);
    return;
  }
  // "DOMAIN\\user" and "user@domain" are "user" elsewhere.
  if (odd_.size() < kMostOddNames) odd_.emplace(name, stand_in);
  if (const std::size_t mark = name.find_first_of("\\@+"); mark != name.npos) {
    const std::string_view own = name[mark] == '@' ? name.substr(0, mark) : name.substr(mark + 1);
    if (own.find_first_of("\\@+") == own.npos) add_user(own);
  }
}

void Redactor::keep_user(std::string_view name) {
  kept_.emplace(name, true);
}

void Redactor::add_home(const std::map<std::string, std::string>& environment) {
  const auto home = environment.find("HOME");
  if (home == environment.end()) return;
  std::string_view path = home->second;
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  // "/root", "/var/lib/ollama", "/nonexistent" are homes of services.
  constexpr std::string_view kOfServices[] = {"/var/", "/usr/", "/opt/", "/run/", "/srv/", "/etc/"};
  if (slash == path.npos || slash == 0 || path.size() - slash < 4) return;
  if (std::ranges::any_of(kOfServices,
                          [&](std::string_view head) { return path.starts_with(head); }))
    return;
  const std::string_view name = path.substr(slash + 1);
  if (!kept_.contains(name) && !is_everyday_name(name)) add_user(name);
}

void Redactor::learn(std::string_view text) {
  const auto user = [this](std::string_view name) {
    if (is_distinctive(name) && !kept_.contains(name) && users_.size() < kMostNames) add_user(name);
  };
  const auto host = [this](std::string_view name) {
    if (is_distinctive(name) && machines_ < kMostNames) add_host(name);
  };
  find_mentions(text, {user, host});
  learn_logins(text);
  if (addresses_.size() < kMostNames) learn_addresses(text);
}

/// "https://NAME:PASSWORD@HOST": one that is logged in to is nobody else's, and loses the login.
void Redactor::learn_logins(std::string_view text) {
  constexpr std::string_view kMark = "://";
  constexpr std::size_t kLongest = 512;
  for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark, at)) {
    at += kMark.size();
    const std::string_view rest = text.substr(at, kLongest);
    const std::string_view address = rest.substr(0, rest.find_first_of(" \t\n\r\"'<>/"));
    const std::size_t login = address.rfind('@');
    if (login == address.npos) continue;
    const std::string_view host = address.substr(login + 1, name_length(address.substr(login + 1)));
    if (is_name(host) && host.find('.') != host.npos && !is_public_host(host) &&
        names_a_domain(host) && machines_ < kMostNames)
      add_host(host);
  }
}

std::vector<Redactor::Place> Redactor::places_in(std::string_view text,
                                                 const std::vector<MarkedWord>& marked) {
  std::vector<Place> places;
  const auto place = [&](std::string_view name, std::string stand_in) {
    const auto at = static_cast<std::size_t>(name.data() - text.data());
    places.push_back({at, name.size(), std::move(stand_in)});
  };
  const auto user = [&](std::string_view name) {
    if (!kept_.contains(name)) place(name, stand_in_of_user(name));
  };
  const auto host = [&](std::string_view name) { place(name, stand_in_of_host(name)); };
  find_mentions(text, marked, {user, host});
  add_odd_places(text, places);
  std::sort(places.begin(), places.end(), [](const Place& one, const Place& other) {
    return one.at < other.at || (one.at == other.at && one.length > other.length);
  });
  return places;
}

void Redactor::add_odd_places(std::string_view text, std::vector<Place>& places) const {
  for (const auto& [name, stand_in] : odd_) {
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool whole = (at == 0 || !is_any_word(text[at - 1])) &&
                         (end == text.size() || !is_any_word(text[end]));
      if (whole) places.push_back({at, name.size(), stand_in});
    }
  }
}

/// The same for the same name, also for one that is not looked for elsewhere.
std::string Redactor::stand_in_of_user(std::string_view name) {
  const auto known = users_.find(name);
  if (known != users_.end()) return known->second;
  if (users_.size() >= kMostNames) return "user";
  return users_.emplace(name, next_stand_in("user", users_.size())).first->second;
}

std::string Redactor::stand_in_of_host(std::string_view name) {
  const std::string full = lower(name), first = full.substr(0, full.find('.'));
  if (const auto known = hosts_.find(first); known != hosts_.end()) return known->second;
  if (const auto known = met_hosts_.find(full); known != met_hosts_.end()) return known->second;
  if (machines_ >= kMostNames) return "host";
  return met_hosts_.emplace(full, next_stand_in("host", machines_++)).first->second;
}

std::string Redactor::user(std::string_view name) const {
  const auto found = users_.find(name);
  return found == users_.end() ? std::string(name) : found->second;
}

bool Redactor::take_home(std::string_view rest, std::string& out, std::size_t& used) {
  constexpr std::string_view kHome = "/home/";
  if (!rest.starts_with(kHome)) return false;
  const std::string_view after = rest.substr(kHome.size(), 256);
  std::size_t length = std::min(after.find_first_of("/ \t\n:;,\"'\\)]}<>"), after.size());
  for (const auto& [odd, stand_in] : odd_) {
    if (after.starts_with(odd) && (after.size() == odd.size() || !is_any_word(after[odd.size()])))
      length = std::max(length, odd.size());
  }
  const std::string_view name = after.substr(0, length);
  if (name.empty() || name == "*" || name.starts_with('.')) return false;
  out += kHome;
  const bool nobody = name == "user" || name == "linuxbrew" || name == "root";
  const std::string replaced = nobody ? std::string(name) : stand_in_of_user(name);
  if (replaced != name) note("home folders");
  out += replaced;
  used = kHome.size() + length;
  return true;
}

bool Redactor::take_name(std::string_view rest, std::string& out, std::size_t& used) {
  // Names may hold dashes and dots, so the longest that fits is taken.
  std::size_t length = 0;
  while (length < rest.size() && length < 256 &&
         (is_word(rest[length]) || rest[length] == '-' || rest[length] == '.'))
    ++length;
  // An option, and the end of a sentence.
  while (length > 0 && (rest[length - 1] == '.' || rest[length - 1] == '-')) --length;
  const std::string small = hosts_.empty() ? std::string() : lower(rest.substr(0, length));
  int parts = 0;
  for (std::size_t end = length; end > 0 && parts < 16; --end) {
    const bool whole = end == length || rest[end] == '.';
    if (!whole) continue;
    ++parts;
    const auto user = words_.find(rest.substr(0, end));
    const auto host = user == words_.end() && !hosts_.empty()
                          ? hosts_.find(std::string_view(small).substr(0, end))
                          : hosts_.end();
    if (user == words_.end() && host == hosts_.end()) continue;
    out += user != words_.end() ? user->second : host->second;
    note(user != words_.end() ? "user names" : "host name");
    used = end;
    return true;
  }
  return !domains_.empty() && take_host_of_domain(rest.substr(0, length), out, used);
}

/// The domain of a known host, or another host in it, whatever its top level is called.
bool Redactor::take_host_of_domain(std::string_view name, std::string& out, std::size_t& used) {
  const std::string small = lower(name);
  for (std::size_t at = 0; at < small.size(); ++at) {
    if (at == 0 || small[at - 1] == '.') {
      if (domains_.contains(std::string_view(small).substr(at))) {
        out += stand_in_of_host(small);
        note("host name");
        used = name.size();
        return true;
      }
    }
  }
  return false;
}

std::string Redactor::text(std::string_view raw) {
  std::vector<MarkedWord> marked = find_marked_words(raw);
  const std::string text = without_secrets(raw, marked);
  if (text != raw) {
    note("secrets");
    marked = find_marked_words(text);
  }
  const std::vector<Place> places = places_in(text, marked);
  auto place = places.begin();
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    while (place != places.end() && place->at < at) ++place;
    if (place != places.end() && place->at == at) {
      out += place->stand_in;
      at += place->length;
      note("names");
      continue;
    }
    const std::string_view rest = std::string_view(text).substr(at);
    const char c = text[at];
    const bool starts_word = at == 0 || !is_word(text[at - 1]);
    std::size_t used = 0;
    bool taken = false;
    if (c == '/')
      taken = take_home(rest, out, used);
    else if (c == '+')
      taken = take_phone(rest, out, used);
    else if (is_digit(c) && !starts_word)
      taken = take_glued_ipv4(rest, out, used);
    else if (is_word(c) && starts_word)
      taken = take_mail(rest, out, used) || take_id(rest, out, used) || take_name(rest, out, used);
    else if ((c == 's' || c == 'S') && text[at - 1] == '_')  // POWER_SUPPLY_SERIAL_NUMBER
      taken = take_serial(rest, out, used);
    if (!taken) {
      out += c;
      ++at;
    }
    at += used;
  }
  return out;
}

std::string Redactor::variable(std::string_view name, std::string_view value) {
  const MentionVisitor noted = {[this](std::string_view user) { add_user(user); },
                                [this](std::string_view host) { add_host(host); }};
  find_mentions_in_variable(name, value, noted);
  if (users_.contains(value)) return user(value);
  return text(value);
}

std::string Redactor::path(std::string_view path) {
  // A folder that is called after somebody is told by what follows it.
  std::string redacted = text(std::string(path) + "/");
  if (redacted.ends_with('/')) redacted.pop_back();
  return redacted;
}

/// Names are between colons and commas there, also those that are everyday words; the comment field
/// of passwd holds real names.
std::string Redactor::accounts(std::string_view path, std::string_view content) {
  std::string out;
  std::size_t number = 0;
  for (std::string_view line : split(content, '\n')) {
    std::string kept;
    std::size_t column = 0;
    for (std::string_view field : split(line, ':')) {
      if (column > 0) kept += ':';
      if (path == "/etc/passwd" && column == 4) {
        // the full name
      } else if (field.starts_with('/')) {
        kept += text(field);
      } else {
        std::size_t member = 0;
        for (std::string_view word : split(field, ',')) {
          if (member++ > 0) kept += ',';
          kept += user(word);
        }
      }
      ++column;
    }
    if (number++ > 0) out += '\n';
    out += kept;
  }
  if (!users_.empty()) note("user names");
  return out;
}

std::string Redactor::content(std::string_view path, std::string_view content) {
  const std::string_view name = base_name(path);
  const bool serial = name.find("serial") != std::string_view::npos ||
                      name.find("asset_tag") != std::string_view::npos || name == "machine-id" ||
                      name == "boot_id";
  // Four numbers are no address there.
  if (path.starts_with("/sys/module/") && name == "version") return without_secrets(content);
  if (path.starts_with("/sys/") || path.starts_with("/etc/") || path.starts_with("/proc/")) {
    if (serial && !trim(content).empty()) {
      note("serial numbers");
      return "redacted\n";
    }
    if (name == "hostname") {
      note("host name");
      return "host\n";
    }
    if (name == "unique_id" && trim(content).size() > 4) {
      note("GPU ids");
      return hex_stand_in(trim(content)) + "\n";
    }
  }
  if (path == "/etc/passwd" || path == "/etc/group" || path == "/etc/subuid" ||
      path == "/etc/subgid")
    return accounts(path, content);
  return text(content);
}

std::vector<std::string> Redactor::done() const {
  std::vector<std::string> names;
  for (const auto& [name, used] : done_) names.push_back(name);
  return names;
}

}  // namespace rocvet

#include "source/redaction.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/path_walk.h"
#include "base/text.h"
#include "source/secrets.h"
#include "source/source.h"

namespace rocvet {
namespace {

constexpr std::string_view kHex = "0123456789abcdefABCDEF";
constexpr std::string_view kDigits = "0123456789";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t run_of(std::string_view text, std::string_view set) {
  return std::min(text.find_first_not_of(set), text.size());
}

bool same_letters(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && lower(text.substr(0, word.size())) == word;
}

// A user may be called like a distribution or a group; replacing such a word everywhere would
// destroy facts.
constexpr std::string_view kEverydayWords[] = {
    "root",  "user",   "users",  "admin",  "ubuntu",  "debian", "fedora",   "centos", "rocky",
    "arch",  "video",  "render", "amd",    "amdgpu",  "rocm",   "gpu",      "linux",  "kernel",
    "test",  "docker", "podman", "ollama", "jupyter", "conda",  "python",   "torch",  "vagrant",
    "azure", "nobody", "guest",  "sudo",   "home",    "host",   "system",   "daemon", "build",
    "ci",    "runner", "oem",    "pi",     "steam",   "deck",   "localhost"};

bool is_everyday(std::string_view name) {
  return name.size() < 3 || std::find(std::begin(kEverydayWords), std::end(kEverydayWords),
                                      lower(name)) != std::end(kEverydayWords);
}

}  // namespace

Identity read_identity(Source& source) {
  Identity identity;
  identity.names_people = source.names_people();
  for (const char* file : {"/etc/hostname", "/proc/sys/kernel/hostname"}) {
    const Result<std::string> name = source.read(file);
    if (name && !trim(*name).empty()) identity.host = trim(*name);
  }
  // Nobody outside knows the machine's id, so nobody can try ids until a stand-in fits.
  const Result<std::string> id = source.read("/etc/machine-id");
  identity.salt = 14695981039346656037ULL;
  for (const char c : id.value_or(identity.host)) {
    identity.salt = (identity.salt ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  return identity;
}

void Redactor::add_host(std::string_view name) {
  name = name.substr(0, name.find('.'));
  if (!is_everyday(name)) words_.emplace(name, "host");
}

void Redactor::add_user(std::string_view name) {
  if (name.empty() || name == "root" || name == "nobody" || users_.contains(name)) return;
  const std::string stand_in = users_.empty() ? "user" : "user" + std::to_string(users_.size() + 1);
  users_.emplace(name, stand_in);
  if (!is_everyday(name)) words_.emplace(name, stand_in);
}

std::string Redactor::user(std::string_view name) const {
  const auto found = users_.find(name);
  return found == users_.end() ? std::string(name) : found->second;
}

std::uint64_t Redactor::stand_in(std::string_view id) const {
  std::uint64_t hash = 14695981039346656037ULL ^ salt_;  // FNV-1a, then mixed
  for (char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  hash ^= hash >> 31;
  hash *= 0x9e3779b97f4a7c15ULL;
  hash ^= hash >> 29;
  return hash == 0 ? 1 : hash;
}

/// As many hex digits as `id` has.
std::string Redactor::hex_stand_in(std::string_view id) const {
  std::string out;
  for (std::uint64_t round = 0; out.size() < id.size(); ++round) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx",
                  static_cast<unsigned long long>(stand_in(lower(id) + std::to_string(round))));
    out += digits;
  }
  return out.substr(0, id.size());
}

bool Redactor::take_uuid(std::string_view rest, std::string& out, std::size_t& used) {
  constexpr std::array<std::size_t, 5> kGroups = {8, 4, 4, 4, 12};
  std::size_t at = 0;
  for (std::size_t i = 0; i < kGroups.size(); ++i) {
    if (i > 0 && (at >= rest.size() || rest[at++] != '-')) return false;
    if (run_of(rest.substr(std::min(at, rest.size())), kHex) != kGroups[i]) return false;
    at += kGroups[i];
  }
  if (at < rest.size() && is_word(rest[at])) return false;
  std::string digits;
  for (char c : rest.substr(0, at)) {
    if (c != '-') digits += c;
  }
  digits = hex_stand_in(digits);
  for (std::size_t i = 0, d = 0; i < at; ++i) out += rest[i] == '-' ? '-' : digits[d++];
  used = at;
  done_["UUIDs"] = true;
  return true;
}

bool Redactor::take_mac(std::string_view rest, std::string& out, std::size_t& used) {
  if (rest.size() < 17) return false;
  for (std::size_t i = 0; i < 17; ++i) {
    if (i % 3 == 2 ? rest[i] != ':' : kHex.find(rest[i]) == std::string_view::npos) return false;
  }
  if (rest.size() > 17 && (is_word(rest[17]) || rest[17] == ':')) return false;
  const std::string digits = hex_stand_in(rest.substr(0, 17));
  out += "02";  // locally administered: nobody's
  for (int i = 0; i < 5; ++i) out += ":" + digits.substr(static_cast<std::size_t>(2 * i), 2);
  used = 17;
  done_["MAC addresses"] = true;
  return true;
}

bool Redactor::take_ipv4(std::string_view rest, std::string& out, std::size_t& used) {
  // A version of four parts looks the same, but follows a letter, a dash or another number.
  if (!out.empty() &&
      std::string_view(" \t\n=/@[(,\"'").find(out.back()) == std::string_view::npos) {
    return false;
  }
  std::size_t at = 0;
  unsigned long long first = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0 && (at >= rest.size() || rest[at++] != '.')) return false;
    const std::size_t digits = run_of(rest.substr(std::min(at, rest.size())), kDigits);
    const auto number = parse_number(rest.substr(std::min(at, rest.size()), digits));
    if (!number || *number > 255 || digits > 3) return false;
    if (part == 0) first = *number;
    at += digits;
  }
  if (at < rest.size() && (is_word(rest[at]) || rest[at] == '-' || rest[at] == '+')) return false;
  if (at + 1 < rest.size() && rest[at] == '.' && is_word(rest[at + 1])) return false;
  // Loopback and "any" say nothing; a first part below 10 is a version far more often.
  if (first < 10 || first == 127 || first == 255) return false;
  const std::uint64_t id = stand_in(rest.substr(0, at));
  out += "192.0.2." + std::to_string(1 + id % 254);
  used = at;
  done_["IP addresses"] = true;
  return true;
}

bool Redactor::take_ipv6(std::string_view rest, std::string& out, std::size_t& used) {
  const std::size_t length = run_of(rest, "0123456789abcdefABCDEF:");
  const std::string_view token = rest.substr(0, length);
  const auto colons = std::count(token.begin(), token.end(), ':');
  const bool shortened = token.find("::") != std::string_view::npos && colons >= 3;
  if ((!shortened && colons != 7) || token.size() < 8 || token.front() == ':') return false;
  if (length < rest.size() && is_word(rest[length])) return false;
  out += "2001:db8::" + hex_stand_in(token.substr(0, 4));
  used = length;
  done_["IP addresses"] = true;
  return true;
}

std::string Redactor::home_user(std::string_view name) {
  if (name == "user" || name == "linuxbrew") return std::string(name);
  if (!users_.contains(name)) add_user(name);
  return user(name);
}

bool Redactor::take_home(std::string_view rest, std::string& out, std::size_t& used) {
  constexpr std::string_view kHome = "/home/";
  if (!rest.starts_with(kHome)) return false;
  const std::string_view after = rest.substr(kHome.size());
  const std::size_t length = std::min(after.find_first_of("/ \t\n:;,\"'\\)]}<>"), after.size());
  const std::string_view name = after.substr(0, length);
  if (name.empty() || name == "*" || name.starts_with('.')) return false;
  out += kHome;
  const std::string replaced = home_user(name);
  if (replaced != name) done_["home folders"] = true;
  out += replaced;
  used = kHome.size() + length;
  return true;
}

bool Redactor::take_gpu_id(std::string_view rest, std::string& out, std::size_t& used) {
  std::size_t prefix = 0;
  for (std::string_view word : {"GPU-", "unique_id ", "unique id: ", "hive_id "}) {
    if (same_letters(rest, lower(word))) prefix = word.size();
  }
  if (prefix == 0) return false;
  std::size_t start =
      prefix + std::min(rest.substr(prefix).find_first_not_of(" \t"), rest.size() - prefix);
  if (rest.substr(start).starts_with("0x")) start += 2;
  const std::string_view id = rest.substr(start, run_of(rest.substr(start), kHex));
  if (id.size() < 5) return false;  // 0, N/A or XX
  out += rest.substr(0, start);
  const bool decimal = rest[prefix - 1] == ' ' && id.find_first_not_of(kDigits) == id.npos &&
                       !rest.substr(0, start).ends_with("0x");
  const auto number = parse_number(id);
  if (decimal && number) {  // KFD shows in decimal what the device folder shows in hex
    char hex[17];
    std::snprintf(hex, sizeof hex, "%016llx", *number);
    out += std::to_string(parse_number(hex_stand_in(hex), 16).value_or(1));
  } else {
    out += hex_stand_in(id);
  }
  used = start + id.size();
  done_["GPU ids"] = true;
  return true;
}

bool Redactor::take_serial(std::string_view rest, std::string& out, std::size_t& used) {
  std::size_t at = 0;
  for (std::string_view word : {"serial number", "serialnumber", "serial_number", "serial no",
                                "asic_serial", "product_serial", "board_serial", "serial"}) {
    if (same_letters(rest, word)) {
      at = word.size();
      break;
    }
  }
  if (at == 0) return false;
  const std::size_t mark = at + run_of(rest.substr(at), "\" ");
  if (mark >= rest.size() || (rest[mark] != ':' && rest[mark] != '=')) return false;
  const std::size_t start = mark + 1 + run_of(rest.substr(mark + 1), " \t\"");
  const std::size_t length =
      std::min(rest.substr(start).find_first_of(" \t\n\",;"), rest.size() - start);
  const std::string_view value = rest.substr(start, length);
  // "serial=ttyS0" and "serial: 8250" name a port, "0" and "N/A" nothing.
  if (value.size() < 5 || value.starts_with("tty") || value == "redacted" ||
      value.find_first_of(kDigits) == std::string_view::npos) {
    return false;
  }
  out += rest.substr(0, start);
  out += "redacted";
  used = start + length;
  done_["serial numbers"] = true;
  return true;
}

bool Redactor::take_name(std::string_view rest, std::string& out, std::size_t& used) {
  // Names may hold dashes and dots, so the longest that fits is taken.
  const std::pair<const std::string, std::string>* best = nullptr;
  for (const auto& entry : words_) {
    if (rest.starts_with(entry.first) &&
        (rest.size() == entry.first.size() ||
         (!is_word(rest[entry.first.size()]) && rest[entry.first.size()] != '-')) &&
        (best == nullptr || best->first.size() < entry.first.size())) {
      best = &entry;
    }
  }
  if (best == nullptr) return false;
  out += best->second;
  used = best->first.size();
  done_[best->second == "host" ? "host name" : "user names"] = true;
  return true;
}

std::string Redactor::text(std::string_view raw) {
  const std::string text = without_secrets(raw);
  if (text != raw) done_["secrets"] = true;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const bool starts_word = at == 0 || !is_word(text[at - 1]);
    const char c = text[at];
    if (!starts_word || (!is_word(c) && c != '/')) {
      out += c;
      ++at;
      continue;
    }
    const std::string_view rest = std::string_view(text).substr(at);
    std::size_t used = 0;
    const bool taken = c == '/' ? take_home(rest, out, used)
                                : take_uuid(rest, out, used) || take_mac(rest, out, used) ||
                                      take_ipv4(rest, out, used) || take_ipv6(rest, out, used) ||
                                      take_gpu_id(rest, out, used) ||
                                      take_serial(rest, out, used) || take_name(rest, out, used);
    if (taken) {
      at += used;
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

std::string Redactor::path(std::string_view path) {
  return text(path);
}

std::string Redactor::content(std::string_view path, std::string_view content) {
  const std::string_view name = base_name(path);
  const bool serial = name.find("serial") != std::string_view::npos ||
                      name.find("asset_tag") != std::string_view::npos || name == "machine-id" ||
                      name == "boot_id";
  if (path.starts_with("/sys/") || path.starts_with("/etc/") || path.starts_with("/proc/")) {
    if (serial && !trim(content).empty()) {
      done_["serial numbers"] = true;
      return "redacted\n";
    }
    if (name == "hostname") {
      done_["host name"] = true;
      return "host\n";
    }
    if (name == "unique_id" && trim(content).size() > 4) {
      done_["GPU ids"] = true;
      return hex_stand_in(trim(content)) + "\n";
    }
  }
  if (path == "/etc/passwd" || path == "/etc/group" || path == "/etc/subuid" ||
      path == "/etc/subgid") {
    // Names are between colons and commas here, also those that are everyday words; the comment
    // field of passwd holds real names.
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
    if (!users_.empty()) done_["user names"] = true;
    return out;
  }
  return text(content);
}

std::vector<std::string> Redactor::done() const {
  std::vector<std::string> names;
  for (const auto& [name, used] : done_) names.push_back(name);
  return names;
}

}  // namespace rocvet

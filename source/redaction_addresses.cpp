// IP addresses, and what looks like one: versions of four numbers stand in every list of packages.
#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "source/characters.h"
#include "source/redaction.h"
#include "source/word_lists.h"

namespace rocvet {
namespace {

constexpr std::size_t kLongestLook =
    64;  // how far a word that tells what the numbers are may reach

/// Four numbers below 256 with points between them.
struct Quad {
  std::array<unsigned, 4> part{};
  std::size_t length = 0;
  bool padded = false;  ///< "01.25.17.07": firmware is numbered so, addresses are not written so

  /// In a range that no version has: 192.168.0.0/16 and the like.
  bool is_surely_address() const {
    return !padded && ((part[0] == 192 && part[1] == 168) ||
                       (part[0] == 172 && part[1] >= 16 && part[1] < 32) ||
                       (part[0] == 100 && part[1] >= 64 && part[1] < 128) ||
                       (part[0] == 169 && part[1] == 254));
  }
  /// In the network of 10.0.0.0/8, at a place where versions have no such numbers.
  bool is_likely_private() const {
    constexpr unsigned kBeyondVersions = 40;
    return !padded && part[0] == 10 && part[1] >= kBeyondVersions && part[3] != 0;
  }
  /// Of the services that answer for everybody; a resolv.conf has them.
  bool is_resolver() const {
    static constexpr std::array<unsigned, 4> kResolvers[] = {
        {8, 8, 8, 8}, {8, 8, 4, 4}, {9, 9, 9, 9}, {1, 0, 0, 1}, {4, 2, 2, 1}, {4, 2, 2, 2}};
    return std::find(std::begin(kResolvers), std::end(kResolvers), part) != std::end(kResolvers);
  }
  /// Versions have one large number at most.
  bool has_large_parts() const {
    return std::count_if(part.begin(), part.end(), [](unsigned one) { return one >= 100; }) >= 2;
  }
};

std::optional<Quad> quad_at(std::string_view text) {
  Quad quad;
  std::size_t at = 0;
  for (unsigned& part : quad.part) {
    if (at > 0) {
      if (at >= text.size() || text[at] != '.') return std::nullopt;
      ++at;
    }
    const std::size_t begin = at;
    while (at < text.size() && at - begin < 4 && is_digit(text[at]))
      part = part * 10 + static_cast<unsigned>(text[at++] - '0');
    if (at == begin || at - begin > 3 || part > 255) return std::nullopt;
    quad.padded |= text[begin] == '0' && at - begin > 1;
  }
  quad.length = at;
  return quad;
}

std::string_view last_line(std::string_view text) {
  if (text.size() > 4 * kLongestLook) text.remove_prefix(text.size() - 4 * kLongestLook);
  return text.substr(text.find_last_of('\n') + 1);
}

/// In small letters: "version" of "driver_version: ".
std::string last_word(std::string_view line) {
  while (!line.empty() && !is_alnum(line.back())) line.remove_suffix(1);
  std::size_t begin = line.size();
  while (begin > 0 && line.size() - begin < kLongestLook && is_alnum(line[begin - 1])) --begin;
  return lower(line.substr(begin));
}

/// What stands before it without a blank: "https://host/" of "see https://host/".
std::string_view last_token(std::string_view line) {
  std::size_t begin = line.size();
  while (begin > 0 && line.size() - begin < kLongestLook &&
         std::string_view(" \t\"'`(,;=|").find(line[begin - 1]) == line.npos)
    --begin;
  return line.substr(begin);
}

/// A word that says of itself that a version follows.
bool is_of_versions(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "version", "versions", "driver", "drivers", "release", "rocm", "bios", "firmware", "v", "ver",
      "vbios", "revision", "rev", "amdgpu", "dkms", "rocr", "hip", "cuda", "cudnn", "cublas",
      "nvidia", "kernel", "linux", "pldm", "ifwi", "bundle", "fw", "toolbox", "distrobox", "plugin",
      "runtime", "wheel", "wheels", "package", "packages", "build", "torch", "tensorflow", "jax",
      "mesa", "llvm", "opencl", "installed", "software", "adrenalin", "pkg",
      // Firmware of a GPU and of network cards.
      "psp", "sos", "asd", "smu", "smc", "sdma", "mec", "mes", "rlc", "pfp", "vcn", "dmub", "dmcub",
      "imu", "uvd", "vce", "cpld", "nvm"};
  return is_in(kWords, word);
}

/// A word that says of itself that an address follows.
bool is_of_addresses(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "peer",       "host",      "hosts",   "addr",     "address", "addresses", "ip",
      "inet",       "server",    "via",     "src",      "dst",     "node",      "dns",
      "nameserver", "gw",        "gateway", "resolver", "ping",    "remote",    "endpoint",
      "bind",       "listen",    "url",     "proxy",    "tcp",     "udp",       "connect",
      "connecting", "connected", "reach",   "net",      "nfs",     "listening", "socket",
      "route",      "ipv4",      "client",  "rank",     "rhost",   "clientip",  "clientaddr",
      "brd"};
  return is_in(kWords, word);
}

/// "Connection reset by 5.9.61.20", "X-Forwarded-For: 5.9.61.20", "petra pts/0 2026-11-02 10:00
/// (5.9.61.20)", "5.9.61.20 - - [02/Nov/2026": places where nothing but an address stands.
bool is_at_place_of_address(std::string_view line, std::string_view behind) {
  static constexpr std::string_view kEnds[] = {"reset by ", "closed by ", "refused by ",
                                               "terminated by "};
  static constexpr std::string_view kHeads[] = {
      "SSH_CONNECTION=", "orwarded-For:", "orwarded-for:"};
  if (behind.starts_with(" port ") && behind.size() > 6 && is_digit(behind[6])) return true;
  if (behind.starts_with(" - ")) {  // the log of a web server, with its user
    const std::size_t user = behind.substr(0, kLongestLook).find(' ', 3);
    return user != behind.npos && behind.substr(user).starts_with(" [");
  }
  if (line.ends_with('(') && behind.starts_with(')')) {
    const std::string_view time = line.substr(line.size() - std::min<std::size_t>(line.size(), 7));
    return time.size() == 7 && is_digit(time[1]) && time[2] == ':' && is_digit(time[4]) &&
           time[5] == ' ';
  }
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return line.ends_with(end); }) ||
         std::any_of(std::begin(kHeads), std::end(kHeads),
                     [&](std::string_view head) { return line.find(head) != line.npos; });
}

/// "nvidia-cublas-cu12  " at the beginning of a line of a list of packages, and
/// "nvidia-cublas-cu12: " anywhere.
bool follows_package(std::string_view line) {
  static constexpr std::string_view kBegins[] = {"nvidia", "lib",    "amd",        "rocm", "hip",
                                                 "torch",  "cuda",   "tensorflow", "jax",  "python",
                                                 "roc",    "miopen", "mi-",        "linux"};
  const std::size_t gap =
      line.size() - std::min(line.find_last_not_of(" \t\"'=:(@-/") + 1, line.size());
  const bool blanks =
      gap > 0 && line.substr(line.size() - gap).find_first_not_of(" \t") == line.npos;
  line.remove_suffix(gap);
  std::size_t begin = line.size();
  while (begin > 0 && line.size() - begin < kLongestLook &&
         (is_word(line[begin - 1]) || line[begin - 1] == '-'))
    --begin;
  const std::string word = lower(line.substr(begin));
  if (word.find_first_of("-_") == word.npos || !is_word(word.back())) return false;
  if (is_of_addresses(last_word(word))) return false;
  // "ii  name  version" is dpkg's.
  std::string_view head = line.substr(0, begin);
  if (head.starts_with("ii ")) head.remove_prefix(2);
  if (blanks && head.find_first_not_of(" \t") == head.npos) return true;
  return std::any_of(std::begin(kBegins), std::end(kBegins),
                     [&](std::string_view name) { return word.starts_with(name); });
}

/// "electron 31.3.1.12", "xorg-server 21.1.11.2" and no more on the line: a list of packages. The
/// first number of a version is below 40; 10.0.0.0/8 is a network before it is one.
bool is_listed_version(const Quad& quad, std::string_view line, std::string_view behind) {
  constexpr unsigned kBelow = 40;
  if (quad.part[0] >= kBelow || quad.part[0] == 10 || line.empty() || !is_blank(line.back()))
    return false;
  const std::size_t after = run_of(behind, " \t\r");
  if (after < behind.size() && behind[after] != '\n') return false;
  const std::size_t end = line.find_last_not_of(" \t") + 1;
  const std::string_view name = line.substr(0, end);
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return is_word(c) || std::string_view("-.+").find(c) != std::string_view::npos;
  });
  if (!plain || name.empty() || name[0] == '-') return false;
  // "xorg-server" is a package, "node-ip" is none.
  static constexpr std::string_view kAddresses[] = {"ip", "addr", "address", "gateway"};
  return name.find('-') != name.npos ? !is_in(kAddresses, last_word(name))
                                     : !is_of_addresses(last_word(name));
}

/// What stands between two of a list or range: of two numbers that are joined, both are addresses
/// or none. Nothing where no number stands before.
std::optional<bool> like_the_one_before(std::string_view line) {
  static constexpr std::string_view kJoints[] = {"and", "or", "to", "bis", ",",
                                                 "-",   "->", "..", "/"};
  const auto trim_blanks = [&] {
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  };
  trim_blanks();
  bool joined = false;
  for (const std::string_view joint : kJoints) {
    if (!line.ends_with(joint)) continue;
    line.remove_suffix(joint.size());
    joined = true;
    break;
  }
  if (!joined) return std::nullopt;
  trim_blanks();
  std::size_t begin = line.size();
  while (begin > 0 && (is_digit(line[begin - 1]) || line[begin - 1] == '.')) --begin;
  const auto quad = quad_at(line.substr(begin));
  if (!quad || begin + quad->length != line.size()) return std::nullopt;
  if (quad->part[0] == 0 || quad->part[0] == 127) return std::nullopt;  // stays what it is
  return line.substr(begin).starts_with("192.0.2.");                    // a stand-in
}

/// Whether what follows the four numbers may follow an address.
bool may_end(const Quad& quad, std::string_view behind) {
  if (behind.empty()) return true;
  const char c = behind[0], next = behind.size() > 1 ? behind[1] : '\0';
  if (is_alnum(c) || c == '+') return false;
  if (c == '.' || c == '~') return !is_word(next);
  if (c == '_') {  // *10.0.0.1*, 10.0.0.1_29500; conda's 12.4.5.8_1 is a version
    constexpr std::size_t kPort = 4;
    return !is_word(next) || run_of(behind.substr(1, 6), "0123456789") >= kPort;
  }
  if (c == '-' && is_alnum(next) && !quad.is_surely_address()) {
    if (quad_at(behind.substr(1))) return true;
    if (quad.is_likely_private() && run_of(behind.substr(1, 4), "0123456789") <= 3) return true;
    // 5.11.5.26-1271047, 6.6.87.2-microsoft, 12.4.5.8-py3; 10.1.2.3-eth0 is no version.
    return quad.part[0] == 10 && is_alpha(next) && behind.substr(1).starts_with("eth");
  }
  return true;
}

bool has_port(std::string_view behind) {
  return behind.size() > 2 && std::string_view(":/<").find(behind[0]) != behind.npos &&
         is_digit(behind[1]) && (is_digit(behind[2]) || (behind[0] == '<' && behind[2] == '>'));
}

/// A folder or tag that is called like a version: /opt/x/12.4.5.8/lib, rocm/pytorch:10.1.2.3.
bool is_part_of_path(const Quad& quad, std::string_view line, std::string_view behind) {
  const std::string_view token = last_token(line);
  if (token.empty() || token.ends_with("//") || has_port(behind) || quad.is_likely_private())
    return false;
  if (line.back() == ':')
    return token.find('/') != token.npos && token.find("://") == token.npos &&
           !quad.has_large_parts();
  if (line.back() != '/' || quad.has_large_parts() || is_of_addresses(last_word(line)))
    return false;
  return is_of_versions(last_word(line)) ||
         token.substr(0, token.size() - 1).find('/') != token.npos;
}

/// `text` are the numbers, `line` is what stands before them, with stand-ins for other addresses.
/// `learned`: it was proven to be one elsewhere.
bool is_address(const Quad& quad, std::string_view text, std::string_view line,
                std::string_view behind, bool learned) {
  if (quad.padded) return false;
  if (behind.starts_with(".in-addr.arpa")) return true;
  if (!may_end(quad, behind)) return false;
  const char before = line.empty() ? '\n' : line.back();
  if (before == '.' || before == '+' || before == '~' || before == '^') return false;
  if (quad.is_surely_address()) return true;
  if (line.size() > 1 && before == '=' &&
      std::string_view("=<>~!").find(line[line.size() - 2]) != line.npos)
    return false;
  if (is_part_of_path(quad, line, behind)) return false;
  const std::string word = last_word(line);
  if (is_of_versions(word)) return false;
  if (learned || is_at_place_of_address(line, behind)) return true;
  if (line.find(text) != line.npos) return false;  // the version that was kept there
  if (const auto same = like_the_one_before(line)) return *same;
  if (is_listed_version(quad, line, behind)) return false;
  if (is_of_addresses(word) || has_port(behind)) return true;
  if (follows_package(line)) return false;
  const bool joined =
      (before == '-' || before == '_') && line.size() > 1 && is_alnum(line[line.size() - 2]);
  if (joined && quad.part[0] != 10) return false;  // scale-free-1.0.1.0
  // A first part below 10 is a version far more often.
  if (quad.part[0] < 10) {
    if (quad.is_resolver() || quad.has_large_parts()) return true;
    if (word != "from" && word != "to") return false;
    const std::string said = lower(line);
    return !contains_one(said,
                         std::array<std::string_view, 4>{"upgrad", "downgrad", "updat", "version"});
  }
  // 30.10.0.0 is a driver, and 10.0.0.0 nobody.
  return quad.part[2] != 0 || quad.part[3] != 0 || behind.starts_with('/');
}

/// Of the few where two colons are enough: in brackets, or of a range that is in use.
bool is_short_ipv6(std::string_view token, std::string_view before, std::string_view behind) {
  const std::string_view first = token.substr(0, token.find(':'));
  // "[c10::ad]" is a name of C++.
  if (before.ends_with("//[") || (before.ends_with('[') && behind.starts_with("]:") &&
                                  behind.size() > 2 && is_digit(behind[2])))
    return true;
  const std::string small = lower(first);
  if (small.size() != 4) return false;
  return small.starts_with("fc") || small.starts_with("fd") ||
         (small.starts_with("fe") && std::string_view("89ab").find(small[2]) != small.npos) ||
         ((small[0] == '2' || small[0] == '3') &&
          token.find_first_of("0123456789", 5) != token.npos);
}

}  // namespace

bool Redactor::take_ipv4(std::string_view rest, std::string& out, std::size_t& used) {
  if (!is_digit(rest[0])) return false;
  const auto quad = quad_at(rest);
  if (!quad) return false;
  // Loopback, "any" and Docker's own bridge say nothing, and our stand-ins are nobody's.
  const unsigned first = quad->part[0];
  const std::string_view numbers = rest.substr(0, quad->length);
  if (first == 0 || first == 127 || first == 255 || numbers == "172.17.0.1" ||
      rest.starts_with("192.0.2."))
    return false;
  const bool learned = !addresses_.empty() && addresses_.contains(numbers);
  if (!is_address(*quad, numbers, last_line(out), rest.substr(quad->length), learned)) return false;
  const auto id = parse_number(hex_stand_in(rest.substr(0, quad->length)).substr(0, 6), 16);
  out += "192.0.2." + std::to_string(1 + id.value_or(0) % 254);
  used = quad->length;
  note("IP addresses");
  return true;
}

/// Only those that would be taken for a version elsewhere: the others are found wherever they are.
void Redactor::learn_addresses(std::string_view text) {
  constexpr unsigned kLikeVersion = 10;
  for (std::size_t dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + 1)) {
    if (dot == 0 || !is_digit(text[dot - 1]) || (dot > 1 && is_word(text[dot - 2]))) continue;
    const std::size_t at = dot - 1;
    const auto quad = quad_at(text.substr(at, 16));
    if (!quad || quad->part[0] == 0 || quad->part[0] >= kLikeVersion || quad->padded) continue;
    const std::string_view numbers = text.substr(at, quad->length);
    const std::string_view line = last_line(text.substr(0, at)),
                           behind = text.substr(at + quad->length);
    const std::string word = last_word(line);
    if (word == "from" || word == "to" || !is_address(*quad, numbers, line, behind, false))
      continue;
    addresses_.emplace(numbers);
  }
}

/// Where a mark of text or an escape hides the border of a word: _10.0.0.1_, "\n10.0.0.1".
bool Redactor::take_glued_ipv4(std::string_view rest, std::string& out, std::size_t& used) {
  if (out.empty()) return false;
  const char last = out.back();
  if (last == '_') return take_ipv4(rest, out, used);
  const bool escape =
      (last == 'n' || last == 't' || last == 'r') && out.size() > 1 && out[out.size() - 2] == '\\';
  return escape && take_ipv4(rest, out, used);
}

/// "addr 0x0a01f3b2 port 4791", as RDMA's tools print it.
bool Redactor::take_hex_ipv4(std::string_view rest, std::string& out, std::size_t& used) {
  constexpr std::size_t kLength = 10;
  const std::string before = last_word(last_line(out));
  if (before != "addr" && before != "ip" && before != "address") return false;
  if (run_of(rest.substr(2, 9), "0123456789abcdefABCDEF") != kLength - 2) return false;
  if (!rest.substr(kLength).starts_with(" port") && !rest.substr(kLength).starts_with(":"))
    return false;
  out += "0x" + hex_stand_in(rest.substr(2, kLength - 2));
  used = kLength;
  note("IP addresses");
  return true;
}

bool Redactor::take_ipv6(std::string_view rest, std::string& out, std::size_t& used) {
  std::string_view token = rest.substr(0, run_of(rest.substr(0, 48), "0123456789abcdefABCDEF:"));
  const auto colons = std::count(token.begin(), token.end(), ':');
  if (colons < 2 || token.front() == ':') return false;
  // 64:ff9b::10.1.2.3: the last four bytes as IPv4 writes them.
  if (const auto quad = quad_at(rest.substr(token.rfind(':') + 1)))
    token = rest.substr(0, token.rfind(':') + 1 + quad->length);
  const std::size_t length = token.size();
  const std::string_view behind = rest.substr(length);
  if (!behind.empty() && is_word(behind[0])) return false;
  const bool shortened = token.find("::") != token.npos;
  const bool is_long = token.size() >= 8 && (colons == 7 || (shortened && colons >= 3));
  if (!is_long && !(shortened && is_short_ipv6(token, out, behind))) return false;
  if (token.starts_with("2001:db8::") && token.size() == 14) return false;  // ours
  out += "2001:db8::" + hex_stand_in(token).substr(0, 4);
  used = length;
  note("IP addresses");
  return true;
}

}  // namespace rocvet

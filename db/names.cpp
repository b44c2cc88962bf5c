#include "db/names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace rocvet::db {
namespace {

struct OsWord {
  std::string_view word, id;
};
// Longer words first where one begins another.
constexpr OsWord kOsWords[] = {
    {"red hat enterprise linux", "rhel"},
    {"redhat", "rhel"},
    {"rhel", "rhel"},
    {"suse linux enterprise server", "sles"},
    {"suse linux enterprise", "sles"},
    {"sled", "sles"},
    {"sles", "sles"},
    {"opensuse leap", "opensuse-leap"},
    {"opensuse tumbleweed", "opensuse-tumbleweed"},
    {"opensuse", "opensuse-leap"},
    {"oracle linux server", "oracle"},
    {"oracle linux", "oracle"},
    {"oraclelinux", "oracle"},
    {"oracle", "oracle"},
    {"ol", "oracle"},
    {"rocky linux", "rocky"},
    {"rocky", "rocky"},
    {"alma linux", "almalinux"},
    {"almalinux", "almalinux"},
    {"centos stream", "centos-stream"},
    {"centos linux", "centos"},
    {"centos", "centos"},
    {"azure linux", "azurelinux"},
    {"azurelinux", "azurelinux"},
    {"cbl mariner", "azurelinux"},
    {"mariner", "azurelinux"},
    {"debian gnu linux", "debian"},
    {"debian", "debian"},
    {"ubuntu", "ubuntu"},
    {"fedora linux", "fedora"},
    {"fedora", "fedora"},
    {"arch linux", "arch"},
    {"arch", "arch"},
    {"linux mint", "linuxmint"},
    {"linuxmint", "linuxmint"},
    {"nixos", "nixos"},
    {"gentoo", "gentoo"},
    {"windows", "windows"},
    {"amazon linux", "amzn"},
    {"amzn", "amzn"},
    {"wsl", "wsl"},
};

struct Codename {
  std::string_view word, os, version;
};
constexpr Codename kCodenames[] = {
    {"bionic", "ubuntu", "18.04"}, {"focal", "ubuntu", "20.04"}, {"jammy", "ubuntu", "22.04"},
    {"noble", "ubuntu", "24.04"},  {"bookworm", "debian", "12"}, {"trixie", "debian", "13"},
    {"bullseye", "debian", "11"},
};

std::string title(std::string_view id) {
  static constexpr std::pair<std::string_view, std::string_view> kTitles[] = {
      {"ubuntu", "Ubuntu"},       {"rhel", "RHEL"},         {"sles", "SLES"},
      {"oracle", "Oracle Linux"}, {"rocky", "Rocky Linux"}, {"centos", "CentOS"},
      {"debian", "Debian"},       {"fedora", "Fedora"},     {"azurelinux", "Azure Linux"},
      {"windows", "Windows"},     {"arch", "Arch Linux"},   {"almalinux", "AlmaLinux"},
  };
  for (const auto& [key, value] : kTitles) {
    if (key == id) return std::string(value);
  }
  return std::string(id);
}

}  // namespace

std::string os_display(std::string_view id, std::string_view version) {
  std::string text = title(id);
  if (version.empty()) return text;
  const std::size_t dot = version.find('.');
  if (id == "sles" && dot != std::string_view::npos) {
    return text + " " + std::string(version.substr(0, dot)) + " SP" +
           std::string(version.substr(dot + 1));
  }
  return text + " " + std::string(version);
}

std::string OsName::display() const {
  return os_display(id, version) + (variant.empty() ? "" : " (" + variant + ")");
}

Result<OsName> parse_os(std::string_view text) {
  OsName name;
  std::string word = lower(trim(text));
  // Names are letters of any script; what a shell or a terminal would read is in none.
  if (text.find_first_of(";|&<>`$\\\"'*?!#\n\r\t\x1b") != text.npos)
    return malformed("--os", "'" + std::string(trim(text)) + "' is no system's name");
  if (const std::size_t open = word.find('('); open != std::string::npos) {
    const std::size_t close = word.find(')', open);
    name.variant = std::string(trim(std::string_view(word).substr(open + 1, close - open - 1)));
    word = std::string(trim(std::string_view(word).substr(0, open)));
  }
  // "ubuntu-24.04", "sles_15", "rhel9.4": a gap before the first digit, punctuation as a gap.
  std::string spaced;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && !spaced.empty() && std::isalpha(static_cast<unsigned char>(spaced.back())) &&
        !spaced.ends_with("sp")) {
      spaced += ' ';
    }
    spaced += c == '-' || c == '_' || c == ':' || c == '/' ? ' ' : c;
  }
  std::string_view rest = trim(spaced);
  for (const auto& code : kCodenames) {
    if (rest == code.word)
      return OsName{std::string(code.os), std::string(code.version), name.variant};
  }
  for (const auto& [known, id] : kOsWords) {
    if (rest.starts_with(known) && (rest.size() == known.size() || rest[known.size()] == ' ')) {
      name.id = id;
      rest = trim(rest.substr(known.size()));
      break;
    }
  }
  if (name.id.empty()) {
    std::vector<std::string> names;
    for (const auto& [known, id] : kOsWords) names.emplace_back(known);
    const auto first = words(rest);
    return missing("--os", "no system is called '" + std::string(trim(text)) + "'" +
                               (first.empty() ? "" : did_you_mean(first[0], names)));
  }
  for (const auto part : words(rest)) {
    if (part == "lts" || part == "linux" || part == "stream") continue;
    if (part.starts_with("sp") && parse_number(part.substr(2))) {
      name.version += (name.version.empty() ? "15." : ".") + std::string(part.substr(2));
    } else if (std::isdigit(static_cast<unsigned char>(part[0]))) {
      if (name.version.empty()) name.version = part;
    } else if (part.starts_with("v") && part.size() > 1 &&
               std::isdigit(static_cast<unsigned char>(part[1]))) {
      name.version = part.substr(1);
    }
  }
  return name;
}

bool is_of_release(const OsName& asked, const ListedVersion& release) {
  const auto version = Version::parse(asked.version);
  return version && release.version && version->starts_with(*release.version);
}

bool os_version_matches(const OsName& asked, const ListedVersion& listed) {
  if (asked.version.empty()) return true;
  const auto wanted = Version::parse(asked.version);
  const auto& row = listed.version;
  if (!wanted || !row) return asked.version == listed.text;
  if (*wanted == *row) return true;
  // Asked without a point release: "24.04", "15", "9".
  if (wanted->parts.size() < row->parts.size() && row->starts_with(*wanted)) return true;
  // Listed by its major version alone ("Debian 12", "Oracle Linux 9"): all its point releases.
  return row->parts.size() == 1 && wanted->starts_with(*row);
}

std::optional<bool> kernel_matches(std::string_view listed, std::string_view running) {
  const std::size_t digit = listed.find_first_of("0123456789");
  if (digit == std::string_view::npos || listed.starts_with("UEK")) return std::nullopt;
  const auto row = Version::parse(listed.substr(digit));
  const auto kernel = Version::parse(running);
  if (!row || !kernel || row->parts.size() < 2) return std::nullopt;
  // Distributions keep the series and raise the rest: 5.15.0-91 is of 5.15, 4.18.0-553 of 4.18.
  if (listed.find('+') != std::string_view::npos ||
      listed.find("or newer") != std::string_view::npos) {
    return *kernel >= *row || kernel->starts_with(Version{{row->parts[0], row->parts[1]}});
  }
  return kernel->starts_with(Version{{row->parts[0], row->parts[1]}});
}

std::optional<Version> kernel_version(std::string_view release) {
  std::string dotted(trim(release));
  if (const std::size_t dash = dotted.find('-');
      dash != std::string::npos && dash + 1 < dotted.size() && dotted[dash + 1] >= '0' &&
      dotted[dash + 1] <= '9') {
    dotted[dash] = '.';
  }
  const auto version = Version::parse(dotted);
  return version ? version.optional() : std::nullopt;
}

std::string_view strip_series(std::string_view version) {
  version = trim(version);
  for (const std::string_view tail : {".x", ".*"}) {
    if (version.ends_with(tail)) version.remove_suffix(tail.size());
  }
  return version;
}

Result<Version> parse_version(std::string_view option, std::string_view text) {
  text = trim(text);
  if (text.starts_with("v")) text.remove_prefix(1);
  auto version = Version::parse(text);
  // A number that is no int would end the version there: 6.99999999999 is not 6. What has more
  // parts than any version is none.
  constexpr std::size_t kMostDigits = 9, kMostParts = 16;
  const std::string_view head = text.substr(0, text.find_first_not_of(".0123456789"));
  const auto parts = split(head, '.');
  // What follows the number is a build's name ("-45-generic", "rc1", "+git"), of plain characters.
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-~";
  if (!version || text.find_first_not_of(kPlain) != text.npos || text.find("..") != text.npos ||
      text.ends_with('.') || parts.size() > kMostParts ||
      std::any_of(parts.begin(), parts.end(),
                  [](std::string_view part) { return part.size() > kMostDigits; }))
    return malformed(std::string(option), "'" + std::string(text) + "' is not a version");
  return version;
}

std::string framework_name(std::string_view name) {
  std::string plain;
  for (const char c : lower(trim(name))) {
    if (c != ' ' && c != '_' && c != '-') plain += c;
  }
  if (plain == "torch") return "pytorch";
  if (plain == "tf") return "tensorflow";
  if (plain == "ort") return "onnxruntime";
  if (plain == "llamacpp") return "llama.cpp";
  return plain;
}

bool is_gfx_name(std::string_view word) {
  if (!word.starts_with("gfx") || word.size() < 6 || word.size() > 7) return false;
  return std::all_of(word.begin() + 3, word.end(),
                     [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace rocvet::db

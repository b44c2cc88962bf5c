#include "machine/read_packages.h"

#include <algorithm>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxDatabase = 64u << 20;
constexpr std::size_t kMaxLog = 64u << 10;  // what is kept of a log

/// The value of "Key: value", or an empty view when the line has another key.
std::string_view field(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':') return {};
  return trim(line.substr(key.size() + 1));
}

Result<std::vector<Package>> read_pacman(Source& source) {
  constexpr std::string_view kFolder = "/var/lib/pacman/local";
  const auto names = source.list(kFolder);
  if (!names) return names.error();
  std::vector<Package> out;
  for (const std::string& name : *names) {
    // The folder is called name-version-release; reading thousands of files would tell no more.
    const std::size_t release = name.rfind('-');
    if (release == std::string::npos || release == 0) continue;
    const std::size_t version = name.rfind('-', release - 1);
    if (version == std::string::npos || version == 0) continue;
    out.push_back({name.substr(0, version), name.substr(version + 1), "", "installed"});
  }
  return out;
}

void read_log(Source& source, Software& software) {
  for (const char* file : {"/var/log/dpkg.log", "/var/log/dnf.rpm.log", "/var/log/pacman.log"}) {
    const Result<std::string> text = source.read(file, kMaxDatabase);
    if (!text) continue;
    const std::size_t from = text->size() > kMaxLog ? text->size() - kMaxLog : 0;
    software.package_log = text->substr(from);
    return;
  }
}

}  // namespace

std::vector<Package> parse_dpkg_status(std::string_view text) {
  std::vector<Package> out;
  Package package;
  const auto finish = [&] {
    if (!package.name.empty() && !package.version.empty()) out.push_back(package);
    package = {};
  };
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) {
      finish();
      continue;
    }
    switch (line[0]) {  // most lines of the file are dependencies and descriptions
      case 'P':
        if (const auto value = field(line, "Package"); !value.empty()) package.name = value;
        break;
      case 'V':
        if (const auto value = field(line, "Version"); !value.empty()) package.version = value;
        break;
      case 'A':
        if (const auto value = field(line, "Architecture"); !value.empty()) package.arch = value;
        break;
      case 'S':
        if (const auto value = words(field(line, "Status")); value.size() == 3) {
          package.state = value[2];
          if (value[1] == "reinstreq") package.state = "half-installed";
        }
        break;
      default:
        break;
    }
  }
  finish();
  return out;
}

std::vector<Package> parse_rpm_list(std::string_view text) {
  std::vector<Package> out;
  for (std::string_view line : lines_of(text)) {
    line = trim(line);
    Package package;
    package.state = "installed";
    const std::size_t dot = line.rfind('.');
    const std::size_t last_dash = line.rfind('-');
    if (last_dash == std::string_view::npos || last_dash == 0) continue;
    if (dot != std::string_view::npos && dot > last_dash) {
      package.arch = line.substr(dot + 1);
      line = line.substr(0, dot);
    }
    const std::size_t release = line.rfind('-');
    const std::size_t version =
        release == 0 ? std::string_view::npos : line.rfind('-', release - 1);
    if (version == std::string_view::npos || version == 0) continue;
    package.name = line.substr(0, version);
    package.version = line.substr(version + 1);
    out.push_back(std::move(package));
  }
  return out;
}

Result<Package> parse_pacman_desc(std::string_view text, std::string_view where) {
  Package package;
  package.state = "installed";
  std::string_view section;
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with('%')) {
      section = line;
    } else if (!line.empty()) {
      if (section == "%NAME%") package.name = line;
      if (section == "%VERSION%") package.version = line;
      if (section == "%ARCH%") package.arch = line;
    }
  }
  if (package.name.empty() || package.version.empty()) {
    return malformed(std::string(where), "names no package and version");
  }
  return package;
}

std::vector<Package> parse_apk_installed(std::string_view text) {
  std::vector<Package> out;
  Package package;
  const auto finish = [&] {
    package.state = "installed";
    if (!package.name.empty() && !package.version.empty()) out.push_back(package);
    package = {};
  };
  for (const std::string_view line : lines_of(text)) {
    if (line.empty()) finish();
    if (const auto value = field(line, "P"); !value.empty()) package.name = value;
    if (const auto value = field(line, "V"); !value.empty()) package.version = value;
    if (const auto value = field(line, "A"); !value.empty()) package.arch = value;
  }
  finish();
  return out;
}

void read_packages(Source& source, Software& software) {
  read_log(source, software);
  const Result<std::string> dpkg = source.read("/var/lib/dpkg/status", kMaxDatabase);
  if (dpkg) {
    software.package_manager = "dpkg";
    software.packages = parse_dpkg_status(*dpkg);
    return;
  }
  if (auto pacman = read_pacman(source)) {
    software.package_manager = "pacman";
    software.packages = std::move(pacman);
    return;
  }
  const Result<std::string> apk = source.read("/lib/apk/db/installed", kMaxDatabase);
  if (apk) {
    software.package_manager = "apk";
    software.packages = parse_apk_installed(*apk);
    return;
  }
  // rpm's database is SQLite, Berkeley DB or its own format by release: only rpm reads them all.
  const bool new_place = source.exists("/usr/lib/sysimage/rpm");
  const bool old_place = source.exists("/var/lib/rpm");
  const Result<CommandOutput> list = source.run("rpm-qa");
  const bool listed = list && list->status == 0 && !list->out.empty();
  if (listed || new_place || old_place) {
    software.package_manager = "rpm";
    if (listed) {
      software.packages = parse_rpm_list(list->out);
    } else if (list) {
      software.packages = Error{Error::Kind::failed, "rpm -qa", "gave no list of packages"};
    } else {
      software.packages = list.error();
    }
    return;
  }
  software.packages = dpkg.error();
}

}  // namespace rocvet

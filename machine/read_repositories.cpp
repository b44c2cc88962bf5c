#include "machine/read_repositories.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxFile = 1u << 20;

bool is_amd_url(std::string_view url) {
  return url.find("radeon.com/") != std::string_view::npos ||
         url.find("amd.com/rocm") != std::string_view::npos ||
         url.find("amd.com/amdgpu") != std::string_view::npos;
}

bool is_release(std::string_view part) {
  if (part == "latest" || part == "debian") return true;
  return !part.empty() && part[0] >= '0' && part[0] <= '9' &&
         std::all_of(part.begin(), part.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

/// Product, release and (where the URL carries it) distribution of
/// ".../rocm/apt/6.2.2", ".../amdgpu/6.2.2/ubuntu", ".../rocm/el9/7.0/main",
/// ".../amdgpu/6.4/rhel/9.6/main/x86_64".
void read_url(RepositoryLine& line) {
  const auto parts = split(line.url, '/');
  for (std::size_t i = 3; i < parts.size(); ++i) {  // behind the host
    const std::string_view part = parts[i];
    if (line.product.empty() && (part == "rocm" || part == "amdgpu" || part == "graphics")) {
      line.product = part;
    } else if (part == "rhel" || part == "sle" || part == "el") {
      if (i + 1 < parts.size() && is_release(parts[i + 1]) && line.codename.empty()) {
        line.codename = std::string(part) + std::string(parts[++i]);
      }
    } else if (line.codename.empty() && line.file.ends_with(".repo") &&
               (part.starts_with("el") || part.starts_with("rhel") || part.starts_with("sle") ||
                part.starts_with("centos") || part.starts_with("zyp") || part.starts_with("yum"))) {
      if (part != "zyp" && part != "yum") line.codename = part;
    } else if (line.release.empty() && !line.product.empty() && is_release(part)) {
      line.release = part;
    }
  }
}

RepositoryLine make_line(const std::string& file, std::string_view text, std::string_view url,
                         std::string_view codename, bool enabled) {
  RepositoryLine line;
  line.file = file;
  line.text = trim(text);
  line.url = url;
  line.codename = codename;
  line.enabled = enabled;
  read_url(line);
  return line;
}

/// Paragraphs of "Key: value" lines; a line that begins with a blank continues the value.
/// A line without a colon is kept under the key "" (it makes the paragraph malformed).
struct Paragraph {
  std::string text;
  std::map<std::string, std::string> fields;
};
std::vector<Paragraph> paragraphs(std::string_view text) {
  std::vector<Paragraph> out;
  Paragraph now;
  std::string last;
  const auto finish = [&] {
    if (!now.fields.empty()) out.push_back(std::move(now));
    now = {};
    last.clear();
  };
  for (const std::string_view line : lines_of(text)) {
    const std::string_view bare = trim(line);
    if (bare.empty()) {
      finish();
      continue;
    }
    if (bare.starts_with('#')) continue;
    now.text += (now.text.empty() ? "" : "\n") + std::string(bare);
    if ((line[0] == ' ' || line[0] == '\t') && !last.empty()) {
      now.fields[last] += " " + std::string(bare);
      continue;
    }
    const std::size_t colon = bare.find(':');
    last = colon == std::string_view::npos ? "" : lower(bare.substr(0, colon));
    now.fields[last] = colon == std::string_view::npos ? bare : trim(bare.substr(colon + 1));
  }
  finish();
  return out;
}

std::string value_in(const Paragraph& paragraph, const std::string& key) {
  const auto found = paragraph.fields.find(key);
  return found == paragraph.fields.end() ? "" : found->second;
}

std::string fields_of(std::string_view text, const std::vector<std::string>& keys, bool others) {
  std::string out;
  bool kept = false;
  for (const std::string_view line : lines_of(text)) {
    if (trim(line).starts_with('#')) continue;
    if (trim(line).empty()) {
      kept = false;
      out += "\n";
      continue;
    }
    if (line[0] != ' ' && line[0] != '\t') {
      const std::size_t colon = line.find(':');
      const std::string key = lower(trim(line.substr(0, colon)));
      kept = colon == std::string_view::npos
                 ? others
                 : std::find(keys.begin(), keys.end(), key) != keys.end();
    }
    if (kept) out += std::string(line) + "\n";
  }
  return out;
}

void append(std::vector<RepositoryLine>& to, std::vector<RepositoryLine> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

std::string apt_source_fields(std::string_view text) {
  return fields_of(text,
                   {"types", "uris", "suites", "components", "enabled", "architectures", "trusted"},
                   false);
}

std::string apt_preference_fields(std::string_view text) {
  return fields_of(text, {"package", "pin", "pin-priority"}, true);
}

std::vector<RepositoryLine> parse_apt_list(std::string_view text, const std::string& file) {
  std::vector<RepositoryLine> out;
  for (const std::string_view whole : lines_of(text)) {
    std::string_view line = trim(whole);
    bool enabled = true;
    while (line.starts_with('#')) {
      enabled = false;
      line = trim(line.substr(1));
    }
    if (!line.starts_with("deb ") && !line.starts_with("deb\t") && !line.starts_with("deb[")) {
      continue;  // source packages install nothing
    }
    std::string_view rest = trim(line.substr(3));
    if (rest.starts_with('[')) {
      const std::size_t close = rest.find(']');
      if (close == std::string_view::npos) continue;
      rest = rest.substr(close + 1);
    }
    const auto parts = words(rest);
    if (parts.size() < 2 || !is_amd_url(parts[0])) continue;
    out.push_back(make_line(file, line, parts[0], parts[1], enabled));
  }
  return out;
}

std::vector<RepositoryLine> parse_apt_sources(std::string_view text, const std::string& file) {
  std::vector<RepositoryLine> out;
  for (const Paragraph& paragraph : paragraphs(text)) {
    const std::string types = value_in(paragraph, "types");
    const auto all = words(types);
    if (!types.empty() && std::find(all.begin(), all.end(), "deb") == all.end()) continue;
    const std::string enabled = lower(value_in(paragraph, "enabled"));
    const std::string uris = value_in(paragraph, "uris"), suites = value_in(paragraph, "suites");
    for (const std::string_view url : words(uris)) {
      if (!is_amd_url(url)) continue;
      for (const std::string_view suite : words(suites)) {
        out.push_back(
            make_line(file, paragraph.text, url, suite, enabled != "no" && enabled != "false"));
      }
    }
  }
  return out;
}

std::vector<RepositoryLine> parse_repo_file(std::string_view text, const std::string& file) {
  std::vector<RepositoryLine> out;
  std::string section;
  std::map<std::string, std::string> values;
  const auto finish = [&] {
    const std::string url = values.count("baseurl") ? values["baseurl"] : values["mirrorlist"];
    if (!section.empty() && is_amd_url(url)) {
      RepositoryLine line = make_line(file, section + " " + url, url, "", values["enabled"] != "0");
      if (const auto priority = parse_number(values["priority"])) {
        line.priority = static_cast<int>(std::min<unsigned long long>(*priority, 1000000));
      }
      out.push_back(std::move(line));
    }
    values.clear();
  };
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view line = trim(whole);
    if (line.starts_with('[')) {
      finish();
      section = line;
    } else if (const std::size_t equals = line.find('=');
               equals != std::string_view::npos && !line.starts_with('#')) {
      values[lower(trim(line.substr(0, equals)))] = trim(line.substr(equals + 1));
    }
  }
  finish();
  return out;
}

std::vector<AptPin> parse_apt_preferences(std::string_view text, const std::string& file) {
  std::vector<AptPin> out;
  const bool rocm_file = file.find("rocm") != std::string::npos ||
                         file.find("amdgpu") != std::string::npos ||
                         file.find("radeon") != std::string::npos;
  const std::string fields = apt_preference_fields(text);
  for (const Paragraph& paragraph : paragraphs(fields)) {
    AptPin pin{file, paragraph.text, false, 0};
    const std::string package = value_in(paragraph, "package"), how = value_in(paragraph, "pin");
    const std::string number = value_in(paragraph, "pin-priority");
    const bool negative = number.starts_with('-');
    const auto priority = parse_number(negative ? std::string_view(number).substr(1) : number);
    // A literal "\n" that echo wrote makes one long line: apt reads a strange package name and
    // neither Pin nor Pin-Priority.
    pin.well_formed = !package.empty() && package.find("\\n") == std::string::npos &&
                      (how.starts_with("release ") || how.starts_with("origin ") ||
                       how.starts_with("version ")) &&
                      priority && *priority > 0 && *priority < 32768 &&
                      paragraph.fields.count("") == 0;
    if (pin.well_formed) pin.priority = static_cast<int>(*priority) * (negative ? -1 : 1);
    const bool amd = paragraph.text.find("radeon.com") != std::string::npos ||
                     paragraph.text.find("rocm") != std::string::npos ||
                     paragraph.text.find("amdgpu") != std::string::npos;
    if (amd || rocm_file) out.push_back(std::move(pin));
  }
  return out;
}

std::vector<PackageOffer> parse_apt_policy(std::string_view text) {
  std::vector<PackageOffer> out;
  std::set<std::array<std::string, 3>> seen;
  std::string package, candidate, version;
  for (const std::string_view whole : lines_of(text)) {
    const auto parts = words(whole);
    if (parts.empty()) continue;
    const std::size_t indent = whole.find_first_not_of(' ');
    if (indent == 0) {
      package = whole.ends_with(':') ? std::string(whole.substr(0, whole.size() - 1)) : "";
      candidate.clear();
      version.clear();
    } else if (package.empty()) {
      continue;  // "Package files:" of a policy without names
    } else if (parts[0] == "Candidate:" && parts.size() > 1) {
      candidate = parts[1];
    } else if (indent >= 8 && !version.empty() && parts.size() >= 2 && parse_number(parts[0])) {
      PackageOffer offer{package, version, std::string(parts[1]), version == candidate};
      if (seen.insert({package, version, offer.origin}).second) out.push_back(std::move(offer));
    } else if (indent >= 4 && parts.size() >= 2) {
      version = parts[0] == "***" ? parts[1] : parts[0];
      if (version.ends_with(':')) version.clear();
    }
  }
  return out;
}

void read_repositories(Source& source, Software& software) {
  std::vector<RepositoryLine>& lines = software.repositories;
  const auto with_each = [&](std::string_view folder, std::string_view pattern, auto parse) {
    for (const std::string& path : matching_paths(source, folder, pattern)) {
      if (const auto text = source.read(path, kMaxFile)) append(lines, parse(*text, path));
    }
  };
  if (const auto text = source.read("/etc/apt/sources.list", kMaxFile)) {
    append(lines, parse_apt_list(*text, "/etc/apt/sources.list"));
  }
  with_each("/etc/apt/sources.list.d", "*.list", parse_apt_list);
  with_each("/etc/apt/sources.list.d", "*.sources", parse_apt_sources);
  with_each("/etc/yum.repos.d", "*.repo", parse_repo_file);
  with_each("/etc/zypp/repos.d", "*.repo", parse_repo_file);

  std::vector<AptPin> pins;
  const auto names = source.list("/etc/apt/preferences.d");
  std::vector<std::string> files{"/etc/apt/preferences"};
  for (const std::string& name : names ? *names : std::vector<std::string>{}) {
    // apt ignores every other suffix.
    if (name.find('.') == std::string::npos || name.ends_with(".pref")) {
      files.push_back("/etc/apt/preferences.d/" + name);
    }
  }
  for (const std::string& file : files) {
    const auto text = source.read(file, kMaxFile);
    if (!text) continue;
    for (AptPin& pin : parse_apt_preferences(*text, file)) pins.push_back(std::move(pin));
  }
  if (names || names.is_missing()) {
    software.apt_pins = std::move(pins);
  } else {
    software.apt_pins = names.error();
  }
  if (const auto policy = source.run("apt-policy")) software.offers = parse_apt_policy(policy->out);
}

}  // namespace rocvet

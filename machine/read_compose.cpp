#include "machine/read_compose.h"

#include <algorithm>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::string_view kFiles[] = {"compose.yaml", "compose.yml", "docker-compose.yaml",
                                       "docker-compose.yml", "docker-compose.override.yml"};

std::string unquote(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front()) {
    text = text.substr(1, text.size() - 2);
  }
  return std::string(text);
}

/// Up to a # that begins a comment: not inside quotes, and after white space.
std::string_view without_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      if (line[i] == quote) quote = 0;
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
    } else if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return line.substr(0, i);
    }
  }
  return line;
}

/// "key: value" -> both; false when the text is no mapping ("/dev/kfd:/dev/kfd" is none).
bool split_mapping(std::string_view text, std::string& key, std::string& value) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  if (colon + 1 < text.size() && text[colon + 1] != ' ' && text[colon + 1] != '\t') return false;
  key = unquote(text.substr(0, colon));
  value = trim(text.substr(colon + 1));
  return !key.empty() && key.find('/') == std::string::npos;
}

/// "- /dev/kfd  # why" -> "- /dev/kfd": of a comment only its devices, whatever else it tells.
std::string devices_in(std::string_view comment) {
  std::string out = comment.starts_with("- ") ? "-" : "";
  for (const std::string_view word : words(comment)) {
    if (word.find("/dev/") == std::string_view::npos) continue;
    out += (out.empty() ? "" : " ") + std::string(word);
  }
  return out;
}

void add_item(ComposeService& service, const std::string& key, const std::string& item) {
  if (key == "devices") service.devices.push_back(item);
  if (key == "group_add") service.group_add.push_back(item);
  if (key == "security_opt") service.security_opt.push_back(item);
  if (key == "volumes") service.volumes.push_back(item);
  if (key == "environment") {
    const std::size_t equals = item.find('=');
    // A bare name is passed through from the caller.
    service.environment[item.substr(0, equals)] =
        equals == std::string::npos ? "" : item.substr(equals + 1);
  }
}

void set_value(ComposeService& service, const std::string& key, const std::string& value) {
  if (value.starts_with('[')) {
    std::string_view inside = value;
    inside = inside.substr(
        1, inside.find(']') == std::string_view::npos ? inside.size() : inside.find(']') - 1);
    for (const std::string_view item : split(inside, ',')) {
      if (!trim(item).empty()) add_item(service, key, unquote(item));
    }
    return;
  }
  const std::string text = unquote(value);
  if (key == "image") service.image = text;
  if (key == "ipc") service.ipc = text;
  if (key == "shm_size") service.shm_size = text;
  if (key == "privileged") service.privileged = text;
  if (key == "user") service.user = text;
}

}  // namespace

std::vector<ComposeService> parse_compose(std::string_view text, std::string_view file) {
  std::vector<ComposeService> services;
  bool inside = false;             // below "services:"
  std::size_t service_indent = 0;  // of service names; 0: not yet known
  std::size_t key_indent = 0;      // of the keys of the service at hand
  std::string key;                 // the key at hand: "devices"
  for (const std::string_view raw : lines_of(text)) {
    const std::size_t indent = std::min(raw.find_first_not_of(" \t"), raw.size());
    const std::string_view body = trim(without_comment(raw));
    if (body.empty()) {
      // A device that somebody commented out explains a container that lacks it.
      const std::string_view comment = trim(raw);
      if (inside && !services.empty() && comment.starts_with('#') &&
          comment.find("/dev/") != std::string_view::npos) {
        services.back().commented_devices.push_back(devices_in(trim(comment.substr(1))));
      }
      continue;
    }
    std::string name, value;
    if (indent == 0 && !body.starts_with('-')) {
      inside = body == "services:";
      service_indent = 0;
      continue;
    }
    if (!inside) continue;
    if (service_indent == 0) service_indent = indent;
    if (indent <= service_indent && split_mapping(body, name, value)) {
      services.emplace_back();
      services.back().file = file;
      services.back().name = name;
      key_indent = 0;
      key.clear();
      continue;
    }
    if (services.empty()) continue;
    ComposeService& service = services.back();
    if (key_indent == 0) key_indent = indent;
    if (body.starts_with("- ") || body == "-") {
      if (indent >= key_indent) add_item(service, key, unquote(body.substr(1)));
      continue;
    }
    if (!split_mapping(body, name, value)) continue;
    if (indent <= key_indent) {
      key = name;
      if (!value.empty()) set_value(service, key, value);
    } else if (key == "environment") {
      service.environment[name] = unquote(value);
    }
  }
  return services;
}

std::vector<ComposeService> read_compose(Source& source, const std::string& home, bool look_below) {
  constexpr std::size_t kMostFolders = 64;
  std::vector<ComposeService> services;
  const auto look_in = [&](const std::string& folder, const std::vector<std::string>& names) {
    for (const std::string_view wanted : kFiles) {
      if (std::find(names.begin(), names.end(), wanted) == names.end()) continue;
      const std::string path = folder + "/" + std::string(wanted);
      const Result<std::string> text = source.read(path, 1u << 20);
      if (!text) continue;
      for (ComposeService& service : parse_compose(*text, path)) {
        services.push_back(std::move(service));
      }
    }
  };
  const Result<std::vector<std::string>> top = source.list(home);
  if (!top) return services;
  look_in(home, *top);
  std::size_t folders = 0;
  for (const std::string& name : *top) {
    if (!look_below || name.starts_with('.') || folders == kMostFolders) continue;
    const std::string folder = home + "/" + name;
    const Result<FileStat> stat = source.lstat(folder);
    if (!stat || stat->type != FileStat::Type::dir) continue;
    ++folders;
    if (const Result<std::vector<std::string>> names = source.list(folder)) look_in(folder, *names);
  }
  return services;
}

}  // namespace rocvet

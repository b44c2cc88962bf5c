#include "machine/read_udev.h"

#include <map>
#include <optional>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

// A file hides those of the same name in later folders.
constexpr std::string_view kRuleFolders[] = {"/etc/udev/rules.d", "/run/udev/rules.d",
                                             "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
                                             "/lib/udev/rules.d"};

struct Key {
  std::string name, op, value;
};

/// KERNEL=="kfd", GROUP="render" -> two keys. Commas inside quotes do not separate.
std::vector<Key> parse_keys(std::string_view line) {
  std::vector<Key> keys;
  while (!line.empty()) {
    const std::size_t open = line.find('"');
    if (open == std::string_view::npos) break;
    const std::size_t close = line.find('"', open + 1);
    if (close == std::string_view::npos) break;
    std::string_view left = trim(line.substr(0, open));
    while (left.starts_with(',')) left = trim(left.substr(1));
    const std::size_t op = left.find_first_of("=!+:-");
    if (op != std::string_view::npos) {
      keys.push_back({std::string(trim(left.substr(0, op))), std::string(trim(left.substr(op))),
                      std::string(line.substr(open + 1, close - open - 1))});
    }
    line.remove_prefix(close + 1);
  }
  return keys;
}

}  // namespace

std::vector<UdevRule> parse_udev_rules(std::string_view text, std::string_view file) {
  std::vector<UdevRule> rules;
  std::string line;
  for (std::string_view raw : lines_of(text)) {
    raw = trim(raw);
    if (line.empty() && raw.starts_with('#')) continue;
    if (raw.ends_with('\\')) {
      line += raw.substr(0, raw.size() - 1);
      continue;
    }
    line += raw;
    UdevRule rule;
    for (const Key& key : parse_keys(line)) {
      if (key.name == "KERNEL" && key.op == "==") rule.kernel = key.value;
      if (key.name == "SUBSYSTEM" && key.op == "==") rule.subsystem = key.value;
      const bool assigns = key.op == "=" || key.op == ":=";
      if (key.name == "GROUP" && assigns) rule.group = key.value;
      if (key.name == "MODE" && assigns) rule.mode = key.value;
    }
    const bool about_gpu = rule.kernel.find("kfd") != std::string::npos ||
                           rule.kernel.find("renderD") != std::string::npos ||
                           rule.subsystem == "kfd" || rule.subsystem == "drm";
    if (about_gpu) {
      rule.file = file;
      rule.text = trim(line);
      rules.push_back(std::move(rule));
    }
    line.clear();
  }
  return rules;
}

Result<std::vector<UdevRule>> read_udev_rules(Source& source) {
  std::map<std::string, std::string> files;  // name -> path: rules run in the order of their names
  std::optional<Error> unread;
  bool any = false;
  for (const std::string_view folder : kRuleFolders) {
    const Result<std::vector<std::string>> names = source.list(folder);
    if (!names) {
      // /run and /usr/local are seldom used: that nobody captured them does not matter.
      const bool usual = folder.starts_with("/etc/") || folder.starts_with("/usr/lib/");
      if (!names.is_missing() && usual) unread = names.error();
      continue;
    }
    any = true;
    for (const std::string& name : *names) {
      if (name.ends_with(".rules")) files.emplace(name, std::string(folder) + "/" + name);
    }
  }
  if (!any) return unread ? *unread : missing("/usr/lib/udev/rules.d");
  std::vector<UdevRule> rules;
  bool kfd = false;
  for (const auto& [name, path] : files) {
    const Result<std::string> text = source.read(path);
    if (!text) continue;
    // Most of the hundred files have nothing to do with GPUs: a search is cheaper than a parse.
    if (text->find("kfd") == std::string::npos && text->find("drm") == std::string::npos &&
        text->find("renderD") == std::string::npos) {
      continue;
    }
    for (UdevRule& rule : parse_udev_rules(*text, path)) {
      kfd = kfd || rule.kernel.find("kfd") != std::string::npos || rule.subsystem == "kfd";
      rules.push_back(std::move(rule));
    }
  }
  if (unread && !kfd) return *unread;
  return rules;
}

}  // namespace rocvet

#include "machine/read_named_programs.h"

#include <algorithm>
#include <set>

#include "base/add_once.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxWords = 64;
constexpr std::size_t kMaxPrograms = 8;
constexpr std::size_t kMaxLine = 4096;  // a longer one is data, not a message
constexpr std::string_view kLoaderSays[] = {
    ": error while loading shared libraries: ", ": symbol lookup error: ", ": relocation error: "};

bool is_command_name(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') ||
           std::string_view("/._-+~").find(letter) != std::string_view::npos;
  });
}

bool is_path(std::string_view word) {
  return word.starts_with('/') || word.starts_with("~/");
}

/// What stands behind a shell's prompt; "" when the line has none.
std::string_view behind_prompt(std::string_view line) {
  for (const std::string_view prompt : {"$ ", "# "}) {
    if (line.starts_with(prompt)) return trim(line.substr(prompt.size()));
    const std::size_t at = line.find(prompt);
    if (at != line.npos && line.substr(0, at).find('@') != line.npos &&
        line.substr(0, at).find(':') != line.npos)
      return trim(line.substr(at + prompt.size()));
  }
  return "";
}

/// The command of a shell's line, behind assignments, sudo and time.
std::string_view command_of(std::string_view line) {
  for (const std::string_view word : words(line)) {
    if (word.find('=') != word.npos || word == "sudo" || word == "time" || word == "env" ||
        word.starts_with('-'))
      continue;
    return word;
  }
  return "";
}

}  // namespace

std::vector<std::string> program_words(std::string_view log) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view word) {
    if (out.size() < kMaxWords && is_command_name(word)) add_once(out, std::string(word));
  };
  each_line(log, [&](std::string_view line) {
    if (line.size() > kMaxLine || out.size() >= kMaxWords) return;
    line = trim(line);
    for (const std::string_view says : kLoaderSays) {
      const std::string_view before = line.substr(0, std::min(line.find(says), line.size()));
      if (before.size() < line.size()) add(before.substr(before.find_last_of(" \t") + 1));
    }
    add(command_of(behind_prompt(line)));
    std::size_t from = 0;
    while (from < line.size()) {
      const std::size_t begin = line.find_first_not_of(" \t'\"()[]{}<>,;=:|`", from);
      if (begin == line.npos) break;
      from = std::min(line.find_first_of(" \t'\"()[]{}<>,;=:|`", begin), line.size());
      const std::string_view word = line.substr(begin, from - begin);
      // "https://NAME/…" and "HOST:/export" are of other machines.
      const bool elsewhere = word.starts_with("//") || (begin > 1 && line[begin - 1] == ':' &&
                                                        is_command_name(line.substr(begin - 2, 1)));
      if (is_path(word) && !elsewhere) add(word);
    }
  });
  return out;
}

std::vector<std::string> read_named_programs(
    Source& source, std::string_view log, const std::map<std::string, std::string>& environment) {
  const auto value_of = [&](const std::string& name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
  const std::string home = value_of("HOME"), path = value_of("PATH");
  std::vector<std::string> out;
  const auto add = [&](const std::string& file) {
    if (out.size() >= kMaxPrograms || base_name(file).find(".so") != std::string_view::npos)
      return false;
    const auto stat = source.stat(file);
    if (!stat || stat->type != FileStat::Type::file || (stat->mode & 0111) == 0) return false;
    add_once(out, file);
    return true;
  };
  for (const std::string& word : program_words(log)) {
    if (word.starts_with('/')) {
      add(clean_path(word));
    } else if (word.starts_with("~/")) {
      if (home.starts_with('/')) add(clean_path(home + word.substr(1)));
    } else if (word.find('/') == word.npos) {
      for (const std::string_view folder : split(path, ':')) {
        if (folder.starts_with('/') && add(join_path(folder, word))) break;
      }
    }
  }
  return out;
}

}  // namespace rocvet

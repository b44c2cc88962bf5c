#include "machine/read_init_script.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"

namespace rocvet {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

std::string_view unquoted(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '"' || text.back() == '\'' || text.back() == ';'))
    text.remove_suffix(1);
  return text;
}

bool is_account_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || c == '.';
  });
}

/// "fah", "$USER", "${RUN_AS:-fah}", "fah:fah" -> "fah"; "" for what cannot be told.
std::string account_in(std::string_view word, const Variables& variables) {
  word = unquoted(word);
  if (word.starts_with("${") && word.find('}') != word.npos) {
    const std::string_view inner = word.substr(2, word.find('}') - 2);
    const std::size_t end = inner.find_first_of(":-=");
    const auto found = variables.find(inner.substr(0, end));
    if (found != variables.end()) return found->second;
    const std::size_t value = inner.find_first_of("-=");
    return value == inner.npos ? "" : std::string(unquoted(inner.substr(value + 1)));
  }
  word = word.substr(0, word.find(':'));
  if (word.starts_with('$')) {
    const auto found = variables.find(word.substr(1));
    return found == variables.end() ? "" : found->second;
  }
  return is_account_name(word) ? std::string(word) : "";
}

Variables variables_of(const std::vector<std::string_view>& lines) {
  Variables found;
  for (std::string_view line : lines) {
    if (line.starts_with("export ")) line.remove_prefix(7);
    const std::size_t equals = line.find('=');
    if (equals == line.npos || equals == 0 || !is_account_name(line.substr(0, equals))) continue;
    std::string_view value = line.substr(equals + 1);
    value = value.substr(0, value.find_first_of(" \t#"));
    const std::string account = account_in(value, found);
    if (!account.empty()) found[std::string(line.substr(0, equals))] = account;
  }
  return found;
}

/// The word that names the account in a command, "" where none does.
std::string_view account_word(const std::vector<std::string_view>& command) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    for (const std::string_view option : {"--chuid", "--run-as", "--runas", "--user"}) {
      if (command[i] == option && i + 1 < command.size()) return command[i + 1];
      if (command[i].starts_with(option) && command[i].substr(option.size()).starts_with('='))
        return command[i].substr(option.size() + 1);
    }
    const bool short_option = command[i] == "-c" || command[i] == "-u";
    if (short_option && i + 1 < command.size() &&
        std::ranges::any_of(command, [&](std::string_view word) {
          return (word == "start-stop-daemon" && command[i] == "-c") ||
                 ((word == "runuser" || word == "sudo") && command[i] == "-u");
        }))
      return command[i + 1];
    if (command[i] != "su") continue;
    for (std::size_t k = i + 1; k < command.size(); ++k) {
      if (!command[k].starts_with('-')) return command[k];
      if (command[k] == "-c" || command[k] == "-s") ++k;
    }
  }
  return {};
}

}  // namespace

std::string account_of_init_script(std::string_view text) {
  std::vector<std::string_view> lines;
  each_line(text, [&](std::string_view line) {
    line = trim(line);
    if (!line.empty() && !line.starts_with('#')) lines.push_back(line);
  });
  const Variables variables = variables_of(lines);
  for (const std::string_view line : lines) {
    const std::string account = account_in(account_word(words(line)), variables);
    if (!account.empty()) return account;
  }
  for (const char* name : {"USER", "RUN_AS", "RUNAS", "RUN_USER", "DAEMON_USER", "RUNUSER"}) {
    if (const auto found = variables.find(name); found != variables.end()) return found->second;
  }
  return "";
}

}  // namespace rocvet

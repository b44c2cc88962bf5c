#include "base/command_words.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace rocvet {
namespace {

constexpr std::string_view kPrograms[] = {"amdgpu-install",
                                          "apptainer",
                                          "cmake",
                                          "conda",
                                          "cp",
                                          "curl",
                                          "df",
                                          "distrobox",
                                          "dmesg",
                                          "docker",
                                          "dpkg-query",
                                          "echo",
                                          "env",
                                          "export",
                                          "find",
                                          "flatpak",
                                          "git",
                                          "grep",
                                          "helm",
                                          "hipify-perl",
                                          "kubectl",
                                          "ln",
                                          "lspci",
                                          "mkdir",
                                          "mv",
                                          "oc",
                                          "pip",
                                          "podman",
                                          "printf",
                                          "python3",
                                          "rm",
                                          "rocm-sdk",
                                          "rocminfo",
                                          "rocvet",
                                          "rpm",
                                          "sed",
                                          "sudo",
                                          "supergfxctl",
                                          "systemctl",
                                          "unset",
                                          "uv",
                                          "wget",
                                          "wsl.exe"};
constexpr std::string_view kOpenNames[] = {
    "ACCOUNT",    "APPLICATION",  "BRIDGE",    "BUILD",        "COMMAND",     "CONTAINER",
    "DEPLOYMENT", "DEVICECONFIG", "DISK",      "DISTRIBUTION", "DISTRO",      "FILE",
    "GID",        "GOOD_VERSION", "HOST",      "ID",           "IMAGE",       "INDEX",
    "INTERFACE",  "NAME",         "NAMESPACE", "NODE",         "OLD_VERSION", "PACKAGE",
    "PAGES",      "PROXY",        "RELEASE",   "ROCM_PACKAGE", "SERVICE",     "SERVICEACCOUNT",
    "SETTING",    "SOURCE_FILE",  "GIT_TAG",   "USER",         "VENV",        "VERSION"};
constexpr std::string_view kOpenParts[] = {"X.Y", "gfxN", "-N-", "…"};
constexpr std::string_view kShows[] = {"ausearch", "cat",      "curl -I",        "df",
                                       "dmesg",    "find",     "grep",           "kubectl get",
                                       "ls",       "lspci",    "python3 -V",     "rocminfo",
                                       "rocvet",   "smartctl", "systemctl show", "dkms status"};

bool of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) &&
         (text.size() == word.size() || text[word.size()] == ' ' || text[word.size()] == ';');
}

bool has_bracketed_name(std::string_view text) {
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    if (at + 1 < text.size() && of_name(text[at + 1]) && text.find('>', at) != text.npos)
      return true;
  }
  return false;
}

}  // namespace

std::size_t find_name(std::string_view text, std::string_view name, std::size_t at) {
  for (at = text.find(name, at); at != text.npos; at = text.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const char after = at + name.size() == text.size() ? ' ' : text[at + name.size()];
    if (!of_name(before) && before != '$' && before != '{' && !of_name(after)) return at;
  }
  return text.npos;
}

bool runs_a_program(std::string_view text) {
  std::string_view first = text.substr(0, text.find(' '));
  // Of an environment of its own: "/home/a/venv/bin/pip".
  if (const std::size_t bin = first.rfind("/bin/"); bin != first.npos) first.remove_prefix(bin + 5);
  if (std::find(std::begin(kPrograms), std::end(kPrograms), first) == std::end(kPrograms))
    return false;
  // A remark in parentheses is no part of a command; "$(…)" is, and so is a remark behind a #.
  const std::string_view command = text.substr(0, text.find("   # "));
  for (const std::string_view words : {" keep ", "? ", " ("}) {
    if (command.find(words) != command.npos) return false;
  }
  return true;
}

bool has_open_name(std::string_view text) {
  const std::string_view command = text.substr(0, text.find("   # "));
  return std::any_of(std::begin(kOpenParts), std::end(kOpenParts),
                     [&](std::string_view part) { return command.find(part) != command.npos; }) ||
         std::any_of(
             std::begin(kOpenNames), std::end(kOpenNames),
             [&](std::string_view name) { return find_name(command, name, 0) != command.npos; }) ||
         has_bracketed_name(command);
}

bool only_shows(std::string_view text) {
  if (text.starts_with("sudo ")) text.remove_prefix(5);
  if (text.find("| sudo ") != text.npos || text.find("| xargs ") != text.npos) return false;
  if (text.ends_with(" -delete")) return false;
  return std::any_of(std::begin(kShows), std::end(kShows),
                     [&](std::string_view one) { return begins_with_word(text, one); });
}

}  // namespace rocvet

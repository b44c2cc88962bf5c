#include "selftests/worker/environment.h"

#include <unistd.h>

#include "base/text.h"
#include "base/trusted_path.h"
#include "machine/loader.h"

namespace rocvet::worker {
namespace {

bool is_plain(const std::string& path) {
  return path.starts_with('/') && path.find('$') == path.npos;
}

bool is_roots(const std::string& path) {
  return is_plain(path) && !who_else_changes({path});
}

/// A folder and, where it has them, those below it in which the loader looks first.
bool is_roots_folder(const std::string& path) {
  return is_plain(path) && !who_else_changes_inside(path);
}

std::string only_roots(const std::vector<std::string>& entries,
                       bool (*is_kept)(const std::string&)) {
  std::string out;
  for (const std::string& entry : entries) {
    if (is_kept(entry)) out += (out.empty() ? "" : ":") + entry;
  }
  return out;
}

}  // namespace

std::vector<std::string> worker_environment() {
  std::vector<std::string> out;
  const bool root = ::geteuid() == 0;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (!root || equals == text.npos || !name.starts_with("LD_")) {
      out.push_back(text);
      continue;
    }
    const std::string value = text.substr(equals + 1);
    std::string kept;
    if (name == "LD_LIBRARY_PATH") kept = only_roots(split_library_path(value), is_roots_folder);
    if (name == "LD_PRELOAD" || name == "LD_AUDIT")
      kept = only_roots(split_preload(value), is_roots);
    if (name == "LD_LIBRARY_PATH" && kept != value)
      out.push_back(std::string(kCallersLibraryPath) + "=" + value);
    if (!kept.empty()) out.push_back(name + "=" + kept);
  }
  return out;
}

}  // namespace rocvet::worker

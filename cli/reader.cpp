#include "cli/reader.h"

#include <filesystem>

#include "base/confine.h"

namespace rocvet::cli {

void only_read(const CommonOptions& options) {
  std::vector<std::string> folders;
  for (const std::string& output : options.outputs) {
    const std::size_t equals = output.find('=');
    if (equals == std::string::npos) continue;
    // A report appears beside its place first, and is moved there.
    const std::filesystem::path file = output.substr(equals + 1);
    folders.push_back(file.has_parent_path() ? file.parent_path().string() : ".");
  }
  become_reader(folders);
}

}  // namespace rocvet::cli

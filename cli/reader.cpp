#include "cli/reader.h"

#include <filesystem>

#include "base/confine.h"
#include "cli/own_descriptor.h"

namespace rocvet::cli {

void only_read(const CommonOptions& options) {
  static bool done = false;
  if (done) return;
  done = true;
  std::vector<std::string> places;
  for (const std::string& output : options.outputs) {
    const std::size_t equals = output.find('=');
    if (equals == std::string::npos) continue;
    const std::filesystem::path file = output.substr(equals + 1);
    if (own_descriptor(file.string())) continue;  // it is open
    std::error_code problem;
    const auto kind = std::filesystem::status(file, problem).type();
    using enum std::filesystem::file_type;
    if (kind == fifo || kind == character || kind == socket) {
      places.push_back(file.string());  // written to in place: /dev/stdout is not all of /dev
    } else {
      // A report appears beside its place first, and is moved there.
      places.push_back(file.has_parent_path() ? file.parent_path().string() : ".");
    }
  }
  become_reader(places);
}

void only_read_if_recorded(const CommonOptions& options) {
  if (!options.snapshot.empty()) only_read(options);
}

}  // namespace rocvet::cli

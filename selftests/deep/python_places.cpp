#include "selftests/deep/python_places.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <vector>

#include "base/path_walk.h"
#include "base/read_whole_file.h"
#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostText = 1u << 20;  // of a pyvenv.cfg or .pth file

bool is_there(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

class Places {
 public:
  void add(const std::optional<Changer>& one) { add_changer(found_, one); }
  void inside(const std::string& folder) {
    if (is_there(folder)) add(who_else_changes_inside(folder));
  }

  /// The standard libraries beside an interpreter's folder: "/usr/bin" has "/usr/lib/python3.11".
  void beside(const std::string& binaries) {
    for (const char* below : {"/lib", "/lib64"}) {
      const std::string libraries = std::string(parent_path(binaries)) + below;
      for (const std::string& name : list_of(*source_, libraries)) {
        if (!name.starts_with("python3")) continue;
        inside(libraries + "/" + name);
        inside(libraries + "/" + name + "/lib-dynload");
      }
    }
  }

  void virtual_environment(const std::string& root) {
    const auto text = read_whole_file(root + "/pyvenv.cfg", kMostText);
    if (!text) return;
    for (const std::string_view line : lines_of(*text)) {
      const std::size_t equals = line.find('=');
      if (equals == line.npos || trim(line.substr(0, equals)) != "home") continue;
      const std::string home(trim(line.substr(equals + 1)));
      inside(home);
      beside(home);
    }
  }

  void packages(const std::string& site) {
    if (!is_there(site)) return;
    inside(site);
    for (const char* package : {"/torch", "/torch/lib", "/numpy"}) inside(site + package);
    for (const std::string& name : list_of(*source_, site)) {
      if (!name.ends_with(".pth")) continue;
      const auto text = read_whole_file(site + "/" + name, kMostText);
      if (!text) continue;
      for (const std::string_view raw : lines_of(*text)) {
        const std::string line(trim(raw));
        // A line that imports is code of the file itself, which was looked at.
        if (line.empty() || line.starts_with('#') || line.starts_with("import")) continue;
        inside(line.starts_with('/') ? line : join_path(site, line));
      }
    }
  }

  const std::optional<Changer>& found() const { return found_; }

 private:
  std::unique_ptr<Source> source_ = live_source();
  std::optional<Changer> found_;
};

}  // namespace

std::optional<Changer> who_else_puts_into(const PythonEnvironment& environment,
                                          const std::string& python) {
  Places places;
  places.add(who_else_changes({python, environment.root}));
  char real[PATH_MAX];
  if (::realpath(python.c_str(), real) != nullptr) places.beside(std::string(parent_path(real)));
  places.beside(std::string(parent_path(python)));
  places.virtual_environment(environment.root);
  for (const std::string& site : environment.site_packages) places.packages(site);
  return places.found();
}

}  // namespace rocvet

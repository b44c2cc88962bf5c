#include "machine/read_python.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxEnvironments = 64;
constexpr std::size_t kMaxFoldersOfHome = 256;

/// "3.12" of "python3.12"; "" for other names ("python3", "python3-config").
std::string version_of_name(std::string_view name) {
  if (!name.starts_with("python")) return "";
  name.remove_prefix(6);
  if (name.size() < 3 || name[1] != '.') return "";
  for (const char c : name) {
    if (!std::isdigit(static_cast<unsigned char>(c)) && c != '.') return "";
  }
  return std::string(name);
}

/// site-packages and dist-packages below lib/python3.X, with the version.
std::vector<std::pair<std::string, std::string>> site_folders(Source& source,
                                                              const std::string& root) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const char* lib : {"/lib", "/lib64"}) {
    const auto stat = source.lstat(root + lib);
    if (!stat || (stat->type == FileStat::Type::link && lib == std::string_view("/lib64")))
      continue;
    for (const std::string& name : list_of(source, root + lib)) {
      const std::string version = version_of_name(name);
      if (version.empty() && name != "python3") continue;
      for (const char* site : {"/site-packages", "/dist-packages"}) {
        const std::string path = root + lib + "/" + name + site;
        if (source.stat(path)) out.emplace_back(path, version);
      }
    }
  }
  return out;
}

class PythonFinder {
 public:
  PythonFinder(Source& source, const std::map<std::string, std::string>& environment)
      : source_(source), environment_(environment) {}

  std::vector<PythonEnvironment> find(const std::vector<std::string>& extra) {
    for (const std::string& path : extra) add_named(path);
    add_root(value_of(environment_, "VIRTUAL_ENV"), true);
    add_root(value_of(environment_, "CONDA_PREFIX"), true);
    add_path();
    add_system();
    const std::string home = value_of(environment_, "HOME");
    if (home.starts_with('/') && home.size() > 1) add_home(home);
    for (const char* base :
         {"/opt/conda", "/opt/miniconda3", "/opt/anaconda3", "/opt/miniforge3"}) {
      add_conda(base);
    }
    for (const std::string& name : list_of(source_, "/opt")) {
      if (is_venv("/opt/" + name)) add_root("/opt/" + name, false);
      add_inner("/opt/" + name);
      if (name == "venv" || name == "venvs") add_children("/opt/" + name);
    }
    add_python_path();
    return std::move(out_);
  }

 private:
  bool is_venv(const std::string& root) { return source_.exists(root + "/pyvenv.cfg"); }
  bool is_conda(const std::string& root) { return source_.exists(root + "/conda-meta"); }

  bool known(const std::string& site) {
    return !sites_.insert(source_.resolve(site).value_or(site)).second;
  }

  void add(PythonEnvironment environment) {
    if (out_.size() >= kMaxEnvironments || environment.site_packages.empty()) return;
    for (const std::string& site : environment.site_packages) {
      for (const std::string& name : list_of(source_, site)) {
        if (auto package = parse_metadata_name(name)) environment.packages.push_back(*package);
      }
    }
    out_.push_back(std::move(environment));
  }

  /// Folders of PYTHONPATH that are no environment's own: their packages go before those of every
  /// environment.
  void add_python_path() {
    const std::string path = value_of(environment_, "PYTHONPATH");
    std::ptrdiff_t first = 0;
    for (const std::string_view part : split(path, ':')) {
      std::string folder(part);
      while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
      if (!folder.starts_with('/') || known(folder)) continue;
      PythonEnvironment environment;
      environment.root = folder;
      environment.kind = "folder";
      environment.active = true;
      environment.site_packages.push_back(folder);
      const std::size_t before = out_.size();
      add(std::move(environment));
      if (out_.size() == before) return;  // there are as many as are looked at
      if (out_.back().packages.empty())
        out_.pop_back();
      else
        std::rotate(out_.begin() + first++, out_.end() - 1, out_.end());
    }
  }

  void add_root(const std::string& given, bool active) {
    if (!given.starts_with('/') || given == "/") return;
    std::string root = given;
    while (root.size() > 1 && root.ends_with('/')) root.pop_back();
    PythonEnvironment environment;
    environment.root = root;
    environment.active = active;
    if (is_conda(root)) {
      environment.kind = "conda";
    } else {
      environment.kind = is_venv(root) ? "venv" : "folder";
    }
    for (const auto& [site, version] : site_folders(source_, root)) {
      if (known(site)) continue;
      environment.site_packages.push_back(site);
      if (!version.empty()) environment.python_version = version;
    }
    if (const auto config = source_.read(root + "/pyvenv.cfg", 65536)) {
      for (const std::string_view line : lines_of(*config)) {
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view key = trim(line.substr(0, equals));
        if (key == "version" || key == "version_info") {
          environment.python_version = words(line.substr(equals + 1)).empty()
                                           ? environment.python_version
                                           : std::string(words(line.substr(equals + 1))[0]);
        }
      }
    }
    add(std::move(environment));
  }

  /// A root, a site-packages folder, or a python program; a wrong one was refused before.
  void add_named(const std::string& path) {
    const auto root = python_environment_of(source_, path);
    if (!root) return;
    const std::string_view name = base_name(*root);
    if (*root == "/usr") {
      system_active_ = true;
    } else if (name != "site-packages" && name != "dist-packages") {
      add_root(*root, true);
    } else if (!known(*root)) {
      PythonEnvironment environment;
      environment.root = *root;
      environment.kind = "folder";
      environment.active = true;
      environment.site_packages = {*root};
      environment.python_version = version_of_name(base_name(parent_path(*root)));
      add(std::move(environment));
    }
  }

  /// The first python of the PATH is the active one; those behind it are found all the same.
  void add_path() {
    bool first = out_.empty();
    std::set<std::string> seen;
    const std::string folders = value_of(environment_, "PATH");
    for (const std::string_view part : split(folders, ':')) {
      std::string folder(part);
      while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
      if (!folder.starts_with('/') || !folder.ends_with("/bin") || !seen.insert(folder).second)
        continue;
      const std::string root(parent_path(folder));
      if (root == "/" || root == "/usr" || root == "/usr/local") {
        if (first && (source_.exists(folder + "/python3") || source_.exists(folder + "/python"))) {
          system_active_ = true;
          first = false;
        }
        continue;
      }
      if (!is_venv(root) && !is_conda(root) && !source_.exists(folder + "/python3")) continue;
      const std::size_t before = out_.size();
      add_root(root, first);
      if (out_.size() > before) first = false;
    }
  }

  void add_system() {
    PythonEnvironment environment;
    environment.root = "/usr";
    environment.kind = "system";
    environment.active = system_active_;
    for (const char* root : {"/usr/local", "/usr"}) {
      for (const auto& [site, version] : site_folders(source_, root)) {
        if (known(site)) continue;
        environment.site_packages.push_back(site);
        if (version > environment.python_version) environment.python_version = version;
      }
    }
    add(std::move(environment));
  }

  void add_children(const std::string& folder) {
    for (const std::string& name : list_of(source_, folder)) add_root(folder + "/" + name, false);
  }

  /// The environment of a project (poetry's, uv's, pixi's, a web UI's) in its folder.
  void add_inner(const std::string& project) {
    for (const char* inner : {"/venv", "/.venv", "/env"}) {
      if (is_venv(project + inner)) add_root(project + inner, false);
    }
    if (is_conda(project + "/.pixi/envs/default")) add_root(project + "/.pixi/envs/default", false);
  }

  void add_conda(const std::string& base) {
    if (!is_conda(base)) return;
    add_root(base, false);
    add_children(base + "/envs");
  }

  void add_home(const std::string& home) {
    PythonEnvironment user;
    user.root = home + "/.local";
    user.kind = "user";
    for (const auto& [site, version] : site_folders(source_, home + "/.local")) {
      if (known(site)) continue;
      user.site_packages.push_back(site);
      user.python_version = version;
    }
    add(std::move(user));
    for (const char* folder :
         {"/.local/share/pipx/venvs", "/.local/pipx/venvs", "/.local/share/uv/tools",
          "/.pyenv/versions", "/.virtualenvs", "/.cache/pypoetry/virtualenvs",
          "/.local/share/virtualenvs", "/.conda/envs", "/.local/share/mamba/envs", "/venvs"}) {
      add_children(home + folder);
    }
    for (const char* name : {"miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba"}) {
      add_conda(home + "/" + name);
      if (!is_conda(home + "/" + name)) add_children(home + "/" + name + "/envs");
    }
    std::size_t looked_at = 0;
    for (const std::string& name : list_of(source_, home)) {
      if (++looked_at > kMaxFoldersOfHome) break;
      const std::string path = home + "/" + name;
      const auto stat = source_.lstat(path);
      if (!stat || stat->type != FileStat::Type::dir) continue;
      if (is_venv(path)) {
        add_root(path, false);
      } else if (!name.starts_with('.')) {
        add_inner(path);
      }
    }
  }

  Source& source_;
  const std::map<std::string, std::string>& environment_;
  std::set<std::string> sites_;
  std::vector<PythonEnvironment> out_;
  bool system_active_ = false;
};

}  // namespace

std::string normal_package_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (separator) {
      if (!out.empty() && out.back() != '-') out += '-';
    } else {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

Result<PythonPackage> parse_metadata_name(std::string_view name) {
  const auto bad = [&] { return malformed(std::string(name), "names no Python package"); };
  std::string_view stem = name;
  const bool egg = stem.ends_with(".egg-info");
  if (egg) {
    stem.remove_suffix(9);
  } else if (stem.ends_with(".dist-info")) {
    stem.remove_suffix(10);
  } else {
    return bad();
  }
  if (stem.starts_with('~') || stem.empty()) return bad();
  if (egg) {  // "name-version-py3.11"
    const std::size_t python = stem.rfind("-py");
    if (python != std::string_view::npos) stem = stem.substr(0, python);
  }
  const std::size_t dash = stem.find('-');
  if (dash == 0) return bad();
  PythonPackage package;
  package.name = normal_package_name(stem.substr(0, dash));
  if (dash != std::string_view::npos) package.version = stem.substr(dash + 1);
  return package;
}

Result<std::string> parse_python_string(std::string_view text, std::string_view name) {
  for (const std::string_view whole : lines_of(text)) {
    std::string_view line = trim(whole);
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    if (line.empty() || (line[0] != ':' && line[0] != ' ' && line[0] != '=')) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view value = trim(line.substr(equals + 1));
    if (value.starts_with("None")) return std::string();
    if (value.size() < 2 || (value[0] != '\'' && value[0] != '"')) continue;
    const std::size_t close = value.find(value[0], 1);
    if (close == std::string_view::npos) continue;
    return std::string(value.substr(1, close - 1));
  }
  return missing(std::string(name), "is not set there");
}

Result<std::string> python_environment_of(Source& source, const std::string& path) {
  std::string root = path;
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  const auto stat = source.stat(root);
  if (!stat) return stat.error();
  if (stat->type != FileStat::Type::dir) {
    if (!base_name(root).starts_with("python") && !base_name(root).starts_with("pypy"))
      return malformed(path, "is no Python program and no environment's folder");
    root = parent_path(parent_path(root));
  } else if (const std::string_view name = base_name(root);
             name == "site-packages" || name == "dist-packages") {
    return root;
  }
  if (root.size() < 2 || site_folders(source, root).empty())
    return malformed(path, "no Python environment is there: " + (root.size() < 2 ? "" : root) +
                               "/lib has no python3.*/site-packages");
  return root;
}

std::vector<PythonEnvironment> find_python(Source& source,
                                           const std::map<std::string, std::string>& environment,
                                           const std::vector<std::string>& extra) {
  return PythonFinder(source, environment).find(extra);
}

}  // namespace rocvet

#include "machine/read_applications.h"

#include <algorithm>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/gfx_target.h"
#include "formats/library_names.h"
#include "machine/read_rocm.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxHomeFolders = 512;  // looked into below the home folder
constexpr std::size_t kMaxCache = 4u << 20;   // of a CMakeCache.txt
constexpr std::size_t kMaxLibraries = 64;     // of one application
constexpr std::size_t kMaxBuilds = 8;         // build trees of one project
constexpr std::size_t kMaxCached = 64;        // applications' folders of one cache

struct Program {
  std::string_view file, application;
};
constexpr Program kPrograms[] = {
    {"ollama", "ollama"},
    {"llama-server", "llama.cpp"},
    {"llama-cli", "llama.cpp"},
    {"llama-bench", "llama.cpp"},
    {"whisper-cli", "whisper.cpp"},
    {"whisper-server", "whisper.cpp"},
    {"sd-server", "stable-diffusion.cpp"},
    {"koboldcpp", "koboldcpp"},
    {"blender", "blender"},
};

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_system_folder(std::string_view folder) {
  return folder == "/usr/bin" || folder == "/bin" || folder == "/usr/local/bin" ||
         folder == "/usr/sbin" || folder == "/sbin" || folder == "/usr/local/sbin" ||
         folder == "/usr/lib" || folder == "/usr/local/lib" || folder == "/lib";
}

/// A name at the top of every system (the Filesystem Hierarchy Standard, and what adds to it).
bool is_of_the_hierarchy(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "bin",    "boot",       "dev",   "etc", "home", "lib", "lib32", "lib64",
      "libx32", "lost+found", "media", "mnt", "nix",  "opt", "proc",  "root",
      "run",    "sbin",       "snap",  "srv", "sys",  "tmp", "usr",   "var"};
  return name.starts_with('.') ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// "build", "build-rdna4", "build_rocm", "cmake-build-release".
bool is_build_folder(std::string_view name) {
  constexpr std::string_view kBuild = "build";
  if (name.starts_with("cmake-build-")) return true;
  return name.starts_with(kBuild) &&
         (name.size() == kBuild.size() || name[kBuild.size()] == '-' || name[kBuild.size()] == '_');
}

/// A library that makes an application one of the GPU: ggml's back ends, llama.cpp's own.
bool is_application_library(std::string_view name) {
  for (const std::string_view stem : {"libggml", "libllama", "libwhisper", "libstable-diffusion"}) {
    if (name.starts_with(stem)) return name.find(".so") != std::string_view::npos;
  }
  return false;
}

/// One of ggml's back ends for GPUs.
bool is_gpu_back_end(std::string_view name) {
  for (const std::string_view stem : {"hip", "vulkan", "opencl", "cuda", "sycl"}) {
    if (name.starts_with("libggml-" + std::string(stem) + ".so")) return true;
  }
  return false;
}

class ApplicationReader {
 public:
  ApplicationReader(Source& source, Loader& loader,
                    const std::map<std::string, std::string>& environment, Software& software)
      : source_(source), loader_(loader), environment_(environment), software_(software) {}

  void read(const std::vector<Service>& services, bool in_container) {
    std::vector<std::string> path;
    const std::string folders = value_of("PATH");
    for (const std::string_view part : split(folders, ':')) {
      if (part.starts_with('/')) path.emplace_back(part);
    }
    for (const char* folder :
         {"/usr/local/bin", "/usr/bin", "/opt/ollama/bin", "/run/current-system/sw/bin"}) {
      path.emplace_back(folder);
    }
    for (const std::string& folder : path) look_for_programs(folder);
    for (const Service& service : services) read_service(service);
    const std::string home = value_of("HOME");
    if (home.starts_with('/') && home.size() > 1) read_home(home);
    for (const std::string& name : list_of(source_, "/opt")) {
      if (!name.starts_with("rocm")) read_folder("/opt/" + name);
    }
    read_engines("/opt/lemonade/bin");
    // Images keep what they are for at the top: /llama.cpp, /app, /workspace.
    if (in_container) {
      for (const std::string& name : list_of(source_, "/")) {
        if (!is_of_the_hierarchy(name)) read_project("/" + name);
      }
    }
    add_bundles();
  }

 private:
  std::string value_of(const std::string& name) const {
    const auto found = environment_.find(name);
    return found == environment_.end() ? "" : found->second;
  }

  void look_for_programs(const std::string& folder) {
    for (const Program& program : kPrograms) {
      const std::string file = join_path(folder, program.file);
      add_program(std::string(program.application), file);
    }
  }

  void read_service(const Service& service) {
    std::string_view line = trim(service.exec_start);
    while (!line.empty() && std::string_view("-@:+!").find(line[0]) != std::string_view::npos) {
      line.remove_prefix(1);
    }
    std::string file;
    if (line.starts_with('"')) {
      file = line.substr(1, line.find('"', 1) - 1);
    } else {
      file = words(line).empty() ? "" : std::string(words(line)[0]);
    }
    for (const Program& program : kPrograms) {
      if (base_name(file) == program.file && file.starts_with('/')) {
        add_program(std::string(program.application), file);
      }
    }
  }

  /// Engines that desktop programs fetch, and projects.
  void read_home(const std::string& home) {
    for (const char* folder :
         {"/.lmstudio/extensions/backends", "/.cache/lm-studio/extensions/backends"}) {
      for (const std::string& name : list_of(source_, home + folder)) {
        if (name.find("rocm") != std::string::npos)
          read_engine("LM Studio", home + folder + "/" + name);
      }
    }
    read_engines(home + "/.cache/lemonade/bin");
    read_folder(home + "/.unsloth/llama.cpp");
    read_fetched(home + "/.cache");
    read_fetched(home + "/.local/share");
    for (const std::string& name : list_of(source_, home)) {
      if (!name.starts_with('.')) read_project(home + "/" + name);
    }
  }

  /// Programs that fetch their GPU part keep it in ~/.cache/NAME/native-runtime-rocm and the like.
  void read_fetched(const std::string& cache) {
    std::size_t looked_at = 0;
    for (const std::string& name : list_of(source_, cache)) {
      if (++looked_at > kMaxCached) return;
      for (const std::string& below : list_of(source_, cache + "/" + name)) {
        const std::string small = lower(below);
        if (small.find("rocm") != std::string::npos || small.find("llama") != std::string::npos)
          read_folder(join_path(cache + "/" + name, below));
      }
    }
  }

  /// Lemonade fetches its engines: llamacpp/rocm, sd-cpp/rocm …
  void read_engines(const std::string& engines) {
    for (const std::string& engine : list_of(source_, engines)) {
      const std::string folder = engines + "/" + engine;
      for (const std::string& back_end : list_of(source_, folder))
        read_folder(folder + "/" + back_end);
    }
  }

  /// A folder and what it holds of known names: "~/llama.cpp/build/bin", "~/AI Tools/ollama/bin".
  void read_project(const std::string& path) {
    const auto stat = source_.lstat(path);
    if (!stat || stat->type != FileStat::Type::dir) return;
    for (const std::string& below : read_folder(path)) {
      const std::string small = lower(below);
      if (small.find("llama") != std::string::npos || small.find("whisper") != std::string::npos ||
          small.find("diffusion") != std::string::npos || small.find("ggml") != std::string::npos) {
        read_folder(path + "/" + below);
      }
    }
  }

  /// Web UIs of Stable Diffusion and their likes: Python programs with an environment of their own,
  /// told by the files in their folder.
  void read_web_ui(const std::string& folder, const std::vector<std::string>& names) {
    std::string name, file;
    if (contains(names, "comfy") && contains(names, "main.py")) {
      name = "ComfyUI", file = "main.py";
    } else if (contains(names, "webui.py") && contains(names, "modules")) {
      name = contains(names, "installer.py")    ? "SD.Next"
             : contains(names, "modules_forge") ? "Stable Diffusion WebUI Forge"
                                                : "Stable Diffusion WebUI";
      file = "webui.py";
    } else if (contains(names, "invokeai.yaml")) {
      name = "InvokeAI", file = "invokeai.yaml";
    } else {
      return;
    }
    const std::string path = folder + "/" + file;
    if (!seen_.insert(source_.resolve(path).value_or(path)).second) return;
    Application application;
    application.name = name;
    application.path = path;
    software_.applications.push_back(std::move(application));
  }

  /// A folder that may hold an application or its build tree; the names in it.
  std::vector<std::string> read_folder(const std::string& folder) {
    if (++folders_ > kMaxHomeFolders) return {};
    const std::vector<std::string> names = list_of(source_, folder);
    read_web_ui(folder, names);
    read_programs(folder, names);
    std::size_t builds = 0;
    for (const std::string& below : names) {
      const bool build = is_build_folder(below) && ++builds <= kMaxBuilds;
      if (below != "bin" && !build) continue;
      const std::string inner = folder + "/" + below;
      const std::vector<std::string> inner_names = list_of(source_, inner);
      read_programs(inner, inner_names);
      if (!build) continue;
      read_cache(inner, inner_names);
      if (contains(inner_names, "bin"))
        read_programs(inner + "/bin", list_of(source_, inner + "/bin"));
    }
    read_cache(folder, names);
    return names;
  }

  void read_programs(const std::string& folder, const std::vector<std::string>& names) {
    bool found = false;
    for (const Program& program : kPrograms) {
      if (!contains(names, program.file)) continue;
      const std::size_t before = software_.applications.size();
      add_program(std::string(program.application), join_path(folder, program.file));
      found = found || software_.applications.size() > before;
    }
    // llama.cpp called its program "main" until the middle of 2024.
    if (!found && folder.find("llama") != std::string::npos && contains(names, "main")) {
      add_program("llama.cpp", folder + "/main");
      found = true;
    }
    if (found) return;
    for (const std::string& name : names) {
      if (name.starts_with("libggml-hip.so")) {
        add_program(application_of(folder), folder + "/" + name);
        return;
      }
      if (name == "koboldcpp_hipblas.so") {  // koboldcpp.py opens it
        add_program("koboldcpp", folder + "/" + name);
        return;
      }
    }
  }

  static std::string application_of(const std::string& folder) {
    const std::string small = lower(folder);
    if (small.find("whisper") != std::string::npos) return "whisper.cpp";
    if (small.find("diffusion") != std::string::npos) return "stable-diffusion.cpp";
    if (small.find("ollama") != std::string::npos) return "ollama";
    return "llama.cpp";
  }

  void read_engine(const std::string& application, const std::string& folder) {
    for (const std::string& name : list_of(source_, folder)) {
      if (name.starts_with("libggml-hip.so")) {
        add_program(application, folder + "/" + name);
        return;
      }
    }
  }

  void read_cache(const std::string& folder, const std::vector<std::string>& names) {
    if (!contains(names, "CMakeCache.txt")) return;
    const std::string file = folder + "/CMakeCache.txt";
    const auto text = source_.read(file, kMaxCache);
    if (!text) return;
    BuildTargets targets = parse_cmake_cache(*text, file);
    if (!targets.variable.empty()) software_.build_targets.push_back(std::move(targets));
  }

  void add_library(Application& application, const std::string& path) {
    if (application.libraries.size() >= kMaxLibraries) return;
    const Result<std::string> real = source_.resolve(path);
    if (!real) return;
    for (const Library& other : application.libraries) {
      if (other.real == *real) return;
    }
    Library library{path, *real, {}};
    const Result<ElfSummary>& elf = loader_.elf(path);
    if (elf) library.elf = *elf;
    if (!elf && elf.error().kind == Error::Kind::malformed && !application.libraries.empty())
      return;
    application.libraries.push_back(std::move(library));
  }

  void add_libraries(Application& application, const std::string& folder) {
    for (const std::string& name : list_of(source_, folder)) {
      if (is_application_library(name) || is_rocm_library(parse_library_name(name).family)) {
        add_library(application, folder + "/" + name);
      }
    }
  }

  /// Of a program in a folder that many share: what the loader takes for it, by RUNPATH, the cache
  /// or a folder of the system. Where its file could not be read, what lies in its prefix's folders
  /// of libraries under the names that these applications use.
  void add_loaded_libraries(Application& application, const std::string& file) {
    if (loader_.elf(file)) {
      std::set<std::string> folders{std::string(parent_path(file))};
      for (const LoadedObject& object : loader_.replay(file).objects) {
        if (!is_application_library(base_name(object.path))) continue;
        add_library(application, object.path);
        folders.insert(std::string(parent_path(object.path)));
      }
      // ggml opens its back ends by name when the program starts (GGML_BACKEND_DL); Debian keeps
      // them in ggml/backends0 beside the libraries.
      std::set<std::string> back_ends = folders;
      for (const std::string& folder : folders) {
        for (const std::string& name : list_of(source_, folder + "/ggml"))
          back_ends.insert(folder + "/ggml/" + name);
      }
      for (const std::string& folder : back_ends) {
        for (const std::string& name : list_of(source_, folder)) {
          if (is_gpu_back_end(name)) add_library(application, folder + "/" + name);
        }
      }
      return;
    }
    const std::string prefix(parent_path(parent_path(file)));
    if (application.name == "ollama" || application.name == "blender" || prefix == "/") return;
    for (const char* below : {"/lib", "/lib64"}) {
      for (const std::string& name : list_of(source_, prefix + below)) {
        if (is_application_library(name)) add_library(application, prefix + below + "/" + name);
      }
    }
  }

  bool holds_rocm(const std::string& folder) {
    const auto names = list_of(source_, folder);
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      const std::string family = parse_library_name(name).family;
      return family == "amdhip64" || family == "hsa-runtime64" || family == "rocblas";
    });
  }

  /// Nothing when the file is not there or is a folder of that name.
  void add_program(const std::string& name, const std::string& file) {
    constexpr std::size_t kMost = 200;  // each is compared with the others
    if (software_.applications.size() >= kMost) return;
    const Result<FileStat> stat = source_.stat(file);
    if (!stat || stat->type != FileStat::Type::file) return;
    const std::string real = source_.resolve(file).value_or(file);
    if (!seen_.insert(real).second) return;
    const std::string folder(parent_path(file)), real_folder(parent_path(real));
    // The other tools of the same build tell nothing new.
    for (const Application& other : software_.applications) {
      if (other.name == name && parent_path(other.path) == folder && !is_system_folder(folder))
        return;
    }
    Application application;
    application.name = name;
    application.path = file;
    add_library(application, file);
    if (is_system_folder(real_folder)) {
      add_loaded_libraries(application, real);
    } else {
      add_libraries(application, folder);
    }
    const std::string prefix(parent_path(folder));
    if (name == "ollama") {
      find_ollama_bundle(application, prefix);
    } else if (!is_system_folder(folder) && holds_rocm(folder)) {
      application.bundle = folder;
    } else if (!is_system_folder(folder) && holds_rocm(prefix + "/lib")) {
      application.bundle = prefix + "/lib";
      add_libraries(application, application.bundle);
    }
    if (name == "blender") read_blender(application, real_folder);
    read_targets(application);
    const std::vector<std::string> above = list_of(source_, prefix);
    if (base_name(folder) == "bin" && !is_system_folder(folder)) read_cache(prefix, above);
    software_.applications.push_back(std::move(application));
  }

  /// <prefix>/lib/ollama/rocm (rocm_v6 … later), or all in <prefix>/lib/ollama.
  std::vector<std::string> ollama_bundles(const std::string& prefix) {
    std::vector<std::string> out;
    const std::string base = prefix + "/lib/ollama";
    for (const std::string& name : list_of(source_, base)) {
      if (name.starts_with("rocm") && holds_rocm(base + "/" + name))
        out.push_back(base + "/" + name);
    }
    if (holds_rocm(base)) out.push_back(base);
    return out;
  }

  void find_ollama_bundle(Application& application, const std::string& prefix) {
    const std::string base = prefix + "/lib/ollama";
    add_libraries(application, base);
    // A build of one's own puts its back end into such a folder, and links the system's ROCm.
    for (const std::string& name : list_of(source_, base)) {
      if (name.starts_with("rocm")) add_libraries(application, base + "/" + name);
    }
    const std::vector<std::string> bundles = ollama_bundles(prefix);
    if (!bundles.empty()) application.bundle = bundles.front();
    std::vector<std::string> others{"/usr", "/usr/local", "/opt/ollama"};
    if (value_of("HOME").size() > 1) others.push_back(value_of("HOME") + "/.local");
    for (const std::string& other : others) {
      if (other == prefix) continue;
      for (const std::string& bundle : ollama_bundles(other)) {
        application.other_bundles.push_back(bundle);
      }
    }
  }

  /// Cycles brings a kernel per target: scripts/addons_core/cycles/lib/kernel_gfx1100.fatbin.zst.
  void read_blender(Application& application, const std::string& folder) {
    for (const std::string& version : list_of(source_, folder)) {
      if (version.find('.') == std::string::npos || version.size() > 5) continue;
      for (const char* addons : {"addons_core", "addons"}) {
        const auto targets = targets_of_file_names(
            source_, folder + "/" + version + "/scripts/" + addons + "/cycles/lib");
        if (!targets.empty()) application.kernel_targets["cycles"] = targets;
      }
    }
  }

  void read_targets(Application& application) {
    std::set<std::string> targets;
    for (const Library& library : application.libraries) {
      const bool rocm = is_rocm_library(parse_library_name(base_name(library.path)).family);
      if (!rocm) targets.insert(library.elf.gfx.begin(), library.elf.gfx.end());
    }
    application.gfx.assign(targets.begin(), targets.end());
    if (application.bundle.empty()) return;
    RocmInstall kernels;
    read_kernel_targets(source_, application.bundle, application.bundle + "/share", kernels,
                        software_.kernel_files);
    for (auto& [library, names] : kernels.kernel_targets) {
      application.kernel_targets[library] = std::move(names);
    }
  }

  void add_bundles() {
    for (const Application& application : software_.applications) {
      if (application.bundle.empty()) continue;
      RocmInstall install;
      install.root = application.bundle;
      install.owner = RocmOwner::app_bundle;
      install.version = missing(application.bundle, "nothing there says which version it is");
      install.kernel_targets = application.kernel_targets;
      for (const Library& library : application.libraries) {
        if (parent_path(library.path) != application.bundle) continue;
        const LibraryName real = parse_library_name(base_name(library.real));
        if (!is_rocm_library(real.family)) continue;
        const auto parts = split(real.version, '.');
        if (real.family == "amdhip64" && parts.size() >= 3) {
          install.version = std::string(parts[0]) + "." + std::string(parts[1]);
          install.version_source = library.real;
        }
        install.libraries.push_back(library);
      }
      install.missing = missing_parts(install.libraries);
      const bool known =
          std::any_of(software_.rocm.begin(), software_.rocm.end(),
                      [&](const RocmInstall& one) { return one.root == install.root; });
      if (!known) software_.rocm.push_back(std::move(install));
    }
  }

  Source& source_;
  Loader& loader_;
  const std::map<std::string, std::string>& environment_;
  Software& software_;
  std::set<std::string> seen_;
  std::size_t folders_ = 0;
};

}  // namespace

BuildTargets parse_cmake_cache(std::string_view text, const std::string& file) {
  BuildTargets out;
  out.file = file;
  constexpr std::string_view kVariables[] = {"GPU_TARGETS", "AMDGPU_TARGETS",
                                             "CMAKE_HIP_ARCHITECTURES"};
  std::size_t best = std::size(kVariables);
  for (const std::string_view line : lines_of(text)) {
    for (std::size_t i = 0; i < best; ++i) {
      if (!line.starts_with(kVariables[i]) || line.size() <= kVariables[i].size() ||
          line[kVariables[i].size()] != ':') {
        continue;
      }
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos) continue;
      std::string value(line.substr(equals + 1));
      std::replace(value.begin(), value.end(), ',', ';');
      std::vector<std::string> targets;
      for (const std::string_view part : split(value, ';')) {
        const std::string_view target = trim(part);
        if (is_gfx_target(target)) targets.emplace_back(target);
      }
      if (targets.empty()) continue;
      best = i;
      out.variable = kVariables[i];
      out.targets = std::move(targets);
      break;
    }
  }
  return out;
}

void read_applications(Source& source, Loader& loader,
                       const std::map<std::string, std::string>& environment,
                       const std::vector<Service>& services, bool in_container,
                       Software& software) {
  ApplicationReader(source, loader, environment, software).read(services, in_container);
}

}  // namespace rocvet

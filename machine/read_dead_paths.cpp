#include "machine/read_dead_paths.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::string_view kToolNames[] = {"rocm*", "hip*",     "amd*",
                                           "roc-*", "rocprof*", "migraphx*"};

struct Variable {
  const char* name;
  std::string_view separators;
  bool folders_of_rocm_only;
};
// Sources: ld.so(8); ROCR-Runtime, runtime/hsa-runtime/core/util/flag.h; rocBLAS and hipBLASLt
// read their kernel folder from the last two; the tools' folders by hipcc,
// hipconfig (HIP, bin/hipvars.pm), CMake modules and AdaptiveCpp's compiler.
constexpr Variable kPathVariables[] = {
    {"LD_PRELOAD", " :", false},
    {"LD_LIBRARY_PATH", ":;", true},
    {"PATH", ":", true},
    {"HSA_TOOLS_LIB", " :", false},
    {"ROCP_TOOL_LIBRARIES", ":", false},
    {"ROCBLAS_TENSILE_LIBPATH", ":", false},
    {"HIPBLASLT_TENSILE_LIBPATH", ":", false},
    {"LIBRARY_PATH", ":", false},
    {"CPATH", ":", false},
    {"C_INCLUDE_PATH", ":", false},
    {"CPLUS_INCLUDE_PATH", ":", false},
    {"COMPILER_PATH", ":", false},
};

constexpr const char* kToolFolders[] = {"HCC_HOME",        "HIP_CLANG_PATH",   "HSA_PATH",
                                        "HIP_ROCCLR_HOME", "ROCM_DIR",         "HIP_DIR",
                                        "ACPP_ROCM_PATH",  "HIPSYCL_ROCM_PATH"};

bool of_rocm(std::string_view path) {
  return path.find("rocm") != std::string_view::npos;
}

}  // namespace

std::vector<DeadPath> read_dead_paths(Source& source, const std::vector<std::string>& loader_path,
                                      const std::map<std::string, std::string>& environment) {
  std::vector<DeadPath> dead;
  const auto look = [&](const std::string& named_by, const std::string& path) {
    if (source.stat(path).is_missing()) dead.push_back({named_by, path});
  };
  for (const std::string& folder : loader_path) {
    if (of_rocm(folder)) look("ld.so.conf", folder);
  }
  const std::string alternatives = "/etc/alternatives";
  for (const std::string& name : list_of(source, alternatives)) {
    if (std::none_of(std::begin(kToolNames), std::end(kToolNames),
                     [&](std::string_view pattern) { return glob_match(pattern, name); }))
      continue;
    const Result<std::string> target = source.link(alternatives + "/" + name);
    if (target && target->starts_with('/')) look(alternatives + "/" + name, *target);
  }
  for (const Variable& variable : kPathVariables) {
    std::string value = value_of(environment, variable.name);
    for (const char separator : variable.separators)
      std::replace(value.begin(), value.end(), separator, '\n');
    for (const std::string_view path : split(value, '\n')) {
      // "$ORIGIN" and names without a folder are the loader's to find.
      if (!path.starts_with('/') || path.find('$') != std::string_view::npos) continue;
      if (variable.folders_of_rocm_only && !of_rocm(path)) continue;
      look(variable.name, std::string(path));
    }
  }
  for (const char* name : kToolFolders) {
    const std::string value = value_of(environment, name);
    if (value.starts_with('/')) look(name, value);
  }
  return dead;
}

bool names_tool_folder(std::string_view variable) {
  return std::ranges::find(kToolFolders, variable) != std::end(kToolFolders);
}

std::string dead_paths_text(const std::vector<DeadPath>& dead) {
  std::string text;
  for (const DeadPath& one : dead) text += one.named_by + '\t' + one.path + '\n';
  return text;
}

std::vector<DeadPath> dead_paths(const Kernel& kernel) {
  std::vector<DeadPath> dead;
  const auto found = kernel.settings.find("dead paths");
  if (found == kernel.settings.end() || !found->second) return dead;
  for (const std::string_view line : lines_of(*found->second)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) continue;
    dead.push_back({std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))});
  }
  return dead;
}

}  // namespace rocvet

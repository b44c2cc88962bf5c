#include "checks/facts/wsl.h"

#include <algorithm>

#include "checks/facts/packages.h"
#include "checks/facts/situation.h"
#include "checks/logs/tool_output.h"
#include "db/version.h"

namespace rocvet {
namespace {

bool at_least(const std::string& version, const char* least) {
  const auto a = Version::parse(version), b = Version::parse(least);
  return a && b && !(*a < *b);
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

WslRocm wsl_rocm(const Machine& machine) {
  WslRocm found;
  found.version = rocm_version(machine);
  for (const RocmInstall& install : machine.software.rocm) {
    for (const Library& library : install.libraries) {
      if (library.path.find("librocdxg") != std::string::npos)
        found.librocdxg_files.push_back(library.path);
    }
  }
  const auto& path = machine.software.loader_path;
  for (const std::string& file : found.librocdxg_files)
    found.in_loader_path |= std::find(path.begin(), path.end(), folder_of(file)) != path.end();
  if (machine.software.loader_cache) {
    found.cache_known = true;
    for (const auto& [soname, file] : *machine.software.loader_cache)
      found.in_loader_cache |= soname.find("librocdxg") != std::string::npos;
  }
  if (const Package* package = find_package(machine, "rocdxg-roct"))
    found.package = describe(*package);
  for (const Package* package : find_packages(machine, "hsa-runtime-rocr4wsl*"))
    found.wsl_runtime_package = describe(*package);
  // https://github.com/ROCm/librocdxg: the way from 7.2 on; found without being asked from 7.13 on.
  found.uses_librocdxg = !found.librocdxg_files.empty() || at_least(found.version, "7.2");
  found.detects_by_itself = at_least(found.version, "7.13");
  found.rocminfo_lists_gpu = rocminfo_lists_gpu(machine);
  return found;
}

}  // namespace rocvet

#include "machine/read_toolchain.h"

#include <algorithm>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/library_names.h"
#include "source/read_value.h"

namespace rocvet {

std::vector<GccFolder> read_gcc(Source& source) {
  std::vector<GccFolder> out;
  for (const char* base : {"/usr/lib/gcc", "/usr/lib64/gcc"}) {
    const auto triplets = source.list(base);
    for (const std::string& triplet : triplets ? *triplets : std::vector<std::string>{}) {
      // A cross compiler's folder is not what clang takes for this machine.
      if (!triplet.starts_with("x86_64") && !triplet.starts_with("aarch64")) continue;
      const std::string folder = std::string(base) + "/" + triplet;
      const auto versions = source.list(folder);
      for (const std::string& version : versions ? *versions : std::vector<std::string>{}) {
        const auto number = parse_number(version.substr(0, version.find('.')));
        if (!number || *number > 1000) continue;
        GccFolder gcc;
        gcc.version = static_cast<int>(*number);
        gcc.path = folder + "/" + version;
        const std::string headers = "/usr/include/c++/" + version;
        const auto stat = source.stat(headers + "/cmath");
        if (stat) {
          gcc.cxx_headers = Done{};
        } else {
          gcc.cxx_headers = stat.error();
        }
        out.push_back(std::move(gcc));
      }
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const GccFolder& a, const GccFolder& b) { return a.version < b.version; });
  return out;
}

/// conda's OpenCL loader asks its own folder, not the system's; the package ocl-icd-system links
/// it.
bool lacks_amds_driver(Source& source, const std::string& root) {
  if (!source.exists(root + "/lib/libOpenCL.so.1")) return false;
  const std::string folder = root + "/etc/OpenCL/vendors";
  const auto names = source.list(folder);
  if (!names && !names.is_missing()) return false;
  for (const std::string& name : names ? *names : std::vector<std::string>()) {
    const auto text = read_value(source, folder + "/" + name);
    const bool amd = text && text->find("amdocl") != std::string::npos;
    if (amd || name.find("amd") != std::string::npos || name.find("system") != std::string::npos)
      return false;
  }
  return true;
}

void read_opencl(Source& source, Loader& loader,
                 const std::map<std::string, std::string>& environment, Software& software) {
  std::string folder = "/etc/OpenCL/vendors";
  // NixOS keeps the system's drivers here.
  const std::string nixos = "/run/opengl-driver/etc/OpenCL/vendors";
  if (!source.exists(folder) && source.exists(nixos)) folder = nixos;
  for (const char* variable : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"}) {
    const auto found = environment.find(variable);
    if (found != environment.end() && found->second.starts_with('/')) folder = found->second;
  }
  const auto names = source.list(folder);
  if (names) {
    std::vector<OpenClIcd> icds;
    for (const std::string& name : *names) {
      if (!name.ends_with(".icd")) continue;
      OpenClIcd icd;
      icd.file = folder + "/" + name;
      const auto text = read_value(source, icd.file);
      if (text) icd.library = std::string(trim(text->substr(0, text->find('\n'))));
      if (!text) {
        icd.resolved = text.error();
      } else if (icd.library.starts_with('/')) {
        icd.resolved = source.resolve(icd.library);
      } else if (const auto found = loader.find_by_name(icd.library)) {
        icd.resolved = found->path;
      } else {
        icd.resolved = missing(icd.library, "is nowhere the dynamic loader looks");
      }
      icds.push_back(std::move(icd));
    }
    software.opencl_icds = std::move(icds);
  } else if (names.is_missing()) {
    software.opencl_icds = std::vector<OpenClIcd>{};
  } else {
    software.opencl_icds = names.error();
  }
  for (const PythonEnvironment& python : software.python) {
    if (python.kind == "conda" && lacks_amds_driver(source, python.root))
      software.conda_opencl_without_amd.push_back(python.root);
  }
  for (const RocmInstall& install : software.rocm) {
    for (const Library& library : install.libraries) {
      if (parse_library_name(base_name(library.path)).family == "amdocl64") {
        software.opencl_libraries.push_back(library.path);
      }
    }
    if (install.root == "/usr") continue;
    for (const char* below : {"/lib/opencl", "/opencl/lib/x86_64", "/lib/opencl/lib"}) {
      const std::string path = install.root + below + "/libamdocl64.so";
      if (source.exists(path)) software.opencl_libraries.push_back(path);
    }
    for (const std::string& icd :
         matching_paths(source, install.root + "/etc/OpenCL/vendors", "*.icd")) {
      software.opencl_icds_in_rocm.push_back(icd);
    }
  }
}

}  // namespace rocvet

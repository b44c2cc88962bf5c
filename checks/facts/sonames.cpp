#include "checks/facts/sonames.h"

#include <algorithm>

#include "checks/facts/packages.h"

namespace rocvet {
namespace {

std::string_view base_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

void add(std::vector<std::string>& list, const std::string& path) {
  if (std::find(list.begin(), list.end(), path) == list.end()) list.push_back(path);
}

struct Owner {
  std::string_view stem, apt, dnf, pacman;
};
// Who ships what: packages.debian.org, packages.fedoraproject.org, archlinux.org/packages and
// AMD's repository (the names without distribution in them).
constexpr Owner kOwners[] = {
    {"libnuma", "libnuma1", "numactl-libs", "numactl"},
    {"libomp", "libomp5", "libomp", "openmp"},
    {"libmpi", "libopenmpi3", "openmpi", "openmpi"},
    {"libelf", "libelf1", "elfutils-libelf", "libelf"},
    {"libdrm", "libdrm2", "libdrm", "libdrm"},
    {"libdrm_amdgpu", "libdrm-amdgpu1", "libdrm", "libdrm"},
    {"libamdhip64", "hip-runtime-amd", "hip-runtime-amd", "hip-runtime-amd"},
    {"libhsa-runtime64", "hsa-rocr", "hsa-rocr", "hsa-rocr"},
    {"librocblas", "rocblas", "rocblas", "rocblas"},
    {"libhipblas", "hipblas", "hipblas", "hipblas"},
    {"libhipblaslt", "hipblaslt", "hipblaslt", "hipblaslt"},
    {"libMIOpen", "miopen-hip", "miopen-hip", "miopen-hip"},
    {"librccl", "rccl", "rccl", "rccl"},
    {"libroctx64", "roctracer", "roctracer", "roctracer"},
    {"libroctracer64", "roctracer", "roctracer", "roctracer"},
    {"librocm_smi64", "rocm-smi-lib", "rocm-smi-lib", "rocm-smi-lib"},
    {"libamd_smi", "amd-smi-lib", "amd-smi-lib", "amdsmi"},
    {"libamd_comgr", "comgr", "comgr", "comgr"},
    {"librocfft", "rocfft", "rocfft", "rocfft"},
    {"librocsparse", "rocsparse", "rocsparse", "rocsparse"},
    {"librocsolver", "rocsolver", "rocsolver", "rocsolver"},
    {"librocrand", "rocrand", "rocrand", "rocrand"},
    {"libhiprtc", "hip-runtime-amd", "hip-runtime-amd", "hip-runtime-amd"},
    {"libmigraphx", "migraphx", "migraphx", "migraphx"},
};

}  // namespace

std::string_view stem_of_soname(std::string_view soname) {
  return soname.substr(0, soname.find(".so"));
}

Whereabouts whereabouts(const Machine& machine, std::string_view soname) {
  Whereabouts found;
  const std::string stem(stem_of_soname(soname));
  const auto consider = [&](const std::string& path) {
    const std::string_view base = base_of(path);
    if (base == soname) {
      add(found.exact, path);
    } else if (stem_of_soname(base) == stem && base.find(".so.") != base.npos) {
      // libfoo.so.6.2.1 is the file behind libfoo.so.6.
      if (base.starts_with(std::string(soname) + ".")) {
        add(found.exact, path);
      } else {
        add(found.other_majors, path);
        found.of_distribution |= path.starts_with("/usr/lib") || path.starts_with("/lib");
      }
    }
  };
  const Software& software = machine.software;
  for (const UnresolvedLibrary& one : software.unresolved) {
    if (one.needed != soname) continue;
    for (const std::string& path : one.elsewhere) add(found.exact, path);
    for (const std::string& path : one.other_majors) consider(path);
  }
  for (const RocmInstall& install : software.rocm) {
    for (const Library& library : install.libraries) consider(library.path);
  }
  for (const PythonEnvironment& python : software.python) {
    for (const Framework& framework : python.frameworks) {
      for (const Library& library : framework.libraries) consider(library.path);
    }
  }
  for (const Application& application : software.applications) {
    for (const Library& library : application.libraries) consider(library.path);
  }
  if (software.loader_cache) {
    for (const auto& [name, path] : *software.loader_cache) consider(path);
  }
  return found;
}

bool is_rocm_soname(std::string_view soname) {
  const std::string_view stem = stem_of_soname(soname);
  for (const Owner& owner : kOwners) {
    if (owner.stem == stem) return true;
  }
  return false;
}

Step package_of_soname(const Machine& machine, std::string_view soname) {
  const std::string_view stem = stem_of_soname(soname);
  for (const Owner& owner : kOwners) {
    if (owner.stem == stem)
      return install_command(machine, owner.apt, owner.dnf, owner.dnf, owner.pacman);
  }
  return {};
}

}  // namespace rocvet

#include "checks/facts/sonames.h"

#include <algorithm>

#include "base/add_once.h"
#include "base/path_walk.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

std::string_view base_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
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
    {"libhipfft", "hipfft", "hipfft", "hipfft"},
    {"libhiprand", "hiprand", "hiprand", "hiprand"},
    {"libhipsolver", "hipsolver", "hipsolver", "hipsolver"},
    {"libhipsparse", "hipsparse", "hipsparse", "hipsparse"},
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
  const auto consider = [&](const std::string& path, std::string_view its_soname = {}) {
    // A wheel's "libamdhip64.so" is known by its soname.
    std::string_view base = base_of(path);
    if (base.ends_with(".so") && !its_soname.empty()) base = its_soname;
    if (base == soname) {
      add_once(found.exact, path);
    } else if (stem_of_soname(base) == stem && base.find(".so.") != base.npos) {
      // libfoo.so.6.2.1 is the file behind libfoo.so.6.
      if (base.starts_with(std::string(soname) + ".")) {
        add_once(found.exact, path);
      } else {
        add_once(found.other_majors, path);
        found.of_distribution |= path.starts_with("/usr/lib") || path.starts_with("/lib");
      }
    }
  };
  const Software& software = machine.software;
  for (const UnresolvedLibrary& one : software.unresolved) {
    if (one.needed != soname) continue;
    for (const std::string& path : one.elsewhere) add_once(found.exact, path);
    for (const std::string& path : one.other_majors) consider(path);
  }
  for (const RocmInstall& install : software.rocm) {
    for (const Library& library : install.libraries) consider(library.path, library.elf.soname);
  }
  for (const PythonEnvironment& python : software.python) {
    for (const Framework& framework : python.frameworks) {
      for (const Library& library : framework.libraries) consider(library.path, library.elf.soname);
    }
  }
  for (const Application& application : software.applications) {
    for (const Library& library : application.libraries) consider(library.path, library.elf.soname);
  }
  if (software.loader_cache) {
    for (const auto& [name, path] : *software.loader_cache) consider(path);
  }
  return found;
}

bool is_of_system(std::string_view path) {
  return path.starts_with("/lib") ||
         (path.starts_with("/usr/") && !path.starts_with("/usr/local/"));
}

bool is_in_site_packages(std::string_view path) {
  return path.find("/site-packages/") != path.npos || path.find("/dist-packages/") != path.npos;
}

bool is_of_wheel_or_bundle(std::string_view path) {
  if (path.starts_with("/opt/")) return !path.starts_with("/opt/rocm");
  return !is_of_system(path) &&
         (path.starts_with("/home/") || path.starts_with("/root/") || is_in_site_packages(path));
}

std::string_view package_of(std::string_view path) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = path.find(folder);
    if (at == path.npos) continue;
    const std::string_view inside = path.substr(at + folder.size());
    return inside.substr(0, inside.find('/'));
  }
  return base_name(path);
}

bool is_bound_from_host(std::string_view path) {
  return path.starts_with(std::string(kHostLibraries) + "/");
}

bool another_build_fits(const Machine& machine, const UnresolvedLibrary& one) {
  const std::string_view folder = parent_path(one.by);
  const std::string_view stem = stem_of_soname(one.needed);
  const std::vector<UnresolvedLibrary>& unresolved = machine.software.unresolved;
  const auto fits = [&](const Library& library) {
    if (library.path == one.by || parent_path(library.path) != folder) return false;
    return std::any_of(
        library.elf.needed.begin(), library.elf.needed.end(), [&](const std::string& needed) {
          return stem_of_soname(needed) == stem &&
                 std::none_of(unresolved.begin(), unresolved.end(),
                              [&](const UnresolvedLibrary& other) {
                                return other.by == library.path && other.needed == needed;
                              });
        });
  };
  for (const PythonEnvironment& python : machine.software.python) {
    if (std::any_of(python.extensions.begin(), python.extensions.end(), fits)) return true;
    for (const Framework& framework : python.frameworks) {
      if (std::any_of(framework.libraries.begin(), framework.libraries.end(), fits)) return true;
    }
  }
  return false;
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

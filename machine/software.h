// The software on the machine: packages, every ROCm, every Python environment; read, never run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine/elf.h"
#include "machine/result.h"

namespace rocvet {

struct Package {
  std::string name, version, arch;
  std::string state;  ///< "installed", "half-configured", "unpacked", "config-files" …
};

struct Library {
  std::string path;  ///< as found
  std::string real;  ///< links resolved
  ElfSummary elf;
};

enum class RocmOwner { unknown, amd_packages, distro_packages, wheel, conda, spack, tarball, app_bundle };

struct RocmInstall {
  std::string root;                 ///< "/opt/rocm-6.2.0"
  Result<std::string> version;      ///< "6.2.0"
  std::string version_source;       ///< the file or package that told
  RocmOwner owner = RocmOwner::unknown;
  bool is_default = false;          ///< /opt/rocm leads here
  std::vector<Library> libraries;   ///< runtime libraries: HIP, HSA, comgr, SMI, BLAS …
  std::map<std::string, std::vector<std::string>> kernel_targets;  ///< "rocblas" -> {"gfx90a",…} from file names
  bool has_device_libs = false;     ///< amdgcn/bitcode/ocml.bc
};

struct PythonPackage {
  std::string name, version;        ///< normalised name, version as in METADATA
};

struct Framework {
  std::string name, version;        ///< "torch", "2.5.1+rocm6.2"
  std::string root;                 ///< its folder in site-packages
  Result<std::string> hip_version;  ///< the ROCm it was built for
  Result<std::string> cuda_version;
  std::string build;                ///< "rocm", "cuda", "cpu", "unknown"
  std::vector<std::string> gfx;     ///< targets inside its ELF files
  std::vector<Library> libraries;   ///< ROCm libraries it brings along, and its own device libraries
};

struct PythonEnvironment {
  std::string root, python_version;
  bool active = false;              ///< VIRTUAL_ENV, CONDA_PREFIX, or the PATH's python
  std::vector<PythonPackage> packages;
  std::vector<Framework> frameworks;
};

struct RepositoryLine {
  std::string file, text;           ///< an apt/dnf/zypper source that names AMD's repositories
};

struct Software {
  Result<std::vector<Package>> packages;
  std::string package_manager;      ///< "dpkg", "rpm", "pacman", …
  std::vector<RocmInstall> rocm;
  std::vector<PythonEnvironment> python;
  std::vector<RepositoryLine> repositories;
  std::vector<std::string> loader_path;  ///< ld.so.conf directories in order
};

}  // namespace rocvet

// The software on the machine: packages, every ROCm, every Python environment; read, never run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/elf.h"

namespace rocvet {

struct Package {
  std::string name, version, arch;
  std::string state;  ///< "installed", "half-configured", "unpacked", "config-files" …
};

/// A file that an installed package of ROCm holds and that is not on the disk.
struct PackageFileGone {
  std::string package, path;
  bool data_folder = false;  ///< a folder that a library keeps its kernels or tuning data in
};

/// The lists of ROCm's packages against the disk: libraries, programs, device bitcode, and the
/// folders of kernels.
struct PackageFiles {
  std::size_t packages = 0, present = 0;  ///< lists that were read, files of them that are there
  std::vector<PackageFileGone> gone;
  /// Packages whose files lie in one tree of a release, and that tree: "/opt/rocm-6.2.0".
  std::vector<std::pair<std::string, std::string>> trees;
};

struct Library {
  std::string path;  ///< as found
  std::string real;  ///< links resolved
  ElfSummary elf;
};

/// A library of a tree that no program can load, whatever it links to, or that is another than its
/// name says.
struct FileFault {
  enum class Kind { dangling, damaged, unreadable, other_major };
  Kind kind = Kind::dangling;
  /// "/opt/rocm/lib/librocblas.so.4", the target that is not there; of another major its soname.
  std::string path, detail;
};

enum class RocmOwner {
  unknown,
  amd_packages,
  distro_packages,
  wheel,
  conda,
  spack,
  tarball,
  app_bundle
};

struct RocmInstall {
  std::string root;             ///< "/opt/rocm-6.2.0"
  Result<std::string> version;  ///< "6.2.0"
  std::string version_source;   ///< the file or package that told
  RocmOwner owner = RocmOwner::unknown;
  bool is_default = false;         ///< /opt/rocm leads here
  std::vector<Library> libraries;  ///< runtime libraries: HIP, HSA, comgr, SMI, BLAS …
  std::map<std::string, std::vector<std::string>>
      kernel_targets;  ///< "rocblas" -> {"gfx90a",…} from file names
  /// It has rocBLAS of a release that keeps its kernels in files beside it, and it is known that no
  /// folder of them is there.
  bool rocblas_kernels_gone = false;
  bool has_device_libs = false;      ///< amdgcn/bitcode/ocml.bc
  std::vector<std::string> missing;  ///< parts of the runtime it lacks: "HIP", "HSA", "comgr"
  bool leftover = false;             ///< a folder of a version without any runtime library
  std::vector<FileFault> faults;     ///< of its libraries
  /// Shared libraries in its folders by path, those that are not read too: LLVM's, rocm_sysdeps'.
  std::vector<std::string> files;
  /// What leads a process there: "ROCM_PATH", "PATH", "LD_LIBRARY_PATH", "ld.so.conf" …
  std::vector<std::string> pointed_by;
};

struct PythonPackage {
  std::string name, version;  ///< normalised name, version as in METADATA
};

struct Framework {
  std::string name, version;        ///< "torch", "2.5.1+rocm6.2"
  std::string root;                 ///< its folder in site-packages
  Result<std::string> hip_version;  ///< the ROCm it was built for
  Result<std::string> cuda_version;
  std::string build;               ///< "rocm", "cuda", "cpu", "unknown"
  std::vector<std::string> gfx;    ///< targets inside its ELF files
  std::vector<Library> libraries;  ///< ROCm libraries it brings along, and its own device libraries
  /// Kernels beside the libraries, by folder: "aotriton" -> {"gfx90a", "gfx11xx", "gfx120x"}.
  std::map<std::string, std::vector<std::string>> kernel_targets;
};

struct PythonEnvironment {
  std::string root, python_version;  ///< "/home/a/venv", "3.12" or "3.12.3"
  /// "venv", "conda", "system", "user" (~/.local) or "folder" (a bare site-packages).
  std::string kind;
  std::vector<std::string> site_packages;
  bool active = false;  ///< VIRTUAL_ENV, CONDA_PREFIX, or the PATH's python
  std::vector<PythonPackage> packages;
  std::vector<Framework> frameworks;
  std::vector<Library> extensions;  ///< other compiled modules that ask for ROCm
};

/// A library that a file here asks for and that the dynamic loader would not find for it (RPATH,
/// LD_LIBRARY_PATH of the process, RUNPATH, loader cache or ld.so.conf, default folders).
struct UnresolvedLibrary {
  std::string needed;                  ///< "libMIOpen.so.1"
  std::string by;                      ///< the file that needs it
  std::vector<std::string> elsewhere;  ///< files of that name that were seen, outside the search
  std::vector<std::string>
      other_majors;  ///< the same library with another number: "…/libamdhip64.so.4"
  /// A folder of the file's RPATH or RUNPATH that is neither absolute nor below $ORIGIN: it leads
  /// elsewhere from every folder in which the program is started. "" when there is none.
  std::string relative_run_path;
};

/// What LD_LIBRARY_PATH changes: a library of ROCm that a program would get without it from another
/// file, or get only by it.
struct DisplacedLibrary {
  std::string program, soname;
  std::string taken;      ///< below a folder of the variable
  std::string otherwise;  ///< without the variable; "" when nothing would be found
  std::string folder;     ///< the folder of the variable, as it is written
  std::string set_by;     ///< "ollama.service", "/etc/profile.d/rocm.sh"; "" of this process
};

/// A symbol version ("GLIBCXX_3.4.30") that the library the loader would take does not define.
struct UnmetVersion {
  std::string version, by;
  std::string provider;             ///< the file that the loader would take
  std::vector<std::string> others;  ///< files of the same soname that do define it
};

/// A program outside Python that uses the GPU: ollama, llama.cpp's tools, whisper.cpp …
struct Application {
  std::string name, path;          ///< "ollama", "/usr/local/bin/ollama"
  std::vector<Library> libraries;  ///< its own binary first, then what lies in its bundle
  std::vector<std::string> gfx;    ///< offload targets in them
  std::string bundle;              ///< the folder of its ROCm libraries; "" when it has none
  std::vector<std::string> other_bundles;  ///< such folders of another prefix than the binary's
  std::map<std::string, std::vector<std::string>> kernel_targets;  ///< as in RocmInstall
};

/// A build tree's choice of offload targets.
struct BuildTargets {
  std::string file, variable;  ///< "/…/CMakeCache.txt", "AMDGPU_TARGETS"
  std::vector<std::string> targets;
};

struct OpenClIcd {
  std::string file, library;     ///< what /etc/OpenCL/vendors/*.icd names
  Result<std::string> resolved;  ///< the file it leads to; missing: nothing
};

/// A preference of apt that names AMD's repository, or a file meant to.
struct AptPin {
  std::string file, text;
  bool well_formed = false;
  int priority = 0;
};

/// One version of a package that `apt policy` offers.
struct PackageOffer {
  std::string package, version, origin;
  bool candidate = false;
};

/// A GCC folder that clang may choose for its C++ headers.
struct GccFolder {
  int version = 0;
  std::string path;
  Result<Done> cxx_headers;  ///< /usr/include/c++/N has cmath; missing: no libstdc++-N-dev
};

/// A line (apt) or section (dnf, zypper, deb822) of a package source that names AMD's repositories.
struct RepositoryLine {
  std::string file, text;
  std::string url;
  std::string codename;  ///< apt suite ("jammy"), or "rhel9.4", "el9", "sle15.6" of the URL
  std::string product;   ///< "rocm", "amdgpu", "graphics" or ""
  std::string release;   ///< "6.2.2", "latest"; "" when the URL does not say
  bool enabled = true;
  int priority = 0;  ///< of a dnf or zypper section; 0 when it sets none
};

/// One library of a process that the dynamic loader would start, in the order of loading.
struct LoadedLibrary {
  std::string soname, path, real;
  std::string via;  ///< "RPATH", "LD_LIBRARY_PATH", "RUNPATH", "ld.so.cache", "default", "preload",
                    ///< "LD_PRELOAD"
  std::string by;   ///< the file that asked for it first
};

/// Copies of one library family (libamdhip64, libhsa-runtime64, …) that meet in one process.
struct RuntimeClash {
  std::string family;              ///< "amdhip64"
  std::vector<std::string> paths;  ///< in the order of loading; symbols come from the first
};

/// What a program or module started now, with the environment of this process, would load.
struct ProcessLibraries {
  std::string program;
  std::vector<LoadedLibrary> libraries;  ///< ROCm's and the C++ runtime only
  std::vector<RuntimeClash> clashes;
  /// Folders that ROCm's libraries come from, in the order of loading; two trees here are a
  /// mixture.
  std::vector<std::string> rocm_folders;
};

/// Where Apptainer and Singularity bind the host's libraries (--rocm, --nv).
inline constexpr std::string_view kHostLibraries = "/.singularity.d/libs";

struct Software {
  Result<std::vector<Package>> packages;
  std::string package_manager;  ///< "dpkg", "rpm", "pacman", …
  Result<PackageFiles> package_files;
  std::vector<RocmInstall> rocm;
  std::vector<PythonEnvironment> python;
  std::vector<RepositoryLine> repositories;
  std::vector<std::string> loader_path;                     ///< ld.so.conf directories in order
  Result<std::map<std::string, std::string>> loader_cache;  ///< soname -> file, of ldconfig -p
  std::vector<UnresolvedLibrary> unresolved;
  std::vector<UnmetVersion> unmet_versions;
  std::vector<ProcessLibraries> processes;
  std::vector<DisplacedLibrary> displaced;
  std::vector<Application> applications;
  std::vector<Library> host_libraries;  ///< ROCm's, below kHostLibraries
  std::vector<BuildTargets> build_targets;
  Result<std::vector<OpenClIcd>> opencl_icds;
  /// ROCm lies in /opt/rocm/core-X.Y, and /opt/rocm/bin and /opt/rocm/lib do not lead there.
  bool core_links_missing = false;
  /// conda environments with an OpenCL loader of their own that is told of no driver of AMD's.
  std::vector<std::string> conda_opencl_without_amd;
  std::vector<std::string> opencl_libraries;     ///< libamdocl64.so files seen
  std::vector<std::string> opencl_icds_in_rocm;  ///< *.icd files below a ROCm root
  Result<std::vector<AptPin>> apt_pins;
  std::vector<PackageOffer> offers;
  std::vector<GccFolder> gcc;
  std::vector<std::string> bitcode;         ///< folders with ocml.bc, wherever they are
  std::vector<std::string> closed_bitcode;  ///< such folders that this user may not look into
  /// Data files that a library looks for by name: "hipblaslt" -> paths below its library folder.
  std::map<std::string, std::vector<std::string>> kernel_files;
  std::string package_log;  ///< the tail of dpkg.log, dnf.rpm.log or pacman.log, at most 64 KiB
};

}  // namespace rocvet

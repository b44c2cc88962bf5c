// Every ROCm on the machine outside Python and applications.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/loader.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// "6.2.0" of "6.2.0-66", "7.10.0rc1"; "" when the text begins with no number.
std::string rocm_version_of(std::string_view text);

/// Libraries of ROCm in a folder, one per real file, the name with a single number preferred
/// ("libamdhip64.so.6"); their ELF headers are read. Empty when the folder cannot be listed.
std::vector<Library> read_rocm_libraries(Source& source, Loader& loader, const std::string& folder);

/// Shared libraries in the folders of a tree, ROCm's own and what it brings along (rocm_sysdeps,
/// LLVM), by path; their ELF headers are not read.
std::vector<std::string> shared_objects(Source& source, const std::string& root);

/// GPU targets that the file names in a library folder of rocBLAS, hipBLASLt … carry, sorted.
std::vector<std::string> targets_of_file_names(Source& source, const std::string& folder);

/// Targets of MIOpen's databases ("gfx90a68.kdb", "gfx1030_36.HIP.fdb.txt"), sorted.
std::vector<std::string> targets_of_miopen_files(Source& source, const std::string& folder);

/// rocBLAS, hipBLASLt and MIOpen below `library_folder` ("/opt/rocm-6.2.0/lib") and
/// `data_folder` ("/opt/rocm-6.2.0/share"); adds to the install and to `kernel_files`.
void read_kernel_targets(Source& source, const std::string& library_folder,
                         const std::string& data_folder, RocmInstall& install,
                         std::map<std::string, std::vector<std::string>>& kernel_files);

/// Targets of the kernel archives beside a tree's libraries (<root>/.kpack/*.kpack), as
/// kernel_targets["kpack"].
void read_kernel_archives(Source& source, Loader& loader, const std::string& root,
                          RocmInstall& install);

/// Which parts of the runtime are not among the libraries: "HIP", "HSA", "comgr".
std::vector<std::string> missing_parts(const std::vector<Library>& libraries);

/// Fills software.rocm and software.bitcode. The environment says which trees a process meets.
void read_rocm(Source& source, Loader& loader,
               const std::map<std::string, std::string>& environment, Software& software);

/// ROCm's libraries in a conda environment that is not the active one; nothing when it has none.
void read_rocm_of_conda(Source& source, Loader& loader,
                        const std::map<std::string, std::string>& environment,
                        const std::string& root, Software& software);

/// The first ROCm tree that an environment module's file (Tcl or Lua) names: candidates in order,
/// "/opt/rocm-6.2.0" of "prepend-path PATH /opt/rocm-6.2.0/bin".
std::vector<std::string> prefixes_of_modulefile(std::string_view text);

}  // namespace rocvet

// Which files of ROCm's installed packages are not on the disk: what dpkg and pacman wrote down
// when they unpacked, against the disk. rpm's lists cannot be read without rpm.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// Whether a path of a package's list matters to a program that runs: a library, a program, device
/// bitcode, an OpenCL ICD below ROCm's folders (what is below /etc is its admin's). Images leave
/// out manuals and locales, and kernels of other GPUs.
bool is_working_file(std::string_view path);

/// Whether a path of a package's list is a folder of rocBLAS', hipBLASLt's or MIOpen's kernels or
/// tuning data. Images leave out kernels of other GPUs, but hardly all of them.
bool is_data_folder(std::string_view path);

/// Whether a package of this name is of ROCm, by AMD's names and those of the distributions.
bool is_package_of_rocm(std::string_view name);

/// The paths of a list, absolute: /var/lib/dpkg/info/NAME.list, or pacman's `files`, whose folders
/// are left out but for those of data.
std::vector<std::string> parse_package_files(std::string_view text);

/// Needs `packages` and `package_manager`; missing: this package manager keeps no list in a file.
Result<PackageFiles> read_package_files(Source& source, const Software& software);

}  // namespace rocvet

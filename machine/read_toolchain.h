// What compiling and OpenCL need around ROCm: GCC's folders and the ICD registration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "machine/loader.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// GCC folders that clang may pick for C++ headers (/usr/lib/gcc/<triplet>/N), highest last.
std::vector<GccFolder> read_gcc(Source& source);

/// /etc/OpenCL/vendors (or OCL_ICD_VENDORS), AMD's libraries, and registrations inside ROCm trees.
void read_opencl(Source& source, Loader& loader,
                 const std::map<std::string, std::string>& environment, Software& software);

}  // namespace rocvet

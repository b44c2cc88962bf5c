// Compiled modules in a Python environment that ask for ROCm: torch_scatter's, apex's, cupy's …
#pragma once

#include <vector>

#include "machine/loader.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// Fills `environment.extensions`; its frameworks have been read before. The system's environment
/// is not looked at when it has no framework. At most 96 files of one environment are opened, their
/// headers only.
void read_extensions(Source& source, Loader& loader, PythonEnvironment& environment);

/// Whether a library asks for ROCm's or has code for GPUs.
bool needs_rocm(const Library& library);

/// ROCm's libraries of the host that Apptainer and Singularity bind into a container's image.
std::vector<Library> read_host_libraries(Source& source, Loader& loader);

}  // namespace rocvet

// Programs outside Python that use the GPU, and the build trees they came from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/access.h"
#include "machine/loader.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// The offload targets that CMake was given: GPU_TARGETS, AMDGPU_TARGETS, CMAKE_HIP_ARCHITECTURES
/// (in that order of precedence, set and not empty); no targets when none is.
BuildTargets parse_cmake_cache(std::string_view text, const std::string& file);

/// Fills applications (ollama, llama.cpp, whisper.cpp, LM Studio, Blender …), build_targets, and
/// the bundles with a HIP of their own in software.rocm. Looks in the PATH, in services' programs,
/// two levels below the home folder, and of an image below its top.
void read_applications(Source& source, Loader& loader,
                       const std::map<std::string, std::string>& environment,
                       const std::vector<Service>& services, bool in_container, Software& software);

}  // namespace rocvet

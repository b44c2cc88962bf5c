// What a framework in a Python environment was built for, and the code inside its libraries.
#pragma once

#include <string>
#include <string_view>

#include "machine/loader.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// What a wheel's version says: "2.5.1+rocm6.2" -> {"rocm", "6.2"}, "2.4.1+cu121" -> {"cuda",
/// "12.1"}, "2.6.0+cpu" -> {"cpu", ""}; {"", ""} when it says nothing.
struct BuildTag {
  std::string build, version;
  bool operator==(const BuildTag&) const = default;
};
BuildTag parse_build_tag(std::string_view version);

/// Fills the frameworks of an environment whose packages are known.
void read_frameworks(Source& source, Loader& loader, PythonEnvironment& environment);

/// ROCm as wheels (rocm-sdk-core, rocm-sdk-libraries…) in an environment, added to software.rocm.
void read_rocm_wheels(Source& source, Loader& loader, const PythonEnvironment& environment,
                      Software& software);

}  // namespace rocvet

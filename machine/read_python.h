// Python environments and what is installed in them, read from folders; no Python runs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// "Torch_Vision.x" -> "torch-vision-x" (PEP 503).
std::string normal_package_name(std::string_view name);

/// The package that a metadata folder or file stands for: "torch-2.5.1+rocm6.2.dist-info",
/// "six-1.16.0.egg-info", "PyYAML-6.0-py3.11.egg-info". Malformed for any other name and for what
/// pip left behind ("~orch-…").
Result<PythonPackage> parse_metadata_name(std::string_view name);

/// The value of a line of torch/version.py: "hip: Optional[str] = '6.2.41133'" or "cuda = None".
/// "" for None; missing when no line sets it.
Result<std::string> parse_python_string(std::string_view text, std::string_view name);

/// The folder of the environment that a person named: "/x/venv", "/x/venv/bin/python3" or
/// "/x/lib/python3.12/site-packages" (which stays as it is). Errors: nothing is there, it could not
/// be read, or no packages lie where Python would look for them.
Result<std::string> python_environment_of(Source& source, const std::string& path);

/// The environments in reach: active venv or conda, the PATH's pythons, the system's, ~/.local,
/// pipx, uv, pyenv, poetry, conda's places, venvs below the home folder, and `extra` (roots or
/// python programs that the user names). Packages are filled; frameworks are not.
std::vector<PythonEnvironment> find_python(Source& source,
                                           const std::map<std::string, std::string>& environment,
                                           const std::vector<std::string>& extra);

}  // namespace rocvet

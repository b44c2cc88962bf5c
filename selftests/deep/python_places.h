// Where a Python takes its code from, and who could have put some there.
#pragma once

#include <optional>
#include <string>

#include "base/trusted_path.h"
#include "machine/software.h"

namespace rocvet {

/// Who besides root could put code where `python` takes it when it imports a package of this
/// environment: the interpreter with its standard library, that of the Python that a virtual
/// environment was made from (pyvenv.cfg), the folders of packages with what lies directly in them,
/// and the folders that .pth files name. Deeper than the packages' own folders is not looked.
std::optional<Changer> who_else_puts_into(const PythonEnvironment& environment,
                                          const std::string& python);

}  // namespace rocvet

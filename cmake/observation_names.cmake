# The names in db/vocabulary.toml, for base/observation_name.h. Made when CMake runs, since what compiles the database
# is compiled with them.
set(vocabulary "${PROJECT_SOURCE_DIR}/db/vocabulary.toml")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${vocabulary}")
file(STRINGS "${vocabulary}" ids REGEX "^id = \"[a-z0-9-]+\"")
set(names "")
foreach(id ${ids})
  string(REGEX REPLACE "^id = (\"[a-z0-9-]+\").*" "    \\1,\n" name "${id}")
  string(APPEND names "${name}")
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/observation_names.h" CONTENT "// Made from db/vocabulary.toml.
#pragma once
#include <string_view>
namespace rocvet {
inline constexpr std::string_view kObservationNames[] = {
${names}};
}  // namespace rocvet
" @ONLY)

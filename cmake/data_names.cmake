# The names of rows that C++ speaks of, for base/data_name.h: a name that no row has does not compile. Made when CMake runs, since what compiles the database is compiled with them.
function(rocvet_names toml array header)
  set(file "${PROJECT_SOURCE_DIR}/db/${toml}")
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" ids REGEX "^id = \"[a-z0-9-]+\"")
  set(names "")
  foreach(id ${ids})
    string(REGEX REPLACE "^id = (\"[a-z0-9-]+\").*" "    \\1,\n" name "${id}")
    string(APPEND names "${name}")
  endforeach()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/${header}" CONTENT "// Made from db/${toml}.
#pragma once
#include <string_view>
namespace rocvet {
inline constexpr std::string_view ${array}[] = {
${names}};
}  // namespace rocvet
" @ONLY)
endfunction()
rocvet_names(vocabulary.toml kObservationNames observation_names.h)
rocvet_names(word_lists.toml kWordListNames word_list_names.h)
rocvet_names(thresholds.toml kThresholdNames threshold_names.h)

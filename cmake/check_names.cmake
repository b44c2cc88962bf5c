# cmake -DROOT=DIR "-DSOURCES=FILE;…" -DOUTPUT=FILE -P check_names.cmake: the codes and ids of the checks that are C++, so
# that the compiler of the database can refuse a row that has one of them.
set(names "")
foreach(source IN LISTS SOURCES)
  file(READ "${source}" text)
  if(text MATCHES "constinit const Check [^;]*\\.code = \"(RV[0-9]+)\"[^;]*\\.id = \"([a-z0-9-]+)\"")
    file(RELATIVE_PATH path "${ROOT}" "${source}")
    string(APPEND names "    {\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${path}\"},\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "// Made from checks/*/*.cpp.
#pragma once
#include <string_view>
namespace rocvet {
struct CheckInCode {
  std::string_view code, id, file;
};
inline constexpr CheckInCode kChecksInCode[] = {
${names}};
}  // namespace rocvet
" @ONLY)

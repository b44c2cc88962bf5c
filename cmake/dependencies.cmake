# Every outside library, named once. All come from the distribution's packages; nothing is downloaded.
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

# Linked statically, so that the binary starts on a machine that has none of them.
function(rocvet_static_library target header archive)
  find_path(${target}_INCLUDE ${header} REQUIRED)
  find_library(${target}_ARCHIVE NAMES lib${archive}.a REQUIRED)
  add_library(${target} STATIC IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${${target}_ARCHIVE}"
    INTERFACE_INCLUDE_DIRECTORIES "${${target}_INCLUDE}")
endfunction()
rocvet_static_library(rocvet_zlib zlib.h z)
rocvet_static_library(rocvet_zstd zstd.h zstd)
rocvet_static_library(rocvet_archive archive.h archive)
target_link_libraries(rocvet_archive INTERFACE rocvet_zstd rocvet_zlib)
# Ed25519, for databases that are installed.
rocvet_static_library(rocvet_sodium sodium.h sodium)

# TOML, behind base/toml.h: toml++ header-only (Debian's shared library would bring libstdc++
# along), or toml11 where the distribution has no toml++ (Ubuntu 22.04).
find_path(ROCVET_TOML_INCLUDE NAMES toml++/toml.h toml.hpp REQUIRED)
add_library(rocvet_toml INTERFACE)
target_include_directories(rocvet_toml SYSTEM INTERFACE "${ROCVET_TOML_INCLUDE}")
target_compile_definitions(rocvet_toml INTERFACE TOML_HEADER_ONLY=1)

if(BUILD_TESTING)
  find_package(doctest REQUIRED)
endif()

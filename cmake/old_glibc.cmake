# A release starts on machines whose glibc is older than the build machine's: it is linked against the libraries of an older
# distribution, which packaging/build_release.sh unpacks. Headers, compiler and static libraries stay the build machine's; a symbol
# that the older glibc lacks then fails the link, unless packaging/old_glibc.cpp has it.
set(ROCVET_GLIBC "" CACHE PATH "Root folder with the glibc to link rocvet against (empty: this machine's)")
set(ROCVET_GLIBC_FLOOR 2.28 CACHE STRING "Oldest glibc that a package must start on; one that needs a newer is not made")

# Gives TARGET the stand-ins for what is newer than the floor.
function(rocvet_add_old_glibc target)
  set(stand_ins "${PROJECT_SOURCE_DIR}/packaging/old_glibc.cpp")
  set_source_files_properties("${stand_ins}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${stand_ins}")
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  foreach(symbol exp exp2 log log2 pow pthread_cond_clockwait __libc_single_threaded _dl_find_object)
    target_link_options(${target} PRIVATE "LINKER:--wrap=${symbol}")
  endforeach()
endfunction()

function(rocvet_link_old_glibc target)
  if(NOT ROCVET_GLIBC)
    return()
  endif()
  set(libraries "${ROCVET_GLIBC}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
  if(NOT EXISTS "${libraries}/libc.so")
    message(FATAL_ERROR "ROCVET_GLIBC: no ${libraries}/libc.so; packaging/build_release.sh makes it")
  endif()
  rocvet_add_old_glibc(${target})
  # -B is for crt1.o. Threads and dlopen() were libraries of their own before 2.34.
  target_link_options(${target} PRIVATE "--sysroot=${ROCVET_GLIBC}" "-B${libraries}" "-L${libraries}"
    "-L${ROCVET_GLIBC}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
  target_link_libraries(${target} PRIVATE pthread dl m)
endfunction()

# Which compiler builds kernels for AMD GPUs, and for which targets.
#
# rocvet_find_device_compiler() sets in its caller
#   ROCVET_DEVICE_COMPILER   clang++ of LLVM 19 to 22, or ROCm's own; empty: there is none that works
#   ROCVET_DEVICE_FLAGS      what it needs to find its linker
#   ROCVET_DEVICE_TARGETS    of ROCVET_GPU_TARGETS, those that it knows (LLVM 21 knows the name of
#                            gfx1250 and not its matrix instructions)

set(ROCVET_ALL_GPU_TARGETS
  gfx803 gfx900 gfx902 gfx906 gfx908 gfx90a gfx90c gfx942 gfx950
  gfx1010 gfx1011 gfx1012 gfx1013 gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036
  gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx1200 gfx1201 gfx1250)
set(ROCVET_GPU_TARGETS all CACHE STRING "gfx targets to build device code for: all, or a list")

function(rocvet_find_device_compiler)
  set(list_of_candidates clang++-22 clang++-21 clang++-20 clang++-19)
  file(GLOB of_rocm /opt/rocm/llvm/bin/clang++ /opt/rocm/lib/llvm/bin/clang++ /opt/rocm-*/llvm/bin/clang++)
  list(APPEND list_of_candidates ${of_rocm})
  # The linker may come from another LLVM than the compiler.
  file(GLOB linkers /usr/lib/llvm-*/bin/ld.lld)
  set(linker_flags "")
  foreach(linker IN LISTS linkers)
    get_filename_component(folder "${linker}" DIRECTORY)
    list(APPEND linker_flags "-B${folder}")
  endforeach()
  set(probe "${CMAKE_BINARY_DIR}/device_probe.hip")
  file(WRITE "${probe}" "extern \"C\" __attribute__((global)) void probe(int* to) { *to = 1; }\n")
  foreach(candidate IN LISTS list_of_candidates)
    find_program(path "${candidate}" NO_CACHE)
    if(NOT path)
      continue()
    endif()
    foreach(flags "" ${linker_flags})
      execute_process(COMMAND "${path}" ${flags} -x hip --offload-device-only --no-gpu-bundle-output
          --offload-arch=gfx90a -nogpuinc -nogpulib -o "${probe}.co" "${probe}"
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      if(status EQUAL 0)
        execute_process(COMMAND "${path}" --print-supported-cpus --target=amdgcn-amd-amdhsa -nogpulib
          OUTPUT_VARIABLE known ERROR_VARIABLE known_too)
        set(wanted ${ROCVET_GPU_TARGETS})
        if(wanted STREQUAL "all")
          set(wanted ${ROCVET_ALL_GPU_TARGETS})
        endif()
        set(targets "")
        set(left_out "")
        execute_process(COMMAND "${path}" -dumpversion OUTPUT_VARIABLE version)
        foreach(target IN LISTS wanted)
          if(target STREQUAL "gfx1250" AND version VERSION_LESS 22)
            list(APPEND left_out ${target})
          elseif("${known} ${known_too} " MATCHES "[^a-z0-9]${target}[^a-z0-9]")
            list(APPEND targets ${target})
          else()
            list(APPEND left_out ${target})
          endif()
        endforeach()
        message(STATUS "Device code: ${path} ${flags}, targets: ${targets}")
        if(left_out)
          message(STATUS "Device code: ${path} does not know ${left_out}; self-tests will not run on these GPUs")
        endif()
        set(ROCVET_DEVICE_COMPILER "${path}" PARENT_SCOPE)
        set(ROCVET_DEVICE_FLAGS "${flags}" PARENT_SCOPE)
        set(ROCVET_DEVICE_TARGETS "${targets}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  message(STATUS "Device code: no clang++ 19 to 22 (with lld) and none of ROCm; self-tests will run on the host only")
  set(ROCVET_DEVICE_COMPILER "" PARENT_SCOPE)
  set(ROCVET_DEVICE_TARGETS "" PARENT_SCOPE)
endfunction()

# rocvet_device_code(OUT TARGET MODULE SOURCE): adds the rule for one code object, and
# TARGET:MODULE:FILE to the list OUT. Code object version 4 is what ROCm 5.0 and later load.
function(rocvet_device_code out target module source)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}/${module}.co")
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  add_custom_command(OUTPUT "${file}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/${target}"
    COMMAND "${ROCVET_DEVICE_COMPILER}" ${ROCVET_DEVICE_FLAGS} -x hip --offload-device-only --no-gpu-bundle-output
      --offload-arch=${target} -nogpuinc -nogpulib -mcode-object-version=4 -std=c++20 -O3
      -Wall -Wextra -Werror -o "${file}" "${source}"
    DEPENDS "${source}" ${headers} VERBATIM
    COMMENT "Device code ${module} for ${target}")
  set(${out} ${${out}} "${target}:${module}:${file}" PARENT_SCOPE)
endfunction()

# NVIDIA, HIP's other platform: built when there is an nvcc of CUDA 12 or later.
#
# rocvet_find_cuda_compiler() sets ROCVET_CUDA_COMPILER and ROCVET_CUDA_TARGETS in its caller.
set(ROCVET_CUDA_ARCHITECTURES sm_80 sm_89 sm_90a compute_80 CACHE STRING
  "NVIDIA targets to build device code for: sm_NN machine code, compute_NN for the driver to compile; may be empty")

function(rocvet_find_cuda_compiler)
  set(ROCVET_CUDA_TARGETS "" PARENT_SCOPE)
  find_program(nvcc nvcc HINTS /usr/local/cuda/bin NO_CACHE)
  if(NOT nvcc OR NOT ROCVET_CUDA_ARCHITECTURES)
    message(STATUS "Device code for NVIDIA: none")
    return()
  endif()
  set(probe "${CMAKE_BINARY_DIR}/device_probe.cu")
  file(WRITE "${probe}" "template <class T> requires(sizeof(T) == 4) __global__ void probe(T* to) { *to = 1; }\n")
  execute_process(COMMAND "${nvcc}" -std=c++20 -arch=sm_80 -cubin -o "${probe}.cubin" "${probe}"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    message(WARNING "Device code for NVIDIA: ${nvcc} cannot build C++20; none is built")
    return()
  endif()
  message(STATUS "Device code for NVIDIA: ${nvcc}, targets: ${ROCVET_CUDA_ARCHITECTURES}")
  set(ROCVET_CUDA_COMPILER "${nvcc}" PARENT_SCOPE)
  set(ROCVET_CUDA_TARGETS "${ROCVET_CUDA_ARCHITECTURES}" PARENT_SCOPE)
endfunction()

# As rocvet_device_code.
function(rocvet_cuda_code out target module source)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}/${module}.co")
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  if(target MATCHES "^compute_")
    set(kind -ptx "-arch=${target}")
  else()
    string(REPLACE sm_ compute_ virtual ${target})
    set(kind -cubin "-gencode=arch=${virtual},code=${target}")
  endif()
  add_custom_command(OUTPUT "${file}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/${target}"
    COMMAND "${ROCVET_CUDA_COMPILER}" -x cu ${kind} -std=c++20 --expt-relaxed-constexpr -O3 -o "${file}" "${source}"
    DEPENDS "${source}" ${headers} VERBATIM
    COMMENT "Device code ${module} for ${target}")
  set(${out} ${${out}} "${target}:${module}:${file}" PARENT_SCOPE)
endfunction()

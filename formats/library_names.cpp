#include "formats/library_names.h"

#include <algorithm>
#include <iterator>

namespace rocvet {
namespace {

constexpr std::string_view kRocm[] = {
    "amd_comgr",
    "amd_smi",
    "amdhip64",
    "amdocl64",
    "hc_am",
    "hip_hcc",
    "hipblas",
    "hipblaslt",
    "hipfft",
    "hiprand",
    "hiprtc",
    "hipsolver",
    "hipsparse",
    "hipsparselt",
    "hiptensor",
    "hsa-amd-aqlprofile64",
    "hsa-runtime64",
    "hsakmt",
    "mcwamp",
    "migraphx",
    "migraphx_gpu",
    "MIOpen",
    "rccl",
    "rocalution",
    "rocalution_hip",
    "rocblas",
    "rocdxg",
    "rocfft",
    "rocm-dbgapi",
    "rocm_smi64",
    "rocprofiler-register",
    "rocprofiler-sdk",
    "rocprofiler-sdk-roctx",
    "rocprofiler64",
    "rocrand",
    "rocsolver",
    "rocsparse",
    "roctracer64",
    "roctx64",
};

bool is_hash(std::string_view text) {
  return text.size() == 8 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool is_version(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

}  // namespace

LibraryName parse_library_name(std::string_view file) {
  LibraryName out;
  const std::size_t so = file.find(".so");
  if (!file.starts_with("lib") || so == std::string_view::npos || so <= 3) return out;
  const std::string_view behind = file.substr(so + 3);
  if (!behind.empty() && (behind[0] != '.' || !is_version(behind))) return out;
  std::string_view family = file.substr(3, so - 3);
  if (family.size() > 9 && family[family.size() - 9] == '-' &&
      is_hash(family.substr(family.size() - 8))) {
    family.remove_suffix(9);
  }
  out.family = family;
  if (!behind.empty()) out.version = behind.substr(1);
  return out;
}

bool is_rocm_library(std::string_view family) {
  return std::find(std::begin(kRocm), std::end(kRocm), family) != std::end(kRocm);
}

bool is_left_unread(std::string_view family) {
  return family == "rocsolver" || family == "rocsparse" || family == "rocfft" ||
         family == "rocrand" || family == "hiptensor" || family == "hipsparselt";
}

bool is_watched_library(std::string_view family) {
  constexpr std::string_view kOthers[] = {"stdc++", "drm_amdgpu", "gcc_s",  "numa", "drm",
                                          "elf",    "c",          "OpenCL", "gomp", "omp"};
  return is_rocm_library(family) ||
         std::find(std::begin(kOthers), std::end(kOthers), family) != std::end(kOthers);
}

}  // namespace rocvet

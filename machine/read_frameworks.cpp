#include "machine/read_frameworks.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "formats/gfx_target.h"
#include "formats/library_names.h"
#include "machine/read_python.h"
#include "machine/read_rocm.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr std::size_t kMaxFrameworkLibraries = 96;  // whose ELF headers are read for one framework

/// A package that is a framework: by name (shell pattern), its folder in site-packages, and where
/// in it libraries lie. A folder of "." is site-packages itself, for files with the prefix.
struct Kind {
  std::string_view package;
  std::string_view folder;
  std::vector<std::string_view> library_folders;
  std::string_view prefix = {};
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"torch", "torch", {"lib"}},
      {"torchvision", "torchvision", {""}},
      {"torchaudio", "torchaudio", {"lib", ""}},
      {"torchtext", "torchtext", {"lib"}},
      {"tensorflow", "tensorflow", {"", "python"}},
      {"tensorflow-rocm", "tensorflow", {"", "python"}},
      {"tensorflow-cpu", "tensorflow", {"", "python"}},
      {"tf-nightly*", "tensorflow", {"", "python"}},
      {"jax", "jax", {}},
      {"jaxlib", "jaxlib", {"", "rocm"}},
      {"jax-rocm*-plugin", "=", {""}},
      {"jax-rocm*-pjrt", "jax_plugins/xla_rocm*", {""}},
      {"jax-cuda*-plugin", "=", {""}},
      {"onnxruntime", "onnxruntime", {"capi"}},
      {"onnxruntime-*", "onnxruntime", {"capi"}},
      {"triton", "triton", {"_C"}},
      {"triton-rocm", "triton", {"_C"}},
      {"pytorch-triton*", "triton", {"_C"}},
      {"vllm", "vllm", {"", "vllm_flash_attn"}},
      {"sglang", "sglang", {}},
      {"sgl-kernel", "sgl_kernel", {"", "gfx942", "sm100"}},
      {"bitsandbytes", "bitsandbytes", {""}},
      {"flash-attn", ".", {}, "flash_attn_2_cuda"},
      {"aiter", "aiter", {"jit"}},
      {"amd-aiter", "aiter", {"jit"}},
      {"xformers", "xformers", {""}},
      {"deepspeed", "deepspeed", {"ops"}},
      {"unsloth", "unsloth", {}},
      {"invokeai", "invokeai", {}},
      {"transformers", "transformers", {}},
      {"migraphx", "migraphx", {"", "lib"}},
      {"cupy", "cupy", {"_core", "cuda"}},
      {"cupy-*", "cupy", {"_core", "cuda"}},
      {"ctranslate2", "ctranslate2", {""}},
      {"llama-cpp-python", "llama_cpp", {"lib", ""}},
      {"stable-diffusion-cpp-python", "stable_diffusion_cpp", {"lib", ""}},
      {"whisper-cpp-python", "whisper_cpp", {"lib", ""}},
      {"exllamav2", ".", {}, "exllamav2_ext"},
      {"auto-gptq", ".", {}, "autogptq_"},
  };
  return all;
}

bool is_shared_object(std::string_view name) {
  return name.ends_with(".so") || name.find(".so.") != std::string_view::npos;
}

/// Libraries of PyTorch's folder that decide something: its own device code and ROCm's. The others
/// (libtorch_cpu alone has 400 MB) say nothing about the GPU.
bool matters_for_torch(std::string_view name) {
  if (is_rocm_library(parse_library_name(name).family)) return true;
  for (const std::string_view stem :
       {"libtorch_hip", "libtorch_cuda", "libtorch_cpu.so", "libtorch_python", "libc10_hip",
        "libc10_cuda", "libcaffe2_nvrtc", "libaotriton", "libtorch_xpu"}) {
    if (name.starts_with(stem)) return true;
  }
  return false;
}

void add_targets(std::set<std::string>& to, const std::vector<std::string>& from) {
  to.insert(from.begin(), from.end());
}

class FrameworkReader {
 public:
  FrameworkReader(Source& source, Loader& loader, const std::string& site,
                  const PythonPackage& package, const Kind& kind)
      : source_(source), loader_(loader), site_(site), kind_(kind) {
    out_.name = package.name;
    out_.version = package.version;
    out_.hip_version = missing(package.name, "nothing there names a ROCm version");
    out_.cuda_version = missing(package.name, "nothing there names a CUDA version");
  }

  Framework read() {
    find_folder();
    read_libraries();
    read_kernel_folders();
    read_version_files();
    decide_build();
    out_.gfx.assign(targets_.begin(), targets_.end());
    return std::move(out_);
  }

 private:
  void find_folder() {
    std::string folder(kind_.folder);
    if (folder == "=") {  // as the package, with underscores
      folder = out_.name;
      std::replace(folder.begin(), folder.end(), '-', '_');
    }
    if (folder == ".") {
      out_.root = site_;
      return;
    }
    if (folder.find('*') != std::string::npos) {
      const std::string above = join_path(site_, parent_path("/" + folder).substr(1));
      const auto found = matching_paths(source_, above, base_name(folder));
      out_.root = found.empty() ? above : found.front();
      return;
    }
    out_.root = join_path(site_, folder);
  }

  void add_library(const std::string& path) {
    if (out_.libraries.size() >= kMaxFrameworkLibraries) return;
    Library library;
    library.path = path;
    const Result<std::string> real = source_.resolve(path);
    if (!real) return;
    library.real = *real;
    for (const Library& other : out_.libraries) {
      if (other.real == library.real) return;
    }
    const Result<ElfSummary>& elf = loader_.elf(path);
    if (!elf && elf.error().kind == Error::Kind::malformed) return;
    if (elf) library.elf = *elf;
    out_.libraries.push_back(std::move(library));
  }

  void read_libraries() {
    const bool torch = kind_.folder == "torch";
    if (kind_.folder == ".") {
      for (const std::string& name : list_of(source_, site_)) {
        if (name.starts_with(kind_.prefix) && is_shared_object(name))
          add_library(site_ + "/" + name);
      }
    }
    for (const std::string_view below : kind_.library_folders) {
      const std::string folder = below.empty() ? out_.root : join_path(out_.root, below);
      std::vector<std::string> names = list_of(source_, folder);
      // "libamdhip64.so.6" before its other names: they are links to one file.
      std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return parse_library_name(a).version.find('.') == std::string::npos &&
               parse_library_name(b).version.find('.') != std::string::npos;
      });
      for (const std::string& name : names) {
        if (!is_shared_object(name) || (torch && !matters_for_torch(name))) continue;
        add_library(folder + "/" + name);
      }
    }
    std::sort(out_.libraries.begin(), out_.libraries.end(),
              [](const Library& a, const Library& b) { return a.path < b.path; });
    for (const Library& library : out_.libraries) {
      const bool rocm = is_rocm_library(parse_library_name(base_name(library.path)).family);
      // The targets of a bundled rocBLAS are not those of the framework.
      if (!rocm) add_targets(targets_, library.elf.gfx);
      for (const std::string& name : library.elf.needed) note_needed(name);
      if (library.elf.has_cuda && !rocm) cuda_seen_ = true;
    }
    for (const std::string& name : list_of(source_, out_.root + "/backends")) {
      if (kind_.folder == "triton" && name == "amd") hip_seen_ = true;
    }
  }

  /// PyTorch's attention kernels: a folder per target or family, "amd-gfx90a", "amd-gfx11xx". And
  /// the files of the libraries that a wheel brings.
  void read_kernel_folders() {
    if (kind_.folder != "torch") return;
    for (const char* library : {"rocblas", "hipblaslt"}) {
      std::vector<std::string> names =
          targets_of_file_names(source_, out_.root + "/lib/" + library + "/library");
      if (!names.empty()) out_.kernel_targets[library] = std::move(names);
    }
    std::vector<std::string> targets;
    for (const std::string& name : list_of(source_, out_.root + "/lib/aotriton.images")) {
      if (name.starts_with("amd-gfx")) targets.push_back(name.substr(4));
    }
    if (!targets.empty()) out_.kernel_targets["aotriton"] = std::move(targets);
  }

  void note_needed(const std::string& file) {
    const LibraryName name = parse_library_name(file);
    if (name.family == "amdhip64") {
      hip_seen_ = true;
      hip_major_ = name.major();
    }
    if (name.family == "cudart" || name.family == "cuda" || name.family == "cublas" ||
        name.family == "nvrtc" || name.family == "cudnn") {
      cuda_seen_ = true;
    }
  }

  void set(Result<std::string>& to, const Result<std::string>& value) {
    if (value && !value->empty()) to = *value;
  }

  /// Files that builds write themselves: torch/version.py and its likes.
  void read_version_files() {
    // Written by the framework's own build.
    const auto text = [&](const char* file) {
      return source_.read_as(FileKind::facts, out_.root + file, 1u << 20);
    };
    if (kind_.folder == "torch" || kind_.folder == "torchvision" || kind_.folder == "torchaudio") {
      if (const auto file = text("/version.py")) {
        const auto hip = parse_python_string(*file, "hip");
        const auto cuda = parse_python_string(*file, "cuda");
        version_file_ = hip || cuda;
        set(out_.hip_version, parse_python_string(*file, "rocm"));  // PyTorch 2.10 and later
        set(out_.hip_version, hip);
        set(out_.cuda_version, cuda);
        denies_gpu_ = hip && hip->empty() && cuda && cuda->empty();
        const auto version = parse_python_string(*file, "__version__");
        if (version && !version->empty() && version->find('+') != std::string::npos) {
          out_.version = *version;
        }
      }
    } else if (kind_.folder == "onnxruntime") {
      if (const auto file = text("/capi/build_and_package_info.py")) {
        set(out_.hip_version, parse_python_string(*file, "rocm_version"));
        set(out_.cuda_version, parse_python_string(*file, "cuda_version"));
      }
      // An execution provider is a library of its own.
      for (const Library& library : out_.libraries) {
        const std::string_view name = base_name(library.path);
        if (name.find("providers_rocm") != std::string_view::npos ||
            name.find("providers_migraphx") != std::string_view::npos) {
          hip_seen_ = true;
        }
        if (name.find("providers_cuda") != std::string_view::npos) cuda_seen_ = true;
      }
    } else if (kind_.folder == "tensorflow") {
      if (const auto file = text("/python/platform/build_info.py")) read_tensorflow(*file);
    } else if (kind_.folder == "bitsandbytes") {
      read_bitsandbytes();
    }
  }

  /// build_info.py is one ordered dictionary: ("rocm_version", "6.2.0"), ("is_rocm_build", True).
  void read_tensorflow(std::string_view text) {
    const auto after = [&](std::string_view key) -> std::string {
      const std::size_t at = text.find(key);
      if (at == std::string_view::npos) return "";
      std::string_view rest = text.substr(at + key.size());
      const std::size_t start = rest.find_first_not_of("'\" ,:=");
      if (start == std::string_view::npos) return "";
      rest = rest.substr(start);
      return std::string(rest.substr(0, rest.find_first_of("'\",)}\n")));
    };
    version_file_ = true;
    if (after("is_rocm_build") == "True") hip_seen_ = true;
    if (after("is_cuda_build") == "True") cuda_seen_ = true;
    if (const std::string version = after("rocm_version"); !rocm_version_of(version).empty()) {
      out_.hip_version = version;
    }
    if (const std::string version = after("cuda_version"); !rocm_version_of(version).empty()) {
      out_.cuda_version = version;
    }
  }

  /// One library per version: libbitsandbytes_rocm62.so, libbitsandbytes_cuda121.so.
  void read_bitsandbytes() {
    for (const Library& library : out_.libraries) {
      std::string_view name = base_name(library.path);
      const std::size_t rocm = name.find("_rocm");
      if (rocm != std::string_view::npos) {
        hip_seen_ = true;
        const std::string digits(name.substr(rocm + 5, name.find('.', rocm) - rocm - 5));
        if (digits.size() >= 2 && parse_number(digits)) {
          out_.hip_version = digits.substr(0, 1) + "." + digits.substr(1);
        }
      }
      if (name.find("_hip") != std::string_view::npos) hip_seen_ = true;
      if (name.find("_cuda") != std::string_view::npos) cuda_seen_ = true;
    }
  }

  /// Their extensions link to the GPU's runtime, or are for the CPU.
  bool is_torch_library() const {
    return out_.name == "torchvision" || out_.name == "torchaudio" || out_.name == "torchtext";
  }

  void decide_build() {
    const BuildTag tag = parse_build_tag(out_.version);
    if (!tag.version.empty()) {
      if (tag.build == "rocm" && !out_.hip_version) out_.hip_version = tag.version;
      if (tag.build == "cuda" && !out_.cuda_version) out_.cuda_version = tag.version;
    }
    for (const std::string_view word : {"rocm", "migraphx"}) {
      const std::size_t at = out_.name.find(word);
      if (at == std::string::npos) continue;
      hip_seen_ = true;
      if (!out_.hip_version && word == "rocm" && at + 4 < out_.name.size() &&
          std::isdigit(static_cast<unsigned char>(out_.name[at + 4]))) {  // jax-rocm60-plugin
        const std::string digits = out_.name.substr(at + 4, out_.name.find('-', at) - at - 4);
        out_.hip_version =
            digits.size() > 1 ? digits.substr(0, 1) + "." + digits.substr(1) : digits;
      }
    }
    // PyPI's onnxruntime-gpu is CUDA's.
    if (out_.name.find("-cuda") != std::string::npos || out_.name == "onnxruntime-gpu")
      cuda_seen_ = true;
    if (!out_.hip_version && !hip_major_.empty()) out_.hip_version = hip_major_;
    if (!targets_.empty()) hip_seen_ = true;
    // What the name of the wheel promises, its build did not do.
    if (denies_gpu_ && !hip_seen_ && !cuda_seen_) {
      out_.hip_version = missing(out_.root + "/version.py", "names no HIP");
      out_.build = "cpu";
      return;
    }
    const bool hip = out_.hip_version.has_value() || hip_seen_ || tag.build == "rocm";
    const bool cuda = out_.cuda_version.has_value() || cuda_seen_ || tag.build == "cuda";
    if (hip && !(cuda && tag.build == "cuda")) {
      // bitsandbytes and triton carry both; what the AMD machine uses counts.
      out_.build = "rocm";
    } else if (cuda) {
      out_.build = "cuda";
    } else if (tag.build == "cpu" || version_file_ || out_.name.ends_with("-cpu") ||
               (is_torch_library() && !out_.libraries.empty())) {
      out_.build = "cpu";
    } else {
      out_.build = "unknown";
    }
  }

  Source& source_;
  Loader& loader_;
  std::string site_;
  const Kind& kind_;
  Framework out_;
  std::set<std::string> targets_;
  bool hip_seen_ = false, cuda_seen_ = false, version_file_ = false;
  bool denies_gpu_ = false;  ///< version.py names neither HIP nor CUDA
  std::string hip_major_;
};

}  // namespace

BuildTag parse_build_tag(std::string_view version) {
  const std::size_t plus = version.find('+');
  if (plus == std::string_view::npos) return {};
  std::string_view tag = version.substr(plus + 1);
  const std::size_t rocm = tag.find("rocm");
  if (rocm != std::string_view::npos) {  // "rocm6.2", "rocm7.0.0rc20250903", "rocmsdk20250903"
    tag = tag.substr(rocm + 4);
    if (tag.starts_with("sdk")) tag.remove_prefix(3);
    std::string number = rocm_version_of(tag);
    // "+rocm641" of vLLM's own wheels
    if (number.find('.') == std::string::npos && (number.size() == 2 || number.size() == 3)) {
      number = number.size() == 2
                   ? number.substr(0, 1) + "." + number.substr(1)
                   : number.substr(0, 1) + "." + number.substr(1, 1) + "." + number.substr(2);
    }
    // "+rocmsdk20250903" names a day.
    if (number.find('.') == std::string::npos && number.size() > 3) number.clear();
    return {"rocm", number};
  }
  if (tag.starts_with("cu") && tag.size() > 3 && std::isdigit(static_cast<unsigned char>(tag[2]))) {
    std::string digits;
    for (const char c : tag.substr(2)) {
      if (!std::isdigit(static_cast<unsigned char>(c))) break;
      digits += c;
    }
    if (digits.size() < 2) return {"cuda", ""};
    return {"cuda", digits.substr(0, digits.size() - 1) + "." + digits.substr(digits.size() - 1)};
  }
  if (tag.starts_with("cpu")) return {"cpu", ""};
  return {};
}

void read_frameworks(Source& source, Loader& loader, PythonEnvironment& environment) {
  constexpr std::size_t kMost = 64;  // of one environment; each is looked for in all of its files
  for (const std::string& site : environment.site_packages) {
    for (const std::string& name : list_of(source, site)) {
      const Result<PythonPackage> package = parse_metadata_name(name);
      if (!package) continue;
      if (environment.frameworks.size() >= kMost) return;
      for (const Kind& kind : kinds()) {
        if (!glob_match(kind.package, package->name)) continue;
        environment.frameworks.push_back(
            FrameworkReader(source, loader, site, *package, kind).read());
        break;
      }
    }
  }
}

void read_rocm_wheels(Source& source, Loader& loader, const PythonEnvironment& environment,
                      Software& software) {
  for (const std::string& site : environment.site_packages) {
    RocmInstall install;
    install.owner = RocmOwner::wheel;
    for (const std::string& name : list_of(source, site)) {
      if (!name.starts_with("_rocm_sdk_")) continue;
      const std::string folder = site + "/" + name;
      if (install.root.empty() || name == "_rocm_sdk_core") install.root = folder;
      for (Library& library : read_rocm_libraries(source, loader, folder + "/lib")) {
        install.libraries.push_back(std::move(library));
      }
      for (std::string& file : shared_objects(source, folder))
        install.files.push_back(std::move(file));
      read_kernel_targets(source, folder + "/lib", folder + "/share", install,
                          software.kernel_files);
      read_kernel_archives(source, loader, folder, install);
      const std::string bitcode = folder + "/lib/llvm/amdgcn/bitcode";
      if (source.exists(bitcode + "/ocml.bc")) {
        install.has_device_libs = true;
        software.bitcode.push_back(bitcode);
      }
    }
    if (install.root.empty()) continue;
    install.missing = missing_parts(install.libraries);
    install.version = missing(install.root, "no rocm-sdk package is installed beside it");
    for (const PythonPackage& package : environment.packages) {
      if (package.name != "rocm-sdk-core" && package.name != "rocm") continue;
      const std::string version = rocm_version_of(package.version);
      if (version.empty()) continue;
      install.version = version;
      install.version_source = package.name + " " + package.version;
      if (package.name == "rocm-sdk-core") break;
    }
    if (environment.active) install.pointed_by.emplace_back("active Python environment");
    software.rocm.push_back(std::move(install));
  }
}

}  // namespace rocvet

#include "checks/features.h"

#include <algorithm>
#include <array>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "db/version.h"
#include "formats/library_names.h"

namespace rocvet {
namespace {

constexpr std::array kFeatures{"bf16",    "fp16",         "fp8",
                               "fp4-fp6", "int8",         "flash-attention",
                               "4-bit",   "prequantised", "torch-compile"};

FeatureVerdict verdict_of_word(std::string_view word) {
  if (word == "supported") return FeatureVerdict::supported;
  if (word == "slow") return FeatureVerdict::slow;
  if (word == "unsupported") return FeatureVerdict::unsupported;
  return FeatureVerdict::unknown;
}

/// The name under which the database knows a package; "" when it provides no feature.
std::string rule_name(const Framework& framework) {
  const std::string& name = framework.name;
  if (name == "triton" || name == "triton-rocm" || name.starts_with("pytorch-triton"))
    return "triton";
  if (name == "amd-aiter" || name == "aiter") return "aiter";
  // Without a library of its own it is the Triton back end.
  if (name == "flash-attn") return framework.libraries.empty() ? "flash-attn-triton" : name;
  for (const char* known : {"torch", "vllm", "xformers", "bitsandbytes", "unsloth", "exllamav2",
                            "auto-gptq", "llama-cpp-python"}) {
    if (name == known) return name;
  }
  return "";
}

/// Packages that bring no code objects: they are Python, or compile on the machine.
bool compiles_later(std::string_view rule) {
  return rule == "triton" || rule == "aiter" || rule == "flash-attn-triton" || rule == "unsloth";
}

std::string some_of(const std::vector<std::string>& targets) {
  if (targets.size() <= 4) return join(targets, ", ");
  return join({targets.begin(), targets.begin() + 3}, ", ") + " … " + targets.back();
}

/// What speaks against a package before its version is asked; nullopt when nothing does.
std::optional<FeatureAnswer> obstacle(const std::string& what, const std::string& build,
                                      const std::vector<std::string>& targets,
                                      const std::string& gfx) {
  if (build == "cuda" || build == "cpu") {
    return FeatureAnswer{FeatureVerdict::unsupported,
                         what + " is built for " + (build == "cuda" ? "CUDA" : "the CPU"), "", ""};
  }
  if (targets.empty()) {
    return FeatureAnswer{FeatureVerdict::unknown,
                         "the code objects of " + what + " could not be read", "", ""};
  }
  if (!any_target_fits(targets, gfx)) {
    return FeatureAnswer{FeatureVerdict::unsupported,
                         what + " holds no code for " + gfx + " (" + some_of(targets) + ")", "",
                         ""};
  }
  return std::nullopt;
}

class Judge {
 public:
  Judge(const Machine& machine, const Database& database, std::string gfx)
      : machine_(machine), database_(database), gfx_(std::move(gfx)), seen_gfx_(gfx_) {
    if (const auto set = effective_variable(machine, "HSA_OVERRIDE_GFX_VERSION")) {
      if (const std::string other = gfx_of_override(set->value); !other.empty()) seen_gfx_ = other;
    }
  }

  std::vector<FeatureRow> rows() {
    collect();
    std::vector<FeatureRow> out;
    const auto hardware = database_.hardware_features(gfx_);
    for (const char* feature : kFeatures) {
      FeatureRow row;
      row.feature = feature;
      const auto fact = std::find_if(hardware.begin(), hardware.end(), [&](const FeatureFact& one) {
        return one.feature == feature;
      });
      std::optional<FeatureAnswer> by_hardware;
      if (fact != hardware.end()) {
        row.format = fact->format;
        by_hardware =
            FeatureAnswer{verdict_of_word(fact->verdict), fact->because, "", fact->source};
      }
      for (auto& [name, use] : uses_) {
        if (name == feature) row.software.push_back(use);
      }
      row.answer = whole(by_hardware, row.software);
      out.push_back(std::move(row));
    }
    return out;
  }

 private:
  void collect() {
    for (const PythonEnvironment& python : machine_.software.python) {
      for (const Framework& framework : python.frameworks) {
        const std::string rule = rule_name(framework);
        if (!rule.empty()) add_framework(python, framework, rule);
      }
    }
    for (const Application& application : machine_.software.applications) {
      add_application(application);
    }
  }

  static const Framework* find(const PythonEnvironment& python, std::string_view name) {
    for (const Framework& framework : python.frameworks) {
      if (framework.name == name) return &framework;
    }
    return nullptr;
  }

  FeatureAnswer answer_of(const FeatureFact& fact) const {
    FeatureAnswer answer{verdict_of_word(fact.verdict), fact.because, "", fact.source};
    if (fact.environment.empty()) return answer;
    const std::size_t equals = fact.environment.find('=');
    const auto set = effective_variable(machine_, fact.environment.substr(0, equals));
    if (set && lower(set->value) == lower(fact.environment.substr(equals + 1))) {
      answer.verdict = FeatureVerdict::supported;
      answer.because += " (" + fact.environment + " is set)";
    } else {
      answer.condition = "set " + fact.environment;
    }
    return answer;
  }

  /// The rule for one feature of something the question was handed on to.
  FeatureAnswer ask(const std::string& rule, const std::string& version, std::string_view feature) {
    for (const FeatureFact& fact : database_.framework_features(rule, version, "", seen_gfx_)) {
      if (fact.feature == feature) return answer_of(fact);
    }
    return {FeatureVerdict::unknown, "nothing is known of " + rule + " " + version, "", ""};
  }

  void add_framework(const PythonEnvironment& python, const Framework& framework,
                     const std::string& rule) {
    const std::string what = framework.name + " " + framework.version;
    const std::string rocm = framework.hip_version.value_or("");
    for (const FeatureFact& fact :
         database_.framework_features(rule, framework.version, rocm, seen_gfx_)) {
      FeatureUse use{what, python.root, answer_of(fact)};
      if (rule == "unsloth") {
        if (!fact.means.empty()) use.answer = prequantised(python);
      } else if (rule == "bitsandbytes") {
        if (auto against = bitsandbytes_obstacle(python, framework)) use.answer = *against;
      } else if (rule == "triton") {
        if (framework.build == "cuda") {
          use.answer = {FeatureVerdict::unsupported, what + " has no AMD back end", "", ""};
        }
      } else if (!compiles_later(rule)) {
        const auto against = obstacle(what, framework.build, framework.gfx, seen_gfx_);
        if (against) {
          use.answer = *against;
        } else if (rule == "torch" && fact.feature == "flash-attention") {
          use.answer = torch_attention(framework, fact);
        }
      }
      uses_.emplace_back(fact.feature, std::move(use));
    }
    if (rule == "torch" && framework.build == "rocm") note_compiler(python, framework);
  }

  /// Without Triton in the environment torch.compile has no GPU code generator.
  void note_compiler(const PythonEnvironment& python, const Framework& torch) {
    const bool triton =
        std::any_of(python.frameworks.begin(), python.frameworks.end(),
                    [](const Framework& one) { return rule_name(one) == "triton"; });
    const auto major = Version::parse(torch.version);
    if (triton || !major || major->parts.front() < 2) return;
    uses_.emplace_back("torch-compile", FeatureUse{torch.name + " " + torch.version,
                                                   python.root,
                                                   {FeatureVerdict::unsupported,
                                                    "no Triton is installed beside it", "", ""}});
  }

  /// AOTriton's version stands in its library's name; its kernels lie in a folder per target.
  FeatureAnswer torch_attention(const Framework& torch, const FeatureFact& fact) {
    if (fact.means.empty()) return answer_of(fact);
    std::string version = fact.means.substr(fact.means.find(' ') + 1);
    bool library_seen = false;
    for (const Library& library : torch.libraries) {
      if (base_name(library.path).find("libaotriton") == std::string_view::npos) continue;
      library_seen = true;
      for (const std::string_view name :
           {base_name(library.real), std::string_view(library.elf.soname)}) {
        const std::string number = parse_library_name(std::string(name)).version;
        if (number.find('.') != std::string::npos) version = number;
      }
    }
    if (!library_seen && !torch.libraries.empty()) {
      return {FeatureVerdict::slow, "this build of PyTorch has no AOTriton: the math kernel", "",
              ""};
    }
    if (const auto images = torch.kernel_targets.find("aotriton");
        images != torch.kernel_targets.end()) {
      const bool any = std::any_of(
          images->second.begin(), images->second.end(),
          [&](const std::string& folder) { return kernel_folder_fits(folder, seen_gfx_); });
      if (!any) {
        return {FeatureVerdict::slow,
                "AOTriton " + version + " has no kernels for " + seen_gfx_ + " (" +
                    some_of(images->second) + "): the math kernel",
                "", ""};
      }
    }
    return ask("aotriton", version, "flash-attention");
  }

  /// The library that bitsandbytes takes is named after PyTorch's ROCm: libbitsandbytes_rocm64.so.
  std::optional<FeatureAnswer> bitsandbytes_obstacle(const PythonEnvironment& python,
                                                     const Framework& bitsandbytes) {
    const std::string what = bitsandbytes.name + " " + bitsandbytes.version;
    const Framework* torch = find(python, "torch");
    if (torch != nullptr && torch->build == "cpu") {
      return FeatureAnswer{FeatureVerdict::unsupported, "PyTorch here is built for the CPU", "",
                           ""};
    }
    std::vector<std::pair<Version, const Library*>> libraries;
    for (const Library& library : bitsandbytes.libraries) {
      const std::string_view name = base_name(library.path);
      const std::size_t at = name.find("_rocm");
      if (at == std::string_view::npos) continue;
      const std::string_view digits = name.substr(at + 5, name.find('.', at) - at - 5);
      if (digits.size() < 2 || !parse_number(digits)) continue;
      const auto version =
          Version::parse(std::string(digits.substr(0, 1)) + "." + std::string(digits.substr(1)));
      if (version) libraries.emplace_back(*version, &library);
    }
    const Result<std::string> rocm =
        torch != nullptr ? torch->hip_version : missing("torch", "is not in this environment");
    if (libraries.empty() || !rocm) {
      return obstacle(what, bitsandbytes.build, bitsandbytes.gfx, seen_gfx_);
    }
    const auto wanted = Version::parse(*rocm);
    const Library* chosen = nullptr;
    std::vector<std::string> names;
    std::sort(libraries.begin(), libraries.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [version, library] : libraries) {
      names.push_back(version.text());
      if (wanted && wanted->starts_with(version)) chosen = library;
    }
    // Since 0.50 the nearest one of the same major is taken.
    const auto own = Version::parse(bitsandbytes.version);
    if (chosen == nullptr && wanted && own && *own >= *Version::parse("0.50")) {
      for (const auto& [version, library] : libraries) {
        if (version.parts.front() != wanted->parts.front()) continue;
        if (chosen == nullptr || version <= *wanted) chosen = library;
      }
    }
    if (chosen == nullptr) {
      return FeatureAnswer{
          FeatureVerdict::unsupported,
          what + " has no library for PyTorch's ROCm " + *rocm + " (it has " + join(names, ", ") +
              ")",
          "", "bitsandbytes-foundation/bitsandbytes@0.50.0:bitsandbytes/cextension.py"};
    }
    return obstacle(std::string(base_name(chosen->path)), "rocm", chosen->elf.gfx, seen_gfx_);
  }

  FeatureAnswer prequantised(const PythonEnvironment& python) {
    const Framework* bitsandbytes = find(python, "bitsandbytes");
    if (bitsandbytes == nullptr) {
      return {FeatureVerdict::unsupported, "unsloth needs bitsandbytes for it; it is not installed",
              "", "unslothai/unsloth@015bdef0:unsloth/device_type.py"};
    }
    if (auto against = bitsandbytes_obstacle(python, *bitsandbytes)) return *against;
    return ask("bitsandbytes", bitsandbytes->version, "prequantised");
  }

  void add_application(const Application& application) {
    std::vector<std::string> targets = application.gfx;
    for (const auto& [library, list] : application.kernel_targets) {
      if (library == "cycles") continue;
      if (targets.empty()) targets = list;
    }
    if (targets.empty()) return;  // no GPU code of AMD's in it
    for (const FeatureFact& fact :
         database_.framework_features(application.name, "", "", seen_gfx_)) {
      FeatureUse use{application.name, application.path, answer_of(fact)};
      if (auto against = obstacle(application.name, "rocm", targets, seen_gfx_))
        use.answer = *against;
      uses_.emplace_back(fact.feature, std::move(use));
    }
  }

  /// The best of the software, no better than the hardware.
  static FeatureAnswer whole(const std::optional<FeatureAnswer>& hardware,
                             const std::vector<FeatureUse>& software) {
    const FeatureUse* best = nullptr;
    for (const FeatureUse& use : software) {
      if (best == nullptr || use.answer.verdict < best->answer.verdict) best = &use;
    }
    if (best == nullptr) {
      return hardware.value_or(FeatureAnswer{FeatureVerdict::unknown,
                                             "nothing that was found here provides it", "", ""});
    }
    if (hardware && hardware->verdict >= best->answer.verdict) return *hardware;
    FeatureAnswer answer = best->answer;
    answer.because = best->software + " in " + best->place + ": " + answer.because;
    return answer;
  }

  const Machine& machine_;
  const Database& database_;
  std::string gfx_;
  std::string seen_gfx_;  ///< what the runtime says it is: the override counts
  std::vector<std::pair<std::string, FeatureUse>> uses_;
};

}  // namespace

std::string_view to_string(FeatureVerdict verdict) {
  switch (verdict) {
    case FeatureVerdict::supported:
      return "supported";
    case FeatureVerdict::slow:
      return "slow";
    case FeatureVerdict::unsupported:
      return "unsupported";
    case FeatureVerdict::unknown:
      break;
  }
  return "unknown";
}

bool kernel_folder_fits(std::string_view folder, std::string_view gfx) {
  if (folder.size() != gfx.size()) return false;
  for (std::size_t i = 0; i < gfx.size(); ++i) {
    if (folder[i] != gfx[i] && !(i >= 3 && folder[i] == 'x')) return false;
  }
  return true;
}

std::vector<GpuFeatures> judge_features(const Machine& machine, const Database& database) {
  std::vector<GpuFeatures> out;
  for (const Gpu& gpu : machine.gpus) {
    if (!gpu.gfx) continue;
    const auto known = std::find_if(out.begin(), out.end(),
                                    [&](const GpuFeatures& one) { return one.gfx == *gpu.gfx; });
    if (known != out.end()) {
      known->gpus.push_back(gpu.index);
    } else {
      out.push_back({*gpu.gfx, {gpu.index}, Judge(machine, database, *gpu.gfx).rows()});
    }
  }
  return out;
}

}  // namespace rocvet

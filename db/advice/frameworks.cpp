// The framework: the wheels and images that exist for the GPU, the Python and the release.
#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"
#include "db/advice/planner.h"
#include "db/listing.h"
#include "db/wheel_rules.h"

namespace rocvet::db {
namespace {

constexpr std::size_t kMostPythons = 8;

std::string display(const std::string& framework) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames = {
      {{"pytorch", "PyTorch"},
       {"tensorflow", "TensorFlow"},
       {"jax", "JAX"},
       {"onnxruntime", "ONNX Runtime"},
       {"vllm", "vLLM"},
       {"triton", "Triton"}}};
  for (const auto& [name, text] : kNames) {
    if (framework == name) return std::string(text);
  }
  return framework;
}

/// "gfx1030" of "10.3.0".
std::string target_of_override(std::string_view value) {
  std::string out = "gfx";
  std::size_t place = 0;
  for (const std::string_view part : split(value, '.')) {
    const auto number = parse_number(part);
    if (!number || *number > 99) return {};
    std::array<char, 8> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(),
                                   static_cast<int>(*number), place == 0 ? 10 : 16);
    out.append(text.data(), end.ptr);
    ++place;
  }
  return place == 3 ? out : "";
}

bool same_major(const Version& a, const Version& b) {
  return !a.parts.empty() && !b.parts.empty() && a.parts[0] == b.parts[0];
}

bool has_python(const WheelRow& row, const std::string& python) {
  const auto wanted = Version::parse(python);
  if (!wanted) return true;
  return std::ranges::any_of(row.python, [&](std::string_view text) {
    const auto listed = Version::parse(text);
    return listed && !text.ends_with("t") && wanted->starts_with(*listed);
  });
}

/// How near the release of a wheel is to the one that is planned: the same, then newer ones last.
bool better(const WheelRow& a, const WheelRow& b, const Version& rocm) {
  const auto same = [&](const WheelRow& row) {
    return row.rocm_version &&
           (rocm.starts_with(*row.rocm_version) || row.rocm_version->starts_with(rocm));
  };
  if (same(a) != same(b)) return same(a);
  if (a.rocm_version && b.rocm_version && *a.rocm_version != *b.rocm_version)
    return *a.rocm_version > *b.rocm_version;
  const auto left = Version::parse(a.version.text()), right = Version::parse(b.version.text());
  return left && right && *left > *right;
}

}  // namespace

bool Planner::has_code(const WheelRow& row) const {
  const std::string& target = code_of.empty() ? gfx : code_of;
  if (!row.gfx.empty()) {
    if (!holds(row.gfx, target)) return false;
  } else {
    const auto answer = db.ask({.gpu = request.gpu, .rocm = std::string(row.rocm)});
    if (!answer ||
        (answer->verdict != Support::supported && answer->verdict != Support::deprecated))
      return false;
  }
  // What torch was compiled for is not all: its ROCm's rocBLAS needs code too.
  if (!row.rocm_version) return true;
  return std::ranges::none_of(db.published().libraries(), [&](const LibraryRow& library) {
    return library.library == "rocBLAS" && !library.built && holds(library.gfx, target) &&
           library.rocm.contains(*row.rocm_version);
  });
}

bool Planner::has_code(const ContainerRow& row) const {
  if (!row.gfx.empty()) return holds(row.gfx, gfx);
  // An image is as good as the wheels in it, where they are known.
  bool known = false;
  for (const WheelRow& wheel : db.published().wheels()) {
    if (wheel.framework != row.framework || !wheel.rocm_version || wheel.gfx.empty()) continue;
    if (!row.rocm->starts_with(*wheel.rocm_version) && !wheel.rocm_version->starts_with(*row.rocm))
      continue;
    if (holds(wheel.gfx, gfx)) return true;
    known = true;
  }
  if (known) return false;
  const auto answer = db.ask({.gpu = request.gpu, .rocm = std::string(row.rocm_text)});
  return answer &&
         (answer->verdict == Support::supported || answer->verdict == Support::deprecated);
}

/// Whether the system's C library is new enough for the wheel, as far as both are known.
bool Planner::starts_here(const WheelRow& row) const {
  const auto wanted = Version::parse(row.glibc);
  if (!wanted || !os || os->version.empty()) return true;
  for (const SystemRow& system : db.published().system_facts()) {
    if (system.os != os->id || !is_of_release(*os, system.version)) continue;
    const auto glibc = Version::parse(system.glibc);
    return !glibc || *glibc >= *wanted;
  }
  return true;
}

void Planner::wheel_step(const std::string& name, const Version& rocm) {
  std::vector<const WheelRow*> rows, with_python;
  const auto wanted = Version::parse(request.framework_version);
  const auto built_for = Version::parse(request.framework_rocm);
  const WheelRow* too_new = nullptr;  // for the C library of this system
  for (const WheelRow& row : db.published().wheels()) {
    if (row.framework != name || !is_released(row) || !can_be_installed(row) || !has_code(row))
      continue;
    if (!starts_here(row)) {
      too_new = &row;
      continue;
    }
    if (wanted && !row.version.contains(*wanted)) continue;
    if (built_for && row.rocm_version && !row.rocm_version->starts_with(*built_for) &&
        !built_for->starts_with(*row.rocm_version))
      continue;
    if (!brings_rocm(name) && row.rocm_version && !same_major(*row.rocm_version, rocm)) continue;
    rows.push_back(&row);
    if (request.python.empty() || has_python(row, request.python)) with_python.push_back(&row);
  }
  if (too_new != nullptr && with_python.empty()) {
    advice.notes.push_back("wheels of " + display(name) + " (" + std::string(too_new->index) +
                           ") do not start here: they need glibc " + std::string(too_new->glibc) +
                           ", newer than this system's");
  }
  if (rows.empty()) {
    advice.notes.push_back("no published " + display(name) + " wheel is known to hold " +
                           (code_of.empty() ? gfx : code_of) +
                           (wanted ? " in version " + request.framework_version : "") +
                           (built_for ? " for ROCm " + request.framework_rocm : ""));
    return;
  }
  const bool other_python = with_python.empty();
  const auto& among = other_python ? rows : with_python;
  const WheelRow& wheel = **std::ranges::min_element(
      among, [&](const WheelRow* a, const WheelRow* b) { return better(*a, *b, rocm); });
  std::vector<std::string> pythons;
  for (const std::string_view text : wheel.python) {
    if (!text.ends_with("t") && pythons.size() < kMostPythons) pythons.emplace_back(text);
  }
  AdviceStep step{display(name), "", {}, false, false, false};
  const std::string version = wheel.version.text();
  step.why = name + " " + version + " for ROCm " + std::string(wheel.rocm) +
             (wheel.gfx.empty() ? "" : " holds " + (code_of.empty() ? gfx : code_of)) +
             (pythons.empty() ? "" : "; for Python " + join(pythons, ", ")) + " (" +
             std::string(wheel.origin.source) + ").";
  if (other_python) {
    advice.notes.push_back("no wheel of " + name +
                           " with code for this GPU is published for Python " + request.python +
                           ": make an environment of Python " +
                           (pythons.empty() ? "that its page names" : pythons.back()));
  }
  std::string python = request.python;
  const std::string own = python_of_system(db, request.os);
  // The newest that the wheel is for, where the one that was asked for or the system's is not.
  if (!pythons.empty() &&
      (other_python || (python.empty() && !own.empty() && !has_python(wheel, own))))
    python = pythons.back();
  step.commands = wheel_commands(
      db, wheel_info(wheel),
      {wanted ? request.framework_version : version, gfx, request.os, python, environment});
  if (!code_of.empty())
    step.commands.insert(step.commands.begin(),
                         Step("export HSA_OVERRIDE_GFX_VERSION={}", override_value));
  if (!wheel.origin.condition.empty() && name != "pytorch")
    step.why += " " + std::string(wheel.origin.condition) + ".";
  advice.steps.push_back(std::move(step));
}

void Planner::container_step(const std::string& name, const Version& rocm) {
  const ContainerRow* best = nullptr;
  const auto wanted = Version::parse(request.python);
  const auto framework = Version::parse(request.framework_version);
  const auto rank = [&](const ContainerRow& row) {
    int points = 0;
    if (row.rocm && (rocm.starts_with(*row.rocm) || row.rocm->starts_with(rocm))) points += 8;
    const auto python = Version::parse(row.python);
    if (wanted && python && wanted->starts_with(*python)) points += 4;
    const auto system = parse_os(row.os);
    if (os && system && system->id == os->id && system->version == os->version) points += 2;
    return points;
  };
  const auto newer = [](const ContainerRow& row, const ContainerRow& than) {
    if (*row.rocm != *than.rocm) return *than.rocm < *row.rocm;
    const auto version = Version::parse(row.version), other = Version::parse(than.version);
    return version && other && *other < *version;
  };
  for (const ContainerRow& row : db.published().containers()) {
    if (row.framework != name || !row.origin.basis.empty() || !row.rocm) continue;
    if (!has_code(row)) continue;
    const auto version = Version::parse(row.version);
    if (framework && version && !version->starts_with(*framework)) continue;
    if (best == nullptr || rank(row) > rank(*best) ||
        (rank(row) == rank(*best) && newer(row, *best)))
      best = &row;
  }
  if (best == nullptr) return;
  advice.steps.push_back(
      {"Or use a container",
       display(name) + " " + std::string(best->version) + " on ROCm " +
           std::string(best->rocm_text) + ", with the devices and groups that a container needs (" +
           std::string(best->origin.source) + ").",
       {request.wsl ? Step("docker run -it --device=/dev/dxg -v /usr/lib/wsl/lib:/usr/lib/wsl/lib "
                           "--security-opt seccomp=unconfined --ipc=host {}",
                           std::string(best->image) + ":" + std::string(best->tag))
                    : Step("docker run -it --device=/dev/kfd --device=/dev/dri --group-add video "
                           "--group-add render --security-opt seccomp=unconfined --ipc=host {}",
                           std::string(best->image) + ":" + std::string(best->tag))},
       false,
       false,
       false});
}

void Planner::framework(const Version& rocm) {
  const std::string name = request.framework.empty() ? "pytorch" : request.framework;
  if (name == "none") return;
  // A target that runs a neighbour's code takes the neighbour's wheels.
  for (const OverrideRow& row : db.published().overrides()) {
    if (!row.works || !holds(row.gfx, gfx) || !code_of.empty()) continue;
    const bool own = std::ranges::any_of(db.published().wheels(), [&](const WheelRow& wheel) {
      return wheel.framework == name && is_released(wheel) && can_be_installed(wheel) &&
             has_code(wheel);
    });
    if (own) break;
    code_of = target_of_override(row.value);
    override_value = row.value;
  }
  // The rows of the install table are of one version each.
  auto step = request.framework_version.empty() ? install_step(name, rocm, display(name), "")
                                                : std::nullopt;
  if (step) {
    step->needs_root = std::ranges::any_of(
        step->commands, [](const Step& each) { return each.text().starts_with("sudo "); });
    const bool by_pip = std::ranges::any_of(step->commands, [](const Step& each) {
      return each.text().starts_with("pip ") || each.text().starts_with("python -m pip ");
    });
    if (by_pip) {
      const auto made = environment_commands();
      step->commands.insert(step->commands.begin(), made.begin(), made.end());
    }
    if (!code_of.empty() && name != "pytorch")
      step->commands.insert(step->commands.begin(),
                            Step("export HSA_OVERRIDE_GFX_VERSION={}", override_value));
    advice.steps.push_back(*std::move(step));
  } else {
    wheel_step(name == "triton" ? "pytorch" : name, rocm);
    if (name == "triton") advice.notes.push_back("Triton comes with PyTorch for ROCm");
  }
  container_step(name == "triton" ? "pytorch" : name, rocm);
  if (advice.newest.rocm.empty() && advice.elsewhere.rocm.empty()) {
    if (auto vulkan = install_step("vulkan-" + name, rocm, "Or without ROCm: Vulkan", ""))
      advice.steps.push_back(*std::move(vulkan));
  }
}

}  // namespace rocvet::db

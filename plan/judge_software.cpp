// Programs and Python environments that stand beside what moves.
#include <algorithm>

#include "base/text.h"
#include "checks/facts/sonames.h"
#include "db/listing.h"
#include "db/names.h"
#include "plan/judge.h"

namespace rocvet::plan {
namespace {

constexpr std::size_t kMostPackagesNamed = 4;

/// Files of the machine that ask for ROCm's libraries and bring none along: (file, library).
std::vector<std::pair<std::string, std::string>> linked(const Machine& machine,
                                                        const Database& database) {
  std::vector<std::pair<std::string, std::string>> found;
  const auto add = [&](const std::vector<Library>& libraries) {
    const auto brings = [&](const std::string& soname) {
      return std::ranges::any_of(libraries, [&](const Library& each) {
        return each.elf.soname == soname || each.path.ends_with("/" + soname);
      });
    };
    for (const Library& library : libraries) {
      for (const std::string& needed : library.elf.needed) {
        if (is_rocm_soname(database, needed) && !brings(needed))
          found.emplace_back(library.path, needed);
      }
    }
  };
  for (const PythonEnvironment& python : machine.software.python) {
    std::vector<Library> all = python.extensions;
    for (const Framework& framework : python.frameworks)
      all.insert(all.end(), framework.libraries.begin(), framework.libraries.end());
    add(all);
  }
  for (const Application& application : machine.software.applications) add(application.libraries);
  return found;
}

bool is_named(const Upgrade& upgrade, const std::string& package) {
  return std::ranges::any_of(upgrade.frameworks, [&](const Upgrade::Wheel& each) {
    return each.framework == db::framework_name(package);
  });
}

bool same_series(const std::string& a, const std::string& b) {
  const auto left = Version::parse(a), right = Version::parse(b);
  if (!left || !right || left->parts.size() < 2 || right->parts.size() < 2) return false;
  return left->parts[0] == right->parts[0] && left->parts[1] == right->parts[1];
}

/// What was made for the torch that is there: its companions, and what is compiled against it.
void judge_beside_torch(const Judgement& judgement, const Upgrade::Wheel& torch) {
  const auto& compiled = judgement.database.knowledge().words("compiled-against-torch");
  std::vector<std::string> companions;
  for (const PythonEnvironment& python : judgement.machine.software.python) {
    const auto here = std::ranges::find(python.packages, "torch", &PythonPackage::name);
    if (here == python.packages.end() || same_series(here->version, torch.version)) continue;
    for (const PythonPackage& package : python.packages) {
      if (package.name == "torchvision" || package.name == "torchaudio") {
        if (std::ranges::find(companions, package.name) == companions.end())
          companions.push_back(package.name);
      } else if (std::ranges::find(compiled, package.name) != compiled.end() &&
                 !is_named(judgement.upgrade, package.name)) {
        judgement.breaks("package × torch",
                         package.name + " " + package.version + " in " + python.root +
                             " is compiled against torch " + here->version +
                             " and does not load with torch " + torch.version +
                             ": it has to move with it",
                         "db/word_lists.toml");
      }
    }
  }
  if (!companions.empty())
    judgement.plan.moves.push_back(join(companions, " and ") + ", each made for one torch");
}

/// The Python that a system's own packages bring: what an environment made of it needs.
std::string system_python(const Database& database, const std::string& os) {
  return os.empty() ? "" : python_of_system(database, os);
}

}  // namespace

void judge_companions(const Judgement& judgement) {
  for (const Upgrade::Wheel& wheel : judgement.upgrade.frameworks) {
    if (wheel.framework == "pytorch") judge_beside_torch(judgement, wheel);
  }
  if (judgement.then.rocm == judgement.before.rocm) return;
  for (const PythonEnvironment& python : judgement.machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      const bool brings = std::ranges::any_of(framework.libraries, [](const Library& library) {
        return library.path.find("/libamdhip64.so") != std::string::npos;
      });
      if (brings && framework.hip_version)
        judgement.plan.notes.push_back(framework.name + " " + framework.version + " in " +
                                       python.root + " brings ROCm " + *framework.hip_version +
                                       " along and stays as it is");
    }
  }
}

void judge_linked(const Judgement& judgement) {
  const Setup &now = judgement.before, &then = judgement.then;
  if (then.rocm == now.rocm || then.rocm.empty()) return;
  const auto sonames = judgement.database.sonames(then.rocm);
  if (sonames.empty()) return;
  std::vector<std::string> said;
  std::size_t more = 0;
  for (const auto& [file, needed] : linked(judgement.machine, judgement.database)) {
    const std::string_view stem = stem_of_soname(needed);
    std::string other;
    bool there = false;
    for (const std::string& soname : sonames) {
      there |= soname == needed;
      if (stem_of_soname(soname) == stem) other = soname;
    }
    if (there || other.empty()) continue;
    if (std::ranges::find(said, file) != said.end()) continue;
    said.push_back(file);
    if (said.size() > kMostPackagesNamed) {
      ++more;
      continue;
    }
    std::string words = file;
    words.append(" asks for ").append(needed).append(", and ROCm ").append(then.rocm);
    words.append(" has ").append(other).append(": build or install it anew, or keep ROCm ");
    words.append(now.rocm).append(" beside");
    judgement.breaks("soname", words, "db/components.toml");
  }
  if (more > 0)
    judgement.plan.notes.push_back(std::to_string(more) +
                                   " more files ask for libraries of the former number");
}

void judge_python(const Judgement& judgement) {
  const std::string was = system_python(judgement.database, judgement.before.os);
  const std::string is = judgement.upgrade.python.empty()
                             ? system_python(judgement.database, judgement.then.os)
                             : judgement.upgrade.python;
  for (const PythonEnvironment& python : judgement.machine.software.python) {
    if (python.frameworks.empty()) continue;
    const auto version = Version::parse(python.python_version);
    const auto old = Version::parse(was), now = Version::parse(is);
    const bool of_system = old && version && version->starts_with(*old) && python.kind != "conda";
    const bool moves = judgement.upgrade.python.empty() ? of_system : true;
    if (!moves || !now || !version || version->starts_with(*now)) continue;
    if (judgement.upgrade.python.empty() && judgement.then.os == judgement.before.os) continue;
    judgement.plan.moves.push_back("the environment " + python.root + ", which is made of Python " +
                                   python.python_version + ": make it anew with Python " + is);
    for (const Framework& framework : python.frameworks) {
      const std::string name = db::framework_name(framework.name);
      const bool named = is_named(judgement.upgrade, framework.name);
      const auto wheels = wheels_of(judgement.database, name, framework.version);
      const bool known =
          std::ranges::any_of(wheels, [](const WheelInfo& wheel) { return !wheel.python.empty(); });
      if (named || !known) continue;
      if (std::ranges::none_of(wheels, [&](const WheelInfo& wheel) {
            return !wheel.python.empty() && has_python(wheel, is);
          }))
        judgement.breaks("wheel × python",
                         "no wheel of " + framework.name + " " + framework.version +
                             " is published for Python " + is,
                         wheels.back().source);
    }
  }
}

}  // namespace rocvet::plan

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kUnmetDependencyDoc = R"(
## What it looks for
What dnf and zypper say nothing provides, and for which release of the distribution the package
that asks for it was made: its release field says so (el9, fc42, sles155).

## Why it matters
A package of this distribution that lacks another one means that a repository is off: CodeReady
Builder, EPEL, a module of SLE. A package of another distribution means that AMD's repository line
is wrong. A symbol version that no library of this release has is a fault of AMD's packages.

## How to mend it
Enable the repository that has it, or point AMD's repository at this release.

## Not this
A conflict between packages that are both there.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/prerequisites.html
)";

struct Unmet {
  std::string dependency, package;
};

std::string without_quotes(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text.front() == '\'' && text.back() == '\'')
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

/// "rocm-comgr-17.1-3.fc40.x86_64": a ROCm package of the distribution's own, which goes before
/// AMD's (rocm-llvm-18.0.0.24355.60200-66.el9: with the release as five digits). What it lacks is
/// not what AMD's want.
bool is_rocm_of_the_distribution(std::string_view package) {
  constexpr std::size_t kReleaseDigits = 5;
  std::size_t digits = 0, most = 0;
  for (const char c : package) {
    digits = is_digit(c) ? digits + 1 : 0;
    most = std::max(most, digits);
  }
  return package.starts_with("rocm-") && most < kReleaseDigits;
}

/// "nothing provides X needed by P" of dnf, "nothing provides 'X' needed by the to be installed P"
/// of zypper.
std::vector<Unmet> unmet_dependencies(const std::string& log) {
  constexpr std::string_view kLacks = "nothing provides ", kBy = " needed by ";
  std::vector<Unmet> out;
  each_line(log, [&](std::string_view line) {
    const std::size_t at = line.find(kLacks);
    if (at == line.npos || out.size() >= 32) return;
    // People cut the line short.
    const std::size_t by = std::min(line.find(kBy, at), line.size());
    std::string_view package = by == line.size() ? "" : trim(line.substr(by + kBy.size()));
    for (const std::string_view article : {"the to be installed ", "the installed "}) {
      if (package.starts_with(article)) package = package.substr(article.size());
    }
    package = package.substr(0, package.find(' '));
    if (is_rocm_of_the_distribution(package)) return;
    const std::size_t from = at + kLacks.size();
    out.push_back({without_quotes(line.substr(from, by - from)), std::string(package)});
  });
  return out;
}

/// "9" of "…el9.x86_64", "155" of "…sles155.66.x86_64", "42" of "…fc42.x86_64": the first number
/// behind the word; nullopt where the word is not there.
std::optional<std::string> number_behind(const std::string& package, std::string_view word) {
  for (std::size_t at = package.find(word); at != package.npos; at = package.find(word, at + 1)) {
    if (at == 0 || (package[at - 1] != '.' && package[at - 1] != '~' && package[at - 1] != '-'))
      continue;
    const std::size_t from = at + word.size();
    const std::size_t end = std::min(package.find_first_not_of("0123456789", from), package.size());
    if (end > from) return package.substr(from, end - from);
  }
  return std::nullopt;
}

enum class Made { here, elsewhere, unknown };

/// For which release of a distribution a package was made, against the one that runs.
Made made_for(const std::string& package, const Distro& distro) {
  const std::string& id = distro.id;
  const std::string& version = distro.version;
  if (id.empty() || version.empty()) return Made::unknown;
  const std::string major(split(version, '.')[0]);
  const bool suse = id == "sles" || id == "sled" || id.starts_with("opensuse");
  const bool fedora = id == "fedora", enterprise = !suse && !fedora;
  if (const auto number = number_behind(package, "el"))
    return enterprise && *number == major ? Made::here : Made::elsewhere;
  if (const auto number = number_behind(package, "fc"))
    return fedora && *number == major ? Made::here : Made::elsewhere;
  if (const auto number = number_behind(package, "sles")) {
    std::string digits;
    for (const char letter : version)
      if (letter != '.') digits += letter;
    return suse && digits.starts_with(*number) ? Made::here : Made::elsewhere;
  }
  return Made::unknown;
}

/// "libdw.so.1(ELFUTILS_0.186)(64bit)": a symbol version of a library.
bool is_symbol_version(const std::string& dependency) {
  const std::size_t so = dependency.find(".so");
  const std::size_t open = dependency.find('(', so == dependency.npos ? 0 : so);
  return so != dependency.npos && open != dependency.npos && open + 1 < dependency.size() &&
         dependency[open + 1] != ')' && dependency.find('_', open) != dependency.npos;
}

std::vector<Finding> run_unmet_dependency(const Context& context) {
  const std::vector<Unmet> all = unmet_dependencies(spoken(context));
  if (all.empty()) return {skip("no installer says that nothing provides something")};
  if (!context.machine.distro) return {unknown(context.machine.distro.error())};
  std::vector<Finding> findings;
  for (const Unmet& one : all) {
    const Made made = made_for(one.package, *context.machine.distro);
    const bool version = is_symbol_version(one.dependency);
    if (made == Made::unknown && !version) continue;
    const std::string saw =
        (one.package.empty() ? "a package" : one.package) + " wants " + one.dependency;
    if (made == Made::elsewhere) {
      findings.push_back(warning("a package of another distribution's release cannot be installed")
                             .saw(saw)
                             .sees("package-of-another-distro-lacks-something"));
    } else if (version) {
      findings.push_back(
          warning("a package wants a newer library than this distribution's release has")
              .saw(saw)
              .sees("package-wants-a-newer-symbol-version"));
    } else {
      findings.push_back(
          warning("no repository that is on has what a package of this release wants")
              .saw(saw)
              .sees("package-of-this-distro-lacks-something"));
    }
    if (findings.size() >= 4) break;
  }
  return or_pass(std::move(findings), "what is not provided tells no more");
}

}  // namespace

extern const Check kUnmetDependency;
constinit const Check kUnmetDependency{.code = "RV425",
                                       .id = "unmet-dependency",
                                       .topic = "installation",
                                       .title =
                                           "A package cannot be installed: nothing provides "
                                           "what it needs",
                                       .doc = kUnmetDependencyDoc,
                                       .run = run_unmet_dependency};

}  // namespace rocvet

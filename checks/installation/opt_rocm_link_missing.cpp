#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/loader_words.h"

namespace rocvet {
namespace {

constexpr std::string_view kOptRocmLinkMissingDoc = R"(
## What it looks for
The link /opt/rocm, where a versioned tree exists; the links in /opt/rocm, where ROCm lies in
/opt/rocm/core-X.Y (7.9 on) and somebody asks for them; and where ROCm is in /usr, whether a build
asks for a file below /opt/rocm.

## Why it matters
Much software has /opt/rocm built in: "/opt/rocm/lib/libamdhip64.so: No such file".

## How to mend it
`sudo ln -s /opt/rocm-X.Y.Z /opt/rocm`, or ROCM_PATH where it is honoured.

## Not this
A machine without a ROCm below /opt.

## References
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/post-install.html
- https://man7.org/linux/man-pages/man1/update-alternatives.1.html
)";

/// "/opt/rocm" as a path of its own or with something behind it, not "/opt/rocm-6.2.0".
bool names_the_link(std::string_view text) {
  constexpr std::string_view kLink = "/opt/rocm";
  for (std::size_t at = text.find(kLink); at != text.npos; at = text.find(kLink, at + 1)) {
    const std::string_view behind = text.substr(at + kLink.size());
    if (behind.empty() || std::string_view("/:;'\" \n,)").find(behind[0]) != behind.npos)
      return true;
  }
  return false;
}

bool names_the_link(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string& text) { return names_the_link(text); });
}

bool names_the_link(const std::vector<Library>& libraries) {
  return std::any_of(libraries.begin(), libraries.end(), [](const Library& library) {
    return names_the_link(library.elf.rpath) || names_the_link(library.elf.runpath);
  });
}

/// The line by which a program missed a file below the link; "" where there is none.
std::string missed_below_the_link(const Context& context) {
  std::string found;
  if (!context.machine.app_log) return found;
  const auto& missing = context.db.knowledge().words("finds-no-file");
  each_line(*context.machine.app_log, [&](std::string_view line) {
    if (found.empty() && line.size() < 4096 && line.find("/opt/rocm/") != line.npos &&
        contains_one(lower(line), missing))
      found = line;
  });
  return found;
}

/// Whether a folder of the loader, a variable, a service, an .icd file, or the search path of a
/// program or module leads there.
bool something_looks_for_it(const Machine& machine) {
  const Software& software = machine.software;
  bool found = names_the_link(software.loader_path);
  if (machine.process.environment) {
    for (const auto& [name, value] : *machine.process.environment) found |= names_the_link(value);
  }
  for (const VariableSetting& setting : machine.settings.variables)
    found |= names_the_link(setting.value);
  if (machine.access.services) {
    for (const Service& service : *machine.access.services)
      found |= names_the_link(service.exec_start);
  }
  if (software.opencl_icds) {
    for (const OpenClIcd& icd : *software.opencl_icds) found |= names_the_link(icd.library);
  }
  for (const Application& one : software.applications) found |= names_the_link(one.libraries);
  for (const PythonEnvironment& python : software.python) {
    found |= names_the_link(python.extensions);
    for (const Framework& one : python.frameworks) found |= names_the_link(one.libraries);
  }
  return found;
}

std::vector<Finding> run_opt_rocm_link_missing(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.software.core_links_missing) {
    const bool missed = app_log_has(context, "/opt/rocm/bin") ||
                        app_log_has(context, "/opt/rocm/lib") ||
                        app_log_has(context, "/opt/rocm/include");
    if (!missed) return {pass("/opt/rocm/bin and lib do not exist, and nothing asks for them")};
    return failing("/opt/rocm/bin and lib do not exist, and something looks for them")
        .saw("ROCm lies in /opt/rocm/core-*, and no link in /opt/rocm leads there")
        .fix({"install amdrocm-core, whose installation makes the links"})
        .verify("ls -l /opt/rocm")
        .root();
  }
  std::string versioned;
  bool standard = false;
  for (const RocmInstall& install : machine.software.rocm) {
    standard |=
        install.is_default || install.root == "/opt/rocm" || install.root.starts_with("/opt/rocm/");
    if (install.root.starts_with("/opt/rocm-")) versioned = install.root;
  }
  if (standard) return {pass("/opt/rocm leads to a release")};
  if (versioned.empty()) {
    const bool in_usr = std::ranges::any_of(
        machine.software.rocm, [](const RocmInstall& install) { return install.root == "/usr"; });
    const bool missed = has_app_error(context, "rocm-version-file-missing") ||
                        has_app_error(context, "build-wants-opt-rocm") ||
                        has_app_error(context, "opt-rocm-lib-missing");
    if (!in_usr || !missed) return {none_here("there is no versioned ROCm below /opt")};
    return warning("ROCm is in /usr, and something looks for it in /opt/rocm")
        .saw("/opt/rocm does not exist")
        .fix({"sudo ln -s /usr /opt/rocm"})
        .verify("ls -l /opt/rocm")
        .undo("sudo rm /opt/rocm")
        .root();
  }
  const bool complaint = app_log_has(context, "/opt/rocm/") || app_log_has(context, "/opt/rocm:") ||
                         app_log_has(context, "/opt/rocm'") ||
                         app_log_has(context, "cannot find ROCm") ||
                         app_log_has(context, "HIP runtime");
  // A library that the loader does not find is no matter of the link where nothing leads by it.
  const auto& cache = machine.software.loader_cache;
  const bool loader_known = cache.has_value() || cache.is_missing();
  if (!complaint && loader_known && !libraries_not_opened(context).empty() &&
      !names_the_link(spoken(context)) && !something_looks_for_it(machine))
    return passing("/opt/rocm does not exist, and nothing here looks for it")
        .saw(versioned + " exists, /opt/rocm does not");
  const std::string missed = missed_below_the_link(context);
  Finding finding = (complaint ? failing("/opt/rocm does not exist, and something looks for it")
                               : warning("/opt/rocm does not exist"))
                        .saw(versioned + " exists, /opt/rocm does not")
                        .saw(missed.substr(0, 240))
                        .fix({Step("sudo ln -s {} /opt/rocm", versioned)})
                        .verify("ls -l /opt/rocm")
                        .undo("sudo rm /opt/rocm")
                        .root();
  if (!missed.empty()) finding.seen.push_back("opt-rocm-file-missed");
  return {finding};
}

}  // namespace

extern const Check kOptRocmLinkMissing;
constinit const Check kOptRocmLinkMissing{
    .code = "RV407",
    .id = "opt-rocm-link-missing",
    .topic = "installation",
    .title = "/opt/rocm does not exist beside /opt/rocm-X.Y.Z",
    .doc = kOptRocmLinkMissingDoc,
    .run = run_opt_rocm_link_missing};

}  // namespace rocvet

#include <algorithm>
#include <optional>
#include <set>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/packages.h"
#include "checks/facts/situation.h"
#include "checks/facts/sonames.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/loader_words.h"
#include "db/version.h"
#include "formats/release_tree.h"

namespace rocvet {
namespace {

constexpr std::string_view kLibraryNotFoundDoc = R"(
## What it looks for
Libraries that the application could not open, and libraries that ROCm's, the frameworks' and the
compiled modules of Python (torch_scatter, cupy, apex …) need; whether such a file exists elsewhere,
in another major version, or nowhere.

## Why it matters
The three have different remedies: tell the loader the folder, install the build that fits, or
install the package. Where the package manager says that it is installed, its file is gone.

## How to mend it
Exists elsewhere: an ld.so.conf.d entry and ldconfig, or LD_LIBRARY_PATH. Another major: the
framework build for the ROCm that is here. Nowhere: the package that owns it; installed and gone: reinstall it.

## Not this
A symbol version that a library lacks: RV502.

## References
- https://man7.org/linux/man-pages/man8/ld.so.8.html
- https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/post-install.html
)";

/// ROCm and what asks for the library come from the distribution: no wheel, no environment of the
/// user's own, and a package manager for which AMD has no packages or ROCm in the system's folders.
bool of_one_distribution(const Context& context, const Whereabouts& where, const std::string& by) {
  const Machine& machine = context.machine;
  // Arch keeps its own ROCm in /opt/rocm.
  for (const char* own : {"/usr/local/", "/home/", "/root/", "/opt/", "/srv/"}) {
    if (by.starts_with(own) && !by.starts_with("/opt/rocm/")) return false;
  }
  if (is_of_wheel_or_bundle(by)) return false;
  for (const char* own : {"venv", "conda"}) {
    if (by.find(own) != by.npos && !by.starts_with("/usr/")) return false;
  }
  if (by.empty() &&
      (app_log_has(context, "/home/*site-packages") || people_say(context, {"venv", "conda"})))
    return false;
  bool private_asks = false;
  for (const PythonEnvironment& python : machine.software.python)
    private_asks |= by.empty() && !python.root.starts_with("/usr") && !python.frameworks.empty();
  if (private_asks) return false;
  return family(machine) == Family::pacman || where.of_distribution;
}

Finding another_major(const Context& context, const std::string& name, const std::string& by,
                      const Whereabouts& where, bool complained) {
  const std::string who = by.empty() ? "the application needs " + name : by + " needs " + name;
  const bool distribution = of_one_distribution(context, where, by);
  // A compiled module that Python would import, of a package that somebody installed.
  const bool extension = is_in_site_packages(by) && !distribution;
  const std::string summary = name + " is needed, another major version is installed";
  // A module of Python that asks for a major that is nowhere cannot be imported at all.
  Say said = complained ? failing(summary) : extension ? warning(summary) : passing(summary);
  Finding out =
      std::move(said)
          .about(extension ? by : "")
          .saw(who)
          .saw(where.other_majors.front() + " is there instead")
          .sees(distribution ? ObservationName("library-of-another-major-in-distribution")
                             : ObservationName("library-of-another-major"))
          .fix({extension
                    ? Step("install the build of {} for the ROCm that is here", package_of(by))
                    : Step("install the framework build for the ROCm that is here (rocvet "
                           "advise)")});
  if (extension) out.seen.push_back(ObservationName("extension-needs-another-rocm-major"));
  return out;
}

/// Whether the system's own libraries are known: a snapshot may have none of them. What everything
/// needs is there then.
bool knows_system_libraries(const Machine& machine) {
  const auto& unresolved = machine.software.unresolved;
  return std::none_of(unresolved.begin(), unresolved.end(), [](const UnresolvedLibrary& one) {
    return one.needed == "libc.so.6" || one.needed == "libstdc++.so.6" ||
           one.needed == "libm.so.6" || one.needed == "libgcc_s.so.1";
  });
}

/// A part of glibc: where libc.so.6 is, they are, and what was recorded lacks them.
bool is_of_glibc(std::string_view name) {
  constexpr std::string_view kParts[] = {"libpthread.so.0", "libdl.so.2",
                                         "librt.so.1",      "libutil.so.1",
                                         "libresolv.so.2",  "ld-linux-x86-64.so.2"};
  return std::ranges::find(kParts, name) != std::end(kParts);
}

/// The package manager has it installed, the folder of its tree was read, and there is no file.
Finding file_gone(const Package& package, const std::string& name, const std::string& by,
                  bool matters) {
  return Say(matters ? Verdict::fail : Verdict::pass,
             name + " is not on the disk, though its package is installed")
      .saw(by.empty() ? "the application needs " + name : by + " needs " + name)
      .saw(describe(package) + " is installed")
      .saw("no file of that name was found")
      .sees("installed-package-lacks-its-library")
      .fix({Step("reinstall {} (apt install --reinstall, dnf reinstall, zypper install --force, "
                 "pacman -S)",
                 package.name)})
      .root();
}

/// ROCm's core is linked to it (comgr to LLVM): what it lacks, every program of ROCm lacks.
bool core_stands_on(const Machine& machine, std::string_view path) {
  const std::string_view base = base_name(path);
  for (const RocmInstall& install : machine.software.rocm) {
    for (const Library& library : install.libraries) {
      if (!is_core_of_rocm(library.path)) continue;
      for (const std::string& needed : library.elf.needed) {
        if (base == needed || base.starts_with(needed + ".")) return true;
      }
    }
  }
  return false;
}

/// Of ROCm's core, or what it is linked to, where it is known what the system has: without what it
/// lacks no program of ROCm starts.
bool stops_rocm(const Machine& machine, std::string_view path) {
  const bool core = is_core_of_rocm(path) && is_of_rocm(machine, path);
  return (core || core_stands_on(machine, path)) && knows_system_libraries(machine);
}

/// Whether the folder of some tree of ROCm's packages was read: what is not seen there is not
/// there.
bool knows_rocm_folders(const Machine& machine) {
  const auto& installs = machine.software.rocm;
  return std::any_of(installs.begin(), installs.end(), [](const RocmInstall& install) {
    return (install.owner == RocmOwner::amd_packages ||
            install.owner == RocmOwner::distro_packages) &&
           !install.libraries.empty();
  });
}

/// PyTorch's own libraries: without what one of them lacks, `import torch` fails.
bool stops_torch(const Machine& machine, std::string_view path) {
  constexpr std::string_view kFolder = "-packages/torch/lib/";
  if (path.find(kFolder) == path.npos || !knows_system_libraries(machine)) return false;
  const std::string_view name = base_name(path);
  return name.starts_with("libtorch") || name.starts_with("libc10");
}

Finding not_installed(const Context& context, const std::string& name, const std::string& by,
                      const Whereabouts& where, bool complained) {
  const Step package = package_of_soname(context, name);
  const bool of_rocm = is_of_rocm(context.machine, by);
  // What ROCm itself starts with and cannot find stops every program; of other files nobody may
  // ever load the one that lacks it.
  const bool stops_all = stops_rocm(context.machine, by) || stops_torch(context.machine, by);
  const Package* owner = installed_owner(context, name);
  if (owner != nullptr && knows_rocm_folders(context.machine))
    return file_gone(*owner, name, by, complained || stops_all);
  const std::string summary =
      of_rocm ? name + ", which ROCm itself needs, is not installed" : name + " is not installed";
  Say said = complained ? failing(summary) : stops_all ? warning(summary) : passing(summary);
  Finding out =
      std::move(said)
          .saw(by.empty() ? "the application needs " + name : by + " needs " + name)
          .saw(where.bundled.empty() ? "no file of that name was found"
                                     : where.bundled.front() + " is another program's own")
          .sees("library-not-installed")
          .fix({package.empty() ? Step("install the package that owns {}", name) : package})
          .root();
  if (stops_rocm(context.machine, by))
    out.seen.push_back(ObservationName("rocm-lacks-what-it-needs"));
  return out;
}

/// Libraries of HCC, which ROCm had until 3.3: HIP stands on clang from 3.5 on.
bool is_of_hcc(std::string_view name) {
  return name.starts_with("libmcwamp") || name.starts_with("libhc_am");
}

/// A program of ROCm 3.3 or before meets a ROCm that has no HCC.
std::optional<Finding> of_a_former_rocm(const Context& context, const std::string& name,
                                        bool complained) {
  const auto here = Version::parse(rocm_version(context.machine));
  if (!is_of_hcc(name) || !here || *here < Version{{3, 5}}) return std::nullopt;
  return Finding((complained ? failing(name + " is of HCC, which ROCm had until 3.3")
                             : passing(name + " is of HCC, which ROCm had until 3.3"))
                     .saw("ROCm " + rocm_version(context.machine) + " is here")
                     .sees("program-built-with-hcc")
                     .fix({"install the build of the program for the ROCm that is here"}));
}

/// Every file of that name is in the tree of another release than what asks for it: an upgrade that
/// took some of ROCm's packages and left others.
bool only_in_other_releases(const Whereabouts& where, const std::string& by) {
  const std::string_view own = release_tree_of(by);
  return !own.empty() && std::ranges::all_of(where.exact, [&](const std::string& path) {
    const std::string_view tree = release_tree_of(path);
    return !tree.empty() && tree != own;
  });
}

/// The environment chooses a release ("module load rocm/5.0.2") that has the library in another
/// major, and only another release has the one that is asked for: it would bring a second runtime
/// into the process.
bool chosen_release_has_another_major(const Machine& machine, const Whereabouts& where) {
  const auto is_in = [](const std::string& path, std::string_view tree) {
    return !tree.empty() && release_tree_of(path) == tree;
  };
  for (const std::string_view variable : {"ROCM_PATH", "LD_LIBRARY_PATH"}) {
    const std::string value = variable_or_empty(machine, variable);
    // The tree of a folder is that of a file in it.
    const std::string chosen(release_tree_of(value.substr(0, value.find(':')) + "/lib/x"));
    const bool other = std::ranges::any_of(
        where.other_majors, [&](const std::string& path) { return is_in(path, chosen); });
    const bool exact =
        std::ranges::any_of(where.exact, [&](const auto& path) { return is_in(path, chosen); });
    if (other && !exact) return true;
  }
  return false;
}

Finding in_another_release(const Context& context, const std::string& name, const std::string& by,
                           const Whereabouts& where, bool complained) {
  const std::string own(release_tree_of(by));
  const std::string summary = own + " lacks " + name + ": only another release here has it";
  const Step package = package_of_soname(context, name);
  return (complained ? failing(summary) : passing(summary))
      .saw(by + " needs " + name)
      .saw(where.exact.front() + " is of another release")
      .sees("library-only-in-another-release")
      .fix({package.empty()
                ? Step("upgrade the package that owns {} to the release of {}", name, own)
                : package})
      .root();
}

/// The file of the same library with a number that the loader finds: "libdrm_amdgpu.so.1" for
/// "libdrm_amdgpu.so", whose link only a package for developers has.
std::string numbered_file(const Machine& machine, const std::string& name) {
  const auto& cache = machine.software.loader_cache;
  if (!cache || !name.ends_with(".so")) return "";
  for (const auto& [soname, path] : *cache) {
    if (soname.starts_with(name + ".")) return path;
  }
  return "";
}

/// A library of ROCm of which only the file with a number is here ("librocblas.so.5" for
/// "librocblas.so"): the link is of the package for developers.
std::string numbered_rocm_file(const Context& context, const std::string& name) {
  const Machine& machine = context.machine;
  if (!name.ends_with(".so") || !is_rocm_soname(context.db, name)) return "";
  for (const RocmInstall& install : machine.software.rocm) {
    for (const Library& library : install.libraries) {
      if (base_name(library.path).starts_with(name + ".")) return library.path;
    }
  }
  return "";
}

/// The folder with ROCm's libraries that an application brings along and that holds the file; "".
std::string bundle_of(const Machine& machine, const std::string& file) {
  for (const RocmInstall& install : machine.software.rocm) {
    if (install.owner == RocmOwner::app_bundle && file.starts_with(install.root + "/"))
      return install.root;
  }
  return "";
}

/// A program that looks in a folder relative to where it is started: its linker lost $ORIGIN.
std::optional<Finding> run_path_without_origin(const Machine& machine, const std::string& name) {
  for (const UnresolvedLibrary& one : machine.software.unresolved) {
    if (one.needed != name || one.relative_run_path.empty()) continue;
    return Finding(
        failing(one.by + " looks for its libraries in a relative folder")
            .saw(one.by + " needs " + name)
            .saw("its run path has " + one.relative_run_path + ", without $ORIGIN")
            .sees("run-path-without-origin")
            .fix({Step("patchelf --set-rpath FOLDER {}   # the folder that has {}", one.by, name),
                  "or: export LD_LIBRARY_PATH=FOLDER"}));
  }
  return std::nullopt;
}

/// Neither ROCm's nor of a package that the database knows.
bool is_of_nobody(const Context& context, const std::string& name) {
  return !is_rocm_soname(context.db, name) && package_of_soname(context, name).empty();
}

/// Whether a program that its user built or laid there asks for a library that is nobody's here: no
/// package of a distribution and none of ROCm's would bring it.
bool is_the_programs_own(const Context& context, const std::string& name, const std::string& by) {
  if (!is_of_nobody(context, name)) return false;
  constexpr std::string_view kOfTheStack[] = {
      "libroc", "libhip",  "libamd",   "libhsa", "libMIOpen", "librccl", "libOpenCL",
      "libdrm", "libLLVM", "libclang", "libomp", "libstdc++", "libgcc",  "libTensile"};
  const bool of_stack = std::ranges::any_of(
      kOfTheStack, [&](std::string_view begins) { return name.starts_with(begins); });
  const bool of_user = std::ranges::any_of(
      std::initializer_list<std::string_view>{"/home/", "/root/", "/usr/local/", "/srv/", "/tmp/"},
      [&](std::string_view folder) { return by.starts_with(folder); });
  if (of_stack || is_in_site_packages(by)) return false;
  // A program that lacks several lacks the folder that they came in.
  const auto& unresolved = context.machine.software.unresolved;
  return of_user || (is_of_wheel_or_bundle(by) &&
                     std::ranges::count_if(unresolved, [&](const UnresolvedLibrary& one) {
                       return one.by == by && is_of_nobody(context, one.needed);
                     }) > 1);
}

/// The message names the file by its path in a package of Python: it is that package's own.
bool is_of_a_python_package(const Context& context, const std::string& name) {
  return !is_rocm_soname(context.db, name) &&
         app_log_has(context, "-packages/*/" + name + ": cannot open");
}

/// A file below /etc/OpenCL/vendors names it, another one a driver of AMD's that is there: the
/// loader of OpenCL says so of the first, and goes on with the second.
bool another_opencl_driver_stands_in(const Machine& machine, std::string_view name) {
  if (!name.starts_with("libamdocl") || !machine.software.opencl_icds) return false;
  return std::ranges::any_of(*machine.software.opencl_icds, [&](const OpenClIcd& icd) {
    return icd.resolved && base_name(icd.library) != name &&
           icd.library.find("amdocl") != std::string::npos;
  });
}

/// A file of that name is there, and no loader takes it: damaged, or of another processor.
bool is_unusable(const Machine& machine, std::string_view name) {
  return std::ranges::any_of(machine.software.rocm, [&](const RocmInstall& install) {
    return std::ranges::any_of(install.faults, [&](const FileFault& fault) {
      return base_name(fault.path).starts_with(name);
    });
  });
}

Finding judge(const Context& context, const std::string& name, const std::string& by,
              bool complained) {
  if (!software_was_read(context.machine))
    return {Verdict::unknown,
            "not known: where " + name + " is, since no library of this machine was read"};
  if (auto former = of_a_former_rocm(context, name, complained)) return *former;
  const Whereabouts where = whereabouts(context.machine, name, by);
  const std::string who = by.empty() ? "the application needs " + name : by + " needs " + name;
  if (complained) {
    if (auto relative = run_path_without_origin(context.machine, name)) return *relative;
  }
  if (!where.exact.empty() && only_in_other_releases(where, by))
    return in_another_release(context, name, by, where, complained);
  if (!where.exact.empty() && chosen_release_has_another_major(context.machine, where))
    return another_major(context, name, by, where, complained);
  if (!where.exact.empty()) {
    const std::string folder = where.exact.front().substr(0, where.exact.front().rfind('/'));
    const std::string summary = name + " is installed where the loader does not look";
    // Without a complaint nobody may ever load the file that lacks it.
    return (complained ? failing(summary) : passing(summary))
        .saw(who)
        .saw(where.exact.front() + " exists")
        .sees("library-outside-the-loaders-folders")
        .fix({Step("echo {} | sudo tee /etc/ld.so.conf.d/rocm.conf", folder), "sudo ldconfig",
              Step("or: export LD_LIBRARY_PATH={}:$LD_LIBRARY_PATH", folder)})
        .undo("sudo rm /etc/ld.so.conf.d/rocm.conf")
        .root();
  }
  if (!where.found.empty()) {
    // By its path a file is asked for in one place alone, wherever else it lies.
    if (app_log_has(context, "/" + name + ": cannot open"))
      return passing(name + " is asked for by a path where it is not").saw(who);
    if (is_unusable(context.machine, name))
      return passing(name + " is there, and no loader takes it").saw(who);
    return passing("every program here finds " + name +
                   ": the complaint is of another place (a container, another account) or older")
        .saw(who)
        .saw(where.found.front() + " exists, and the loader finds it")
        .sees("library-found-here-missed-there");
  }
  if (another_opencl_driver_stands_in(context.machine, name))
    return passing(name + " is gone, and another OpenCL driver of AMD's is registered and there")
        .saw(who);
  if (const std::string numbered = numbered_file(context.machine, name);
      !numbered.empty() && (!is_rocm_soname(context.db, name) || name.starts_with("libdrm")))
    return passing(who + " by a name without a number; " + numbered + " is there")
        .saw("most programs that say so then try the name with the number");
  if (const std::string numbered = numbered_rocm_file(context, name); !numbered.empty())
    return Say(complained ? Verdict::fail : Verdict::pass,
               name + " is a link that only the package for developers has")
        .saw(who)
        .saw(numbered + " is there")
        .sees("development-link-missing")
        .fix({Step("install the -dev (-devel) package of {}", stem_of_soname(name))})
        .root();
  if (!where.other_majors.empty()) return another_major(context, name, by, where, complained);
  // What a distribution brings is no application's to bring.
  const bool of_rocm = is_rocm_soname(context.db, name) || name.starts_with("libtensile");
  if (const std::string bundle = bundle_of(context.machine, by); !bundle.empty() && of_rocm)
    return Say(complained ? Verdict::fail : Verdict::pass,
               "the ROCm that the application brings along lacks " + name)
        .saw(who)
        .saw("no file of that name is in " + bundle)
        .sees("bundle-lacks-its-library")
        .fix({Step("install the application in {} anew, from a complete archive", bundle)});
  if (is_the_programs_own(context, name, by) || is_of_a_python_package(context, name))
    return passing((by.empty() ? "a package of Python" : by) + " lacks " + name +
                   ", which is no library of ROCm or of the distribution")
        .saw(who)
        .sees("program-lacks-its-own-library");
  return not_installed(context, name, by, where, complained);
}

/// The file that asks for it: ROCm's own first, which all others stand on.
std::string asker_of(const Machine& machine, const std::string& name) {
  std::string first;
  for (const UnresolvedLibrary& one : machine.software.unresolved) {
    if (one.needed != name) continue;
    if (is_of_rocm(machine, one.by)) return one.by;
    if (first.empty()) first = one.by;
  }
  return first;
}

/// A driver that an .icd file names and that is not there: what is wrong is the file (RV406).
bool is_named_by_dead_icd(const Machine& machine, const std::string& name) {
  const auto& icds = machine.software.opencl_icds;
  return icds && std::ranges::any_of(*icds, [&](const OpenClIcd& icd) {
           return icd.resolved.is_missing() && icd.library.ends_with("/" + name);
         });
}

/// JAX loads each plug-in of its folder, says nothing of one that does not load, and then has no
/// such back end.
bool is_of_silent_plugin(const Context& context, std::string_view path) {
  return path.find("-packages/jax_plugins/") != path.npos &&
         (app_log_has(context, "Unable to initialize backend 'rocm'") ||
          app_log_has(context, "Unknown backend: 'rocm'"));
}

/// An exception of Python went through the package of this file, a warning names the file that was
/// not loaded, or a complaint names the folder of the user's own that it lies in: what it lacks is
/// the reason.
bool is_complained_of(const Context& context, std::string_view path) {
  if (is_in_site_packages(path)) {
    return (python_raised(context) &&
            app_log_has(context, "-packages/" + std::string(package_of(path)) + "/")) ||
           is_of_silent_plugin(context, path) ||
           app_log_has(context, "could not load this library: " + std::string(path));
  }
  const bool shared =
      path.starts_with("/usr/") || path.starts_with("/lib") || path.starts_with("/opt/rocm");
  return !shared && app_log_has(context, std::string(parent_path(path)) + "/") &&
         someone_complains(context);
}

/// A part of ROCm lacks it, and somebody complains and names it or its package: "libdw.so.1",
/// "libdw1t64".
bool is_named(const Context& context, const UnresolvedLibrary& one) {
  if (!someone_complains(context) || !is_of_rocm(context.machine, one.by)) return false;
  const std::string stem = lower(one.needed.substr(0, one.needed.find(".so")));
  const std::string_view log = spoken_lower(context);
  for (std::size_t at = log.find(stem); at != log.npos; at = log.find(stem, at + 1)) {
    const auto goes_on = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    const std::size_t end = at + stem.size();
    const bool begins = at == 0 || !(goes_on(log[at - 1]) || is_digit(log[at - 1]));
    // "libdw1", "libdw.so", "libdw-dev", "libdw:"; no "libdwarf".
    if (begins && (end == log.size() || !goes_on(log[end]))) return true;
  }
  return false;
}

constexpr std::size_t kMostUnasked = 4;  // findings of what nobody complains of

/// Files that lack a library with nobody complaining, what ROCm's core lacks first.
std::vector<Finding> unasked(const Context& context) {
  const Machine& machine = context.machine;
  std::vector<const UnresolvedLibrary*> lacking;
  for (const UnresolvedLibrary& one : machine.software.unresolved) {
    if (is_of_glibc(one.needed)) continue;
    const bool matters = is_rocm_soname(context.db, one.needed) || stops_rocm(machine, one.by) ||
                         stops_torch(machine, one.by) || is_named(context, one) ||
                         is_of_silent_plugin(context, one.by);
    if (matters && !another_build_fits(machine, one)) lacking.push_back(&one);
  }
  std::stable_partition(lacking.begin(), lacking.end(), [&](const UnresolvedLibrary* one) {
    return is_core_of_rocm(one->by) && is_of_rocm(machine, one->by);
  });
  std::vector<Finding> findings;
  std::set<std::string> seen;
  for (const UnresolvedLibrary* one : lacking) {
    if (findings.size() >= kMostUnasked) break;
    if (seen.insert(one->needed).second)
      findings.push_back(judge(context, one->needed, one->by,
                               is_complained_of(context, one->by) || is_named(context, *one)));
  }
  return findings;
}

/// A CUDA build asks for it: what is wrong is the build, not that the library is absent.
bool is_of_cuda(const Context& context, std::string_view name) {
  const std::string soname = lower(name);
  return std::ranges::any_of(context.db.knowledge().words("libraries-of-cuda"),
                             [&](std::string_view prefix) { return soname.starts_with(prefix); });
}

std::vector<Finding> run_library_not_found(const Context& context) {
  std::vector<Finding> findings;
  for (const std::string& name : libraries_not_opened(context)) {
    if (name.find("librocdxg") != std::string::npos || is_of_cuda(context, name) ||
        is_named_by_dead_icd(context.machine, name))
      continue;
    std::string asker = asker_of(context.machine, name);
    if (asker.empty()) asker = program_without(context, name);
    findings.push_back(judge(context, name, asker, true));
  }
  // What the program's maker forgot is the reason, unless something of ROCm is missing too.
  const auto own = [](const Finding& finding) {
    return std::ranges::any_of(finding.seen, [](ObservationName seen) {
      return seen.view() == "program-lacks-its-own-library";
    });
  };
  if (!std::ranges::all_of(findings, own)) std::erase_if(findings, own);
  if (findings.empty()) findings = unasked(context);
  return or_pass(std::move(findings), "every library that is needed is found");
}

}  // namespace

extern const Check kLibraryNotFound;
constinit const Check kLibraryNotFound{.code = "RV501",
                                       .id = "library-not-found",
                                       .topic = "runtime",
                                       .title = "A library that is needed is not found",
                                       .doc = kLibraryNotFoundDoc,
                                       .run = run_library_not_found};

}  // namespace rocvet

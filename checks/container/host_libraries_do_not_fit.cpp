#include <algorithm>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/sonames.h"

namespace rocvet {
namespace {

constexpr std::string_view kHostLibrariesDoNotFitDoc = R"(
## What it looks for
Apptainer and Singularity: libraries of the host that --rocm binds at /.singularity.d/libs, against
the image: symbol versions that its C library lacks, libraries that it does not have, and the same
library of ROCm in the image with another version.

## Why it matters
The folder comes first in LD_LIBRARY_PATH. A library of a newer system does not start on the
image's C library ("version `GLIBC_2.33' not found"), and HIP of one release beside libraries of
another one gives undefined symbols and crashes.

## How to mend it
Run without --rocm and bind the devices: `apptainer exec --bind /dev/kfd,/dev/dri IMAGE COMMAND`.
An image without a ROCm of its own needs a system as new as the host's.

## Not this
A symbol version that is missing with no library of the host in it: RV502.

## References
- https://apptainer.org/docs/user/latest/gpu.html#amd-gpus-rocm
- https://github.com/apptainer/apptainer/issues/1621
)";

constexpr std::size_t kMaxLines = 4;  // of evidence

/// The newest "hip_6.4" that a libamdhip64 defines; empty when it was not read.
std::vector<unsigned long long> newest_hip(const ElfSummary& elf) {
  std::vector<unsigned long long> newest;
  for (const std::string& version : elf.defines_versions) {
    if (!version.starts_with("hip_")) continue;
    std::vector<unsigned long long> numbers;
    for (const std::string_view part : split(std::string_view(version).substr(4), '.'))
      numbers.push_back(parse_number(part).value_or(0));
    newest = std::max(newest, numbers);
  }
  return newest;
}

/// The image's own copy of a library of the host; nullptr without one.
const Library* copy_of_image(const Machine& machine, std::string_view stem) {
  const auto search = [&](const std::vector<Library>& libraries) -> const Library* {
    for (const Library& library : libraries) {
      if (stem_of_soname(base_name(library.path)) == stem && !is_bound_from_host(library.path))
        return &library;
    }
    return nullptr;
  };
  for (const RocmInstall& install : machine.software.rocm) {
    if (const Library* found = search(install.libraries)) return found;
  }
  for (const PythonEnvironment& python : machine.software.python) {
    for (const Framework& framework : python.frameworks) {
      if (const Library* found = search(framework.libraries)) return found;
    }
  }
  return nullptr;
}

/// "libamdhip64.so.6" of what the file says it is, else of its name.
std::string soname_of(const Library& library) {
  return library.elf.soname.empty() ? std::string(base_name(library.path)) : library.elf.soname;
}

/// How a library of the host differs from the image's; "" where nothing is known to.
std::string difference(const Library& host, const Library& image) {
  const std::string ours = soname_of(host), theirs = soname_of(image);
  const auto has_major = [](const std::string& name) { return name.find(".so.") != name.npos; };
  const auto major = [](const std::string& name) {
    const std::string_view behind = std::string_view(name).substr(name.find(".so.") + 4);
    return std::string(behind.substr(0, behind.find('.')));
  };
  if (has_major(ours) && has_major(theirs) && major(ours) != major(theirs))
    return host.path + " is " + ours + ", the image has " + image.path + " (" + theirs + ")";
  const auto host_hip = newest_hip(host.elf), image_hip = newest_hip(image.elf);
  if (!host_hip.empty() && !image_hip.empty() && host_hip != image_hip)
    return host.path + " is HIP of another release than " + image.path;
  return "";
}

std::vector<Finding> run_host_libraries_do_not_fit(const Context& context) {
  const Software& software = context.machine.software;
  if (context.machine.surroundings.environment != Environment::apptainer)
    return {none_here("this is no container of Apptainer or Singularity", Absence::surroundings)};
  std::vector<std::string> misfits;
  for (const UnmetVersion& unmet : software.unmet_versions) {
    if (!is_bound_from_host(unmet.by) && !is_bound_from_host(unmet.provider)) continue;
    misfits.push_back(unmet.by + " needs " + unmet.version + ", which " + unmet.provider +
                      " lacks");
  }
  if (software.host_libraries.empty() && misfits.empty())
    return {none_here("no library of the host's ROCm is in the container")};
  for (const UnresolvedLibrary& one : software.unresolved) {
    if (is_bound_from_host(one.by) && is_rocm_soname(context.db, one.needed))
      misfits.push_back(one.by + " needs " + one.needed + ", which is not found");
  }
  const Library* beside = nullptr;
  for (const Library& host : software.host_libraries) {
    const Library* image = copy_of_image(context.machine, stem_of_soname(base_name(host.path)));
    if (image == nullptr) continue;
    beside = image;
    const std::string differs = difference(host, *image);
    if (!differs.empty()) misfits.push_back(differs);
  }
  if (misfits.size() > kMaxLines) misfits.resize(kMaxLines);
  if (!misfits.empty())
    return warning("libraries of the host do not fit the image")
        .saw(misfits)
        .sees("host-library-does-not-fit-the-image")
        .fix({"apptainer exec --bind /dev/kfd,/dev/dri IMAGE COMMAND   # without --rocm"});
  if (beside != nullptr)
    return passing("libraries of the host come before the image's, and no difference is known")
        .saw(beside->path + " is the image's")
        .sees("host-libraries-before-the-images");
  return {pass("the image has no ROCm of its own beside the host's")};
}

}  // namespace

extern const Check kHostLibrariesDoNotFit;
constinit const Check kHostLibrariesDoNotFit{
    .code = "RV719",
    .id = "host-libraries-do-not-fit",
    .topic = "container",
    .title = "Libraries of the host that were bound into the container do not fit it",
    .doc = kHostLibrariesDoNotFitDoc,
    .run = run_host_libraries_do_not_fit};

}  // namespace rocvet

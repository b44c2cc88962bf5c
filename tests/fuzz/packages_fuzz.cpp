// What package managers, Python and CMake write of what is installed.
#include <string>

#include "db/version.h"
#include "formats/library_names.h"
#include "formats/package_log.h"
#include "formats/release_tree.h"
#include "fuzz/target.h"
#include "machine/read_distro.h"
#include "machine/read_frameworks.h"
#include "machine/read_package_files.h"
#include "machine/read_packages.h"
#include "machine/read_python.h"
#include "machine/read_repositories.h"
#include "machine/read_rocm.h"
#include "machine/read_software.h"

using namespace rocvet;

FUZZ_TARGET(packages) {
  const std::string text(bytes);
  fuzz::use(parse_dpkg_status(bytes));
  fuzz::use(parse_rpm_list(bytes));
  fuzz::use(parse_pacman_desc(bytes, "x"));
  fuzz::use(parse_apk_installed(bytes));
  fuzz::use(package_changes(bytes));
  fuzz::use(parse_package_files(bytes));
  fuzz::use(is_working_file(bytes));
  fuzz::use(is_package_of_rocm(bytes));
  fuzz::use(parse_apt_list(bytes, "x.list"));
  fuzz::use(parse_apt_sources(apt_source_fields(bytes), "x.sources"));
  fuzz::use(parse_apt_sources(bytes, "x.sources"));
  fuzz::use(parse_apt_preferences(apt_preference_fields(bytes), "rocm"));
  fuzz::use(parse_apt_preferences(bytes, "rocm"));
  fuzz::use(parse_repo_file(bytes, "x.repo"));
  fuzz::use(parse_apt_policy(bytes));
  fuzz::use(parse_os_release(bytes));
  const std::string normal = normal_package_name(bytes);
  fuzz::must_equal(normal_package_name(normal), normal, "a normal name is normal");
  fuzz::use(parse_metadata_name(bytes));
  fuzz::use(parse_python_string(bytes, "hip"));
  fuzz::use(parse_build_tag(bytes));
  fuzz::use(parse_library_name(bytes));
  fuzz::use(release_of_tree(release_tree_of(bytes)));
  fuzz::use(rocm_version_of(bytes));
  fuzz::use(is_version_unmet(text, {"GLIBCXX_3.4.30", "GLIBC_2.34", text}));

  const auto version = Version::parse(bytes);
  if (version) {
    const auto again = Version::parse(version->text());
    fuzz::must(again && *again == *version, "a version is read back from its text");
    fuzz::must(version->starts_with(*version), "a version is of its own series");
  }
  const auto range = VersionRange::parse(bytes);
  if (!range) return;
  const auto again = VersionRange::parse(range->text());
  fuzz::must(again.has_value(), "a range is read back from its text");
  for (const char* each : {"0", "6.2", "6.2.1", "99999"}) {
    const auto of = Version::parse(each);
    fuzz::must(range->contains(*of) == again->contains(*of), "and holds the same");
  }
  fuzz::use(range->is_within_one_series());
}

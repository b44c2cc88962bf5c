// Published defects, limits and workarounds that fit a machine.
#include <algorithm>

#include "base/text.h"
#include "db/blob_database.h"
#include "db/driver_releases.h"
#include "db/names.h"
#include "db/wheel_rules.h"

namespace rocvet::db {
namespace {

/// "20251125-1.fc43", "1:20240318.git3b128b60-0ubuntu2.4"
std::optional<Version> package_version(std::string_view text) {
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos)
    text.remove_prefix(colon + 1);
  const auto version = Version::parse(text);
  if (!version || version->parts.empty()) return std::nullopt;
  return Version{{version->parts[0]}};
}

/// One condition of a row, the least first: not met, not known, met.
enum class Fit { no, unknown, yes };

Fit range_fit(const std::optional<VersionRange>& range, const std::optional<Version>& version) {
  if (!range) return Fit::yes;
  if (!version) return Fit::unknown;
  return range->contains(*version) ? Fit::yes : Fit::no;
}

Fit list_fit(const Texts& list, std::string_view value) {
  if (list.empty()) return Fit::yes;
  if (value.empty()) return Fit::unknown;
  return holds(list, value) ? Fit::yes : Fit::no;
}

std::optional<Version> parsed(std::string_view text) {
  return Version::parse(trim(text)).optional();
}

/// A situation, its versions understood.
struct Here {
  const Situation& said;
  bool in_tree = false;  ///< the driver is the kernel's own
  std::optional<Version> rocm, kernel;
  std::optional<Version> module;          ///< of the DKMS driver
  std::optional<Version> package;         ///< the same, or as its package has it
  std::optional<Version> driver_release;  ///< in the version of its package
  std::optional<Version> firmware_package;
  std::optional<OsName> os;
  std::optional<Version> os_version;
};

Here here_of(const Situation& said) {
  Here here{.said = said};
  here.in_tree = said.dkms_driver.empty() && said.dkms_package.empty();
  here.rocm = parsed(said.rocm);
  here.kernel = kernel_version(said.kernel);
  here.module = parsed(said.dkms_driver);
  here.package =
      here.module ? here.module : parsed(said.dkms_package.substr(said.dkms_package.find(':') + 1));
  here.driver_release = driver_release_in(said.dkms_package);
  here.firmware_package = package_version(said.linux_firmware);
  here.os = parse_os(said.os).optional();
  if (here.os) here.os_version = parsed(here.os->version);
  return here;
}

/// Red Hat's and SUSE's enterprise kernels have the drivers of much newer ones: their number tells
/// nothing of the GPUs that they know.
bool backports_drivers(std::string_view release) {
  for (std::size_t at = release.find(".el"); at != release.npos; at = release.find(".el", at + 1)) {
    if (at + 3 < release.size() && is_digit(release[at + 3])) return true;
  }
  return release.ends_with("-default") && release.find("-150") != release.npos;
}

/// Whether a kernel's third number is not that of the stable tree: Ubuntu and Debian count their
/// builds behind "X.Y.0-", whatever fixes are in them. Fedora's "6.14.0-63.fc42" is 6.14.0.
bool counts_builds(std::string_view release, const Version& kernel) {
  return kernel.parts.size() > 3 && kernel.parts[2] == 0 && release.find(".fc") == release.npos;
}

/// Whether a kernel is in a range of the stable tree's numbers; unknown where it is of a series of
/// which only a part is in the range, and nobody can tell which part it is of.
Fit stable_fit(const VersionRange& range, const Here& here) {
  if (!here.kernel || backports_drivers(here.said.kernel)) return Fit::unknown;
  if (!counts_builds(here.said.kernel, *here.kernel)) return range_fit(range, here.kernel);
  constexpr int kMostPatches = 300;
  Version release{{here.kernel->parts[0], here.kernel->parts[1], 0}};
  const bool first = range.contains(release);
  for (int& patch = release.parts[2]; patch < kMostPatches;) {
    ++patch;
    if (range.contains(release) != first) return Fit::unknown;
  }
  return first ? Fit::yes : Fit::no;
}

/// The defect of a kernel's own driver is none of the DKMS driver that takes its place. A row that
/// names its systems has their numbers, others the stable tree's.
Fit kernel_fit(const IssueRow& row, const Here& here) {
  if (row.topic != "kernel-bad" || !row.kernel) return range_fit(row.kernel, here.kernel);
  if (!here.in_tree || here.said.wsl) return Fit::no;
  return row.os ? range_fit(row.kernel, here.kernel) : stable_fit(*row.kernel, here);
}

Fit framework_fit(const IssueRow& row, const Here& here) {
  const auto known = here.said.frameworks.find(std::string(row.framework));
  if (known == here.said.frameworks.end()) return Fit::no;
  return range_fit(row.versions, parsed(known->second));
}

Fit os_fit(const std::vector<OsSeries>& list, const Here& here) {
  if (!here.os) return here.said.os.empty() ? Fit::unknown : Fit::no;
  for (const OsSeries& wanted : list) {
    if (wanted.id != here.os->id) continue;
    if (wanted.whole) return Fit::yes;
    if (here.os_version && wanted.version && here.os_version->starts_with(*wanted.version))
      return Fit::yes;
  }
  return Fit::no;
}

/// A bad firmware is told by its package or by the block's own version: one that is installed and
/// not loaded is loaded with the next initial RAM disk.
Fit firmware_fit(const IssueRow& row, const Here& here) {
  const Fit installed =
      row.firmware_package ? range_fit(row.firmware_package, here.firmware_package) : Fit::unknown;
  if (installed == Fit::yes) return installed;
  if (const auto known = here.said.firmware.find(std::string(row.firmware_block));
      known != here.said.firmware.end()) {
    const auto mine = parse_number(trim(known->second), 16);
    if (mine && row.firmware) return (*mine & 0xfff) == *row.firmware ? Fit::yes : Fit::no;
  }
  return installed;
}

/// What was found, and how much it says: the more, the earlier it is told.
using Found = std::vector<std::pair<int, KnownIssue>>;

std::vector<std::string> owned(const Texts& texts) {
  return {texts.begin(), texts.end()};
}

/// How a row fits: the least of its conditions, and how many it has.
struct RowFit {
  Fit fit = Fit::yes;
  int conditions = 0;
};

RowFit fit_of(const IssueRow& row, const Here& here) {
  RowFit whole;
  const auto require = [&](bool is_named, Fit fit) {
    if (!is_named) return;
    ++whole.conditions;
    whole.fit = std::min(whole.fit, fit);
  };
  require(!row.gfx.empty(), list_fit(row.gfx, here.said.gfx));
  require(row.rocm.has_value(), range_fit(row.rocm, here.rocm));
  require(row.kernel.has_value(), kernel_fit(row, here));
  if (row.os) require(true, os_fit(*row.os, here));
  require(row.driver.has_value(), here.in_tree ? Fit::no : range_fit(row.driver, here.package));
  require(row.driver_release.has_value(),
          here.in_tree ? Fit::no : range_fit(row.driver_release, here.driver_release));
  if (row.except_kernel && here.kernel && row.except_kernel->contains(*here.kernel))
    whole.fit = Fit::no;
  if (row.wsl) require(true, *row.wsl == here.said.wsl ? Fit::yes : Fit::no);
  require(!row.framework.empty(), framework_fit(row, here));
  if (row.in_tree)
    require(true, here.in_tree && !backports_drivers(here.said.kernel) ? Fit::yes : Fit::no);
  require(!row.firmware_block.empty() || row.firmware_package.has_value(), firmware_fit(row, here));
  return whole;
}

void add_issues(const Published& published, const Here& here, std::string_view topic,
                Found& found) {
  for (const IssueRow& row : published.issues()) {
    if (!topic.empty() && row.topic != topic) continue;
    const auto [fit, conditions] = fit_of(row, here);
    if (fit == Fit::no) continue;
    const bool certain = fit == Fit::yes;
    std::vector<std::string> about = owned(list_items(row.about));
    about.insert(about.end(), row.complaint.begin(), row.complaint.end());
    found.emplace_back(conditions + (certain ? 100 : 0),
                       KnownIssue{.id = std::string(row.id),
                                  .topic = std::string(row.topic),
                                  .because = std::string(row.fact),
                                  .remedy = std::string(row.remedy),
                                  .source = std::string(row.origin.source),
                                  .signatures = owned(list_items(row.signatures)),
                                  .generic = row.generic,
                                  .about = std::move(about),
                                  .breaks_compute = row.breaks_compute,
                                  .hits_most = row.hits_most,
                                  .certain = certain});
  }
}

/// The kernel that the GPU needs, when the driver is the kernel's own.
void add_kernels(const Published& published, const Here& here, Found& found) {
  if (!here.in_tree || !here.kernel) return;
  const std::string& gfx = here.said.gfx;
  for (const KernelRow& row : published.kernels()) {
    if (list_fit(row.gfx, gfx) != Fit::yes || range_fit(row.rocm, here.rocm) != Fit::yes) continue;
    if (list_fit(row.devices, here.said.device) != Fit::yes) continue;
    if (!row.is_fix && backports_drivers(here.said.kernel)) continue;
    if (row.kernel.contains(*here.kernel)) continue;
    if (row.or_kernel && row.or_kernel->contains(*here.kernel)) continue;
    const std::string& need = row.kernel.text();
    // The first kernel of a chip outweighs a later fix.
    found.emplace_back(
        row.is_fix ? 103 : 104,
        KnownIssue{.id = "kernel-" + gfx + (row.is_fix ? "-fix" : "-driver"),
                   .topic = "kernel-min",
                   .because = std::string(row.text) + ": " + gfx + " needs Linux " + need,
                   .remedy = "Linux " + need + (row.is_fix ? "" : ", or amdgpu-dkms"),
                   .source = std::string(row.origin.source),
                   .signatures = owned(row.signatures),
                   .certain = true});
  }
}

void add_overrides(const Published& published, const Here& here, Found& found) {
  const std::string& gfx = here.said.gfx;
  const std::string_view set = trim(here.said.gfx_override);
  for (const OverrideRow& row : published.overrides()) {
    if (list_fit(row.gfx, gfx) != Fit::yes) continue;
    const Fit release_fit = range_fit(row.rocm, here.rocm);
    if (release_fit == Fit::no) continue;
    // Harm is told of the value that is set; what works is offered whatever is set.
    if (!row.works && set != row.value) continue;
    const std::string value(row.value);
    found.emplace_back(101 + (set == row.value),
                       KnownIssue{.id = "override-" + gfx + "-" + value,
                                  .topic = row.works ? "override-works" : "override-harms",
                                  .because = "HSA_OVERRIDE_GFX_VERSION=" + value + " on " + gfx +
                                             ": " + std::string(row.text),
                                  .remedy = row.works ? "export HSA_OVERRIDE_GFX_VERSION=" + value
                                                      : "unset HSA_OVERRIDE_GFX_VERSION",
                                  .source = std::string(row.origin.source),
                                  .signatures = {},
                                  .certain = release_fit == Fit::yes});
  }
}

/// User space that AMD does not list with this driver.
void add_driver_window(const BlobDatabase& db, const Here& here, Found& found) {
  if (!here.rocm || here.in_tree) return;
  const std::string driver = here.driver_release ? here.driver_release->text()
                             : here.module       ? db.driver_of_module(*here.module)
                                                 : std::string();
  if (driver.empty()) return;
  const auto answer = db.ask({.rocm = here.said.rocm, .driver = driver});
  if (!answer || answer->verdict != Support::unlisted) return;
  found.emplace_back(102, KnownIssue{.id = "driver-window",
                                     .topic = "driver-window",
                                     .because = answer->because,
                                     .remedy = "bring the driver and ROCm to one published pair",
                                     .source = answer->facts.empty() ? "" : answer->facts[0].source,
                                     .signatures = {"Incompatible kernel and userspace"},
                                     .certain = true});
}

void add_dropped(const BlobDatabase& db, const Here& here, Found& found) {
  const std::string& gfx = here.said.gfx;
  if (gfx.empty() || !here.rocm) return;
  const std::string last = db.last_rocm_for(gfx);
  const auto last_version = parsed(last);
  if (!last_version || *here.rocm <= *last_version || here.rocm->starts_with(*last_version)) return;
  found.emplace_back(
      102, KnownIssue{.id = "dropped-" + gfx,
                      .topic = "gfx-dropped",
                      .because = "ROCm " + last + " is the last release that lists " + gfx +
                                 "; this is " + here.said.rocm,
                      .remedy = "ROCm " + last + ", or libraries built for " + gfx,
                      .source = "ROCm documentation, all tables in the database",
                      .signatures = {"hipErrorNoBinaryForGpu", "invalid device function",
                                     "no kernel image is available"},
                      .certain = true});
}

/// That a release has nothing for what a row speaks of.
bool denies(Support verdict) {
  return verdict == Support::unlisted || verdict == Support::unsupported;
}

/// Whether some row says that the release has something for the target, or (`has` is false) that
/// it has nothing.
bool says(const Published& published, std::string_view gfx, const Version& release, bool has) {
  const auto& support = published.support();
  const auto& libraries = published.libraries();
  return std::any_of(support.begin(), support.end(),
                     [&](const SupportRow& row) {
                       // That a table leaves out one product says nothing of the target.
                       if (denies(row.verdict) && !row.gpus.empty()) return false;
                       return row.gfx == gfx && denies(row.verdict) != has &&
                              row.rocm.contains(release);
                     }) ||
         std::any_of(libraries.begin(), libraries.end(), [&](const LibraryRow& row) {
           return holds(row.gfx, gfx) && row.built == has && row.rocm.contains(release);
         });
}

/// Whether a release has a later target of the same generation.
bool has_later(const Published& published, std::string_view gfx, const Version& release) {
  const auto is_later = [&](std::string_view other) {
    return other.size() == gfx.size() && gfx.size() > 2 && other > gfx &&
           other.substr(0, gfx.size() - 2) == gfx.substr(0, gfx.size() - 2);
  };
  const auto& support = published.support();
  return std::any_of(support.begin(), support.end(), [&](const SupportRow& row) {
    return is_later(row.gfx) &&
           (row.verdict == Support::supported || row.verdict == Support::enabled) &&
           row.rocm.contains(release);
  });
}

}  // namespace

std::vector<KnownIssue> BlobDatabase::known_issues(const Situation& situation,
                                                   std::string_view topic) const {
  const Here here = here_of(situation);
  const auto asked = [&](std::string_view one) { return topic.empty() || topic == one; };
  Found found;
  add_issues(published_, here, topic, found);
  if (asked("kernel-min")) add_kernels(published_, here, found);
  if (asked("override-works") || asked("override-harms")) add_overrides(published_, here, found);
  if (asked("driver-window")) add_driver_window(*this, here, found);
  if (asked("gfx-dropped")) add_dropped(*this, here, found);
  std::erase_if(found, [&](const auto& one) { return !asked(one.second.topic); });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<KnownIssue> ordered;
  for (auto& [weight, issue] : found) ordered.push_back(std::move(issue));
  return ordered;
}

bool BlobDatabase::kernel_knows(const Situation& situation) const {
  const Here here = here_of(situation);
  if (!here.in_tree || !here.kernel) return false;
  bool known = false;
  for (const KernelRow& row : published_.kernels()) {
    if (row.is_fix || list_fit(row.gfx, situation.gfx) != Fit::yes ||
        list_fit(row.devices, situation.device) != Fit::yes)
      continue;
    if (!row.kernel.contains(*here.kernel) &&
        !(row.or_kernel && row.or_kernel->contains(*here.kernel)))
      return false;
    known = true;
  }
  return known;
}

std::string BlobDatabase::last_rocm_for(std::string_view gfx) const {
  // Supported or deprecated by a published table, as a target or as any product of it. That a
  // target can be enabled (built without promise) counts where no release ever promised more.
  std::vector<const SupportRow*> promised, enabled;
  for (const SupportRow& row : published_.support()) {
    if (row.gfx != gfx) continue;
    if (row.verdict == Support::supported || row.verdict == Support::deprecated)
      promised.push_back(&row);
    if (row.verdict == Support::enabled) enabled.push_back(&row);
  }
  const auto& rows = promised.empty() ? enabled : promised;
  std::string last;
  for (const ReleaseRow& release : published_.releases()) {
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const SupportRow* row) { return row->rocm.contains(release.rocm); }))
      last = release.rocm.text();
  }
  const auto newest = newest_release();
  return newest && newest->text() == last ? std::string() : last;
}

std::string BlobDatabase::rocm_needed_for(std::string_view gfx, std::string_view rocm) const {
  const auto here = parsed(strip_series(rocm));
  if (!here || says(published_, gfx, *here, true) || !says(published_, gfx, *here, false))
    return {};
  // A release that has a later target of the generation is not too old: it leaves this one out.
  if (has_later(published_, gfx, *here)) return {};
  for (const ReleaseRow& release : published_.releases()) {
    if (!says(published_, gfx, release.rocm, true)) continue;
    return *here < release.rocm && !release.rocm.starts_with(*here) ? release.rocm.text()
                                                                    : std::string();
  }
  return {};
}

std::vector<std::string> BlobDatabase::sonames(std::string_view rocm) const {
  std::vector<std::string> names;
  const auto version = parsed(strip_series(rocm));
  if (!version) return names;
  for (const ComponentRow& row : published_.components()) {
    if (row.rocm.contains(*version)) names.emplace_back(row.soname);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<WheelInfo> BlobDatabase::wheels(std::string_view framework) const {
  std::vector<WheelInfo> found;
  for (const WheelRow& row : published_.wheels()) {
    if (!framework.empty() && row.framework != framework) continue;
    found.push_back(wheel_info(row));
  }
  return found;
}

}  // namespace rocvet::db
